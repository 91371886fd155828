"""What runs a graph.  A backend knows the graph, never the frame or the function that it came from."""
