"""The opening book of 3-2-5: every first hand, its options compared to a stated precision."""
