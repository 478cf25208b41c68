"""The players: how one is named, made, and asked for a move."""
