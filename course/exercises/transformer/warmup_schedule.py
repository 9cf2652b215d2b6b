"""What ``transformer.warmup_schedule`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import random_state

_WIDER = 16
"""Times: each width than the next one."""


class WarmupSchedule(Exercise):
    """A learning rate that climbs in a line and falls with the root of the step."""

    name = "transformer.warmup_schedule"
    lesson = "04-transformer-encoder"
    section = 5
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
        """Steps (steps,), which are given one at a time as scalars."""
        random = random_state(seed)
        # Never as large as each other; even, because a power of a negative number has the sign of
        # its exponent's parity.
        narrow, short = int(random.choice([4, 6, 8])), int(random.choice([10, 12]))
        # So long that the line stays below the root of every step, with which it is confused.
        warmup, long = 2 * int(random.randint(24, 31)), 2 * int(random.randint(700, 870))
        climbing = np.array([1, *np.sort(random.permutation(np.arange(3, long - 4))[:3])])
        falling = np.sort(random.permutation(np.arange(2 * warmup, 20 * warmup))[:3])
        falling = np.array([warmup + 1, *falling, 100_000])
        either = np.array([*random.randint(3, short - 4, 1), short, random.randint(20, 100)])
        # The widths have a fixed ratio, so that one that is kept from an earlier call is known.
        wide = {"d_model": _WIDER**2 * narrow, "warmup_steps": long}
        settings = {"d_model": _WIDER * narrow, "warmup_steps": warmup}
        low = {"d_model": narrow, "warmup_steps": short}
        return (
            Case("climbing", wide | {"steps": climbing}),
            # An answer that needs a float shows here that everything else in it is right.
            Case("falling", settings | {"steps": falling.astype(np.float32)}),
            Case("step 0", settings | {"steps": np.array([0])}),
            Case("compiled", low | {"steps": either}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the schedule as an optimizer does, eagerly or inside a ``tf.function``."""
        import tensorflow as tf

        schedule = obj(case.inputs["d_model"], case.inputs["warmup_steps"])
        # Keras compiles a step of its training without AutoGraph, which would rewrite conditions.
        compiled = tf.function(schedule, autograph=False)
        rate = compiled if case.name == "compiled" else schedule
        rates = [rate(tf.constant(step)) for step in case.inputs["steps"]]
        return {"rates": np.array([one if np.ndim(one) else float(one) for one in rates])}


EXERCISE = WarmupSchedule()
