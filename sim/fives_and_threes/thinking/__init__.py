"""Players of Fives and Threes that sample worlds."""
