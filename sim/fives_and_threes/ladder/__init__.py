"""What a ladder of Fives and Threes needs to know: line-ups, rungs, and what is counted of a match."""
