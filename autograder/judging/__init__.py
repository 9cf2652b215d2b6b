"""Judge responses with the exercises' keys."""
