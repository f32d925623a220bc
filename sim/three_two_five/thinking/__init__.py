"""Strategies of 3-2-5 that sample worlds and play them out."""
