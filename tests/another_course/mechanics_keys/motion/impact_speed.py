"""The key of ``motion.impact_speed``."""

from mechanics.exercises.motion.impact_speed import EXERCISE

from autograder.judging.keys import Key
from mechanics_keys.motion.falling_time import KEY as TIME
from mechanics_keys.motion.falling_time import time_of_fall


def impact_speed(heights, gravity):
    """v = g·t. Returns speed: (things,)."""
    return {"speed": gravity * time_of_fall(heights, gravity)}


KEY = Key(EXERCISE, impact_speed)
KEY.inherit(TIME.find("no_root"), "The time in it is a square, as in the task before.", section=1)
KEY.inherit(TIME.find("no_two"), "The time in it lacks a factor, as in the task before.", section=1)
KEY.mistake(
    "average_speed",
    "This is the average speed: it is twice as fast at the end.",
    "gravity * time",
    "0.5 * gravity * time",
)
