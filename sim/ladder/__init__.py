"""A ladder of strategies, for every game: each against others of every other, on the same deals."""
