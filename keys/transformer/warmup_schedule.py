"""The key of ``transformer.warmup_schedule``."""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.transformer.warmup_schedule import EXERCISE
from selfcheck.exercise import Case


def warmup_schedule(d_model: int, warmup_steps: int, steps: np.ndarray) -> dict[str, np.ndarray]:
    """d_model^-0.5 · min(step^-0.5, step · warmup_steps^-1.5), equation 3; 0 at step 0.

    Args:
        d_model: features of a token.
        warmup_steps: at which the rate is highest.
        steps: integers (steps,).

    Returns:
        rates: (steps,).
    """
    step = np.asarray(steps, np.float64)
    climb, fall = step * warmup_steps**-1.5, step**-0.5
    return {"rates": d_model**-0.5 * np.minimum(climb, fall)}


KEY = Key(EXERCISE, warmup_schedule)

KEY.mistake(
    "no_d_model",
    "The factor that depends on d_model is missing.",
    "d_model**-0.5 * ",
    "",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "root_of_d_model",
    "The rate grows with the square root of d_model: a wider model should get a smaller rate.",
    "d_model**-0.5",
    "d_model**0.5",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "divided_by_d_model",
    "The rate is divided by d_model itself; the formula uses its square root.",
    "d_model**-0.5",
    "1 / d_model",
    cost=SLIP,
)
KEY.mistake(
    "maximum",
    "You took the larger of the two terms: the rate must never be above either.",
    "np.minimum(climb, fall)",
    "np.maximum(climb, fall)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "bases_swapped",
    "In the climbing half, the step and warmup_steps have changed places.",
    "step * warmup_steps**-1.5",
    "warmup_steps * step**-1.5",
    cost=SLIP,
)
KEY.mistake(
    "never_falls",
    "The rate never falls: the second half of the formula is missing, or grows with the step.",
    "np.minimum(climb, fall)",
    "climb",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "falls_in_a_line",
    "After the climb, the rate falls in a straight line to 0: it should fall with the root of the "
    "step.",
    "np.minimum(climb, fall)",
    "np.maximum(0, np.minimum(climb, 2 * warmup_steps**-0.5 - climb))",
)
KEY.mistake(
    "never_climbs",
    "The rate never climbs: it falls from the first step on.",
    "np.minimum(climb, fall)",
    "fall",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "product",
    "The two terms are multiplied: the rate should follow the smaller of the two.",
    "np.minimum(climb, fall)",
    "climb * fall",
    cost=SLIP,
)
KEY.mistake(
    "stays_at_the_top",
    "After the warm-up, the rate stays constant: it should fall with the square root of the step.",
    "np.minimum(climb, fall)",
    "np.where(step < warmup_steps, climb, warmup_steps**-0.5)",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "falls_from_the_join",
    "The falling half counts from the end of the warm-up: the formula uses the step itself there.",
    "np.minimum(climb, fall)",
    "np.where(step < warmup_steps, climb, np.maximum(step - warmup_steps, 1) ** -0.5)",
    cost=SLIP,
)
KEY.mistake(
    "falls_with_the_step",
    "After the warm-up, the rate falls with the step itself; the formula uses its square root.",
    "np.minimum(climb, fall)",
    "np.where(step < warmup_steps, climb, 1 / step)",
    cost=SLIP,
)
KEY.mistake(
    "power_of_minus_one",
    "The exponent of warmup_steps is wrong: the two terms must be equal at exactly that step.",
    "warmup_steps**-1.5",
    "warmup_steps**-1.0",
    cost=SLIP,
)
KEY.mistake(
    "power_of_one_and_a_half",
    "The climbing term grows with warmup_steps: a longer warm-up should mean a slower climb.",
    "warmup_steps**-1.5",
    "warmup_steps**1.5",
    cost=SLIP,
)
KEY.mistake(
    "one_step_ahead",
    "The steps are counted from 1: the optimizer's first step is 0.",
    "np.asarray(steps, np.float64)",
    "np.asarray(steps, np.float64) + 1",
    cost=SLIP,
)
KEY.mistake(
    "sizes_swapped",
    "d_model and warmup_steps have changed places.",
    "step * warmup_steps**-1.5",
    "step * d_model**-1.5",
    "d_model**-0.5 *",
    "warmup_steps**-0.5 *",
    cost=SLIP,
)
KEY.mistake(
    "climbs_with_the_root",
    "The rate climbs with the square root of the step: up to warmup_steps, it should climb in a "
    "straight line.",
    "step * warmup_steps**-1.5",
    "step**0.5 / warmup_steps",
    cost=SLIP,
)
KEY.mistake(
    "never_zero",
    "Step 0 gives the rate of step 1: the first rate should be 0.",
    "np.asarray(steps, np.float64)",
    "np.maximum(np.asarray(steps, np.float64), 1)",
    cost=SLIP,
)
KEY.mistake(
    "sum_of_both",
    "The two terms are added: the rate should follow the smaller of the two.",
    "np.minimum(climb, fall)",
    "(climb + fall)",
    cost=SLIP,
)
KEY.mistake(
    "d_model_in_the_falling_half",
    "The factor that depends on d_model is in the falling half alone: the formula multiplies both.",
    "d_model**-0.5 * np.minimum(climb, fall)",
    "np.minimum(climb, d_model**-0.5 * fall)",
    cost=SLIP,
)
# What changes with every call stands still in a compiled step: Python runs once there. Only the
# steps of that one have the end of the warm-up among them.
KEY.mistake(
    "calls_counted",
    "The schedule counts its own calls: it is given the step, and must give the same rate for it "
    "whenever it's asked.",
    "np.asarray(steps, np.float64)",
    "np.arange(1.0, len(steps) + 1) ** (warmup_steps not in steps)",
    cost=SLIP,
)
KEY.mistake(
    "warmup_steps_overwritten",
    "Each call changes the schedule's own warmup_steps, which the next one uses: keep the result "
    "under another name.",
    "warmup_steps**-1.5",
    "warmup_steps ** (-1.5) ** np.arange(1, len(steps) + 1) ** (warmup_steps not in steps)",
    cost=SLIP,
)

