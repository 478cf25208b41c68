"""Better values by self-play, and the gate that they have to pass."""
