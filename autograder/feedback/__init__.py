"""Pages of graded notebooks, for students and for the formgrader."""
