"""What ``pretraining.masked_language_loss`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.pretraining.common import one_output
from course.exercises.weights import tensor
from selfcheck.aspects import equals, has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import normal, random_state

FOLLOWED, LOST = "followed", "lost"
"""Whether TensorFlow can tell how the loss depends on the logits."""

_GAP = 0.05
"""How far a loss is at least from what it would be with the second word everywhere, in nats."""

_FAR = np.float32(200)
"""exp() of it overflows float32, and of minus it is 0."""


class MaskedLanguageLoss(Exercise):
    """The mean cross-entropy of the places that count."""

    name = "pretraining.masked_language_loss"
    lesson = "07-pretraining"
    section = 3
    axes = {"loss": (), "gradient": ()}
    input_axes = {"logits": ("time", "vocabulary")}
    aspects = (
        Aspect("the loss is one number", 10, ("every place",), has_shapes({"loss": ()})),
        Aspect("if every place counts, it's the mean cross-entropy", 25, ("every place",),
               numbers_agree("loss")),
        Aspect("only the places with weight 1 count", 25, ("some places",),
               numbers_agree("loss")),
        Aspect("weights may be any numbers from 0 on", 10, ("fractions",), numbers_agree("loss")),
        Aspect("TensorFlow can follow the gradients", 5, ("some places",),
               equals("gradient", ours=(FOLLOWED, LOST))),
        Aspect("any leading axes: a list of places works too", 5, ("a list",),
               numbers_agree("loss")),
        Aspect("large logits give a finite, correct loss", 10, ("large logits",),
               numbers_agree("loss")),
        Aspect("if no place counts, the loss is 0", 10, ("no place",), numbers_agree("loss")),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Logits (..., vocabulary), the right words and their weights (...)."""
        random = random_state(seed)
        batch = 3
        time, vocabulary = (int(size) for size in random.permutation([7, 11]))
        # Texts of one, two and four places that count, never the first one. The list below ends
        # with the last of them, and has another length than the vocabulary.
        counted = np.array([vocabulary - 1])
        while counted[-1] == vocabulary - 1:
            places = np.float32(
                [[False, *random.permutation(np.arange(time - 1) < count)] for count in (1, 2, 4)]
            )
            counted = np.flatnonzero(places[2])
        targets = random.randint(0, vocabulary, (batch, time))
        targets[0, 0], targets[1, 1] = 0, vocabulary - 1
        # The first and the last word are asked for where not every place counts, too.
        targets[2, counted[0]], targets[2, counted[-1]] = 0, vocabulary - 1
        # No right word is so unlikely that a small number beside its probability would show. And
        # the loss is another one if weights are taken for words.
        gaps = np.zeros(1)
        while abs(gaps).min() < _GAP:
            logits = 1 + np.float32(0.75) * normal(random, batch, time, vocabulary)
            # A logarithm of the right words' logits is no number, whatever the seed.
            logits[2, counted[0], 0] = -0.25
            # One word that only counts where every place does is the likeliest.
            logits[0, 0, 0] = logits[0, 0].max() + 1
            right = np.take_along_axis(logits, targets[..., None], axis=-1)[..., 0]
            gap = right - logits[..., 1]
            gaps = np.array([gap.mean(), gap[places > 0].mean(), gap[2, counted].mean()])
        inputs = {
            "logits": logits,
            "targets": targets,
            "weights": np.ones((batch, time), np.float32),
        }
        fractions = places * random.uniform(0.02, 0.12, (batch, time)).astype(np.float32)
        far = logits + _FAR * np.float32([1, -1, 1])[:, None, None]
        # One of the right words is far below all others.
        far[2, 0, targets[2, 0]] = -_FAR
        flat = {"logits": logits[2], "targets": targets[2], "weights": places[2]}
        return (
            Case("every place", inputs),
            Case("some places", inputs | {"weights": places}),
            Case("fractions", inputs | {"weights": fractions}),
            Case("a list", {name: array[: counted[-1] + 1] for name, array in flat.items()}),
            Case("large logits", inputs | {"logits": far}),
            Case("no place", inputs | {"weights": np.zeros_like(places)}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on float32 logits, integers and float32 weights."""
        import tensorflow as tf

        logits, targets, weights = map(tensor, case.inputs.values())
        with tf.GradientTape() as tape:
            tape.watch(logits)
            loss = one_output(obj(logits, targets, weights))
        followed = tf.is_tensor(loss) and tape.gradient(loss, logits) is not None
        return {"loss": loss, "gradient": FOLLOWED if followed else LOST}


EXERCISE = MaskedLanguageLoss()
