"""Match equity of Fives and Threes: rounds from given scores, and the chance to win that follows."""
