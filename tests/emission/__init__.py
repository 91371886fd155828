"""The pieces that code is made of: guards, loads, rebuilding, commit, exits."""
