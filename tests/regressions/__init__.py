"""Faults that were found once, each reduced to a few lines."""
