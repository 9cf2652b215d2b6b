"""Solutions and known mistakes."""
