"""Random programs, as written and compiled, side by side."""
