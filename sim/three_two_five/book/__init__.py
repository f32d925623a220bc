"""The opening book of 3-2-5: every first hand, each option valued to a stated precision."""
