"""Naive games and referees in plain Python, written from the rulebooks, sharing nothing with the kernels."""
