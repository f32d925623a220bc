"""3-2-5, Teen Do Paanch, for three players and thirty cards."""
