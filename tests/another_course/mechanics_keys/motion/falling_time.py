"""The key of ``motion.falling_time``."""

import numpy as np
from mechanics.exercises.motion.falling_time import EXERCISE

from autograder.judging.keys import Key


def time_of_fall(heights, gravity):
    """t = √(2h/g)."""
    return np.sqrt(2 * heights / gravity)


def falling_time(heights, gravity):
    """Returns seconds: (things,)."""
    return {"seconds": time_of_fall(heights, gravity)}


KEY = Key(EXERCISE, falling_time)
KEY.mistake(
    "no_root",
    "This is the square of the time: what undoes a square?",
    "np.sqrt(",
    "(",
)
KEY.mistake(
    "no_two",
    "A factor is missing: the distance is half of g·t².",
    "2 * ",
    "",
)
KEY.mistake(
    "upside_down",
    "Higher things fall longer: which of the two is above the line?",
    "heights / gravity",
    "gravity / np.where(heights > 0, heights, 1)",
)
