"""What the machine computes with: values, where they came from, the heap, guards, the graph and what a domain is."""
