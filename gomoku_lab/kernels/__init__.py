"""The compiled engine: arrays in, arrays out. The only package that imports numba."""
