"""The ladder of 3-2-5: every strategy against two of every other, on the same deals."""
