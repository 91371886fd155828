"""What builtin functions, types and methods do with values, a file a topic; every file exports its rules."""
