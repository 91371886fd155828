"""Which values become graph values, one module for each framework; optional frameworks are imported when asked for."""
