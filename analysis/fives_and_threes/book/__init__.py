"""What the opening book of Fives and Threes says: its table, and what habits of opening cost."""
