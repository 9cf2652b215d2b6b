"""Text classification with attention: what the lessons import.

``check`` explains a student's answer on published inputs, ``grade`` hands its outputs on secret
inputs to the autograder. TensorFlow is imported only by what needs it.
"""

from course.checks import check
from course.responses import grade

__all__ = ["check", "grade"]
