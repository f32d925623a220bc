"""What players that think have in common, whatever the game: candidates valued in sampled worlds."""
