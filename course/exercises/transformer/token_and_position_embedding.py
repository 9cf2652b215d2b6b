"""What ``transformer.token_and_position_embedding`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.weights import tensor
from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.drawing import normal, random_state
from selfcheck.exercise import Aspect, Case, Exercise


class TokenAndPositionEmbedding(Exercise):
    """A layer: the vector of each token plus the vector of its position."""

    name = "transformer.token_and_position_embedding"
    lesson = "04-transformer-encoder"
    section = 3
    builds = True
    axes = {"output": ("batch", "time", "embedding_dim")}
    input_axes = {"ids": ("batch", "time")}
    aspects = (
        Aspect("output has the shape (batch, time, embedding_dim)", 20, ("plain",),
               has_shapes(axes)),
        Aspect("token and position are added", 50, ("plain",), numbers_agree("output")),
        Aspect("texts shorter than max_length work", 30, ("short", "one token"),
               numbers_agree("output")),
    )  # fmt: skip

    input_classes = {
        "as many tokens as positions": lambda cases: any(
            _time(case) == len(case.inputs["position_table"]) for case in cases
        ),
        "fewer tokens than positions": lambda cases: any(
            1 < _time(case) < len(case.inputs["position_table"]) for case in cases
        ),
        "one token": lambda cases: any(_time(case) == 1 for case in cases),
        "id 0 before other ids": lambda cases: any(
            (case.inputs["ids"][:, 0] == 0).any() and case.inputs["ids"][:, 1:].any()
            for case in cases
        ),
        "id 0 at the end": lambda cases: any(
            (case.inputs["ids"][:, -1] == 0).any() and _time(case) > 1 for case in cases
        ),
        "the highest id": lambda cases: any(
            case.inputs["ids"].max() == len(case.inputs["token_table"]) - 1 for case in cases
        ),
        "an id twice in a text": lambda cases: any(
            len(set(text)) < len(text) for case in cases for text in case.inputs["ids"]
        ),
        "ids that are positions as well": lambda cases: any(
            _time(case) > 1 and case.inputs["ids"].max() < len(case.inputs["position_table"])
            for case in cases
        ),
        "fewer texts than tokens": lambda cases: any(
            1 < len(case.inputs["ids"]) < _time(case) for case in cases
        ),
    }

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
        return (
            Case("plain", tables | {"ids": plain}),
            Case("short", tables | {"ids": shorter}),
            Case("one token", tables | {"ids": random.randint(length, every, (batch, 1))}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer at full length, give it the case's tables, call it on the ids."""
        tokens, positions = case.inputs["token_table"], case.inputs["position_table"]
        layer = obj(len(positions), *tokens.shape)
        layer(tensor(np.zeros((1, len(positions)), int)))
        weights.assign(
            layer,
            {
                "token_embedding.embeddings": tokens,
                "position_embedding.embeddings": positions,
            },
        )
        return {"output": layer(tensor(case.inputs["ids"]))}


def _time(case: Case) -> int:
    return case.inputs["ids"].shape[1]


EXERCISE = TokenAndPositionEmbedding()
