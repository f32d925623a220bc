"""The opening book of Fives and Threes: its deals, hands and plan."""
