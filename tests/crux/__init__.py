"""The crux: one spliced function of every delicate kind, assembled by hand, and the checks it must pass."""
