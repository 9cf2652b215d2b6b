"""What ``motion.center_of_mass`` asks for, and what is judged."""

import numpy as np

from selfcheck import Aspect, Case, Exercise
from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.sampling import distinct_sizes, normal, random_state


class CenterOfMass(Exercise):
    """Where a body balances."""

    name = "motion.center_of_mass"
    lesson = "01-motion"
    section = 3
    axes = {"center": ("coordinates",)}
    input_axes = {"positions": ("parts", "coordinates")}
    aspects = (
        Aspect("the center has the shape (coordinates,)", 20, ("plain",), has_shapes(axes)),
        Aspect("equal masses balance in the middle", 30, ("equal",), numbers_agree("center")),
        Aspect("the numbers are right", 50, ("plain",), numbers_agree("center")),
    )

    def cases(self, seed):
        """Masses (parts,) and positions (parts, coordinates)."""
        random = random_state(seed)
        parts, coordinates = distinct_sizes(random, 2)
        positions = normal(random, parts, coordinates)
        masses = random.uniform(1, 9, parts).astype(np.float32)
        return (
            Case("plain", {"masses": masses, "positions": positions}),
            Case("equal", {"masses": np.full(parts, 3, np.float32), "positions": positions}),
        )

    def call(self, obj, case):
        """Call the student's function."""
        return {"center": obj(case.inputs["masses"], case.inputs["positions"])}


EXERCISE = CenterOfMass()
