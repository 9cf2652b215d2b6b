"""nbgrader's gradebook as a database, and what is kept in it beside nbgrader's own."""
