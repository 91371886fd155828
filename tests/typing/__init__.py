"""A small tool that embeds symexec, as strictly typed as symexec itself; type-checked and run."""
