"""A neighbour."""

VALUE = [1]
