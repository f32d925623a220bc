"""The workshop of opening books: what is planned, played and kept, whatever the game."""
