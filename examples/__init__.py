"""Programs that show what symexec does."""
