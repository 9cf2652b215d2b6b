"""What exercises about preprocessing share."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from course.exercises.invented import written
from selfcheck.aspects import Examine, identical, numbers
from selfcheck.exercise import Case, Exercise, Failure, Observation, WrongReturn
from selfcheck.sampling import random_state
from selfcheck.texts import say


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


def written_unlike(random: np.random.RandomState, pattern: str) -> str:
    """Write a text in which no word of four letters comes again that the pattern doesn't repeat.

    Args:
        random: the case's generator.
        pattern: see ``course.exercises.invented.written``.
    """
    named = re.findall(r"§w\d", pattern)
    while True:
        text = written(random, pattern)
        words = re.findall(r"[^\W\d_]{4,}", text.lower())
        if len(words) - len(set(words)) == len(named) - len(set(named)):
            return text


def shuffled(random: np.random.RandomState, items: Sequence[Any]) -> list[Any]:
    return [items[int(index)] for index in random.permutation(len(items))]


def deranged(random: np.random.RandomState, items: Sequence[str], than: Sequence[str]) -> list:
    """The items in an order in which none is where ``than`` has it."""
    order = shuffled(random, items)
    while any(item == other for item, other in zip(order, than, strict=False)):
        order = shuffled(random, items)
    return order


NOTHING, SOMETHING = "nothing", "something"
"""What a result still has of earlier calls, in an output called ``remembered``."""


def remembers_nothing(examine: Examine) -> Examine:
    """An aspect that looks at something else, and at what a result still has of earlier calls.

    Args:
        examine: the something else.
    """

    def examine_both(observation: Observation) -> str:
        received = observation.received
        if isinstance(received, Failure) or identical(received["remembered"], NOTHING):
            return examine(observation)
        return say("the result still has what an earlier call put into it")

    return examine_both


def own_items(call: Callable[[], Any], small: Callable[[], Any]) -> tuple[Any, str]:
    """What a student's function returns: of a list that grows from one call to the next, only what
    this call has added.

    Args:
        call: calls the function on a case.
        small: calls it on something, of which it returns an item.

    Returns:
        What it returns, and what that still has of earlier calls.
    """
    before, after = _length(small), _length(small)
    returned = call()
    if after > before and isinstance(returned, list):
        return returned[after:], SOMETHING
    return returned, NOTHING


def _length(call: Callable[[], Any]) -> int:
    """How long the list is that a call returns, which may be one and the same list every time."""
    try:
        returned = call()
    except Exception:  # the cases show it
        return 0
    return len(returned) if isinstance(returned, list) else 0


def dense(value: Any) -> Any:
    """An array in the place of a sparse matrix; anything else as it is."""
    return value.toarray() if hasattr(value, "toarray") else value


def _longer(documents: Sequence[list[str]], more: Sequence[list[str]]) -> list[list[str]]:
    """Documents, the first of them with more tokens."""
    both = itertools.zip_longest(documents, more, fillvalue=[])
    return [[*document, *tokens] for document, tokens in both]


_LETTERS = "bcdfghjkmnpqrstvwxz"
"""No two or three of them are a stop word."""


class Documents(Exercise):
    """Documents as rows, words as columns."""

    lesson = "01-text-preprocessing"
    often = 0
    """How often a word of the case "repeated" comes again, beside two that come a few times."""
    alone = 3
    """How many words the case "one document" has."""

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
        odd = [
            [vowels[0], documents[0][0].capitalize(), "42", "the"],
            [f"{vowels[1]}-{documents[1][0]}", "don't", "café", "#", f"{vowels[0]}h"],
        ]
        # A word that holds another one, and a part of one, both beside the other. The part is in
        # the second document alone, and the whole of it in the first one, too.
        within = [[f"{documents[0][0]}s"], [shared[:-1]]]
        place = int(random.randint(1, len(documents)))
        pairs = list(map("".join, itertools.product(_LETTERS, repeat=2)))
        variants = {
            "plain": documents,
            # Words of one document come back, each of them another number of times.
            "repeated": [
                [*document, document[0], *[document[1]] * 3, *[document[2]] * self.often]
                if document is longest
                else document
                for document in documents
            ],
            # The last one has no other: its row has the length 1 before anything is divided.
            "word in all documents": [*([*each, everywhere] for each in documents), [everywhere]],
            "words inside others": _longer(documents, within),
            "equal documents": [*documents, list(documents[0])],
            "unusual tokens": _longer(documents, odd),
            "empty document": [*documents[:place], [], *documents[place:]],
            "one document": [sorted(draw(random, pairs, self.alone))],
        }
        used = {name for aspect in self.aspects for name in aspect.cases}
        return tuple(
            Case(name, {"documents": tokens}) for name, tokens in variants.items() if name in used
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of lists of tokens."""
        outputs = self._outputs(obj([list(tokens) for tokens in case.inputs["documents"]]))
        remembered = self._remembered_words(obj)
        if remembered == SOMETHING:
            outputs = self._own_columns(outputs)
        if case.name == "one document" and np.size(outputs[next(iter(self.axes))]) == self.alone:
            self._refuse_a_limit(obj)
        return {**outputs, "remembered": remembered}

    def _remembered_words(self, obj: Any) -> str:
        """Whether a result has columns for the words of earlier calls only."""
        one, two = (self._columns(obj, document) for document in (["kk"], ["vv", "ww"]))
        return SOMETHING if two > one + 1 > 2 or two == one > 2 else NOTHING

    def _own_columns(self, outputs: Mapping[str, Any]) -> Mapping[str, Any]:
        """Outputs without the columns of words that are in none of the documents."""
        main = next(iter(self.axes))
        array = numbers(outputs[main])
        if array is None or array.ndim != 2:
            return outputs
        own = array.any(axis=0)
        words = outputs.get("vocabulary")
        if isinstance(words, list | tuple) and len(words) == len(own):
            outputs = {**outputs, "vocabulary": list(itertools.compress(words, own))}
        return {**outputs, main: array[:, own]}

    def _refuse_a_limit(self, obj: Any) -> None:
        """Make sure that more words have a column than a round number. They have no case of their
        own, because an answer sheet has no room for their numbers.
        """
        words = list(map("".join, itertools.islice(itertools.product(_LETTERS, repeat=3), 1001)))
        columns = self._columns(obj, words)
        if 100 <= columns < len(words):  # with fewer, something else is wrong
            raise WrongReturn(
                say(
                    "{words} different words have {columns} columns; expected {words}",
                    words=len(words),
                    columns=columns,
                )
            )

    def _columns(self, obj: Any, words: list[str]) -> int:
        """How many columns a document alone gets; 0 where that fails, which the cases show."""
        try:
            return np.size(self._outputs(obj([list(words)]))[next(iter(self.axes))])
        except Exception:
            return 0

    def _outputs(self, result: Any) -> Mapping[str, Any]:
        raise NotImplementedError
