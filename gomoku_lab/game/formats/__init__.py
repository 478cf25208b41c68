"""Reading and writing of the files in which Gomoku is written down, one format a module."""
