"""Tactical positions with machine-proved answers, and players run on them."""
