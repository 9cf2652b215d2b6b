"""nbgrader's configuration for a course that has nothing to do with attention."""

from autograder.configuration import configure

c = get_config()  # noqa: F821 - traitlets provides it
configure(c)

c.CourseDirectory.course_id = "mechanics"
c.CourseDeclaration.package = "mechanics"
