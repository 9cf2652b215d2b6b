"""What exercises about preprocessing share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from selfcheck.drawing import random_state
from selfcheck.exercise import Case, Exercise


def listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


WORDS = listed(
    "anchor apple balcony barrel basket bicycle bottle bridge bucket button cabin camera "
    "canyon castle cherry circle coffee copper cotton dinner dragon engine garden guitar hammer "
    "harbour jacket kettle ladder lemon letter market melody mirror museum nickel orange paddle "
    "pencil pepper picnic pillow planet pocket river rocket saddle salmon school silver spider "
    "summer tailor temple ticket timber tunnel turtle valley velvet violin window winter"
)
"""No word holds another one or a stop word of the cases."""


def draw(random: np.random.RandomState, words: Sequence[str], count: int) -> list[str]:
    """Different words in random order."""
    return [words[int(index)] for index in random.permutation(len(words))[:count]]


def draw_unlike(words: Callable[[], list[str]]) -> list[str]:
    """Draw words until no two begin with the same three letters, so that no two share a stem.

    Args:
        words: draws some.
    """
    while True:
        drawn = words()
        if len({word[:3] for word in drawn}) == len(drawn):
            return drawn


def shuffled(random: np.random.RandomState, items: Sequence[Any]) -> list[Any]:
    return [items[int(index)] for index in random.permutation(len(items))]


def deranged(random: np.random.RandomState, items: Sequence[str], than: Sequence[str]) -> list:
    """The items in an order in which none is where ``than`` has it."""
    order = shuffled(random, items)
    while any(item == other for item, other in zip(order, than, strict=False)):
        order = shuffled(random, items)
    return order


def dense(value: Any) -> Any:
    """An array in the place of a sparse matrix; anything else as it is."""
    return value.toarray() if hasattr(value, "toarray") else value


class Documents(Exercise):
    """Documents as rows, words as columns."""

    lesson = "01-text-preprocessing"

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Lists of tokens. Numbers of documents, words and tokens are all different."""
        random = random_state(seed)
        own = shuffled(random, [1, 3, 5, 7][: int(random.choice([3, 4]))])
        *words, shared, everywhere = draw(random, WORDS, sum(own) + 2)
        # The alphabet's first word is in the last document only: columns in the order of the text
        # start with another document's word.
        if shared < min(words):
            shared, words[-1] = words[-1], shared
        first = words.index(min(words))
        words[first], words[-1] = words[-1], words[first]
        ends = np.cumsum(own)
        documents = [
            shuffled(random, words[end - size : end] + [shared] * (row < 2))
            for row, (size, end) in enumerate(zip(own, ends, strict=True))
        ]
        longest = max(documents, key=len)
        vowels = draw(random, ("a", "e", "i", "o", "u"), 2)
        odd = [[vowels[0]], [f"{vowels[1]}-{documents[1][0]}"]]
        place = int(random.randint(1, len(documents)))
        variants = {
            "plain": documents,
            # Two words of one document come back, one of them more often than the other.
            "repeated": [
                [*document, document[0], document[1], document[1], document[1]]
                if document is longest
                else document
                for document in documents
            ],
            "word in all documents": [[*document, everywhere] for document in documents],
            "unusual tokens": [
                document + (odd[row] if row < len(odd) else [])
                for row, document in enumerate(documents)
            ],
            "empty document": [*documents[:place], [], *documents[place:]],
        }
        used = {name for aspect in self.aspects for name in aspect.cases}
        return tuple(
            Case(name, {"documents": tokens}) for name, tokens in variants.items() if name in used
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of lists of tokens."""
        return self._outputs(obj([list(tokens) for tokens in case.inputs["documents"]]))

    def _outputs(self, result: Any) -> Mapping[str, Any]:
        raise NotImplementedError
