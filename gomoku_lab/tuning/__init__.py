"""Better values by self-play and by fits, and the gate that they have to pass."""
