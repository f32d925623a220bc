"""How strong the players of a game are, and who can exploit whom: what a ladder says, in any game."""
