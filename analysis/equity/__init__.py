"""Match equity, what both games share: an answer, and how it is shown."""
