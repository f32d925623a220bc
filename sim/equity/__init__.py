"""Match equity, for both games: the chance to win a match from where it stands, estimated by play."""
