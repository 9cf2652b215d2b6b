"""Solutions and known mistakes of the course on text classification with attention."""
