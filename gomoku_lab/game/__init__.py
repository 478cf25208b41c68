"""What Gomoku is: board, rules, notation, display. No engine, no compiled code."""
