"""Match equity of 3-2-5: what scores, seats and debts are worth, and how to call when it counts."""
