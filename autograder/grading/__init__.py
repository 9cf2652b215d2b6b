"""Prepare, execute, judge, record: nbgrader's own steps, with the judge between the last two."""
