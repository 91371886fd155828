"""Equivalents as plain Python, beside the originals in C: results, errors, and the order of all that is called."""
