"""Text for people: explanations, logs, printed graphs.  Nothing below the top layer may need it."""
