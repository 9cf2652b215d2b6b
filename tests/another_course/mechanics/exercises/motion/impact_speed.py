"""What ``motion.impact_speed`` asks for, and what is judged."""

from mechanics.exercises.motion.common import falls
from selfcheck import Aspect, Exercise
from selfcheck.aspects import has_shapes, numbers_agree


class ImpactSpeed(Exercise):
    """How fast they are when they hit the ground."""

    name = "motion.impact_speed"
    lesson = "01-motion"
    section = 2
    axes = {"speed": ("things",)}
    aspects = (
        Aspect("one speed per thing", 20, ("plain",), has_shapes(axes)),
        Aspect("the speeds are right", 80, ("plain", "moon"), numbers_agree("speed")),
    )

    def cases(self, seed):
        """Heights in metres (things,) and the gravity in m/s²."""
        return falls(seed)

    def call(self, obj, case):
        """Call the student's function."""
        return {"speed": obj(case.inputs["heights"], case.inputs["gravity"])}


EXERCISE = ImpactSpeed()
