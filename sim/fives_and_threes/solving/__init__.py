"""Fives and Threes solved exactly with all hands open."""
