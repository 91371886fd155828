"""Compiled functions at run time: what happens when no trace fits."""
