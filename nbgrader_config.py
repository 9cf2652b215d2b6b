"""nbgrader's configuration for this course; `nbgrader` and `autograder` read it alike."""

from autograder.configuration import configure

c = get_config()  # noqa: F821 - traitlets provides it
configure(c)

c.CourseDirectory.course_id = "attention"
c.CourseDeclaration.package = "course"
