"""What ``pretraining.mask_tokens`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from selfcheck.aspects import describe, equals, has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Observation, WrongReturn
from selfcheck.sampling import random_state
from selfcheck.texts import say

_CHANGES = ("unchanged", "changed")
"""What the call may have done to the ids that it got."""

_axes = ("batch", "time")
_shapes = has_shapes(dict.fromkeys(("inputs", "targets", "weights"), _axes))


def _unchanged(observation: Observation) -> str:
    """There are inputs, and the ids are as they were."""
    return _shapes(observation) or equals("ids", ours=_CHANGES)(observation)


class MaskTokens(Exercise):
    """What a model reads, what it has to say, and where that counts."""

    name = "pretraining.mask_tokens"
    lesson = "07-pretraining"
    section = 2
    axes = {"inputs": _axes, "targets": _axes, "weights": _axes, "ids": ()}
    input_axes = {"ids": ("time",)}
    translatable_outputs = _CHANGES
    aspects = (
        Aspect("inputs, targets and weights have the shape of the ids", 10, ("words",), _shapes),
        Aspect("the targets are the ids", 10, ("words",), numbers_agree("targets")),
        Aspect(
            "the weights are 1 where a word is asked for, else 0",
            20,
            ("words",),
            numbers_agree("weights"),
        ),
        Aspect(
            "80 % of these become the blank, 10 % another word, 10 % stay",
            25,
            ("words",),
            numbers_agree("inputs"),
        ),
        Aspect(
            "padding and other special tokens are never asked for",
            15,
            ("special tokens",),
            numbers_agree("inputs", "weights"),
        ),
        Aspect(
            "any share, any id of the blank",
            10,
            ("another share", "another blank", "nothing drawn"),
            numbers_agree("inputs", "weights"),
        ),
        Aspect("a text without a batch works too", 5, ("one text",),
               numbers_agree("inputs", "weights")),
        Aspect("the results have the right shapes, and the ids that came in are not changed", 5,
               ("words",), _unchanged),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Ids (batch, time) or (time), and as many random numbers for each of the choices."""
        random = random_state(seed)
        words = _drawn(random, (3, 11), special=False)
        others = _drawn(random, (4, 17), special=True)
        one = _drawn(random, (37,), special=True)
        share = _drawn(random, (3, 11), special=False, share=0.4)
        blank = _drawn(random, (4, 19), special=True, mask_id=4)
        nothing = words | {"chances": words["share"] * (1.1 + words["chances"])}
        return (
            Case("words", words),
            Case("special tokens", others),
            Case("another share", share),
            Case("another blank", blank),
            Case("nothing drawn", nothing),
            Case("one text", one),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on copies of the arrays."""
        given = {
            name: value.copy() if isinstance(value, np.ndarray) else value
            for name, value in case.inputs.items()
        }
        found = obj(*given.values())
        if not isinstance(found, tuple | list) or len(found) != 3:
            value = describe(found)
            raise WrongReturn(
                say("returned {value}; expected inputs, targets and weights", value=value)
            )
        same = np.array_equal(given["ids"], case.inputs["ids"])
        return {
            **dict(zip(("inputs", "targets", "weights"), found, strict=True)),
            "ids": _CHANGES[not same],
        }


def _drawn(
    random: np.random.RandomState,
    shape: tuple[int, ...],
    *,
    special: bool,
    share: float = 0.15,
    mask_id: int = 2,
) -> dict[str, Any]:
    """Inputs in which each kind of token has each kind of chance, shuffled.

    No number is near a limit: whether it's part of a range makes no difference.
    """
    size = int(np.prod(shape))
    first = mask_id + 1
    ids = random.randint(first, 60, size)
    below = np.zeros(size, bool)
    third = np.zeros(size, int)
    # Two drawn and two others of each kind, of words and, where there are such, of special tokens.
    groups = 12 * (1 + special)
    below[:groups] = np.arange(groups) % 2 == 0
    third[:groups] = np.arange(groups) // 2 % 3
    below[groups:] = random.uniform(size=size - groups) < share
    third[groups:] = random.randint(0, 3, size - groups)
    if special:
        ids[12:24] = np.arange(12) // 2 % first
        # A blank that is drawn, and would become another word: else asking for it changes nothing.
        ids[14] = mask_id
        ids[24 : 24 + first], below[24 : 24 + first] = np.arange(first), False
    # Odd ids among the first six, even ones among the next: `&` between an id and a condition takes
    # its last bit.
    ids[:6] += 1 - ids[:6] % 2
    ids[6:12] += ids[6:12] % 2
    ids[0] = first
    words = random.randint(first, 60, size)
    words = np.where(words == ids, 60, words)
    # The second kind is "another word", which may be the same by chance.
    words[8] = ids[8]
    low, high = np.array([0.02, 0.81, 0.91]), np.array([0.78, 0.89, 0.99])
    kinds = random.uniform(low[third], high[third])
    kinds[0] = random.uniform(0.02, 0.08)  # drawn, and near 0: who starts elsewhere shows
    chances = np.where(
        below, random.uniform(0.05, 0.95, size) * share,
        share + random.uniform(0.05, 0.95, size) * (1 - share),
    )  # fmt: skip
    # The first row has six that are drawn, at least: who draws as many in each row shows.
    drawn = np.arange(0, 12, 2)
    others = random.permutation(np.setdiff1d(np.arange(size), drawn))
    first_row, others = np.split(others, [shape[-1] - len(drawn)])
    order = np.concatenate([random.permutation(np.append(drawn, first_row)), others])
    arrays = {"ids": ids, "chances": chances, "kinds": kinds, "words": words}
    shuffled = {name: array[order].reshape(shape) for name, array in arrays.items()}
    return shuffled | {"mask_id": mask_id, "share": share}


EXERCISE = MaskTokens()
