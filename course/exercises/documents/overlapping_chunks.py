"""What ``documents.overlapping_chunks`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.preprocessing.common import WORDS
from selfcheck.aspects import describe, equals
from selfcheck.exercise import Aspect, Case, Exercise, Failure, Observation
from selfcheck.sampling import random_state
from selfcheck.texts import say

# --- documents to chunks -------------------------------------------------------------------------

LONG = 1100
"""Of a text of more tokens, two chunks are looked at, and those from this number on: all of them
would fill an answer sheet."""

_MOST = 60
"""Maximum number of chunks that are compared. There are fewer, or one at every token."""


def shown(chunks: list, tokens: list) -> list:
    """The chunks that are compared."""
    seen = [*chunks[:2], *chunks[LONG:]] if len(tokens) > LONG else chunks
    return seen[:_MOST]


def _number(observation: Observation, place: int) -> int:
    """Which chunk of the text is in this place."""
    left_out = len(observation.case.inputs["tokens"]) > LONG and place > 1
    return place + LONG - 2 if left_out else place


def _read_chunks(observation: Observation) -> tuple[str, list[list[str]]]:
    """Return what is wrong, or "" and the chunks that came back."""
    if isinstance(observation.received, Failure):
        return str(observation.received), []
    chunks = observation.received["chunks"]
    if not isinstance(chunks, list):
        seen = describe(chunks)
        return say("`chunks` is {seen}; expected a list of lists of tokens", seen=seen), []
    for number, chunk in enumerate(chunks):
        if not isinstance(chunk, list):
            told = say(
                "chunk {number} is {seen}; expected a list of tokens",
                number=number,
                seen=describe(chunk),
            )
            return told, []
        if not all(isinstance(token, str) for token in chunk):
            told = say(
                "chunk {number} contains something other than tokens of the text", number=number
            )
            return told, []
    return "", chunks


def _written(token: str, observation: Observation) -> str:
    """A token as Python writes it: ``_as_text`` has made text of numbers."""
    if _are_numbers(observation.case.inputs["tokens"]):
        return token
    return token.removeprefix(_NUMBER) if token.startswith(_NUMBER) else repr(token)


def _span(chunk: list[str], observation: Observation) -> str:
    """A chunk in a few words."""
    if not chunk:
        return say("empty")
    return say(
        "{count} tokens from {first} to {last}",
        count=len(chunk),
        first=_written(chunk[0], observation),
        last=_written(chunk[-1], observation),
    )


def _differing(number: int, chunk: list[str], right: list[str], observation: Observation) -> str:
    """How a chunk differs from the right one; where both are as long and have the same ends, by
    the first token that differs."""
    seen, expected = _span(chunk, observation), _span(right, observation)
    if seen != expected:
        return say(
            "chunk {number}: {seen}; expected {expected}",
            number=number,
            seen=seen,
            expected=expected,
        )
    pairs = enumerate(zip(chunk, right, strict=True))
    place, (token, due) = next(pair for pair in pairs if pair[1][0] != pair[1][1])
    return say(
        "chunk {number}, token {place}: {seen}; expected {expected}",
        number=number,
        place=place,
        seen=_written(token, observation),
        expected=_written(due, observation),
    )


def _right_starts(observation: Observation) -> str:
    """Every chunk of the text is there and begins where it must, wherever it ends."""
    seen, chunks = _read_chunks(observation)
    if seen:
        return seen
    for place, right in enumerate(observation.expected.outputs["chunks"]):
        if place >= len(chunks):
            return say(
                "chunk {number} is missing; expected one that begins with {token}",
                number=_number(observation, place),
                token=_written(right[0], observation),
            )
        if chunks[place][:1] != right[:1]:
            return say(
                "chunk {number}: {seen}; expected it to begin with {token}",
                number=_number(observation, place),
                seen=_span(chunks[place], observation),
                token=_written(right[0], observation),
            )
    return ""


def _right_chunks(observation: Observation) -> str:
    """The chunks are the expected ones."""
    seen, chunks = _read_chunks(observation)
    if seen:
        return seen
    expected = observation.expected.outputs["chunks"]
    for number, (chunk, right) in enumerate(zip(chunks, expected, strict=False)):
        if chunk != right:
            return _differing(number, chunk, right, observation)
    if len(chunks) > len(expected):
        return say(
            "there is an extra chunk {number}, {seen}; expected {number} chunks",
            number=len(expected),
            seen=_span(chunks[len(expected)], observation),
        )
    if len(chunks) < len(expected):
        return say(
            "chunk {number} is missing; expected {expected}",
            number=len(chunks),
            expected=_span(expected[len(chunks)], observation),
        )
    return ""


_CHANGES = ("unchanged", "changed")
"""What the call may have done to its list of tokens."""


def _unchanged(observation: Observation) -> str:
    """The first chunk begins like the text, and the list of tokens is as it was."""
    seen, chunks = _read_chunks(observation)
    first, right = (chunks or [[]])[0], observation.expected.outputs["chunks"][0]
    if not seen and first[:1] != right[:1]:
        seen = _differing(0, first, right, observation)
    return seen or equals("tokens", ours=_CHANGES)(observation)


class OverlappingChunks(Exercise):
    """A text as chunks of equal size of which neighbours share tokens."""

    name = "documents.overlapping_chunks"
    lesson = "05-long-documents"
    section = 2
    axes = {"chunks": (), "tokens": ()}
    translatable_outputs = _CHANGES
    aspects = (
        Aspect(
            "chunk k begins at token k·(size - overlap)",
            25,
            ("whole chunks", "many chunks"),
            _right_starts,
        ),
        Aspect(
            "chunks have size tokens, and none follows the one that reaches the end",
            20,
            ("whole chunks",),
            _right_chunks,
        ),
        Aspect(
            "the last chunk may be shorter",
            20,
            ("shorter last chunk", "one token left", "one token more", "one token missing"),
            _right_chunks,
        ),
        Aspect(
            "the overlap may be 0, or more than half a chunk",
            10,
            ("no overlap", "large overlap", "one new token each", "size 1"),
            _right_chunks,
        ),
        Aspect(
            "tokens may be numbers, and may repeat",
            5,
            ("repeated numbers", "zeros at the end", "words of digits"),
            _right_chunks,
        ),
        Aspect(
            "a text no longer than a chunk is one chunk",
            10,
            (
                "short text",
                "as long as the overlap",
                "less than the overlap",
                "one token",
                "one whole chunk",
                "one token apart",
            ),
            _right_chunks,
        ),
        Aspect("a text without tokens has no chunks", 5, ("no tokens",), _right_chunks),
        Aspect(
            "the first chunk begins like the text, and the inputs are not changed",
            5,
            ("whole chunks", "shorter last chunk"),
            _unchanged,
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens, the size of a chunk, and the overlap: mostly less than half the size."""
        random = random_state(seed)
        # Always the same, whatever the seed, which draws the tokens alone: else a slip would hit
        # other chunks and earn other points. The overlap is more than a third: chunks too many at
        # the end then show.
        size, overlap = 13, 5
        # Their quotients are not exact: a step computed from the share of the overlap becomes
        # one too small if it's rounded down, and one too large (of ``close``) if it's rounded up.
        many, large = 25, 14
        close = 11
        own = size - overlap  # tokens that a chunk does not share with the one before it
        more = 2, 3, 3, 2
        # Less than half of what a chunk adds, so that rounding is not rounding up; and so few that
        # a chunk after this last one would begin after the end of the text: chunks too many are
        # the matter of other cases.
        rest = 2
        sizes = {
            "whole chunks": (size + more[0] * own, size, overlap),
            "shorter last chunk": (size + more[1] * own + rest, size, overlap),
            "one token left": (size + own + 1, size, overlap),
            "one token more": (size + 1, size, overlap),
            "one token missing": (2 * size - 1, size, 0),
            "no overlap": (more[2] * size, size, 0),
            "large overlap": (2 * many - large, many, large),
            "one new token each": (close + more[3], close, close - 1),
            "size 1": (more[1], 1, 0),
            "repeated numbers": (size + more[2] * own, size, overlap),
            "zeros at the end": (size + own + rest, size, overlap),
            "words of digits": (size + more[0] * own, size, overlap),
            "short text": ((own + 1 + size) // 2, size, overlap),
            "as long as the overlap": (overlap, size, overlap),
            "less than the overlap": (overlap - 2, size, overlap),
            "one token": (1, size, overlap),
            "one whole chunk": (size, size, overlap),
            "one token apart": (close, close, close - 1),
            "no tokens": (0, size, overlap),
            "many chunks": (2 * LONG + 7, 3, 1),
        }
        words = [WORDS[int(index)] for index in random.permutation(len(WORDS))]
        # The shortest texts aren't in order either.
        words[:2] = sorted(words[:2], reverse=True)
        numbers = _repeated_numbers(random, own, size)
        given = {
            "repeated numbers": numbers,
            "zeros at the end": [*numbers[: size + own], *["0"] * rest],
            # As many tokens as in the first case, which a kept result has.
            "words of digits": with_digits(words[: sizes["whole chunks"][0]]),
            # All different.
            "many chunks": [first + second for first in words for second in words],
        }
        return tuple(
            Case(
                name,
                {
                    "tokens": given.get(name, words)[:length],
                    "size": width,
                    "overlap": shared,
                },
            )
            for name, (length, width, shared) in sizes.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of tokens, words or numbers; tuples serve as lists."""
        tokens, size, overlap = case.inputs.values()
        are_numbers = _are_numbers(tokens)
        given = [int(token) if are_numbers else token for token in tokens]
        before = list(given)
        chunks = obj(given, size, overlap)
        if isinstance(chunks, list | tuple):
            chunks = [_as_text(chunk, are_numbers) for chunk in shown(list(chunks), tokens)]
        return {"chunks": chunks, "tokens": _CHANGES[given != before]}


def with_digits(words: list[str]) -> list[str]:
    """The same words backwards, some of them as the numbers of their places in ``WORDS``."""
    return [
        str(len(WORDS) + WORDS.index(word)) if place % 5 == 1 else word
        for place, word in enumerate(reversed(words))
    ]


def without_digits(words: list[str]) -> list[str]:
    """The words that ``with_digits`` was given."""
    return [WORDS[int(word) - len(WORDS)] if word.isdecimal() else word for word in reversed(words)]


def _repeated_numbers(random: np.random.RandomState, own: int, size: int) -> list[str]:
    """Numbers that repeat with every step of ``own`` tokens, but for the first one: else all chunks
    would be equal. No chunk of ``size`` tokens ends with a 0."""
    numbers = [str(number) for number in random.permutation(own)] * size
    if numbers[(size - 1) % own] == "0":
        numbers = [*numbers[1:], numbers[0]]
    numbers[0] = str(own)
    return numbers


def _are_numbers(tokens: list[str]) -> bool:
    """Whether the tokens that a function gets are numbers."""
    return all(token.isdecimal() for token in tokens)


_NUMBER = "number "
"""Before a number that came back in place of a word."""


def _as_text(chunk: Any, are_numbers: bool) -> Any:
    """A chunk as a list whose numbers are written as text, as in a case's inputs, or a token in its
    place. Text in place of numbers keeps its quotation marks, so that it differs from them, and a
    number in place of text is called one."""
    if isinstance(chunk, list | tuple):
        return [_token_as_text(token, are_numbers) for token in chunk]
    return _token_as_text(chunk, are_numbers)


def _token_as_text(token: Any, are_numbers: bool) -> Any:
    if isinstance(token, int | np.integer):
        return str(token) if are_numbers else f"{_NUMBER}{token}"
    return repr(str(token)) if are_numbers and isinstance(token, str) else token


EXERCISE = OverlappingChunks()
