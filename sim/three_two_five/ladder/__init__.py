"""What a ladder of 3-2-5 needs to know: line-ups, rungs, and what is counted of a match."""
