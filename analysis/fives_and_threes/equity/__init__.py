"""Match equity of Fives and Threes: tables, what a point is worth, and the tables that are shipped."""
