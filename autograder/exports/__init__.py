"""Grades for other systems: Canvas, Moodle, Gradescope, and JSON for programs.

`autograder export canvas` writes them, and so does nbgrader with a plugin of this package:
`nbgrader export --exporter autograder.exports.CanvasExporter --to canvas.csv`.
"""

from autograder.exports.plugins import (
    CanvasExporter,
    GradescopeExporter,
    JsonExporter,
    MoodleExporter,
)

__all__ = ["CanvasExporter", "GradescopeExporter", "JsonExporter", "MoodleExporter"]
