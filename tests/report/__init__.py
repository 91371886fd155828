"""What explanations, listings, disassemblies and logs say of real functions."""