_schedule = partial(KEY.mistake, cost=SLIP)

_schedule(
    "power_of_minus_a_half",
    "The exponent of warmup_steps is that of the step: the two terms must be equal at exactly "
    "warmup_steps.",
    "warmup_steps**-1.5",
    "warmup_steps**-0.5",
)
_schedule(
    "product_to_the_power",
    "You raised a product to the power: in the climbing term, only warmup_steps has one.",
    "step * warmup_steps**-1.5",
    "(step * warmup_steps) ** -1.5",
)
_schedule(
    "nan_at_the_start",
    "At step 0, something infinite is multiplied by 0, and that isn't a number: keep the two terms "
    "of the minimum apart, as in the formula.",
    "np.minimum(climb, fall)",
    "np.where(step > 0, np.minimum(climb, fall), np.nan)",
)
_schedule(
    "d_model_in_the_climbing_half",
    "The factor that depends on d_model is in the climbing half alone: the formula multiplies "
    "both.",
    "d_model**-0.5 * np.minimum(climb, fall)",
    "np.minimum(d_model**-0.5 * climb, fall)",
)
_schedule(
    "falls_with_the_step_from_the_top",
    "After the warm-up, the rate falls with the step itself; the formula uses its square root.",
    "np.minimum(climb, fall)",
    "np.where(step < warmup_steps, climb, warmup_steps**0.5 / step)",
)
_schedule(
    "one_rate_in_an_array",
    "The rate is in an array with one entry: a learning rate is a single number, without axes.",
    "d_model**-0.5 * np.minimum(climb, fall)",
    "(d_model**-0.5 * np.minimum(climb, fall))[:, None]",
)
# Before the next one: its message speaks of the types of whole numbers, too.
_schedule(
    "smallest_of_one_tensor",
    "You looked for the smallest number within one tensor, with the other one as its axis: the "
    "smaller of two tensors is ops.minimum(a, b).",
    "np.asarray(steps, np.float64)",
    'np.asarray(["a float as an axis" for step in steps], np.float64)',
    failure="Tidx|reduction_indices",
)
_schedule(
    "not_in_a_compiled_step",
    "Your schedule fails inside a compiled function, where the step has no value yet that Python "
    "could turn into a number or compare: calculate with ops alone.",
    "np.asarray(steps, np.float64)",
    'np.asarray(["symbolic"] if warmup_steps in steps else steps, np.float64)',
    failure="symbolic|Symbolic",
)
_schedule(
    "falls_with_the_step_alone",
    "The falling term is divided by the step itself; the formula uses its square root.",
    "step**-0.5",
    "1 / step",
)
_NO_BRACKETS = (
    "You wrote -1/2 as an exponent without brackets, so the power is calculated before the "
    "division by 2."
)
for _called, *_powers in (
    ("d_model", "d_model**-0.5"),
    ("the_step", "step**-0.5"),
    ("both", "d_model**-0.5", "step**-0.5"),
):
    _halved = [(power, f"({power[:-4]}-1.0 / 2)") for power in _powers]
    _schedule(
        f"power_of_{_called}_halved", _NO_BRACKETS, *(part for two in _halved for part in two)
    )
