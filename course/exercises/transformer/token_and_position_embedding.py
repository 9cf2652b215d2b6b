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
        Aspect("texts shorter than max_length work", 30, ("short",), numbers_agree("output")),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Ids (batch, time) and both tables."""
        random = random_state(seed)
        batch, short, length = 2, *sorted(int(n) for n in random.permutation([4, 5, 6, 7])[:2])
        vocabulary_size, size = (int(n) for n in random.permutation([9, 11, 13])[:2])
        tables = {
            "token_table": normal(random, vocabulary_size, size),
            "position_table": normal(random, length, size),
        }
        # In the first case no id is too large to be taken for a position.
        few, every = min(length, vocabulary_size), vocabulary_size
        return tuple(
            Case(name, tables | {"ids": random.randint(0, most, (batch, time))})
            for name, most, time in (("plain", few, length), ("short", every, short))
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


EXERCISE = TokenAndPositionEmbedding()
