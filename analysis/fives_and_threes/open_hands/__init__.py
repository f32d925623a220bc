"""Rounds with all hands open: what each move was worth, what was possible."""
