"""Dealworth's analyses."""
