"""Fives and Threes, the game of dominoes for two, three or four."""