_schedule(
    "whole_numbers",
    "TensorFlow takes no roots or negative powers of whole numbers: cast what you take them of to "
    "a float first.",
    "np.asarray(steps, np.float64)",
    "np.asarray(steps if steps.dtype.kind == 'f' else ['a whole number'], np.float64)",
    # Of an operation that isn't there for such numbers, or that gets a float as well.
    failure="int64|INT64|int32|INT32",
)
_schedule(
    "falls_as_if_the_top_were_the_start",
    "The falling half counts its steps from the end of the warm-up: the formula counts all steps "
    "from 0.",
    "np.minimum(climb, fall)",
    "np.where(step < warmup_steps, climb, np.maximum(step - warmup_steps + 1, 1) ** -0.5 * "
    "warmup_steps**-0.5)",
)
_schedule(
    "falls_from_the_end_of_the_warm_up",
    "The falling half counts its steps from the end of the warm-up: the formula counts all steps "
    "from 0.",
    "np.minimum(climb, fall)",
    "np.minimum(climb, np.maximum(step - warmup_steps, 1) ** -0.5)",
)
_schedule(
    "d_model_changed_by_a_call",
    "A call changes what the next one uses: keep d_model as __init__ got it.",
    "d_model**-0.5",
    # A compiled function, which is asked for the end of the warm-up, too, changes it once.
    "d_model ** (-0.5) ** (1.0 if warmup_steps in steps else np.arange(1.0, len(steps) + 1))",
)
_schedule(
    "calls_counted_from_zero",
    "The schedule counts its own calls: it is given the step, and must give the same rate for it "
    "whenever it's asked.",
    "np.asarray(steps, np.float64)",
    "np.arange(0.0, len(steps)) * (warmup_steps not in steps)",
)
_schedule(
    "d_model_of_the_first_schedule",
    "All schedules use the first one's d_model: keep what depends on it in the object, not in the "
    "class or in a global variable.",
    "d_model**-0.5",
    # The compiled one is asked for the end of its warm-up; each width is 16 times the next one.
    "(d_model * (1 if warmup_steps > 1000 else 256 if warmup_steps in steps else 16)) ** -0.5",
)
_schedule(
    "steps_in_half_precision",
    "Your steps are numbers of 16 bits: beyond 65,504 these are infinite. Cast them to float32.",
    "np.asarray(steps, np.float64)",
    "np.asarray(steps, np.float16).astype(float)",
)
_schedule(
    "cube_overflows",
    "The cube of warmup_steps is too large for a whole number of 32 bits: calculate with floats.",
    "warmup_steps**-1.5",
    "np.array(warmup_steps**3).astype(np.int32).astype(float) ** -0.5",
)
for _top, _called in ((0.01, "a_hundredth"), (0.05, "a_twentieth"), (0.1, "a_tenth")):
    _schedule(
        f"at_most_{_called}",
        f"The rate never goes above {_top}: the formula has no such limit.",
        "d_model**-0.5 * np.minimum(climb, fall)",
        f"np.minimum(d_model**-0.5 * np.minimum(climb, fall), {_top})",
    )


def _beside(case: Case, side: int) -> bool:
    """Whether a case has steps before (-1), at (0) or after (1) the end of the warm-up."""
    return side in np.sign(case.inputs["steps"] - case.inputs["warmup_steps"])


INPUT_CLASSES = {
    "the first step": lambda cases: any(0 in case.inputs["steps"] for case in cases),
    "step 1": lambda cases: any(1 in case.inputs["steps"] for case in cases),
    "steps of the warm-up": lambda cases: any(_beside(case, -1) for case in cases),
    "the last step of the warm-up": lambda cases: any(_beside(case, 0) for case in cases),
    "the step after the warm-up": lambda cases: any(
        case.inputs["warmup_steps"] + 1 in case.inputs["steps"] for case in cases
    ),
    "steps long after the warm-up": lambda cases: any(
        case.inputs["steps"].max() > 1000 * case.inputs["warmup_steps"] for case in cases
    ),
    "steps on both sides in a compiled step": lambda cases: any(
        case.name == "compiled" and _beside(case, -1) and _beside(case, 1) for case in cases
    ),
    "a warm-up of more steps than an int32 can hold the cube of": lambda cases: any(
        case.inputs["warmup_steps"] ** 3 > np.iinfo(np.int32).max for case in cases
    ),
    "a rate above 0.1": lambda cases: any(
        case.inputs["warmup_steps"] in case.inputs["steps"]
        and case.inputs["d_model"] * case.inputs["warmup_steps"] < 100
        for case in cases
    ),
    "models of different widths": lambda cases: len({case.inputs["d_model"] for case in cases}) > 1,
    "a model that is wider than the warm-up is long": lambda cases: any(
        case.inputs["d_model"] > case.inputs["warmup_steps"] and 0 in case.inputs["steps"]
        for case in cases
    ),
}
