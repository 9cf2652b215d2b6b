"""What ``transformer.token_and_position_embedding`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.training_mode import learns
from course.exercises.weights import tensor
from selfcheck.aspects import absent, has_shapes, identical, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Failure, Observation
from selfcheck.sampling import normal, random_state
from selfcheck.texts import say

NOTHING_ELSE = "nothing else"
MASKED = "the layer hands on a mask that hides id 0: here, 0 is a token like any other"
DROPPED = "in training, the layer gives other numbers than when predicting"
NOT_LEARNED = "the gradient doesn't reach both tables, so one of them is never learned"
NOT_IN_A_MODEL = "the layer fails while a model is being built, when ids have no values yet"
FOUND = NOTHING_ELSE, MASKED, DROPPED, NOT_LEARNED, NOT_IN_A_MODEL
"""What else a layer may do. The tests on its numbers see nothing of it."""

_TIMES = 5
"""The texts are given: something of them is dropped where dropout is at work at all."""

MANY = 256
"""Tokens: more of them than a byte can count."""


def shown(output: Any, time: int) -> dict[str, Any]:
    """The judged part of an answer: all tokens, or the last two of very many."""
    return {"last": output[:, -2:]} if time > MANY else {"output": output}


def _agrees(observation: Observation) -> str:
    """What is judged of the case."""
    last = "last" in observation.expected.outputs
    return numbers_agree("last" if last else "output")(observation)


def _does_nothing_else(observation: Observation) -> str:
    if isinstance(observation.received, Failure):
        return str(observation.received)
    seen = observation.received.get("side_effect")
    if identical(seen, NOTHING_ELSE):
        return ""
    if isinstance(seen, str) and seen in FOUND:
        return say(seen)
    return has_shapes({"output": _OUTPUT})(observation) or absent("side_effect")


_OUTPUT = ("batch", "time", "embedding_dim")


class TokenAndPositionEmbedding(Exercise):
    """A layer: the vector of each token plus the vector of its position."""

    name = "transformer.token_and_position_embedding"
    lesson = "04-transformer-encoder"
    section = 2
    translatable_outputs = FOUND
    builds = True
    axes = {"output": _OUTPUT, "last": ("batch", "rows", "embedding_dim"), "side_effect": ()}
    input_axes = {"ids": ("batch", "time")}
    aspects = (
        Aspect("output has the shape (batch, time, embedding_dim)", 20, ("plain",),
               has_shapes({"output": _OUTPUT})),
        Aspect("token and position are added", 45, ("plain", "many tokens"), _agrees),
        Aspect("texts shorter than max_length work", 25,
               ("short", "one token", "never longer"), numbers_agree("output")),
        Aspect("nothing is masked or dropped, both tables are learned, and a model can hold the "
               "layer", 10, ("plain",), _does_nothing_else),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Ids (batch, time) and both tables."""
        random = random_state(seed)
        batch = 2
        short, length = sorted(int(n) for n in random.permutation([4, 5, 6, 7])[:2])
        # Even, so that sines and cosines of the positions fit as well.
        vocabulary_size, size = int(random.choice([9, 11, 13])), int(random.choice([8, 10, 12]))
        tables = {
            "token_table": normal(random, vocabulary_size, size),
            "position_table": normal(random, length, size),
        }
        # In the first case no id is too large to be taken for a position.
        few, every = min(length, vocabulary_size), vocabulary_size
        plain = random.randint(0, few, (batch, length))
        shorter = random.randint(0, every, (batch, short))
        # An id twice, the highest one, and 0 where padding stands and where it doesn't.
        plain[:, 0], plain[0, -2:], plain[1, 1:3] = 0, (1, 0), few - 1
        shorter[0, :2], shorter[1, -2:] = (0, every - 1), (every - 1, 0)
        many = MANY + int(random.randint(3, 20))
        long = tables | {"position_table": normal(random, many, size)}
        # A layer of its own: one that has been called before is kept for the same sizes.
        never_longer = tables | {"position_table": normal(random, length + 1, size)}
        return (
            Case("plain", tables | {"ids": plain}, asks=("output", "side_effect")),
            Case("short", tables | {"ids": shorter}, asks=("output",)),
            Case(
                "one token",
                tables | {"ids": random.randint(length, every, (batch, 1))},
                asks=("output",),
            ),
            # Who keeps the first call's positions has the right ones here, but not above.
            Case(
                "never longer",
                never_longer | {"ids": shorter[1:], "first": short},
                asks=("output",),
            ),
            Case(
                "many tokens", long | {"ids": random.randint(1, every, (1, many))}, asks=("last",)
            ),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer, at full length if the case doesn't say otherwise, give it the case's
        tables, call it on the ids."""
        tokens, positions = case.inputs["token_table"], case.inputs["position_table"]
        layer = obj(len(positions), *tokens.shape)
        layer(tensor(np.zeros((1, case.inputs.get("first", len(positions))), int)))
        weights.assign(
            layer,
            {
                "token_embedding.embeddings": tokens,
                "position_embedding.embeddings": positions,
            },
        )
        ids = tensor(case.inputs["ids"])
        output = layer(ids)
        if case.name != "plain" or not np.ndim(output):
            return shown(output, time_of(case))
        return {"output": output, "side_effect": _found(layer, ids, output)}


def _found(layer: Any, ids: Any, output: Any) -> str:
    """What else a layer does, apart from its numbers: one of ``FOUND``."""
    mask = getattr(output, "_keras_mask", None)
    if mask is not None and not np.all(mask):
        return MASKED
    trained = (layer(ids, training=True) for _ in range(_TIMES))
    if not all(np.allclose(one, output, atol=1e-5, equal_nan=True) for one in trained):
        return DROPPED
    if not learns(layer.weights, lambda: layer(ids), output):
        return NOT_LEARNED
    return NOTHING_ELSE if _fits_into_a_model(layer, ids.shape[1]) else NOT_IN_A_MODEL


def _fits_into_a_model(layer: Any, time: int) -> bool:
    import keras

    try:
        layer(keras.Input((time,), dtype="int32"))
    except Exception:
        return False
    return True


def time_of(case: Case) -> int:
    return case.inputs["ids"].shape[1]


EXERCISE = TokenAndPositionEmbedding()
