"""What ``motion.falling_time`` asks for, and what is judged."""

import numpy as np

from mechanics.exercises.motion.common import falls
from selfcheck import Aspect, Case, Exercise
from selfcheck.aspects import has_shapes, numbers_agree


class FallingTime(Exercise):
    """How long things fall from rest."""

    name = "motion.falling_time"
    lesson = "01-motion"
    section = 1
    axes = {"seconds": ("things",)}
    aspects = (
        Aspect("one time per thing", 20, ("plain",), has_shapes(axes)),
        Aspect("from the ground it takes no time", 20, ("ground",), numbers_agree("seconds")),
        Aspect("the times are right", 60, ("plain", "moon"), numbers_agree("seconds")),
    )

    def cases(self, seed):
        """Heights in metres (things,) and the gravity in m/s²."""
        plain, moon = falls(seed)
        ground = Case("ground", {**plain.inputs, "heights": np.zeros_like(plain.inputs["heights"])})
        return plain, moon, ground

    def call(self, obj, case):
        """Call the student's function."""
        return {"seconds": obj(case.inputs["heights"], case.inputs["gravity"])}


EXERCISE = FallingTime()
