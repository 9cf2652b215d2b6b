"""What ``transformer.warmup_schedule`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise


class WarmupSchedule(Exercise):
    """A learning rate that climbs in a line and falls with the root of the step."""

    name = "transformer.warmup_schedule"
    lesson = "04-transformer-encoder"
    section = 6
    axes = {"rates": ("steps",)}
    aspects = (
        Aspect("there is one rate per step", 10, ("climbing",), has_shapes(axes)),
        Aspect("the rate climbs linearly", 25, ("climbing",), numbers_agree("rates")),
        Aspect("then it falls with the square root of the step", 25, ("falling",),
               numbers_agree("rates")),
        Aspect("step 0 gives 0", 10, ("step 0",), numbers_agree("rates")),
        Aspect("it works inside a compiled training step", 30, ("compiled",),
               numbers_agree("rates")),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Steps (steps,), which are given one at a time as int64 scalars."""
        random = random_state(seed)
        d_model, warmup = 2 * int(random.randint(20, 60)), int(random.randint(30, 90))
        settings = {"d_model": d_model, "warmup_steps": warmup}
        climbing = np.sort(random.permutation(np.arange(1, warmup - 4))[:4])
        falling = warmup + np.sort(random.permutation(np.arange(20, 900))[:4])
        either = np.array([climbing[1], warmup, falling[1]])
        return (
            Case("climbing", settings | {"steps": climbing}),
            Case("falling", settings | {"steps": falling}),
            Case("step 0", settings | {"steps": np.array([0])}),
            Case("compiled", settings | {"steps": either}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the schedule as an optimizer does, eagerly or inside a ``tf.function``."""
        import tensorflow as tf

        schedule = obj(case.inputs["d_model"], case.inputs["warmup_steps"])
        rate = tf.function(schedule) if case.name == "compiled" else schedule
        steps = [tf.constant(int(step), tf.int64) for step in case.inputs["steps"]]
        return {"rates": np.array([float(rate(step)) for step in steps])}


EXERCISE = WarmupSchedule()
