"""Text classification with attention: what the lessons import.

``check`` explains a student's answer on published inputs, ``grade`` hands its outputs on secret
inputs to the autograder. TensorFlow is imported only by what needs it.
"""

import os
from pathlib import Path

from course.error_messages import EXCEPTION_CAUSES
from selfcheck import Course

__all__ = ["COURSE", "check", "grade"]


def _data() -> dict[str, str]:
    """Where the archives are: lessons run in other folders than the one this may be relative to."""
    named = os.environ.get("COURSE_DATA")
    return {"COURSE_DATA": str(Path(named).resolve())} if named else {}


COURSE = Course(
    "course",
    keys="keys",
    distribution="attention-course",
    preload=("numpy", "tensorflow", "keras", "matplotlib.pyplot", "sklearn", "nltk"),
    variables={
        "TF_CPP_MIN_LOG_LEVEL": "3",
        # Nothing downloads while it is being graded, and no grade depends on data.
        "COURSE_SOURCE": os.environ.get("COURSE_SOURCE", "sample"),
    },
    exception_causes=EXCEPTION_CAUSES,
    setup={
        "course hide-instructor-tools": "hides menu entries of JupyterLab that only teachers need",
        "course check-environment": "says whether everything is there, and how to fix what isn't",
    },
    example="03-attention",
    full_size={"COURSE_BUDGET": "full", "COURSE_SOURCE": "real", **_data()},
)
"""What the autograder knows of this course."""

check, grade = COURSE.check, COURSE.grade
