"""Errors that the instructor can fix."""


class CourseError(Exception):
    """Something the instructor can fix; the message says how."""


class CourseBusy(CourseError):
    """Another command is at work in the course folder."""
