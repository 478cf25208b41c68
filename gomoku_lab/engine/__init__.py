"""The engine: a configuration and a board in, an analysis out."""
