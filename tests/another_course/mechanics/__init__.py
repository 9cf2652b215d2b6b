"""Mechanics in NumPy: what the lesson imports."""

from selfcheck import Course, ExceptionCause

COURSE = Course(
    "mechanics",
    keys="mechanics_keys",
    distribution="mechanics-course",
    preload=("numpy",),
    variables={"MECHANICS_UNITS": "SI"},
    exception_causes=(
        ExceptionCause(
            "OverflowError", "negative height", "Nothing falls upwards: look at the signs."
        ),
    ),
    example="01-motion",
)

check, grade = COURSE.check, COURSE.grade
