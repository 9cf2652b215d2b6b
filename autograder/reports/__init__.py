"""What a graded class shows: numbers for the instructor, on a page and in a table."""
