"""How strong the players are, and how the answers move with their strength."""
