"""The prefix instructions, in every system that has to do with them."""
