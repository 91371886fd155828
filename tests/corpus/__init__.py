"""Small programs on arrays, of every kind that people write: plain against compiled, and what is captured whole."""
