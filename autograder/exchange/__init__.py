"""What goes to students, and what comes back from them."""
