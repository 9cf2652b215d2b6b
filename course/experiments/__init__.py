"""What lessons measure: one module per question, and the table of all lessons' results."""
