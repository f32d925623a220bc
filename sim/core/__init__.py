"""What the games share: compilation, random words, bit masks, strategies as data."""
