"""What is measured on a ladder of Fives and Threes, and how the answers move with the strength."""
