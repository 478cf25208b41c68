"""Statistics of results: numbers in, numbers out. No files, no printing, no engines."""
