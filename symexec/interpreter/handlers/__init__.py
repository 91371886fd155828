"""What each neutral instruction does to a frame, a file a topic; every file exports its `HANDLERS`."""
