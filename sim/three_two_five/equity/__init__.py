"""Match equity of 3-2-5: deals from given debts, and the chance to win that follows."""
