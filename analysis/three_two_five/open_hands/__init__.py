"""Deals with all hands open: what each card was worth, what was possible."""
