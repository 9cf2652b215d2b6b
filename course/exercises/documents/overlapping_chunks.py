"""What ``documents.overlapping_chunks`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.preprocessing.common import WORDS
from selfcheck.aspects import describe
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise, Failure, Observation
from selfcheck.texts import say

# --- documents to chunks -------------------------------------------------------------------------


def _read_chunks(observation: Observation) -> tuple[str, list[list[str]]]:
    """Return what is wrong, or "" and the chunks that came back."""
    if isinstance(observation.received, Failure):
        return str(observation.received), []
    chunks = observation.received["chunks"]
    if not isinstance(chunks, list):
        seen = describe(chunks)
        return say("chunks is {seen}; expected a list of lists of tokens", seen=seen), []
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


def _span(chunk: list[str]) -> str:
    """A chunk in a few words."""
    if not chunk:
        return say("empty")
    return say(
        "{count} tokens from {first} to {last}",
        count=len(chunk),
        first=repr(chunk[0]),
        last=repr(chunk[-1]),
    )


def _right_starts(observation: Observation) -> str:
    """Every chunk of the text is there and begins where it must, wherever it ends."""
    seen, chunks = _read_chunks(observation)
    if seen:
        return seen
    for number, right in enumerate(observation.expected.outputs["chunks"]):
        if number >= len(chunks):
            return say(
                "chunk {number} is missing; expected one that begins with {token}",
                number=number,
                token=repr(right[0]),
            )
        if chunks[number][:1] != right[:1]:
            return say(
                "chunk {number}: {seen}; expected it to begin with {token}",
                number=number,
                seen=_span(chunks[number]),
                token=repr(right[0]),
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
            return say(
                "chunk {number}: {seen}; expected {expected}",
                number=number,
                seen=_span(chunk),
                expected=_span(right),
            )
    if len(chunks) > len(expected):
        return say(
            "there is an extra chunk {number}, {seen}; expected {number} chunks",
            number=len(expected),
            seen=_span(chunks[len(expected)]),
        )
    if len(chunks) < len(expected):
        return say(
            "chunk {number} is missing; expected {expected}",
            number=len(chunks),
            expected=_span(expected[len(chunks)]),
        )
    return ""


class OverlappingChunks(Exercise):
    """A text as chunks of equal size of which neighbours share tokens."""

    name = "documents.overlapping_chunks"
    lesson = "05-long-documents"
    section = 2
    axes = {"chunks": ()}
    aspects = (
        Aspect("chunk k begins at token k·(size - overlap)", 30, ("whole chunks",), _right_starts),
        Aspect(
            "no chunk follows the one that reaches the end of the text",
            20,
            ("whole chunks",),
            _right_chunks,
        ),
        Aspect("the last chunk may be shorter", 20, ("shorter last chunk",), _right_chunks),
        Aspect(
            "the overlap may be 0, or more than half a chunk",
            10,
            ("no overlap", "large overlap"),
            _right_chunks,
        ),
        Aspect(
            "a text no longer than a chunk is one chunk",
            10,
            ("short text", "less than the overlap", "one whole chunk", "one token apart"),
            _right_chunks,
        ),
        Aspect("a text without tokens has no chunks", 10, ("no tokens",), _right_chunks),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens, the size of a chunk, and the overlap: mostly less than half the size."""
        random = random_state(seed)
        size = int(random.randint(9, 14))
        overlap = int(random.randint(3, (size + 1) // 2))
        large = int(random.randint(size // 2 + 1, size - 1))
        own = size - overlap  # tokens that a chunk does not share with the one before it
        more = [int(count) for count in random.randint(2, 5, 4)]
        # So few that a chunk after this last one would begin after the end of the text: chunks
        # too many are the matter of the other cases.
        rest = int(random.randint(1, own - overlap + 1))
        lengths = {
            "whole chunks": (size + more[0] * own, overlap),
            "shorter last chunk": (size + more[1] * own + rest, overlap),
            "no overlap": (min(more[2], 3) * size, 0),
            "large overlap": (size + more[3] * (size - large), large),
            "short text": (int(random.randint(own + 1, size)), overlap),
            "less than the overlap": (int(random.randint(1, overlap)), overlap),
            "one whole chunk": (size, overlap),
            "one token apart": (size, size - 1),
            "no tokens": (0, overlap),
        }
        order = random.permutation(len(WORDS))
        return tuple(
            Case(
                name,
                {
                    "tokens": [WORDS[int(index)] for index in order[:length]],
                    "size": size,
                    "overlap": shared,
                },
            )
            for name, (length, shared) in lengths.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of tokens; tuples serve as lists."""
        tokens, size, overlap = case.inputs.values()
        chunks = obj(list(tokens), size, overlap)
        if isinstance(chunks, list | tuple):
            chunks = [list(chunk) if isinstance(chunk, tuple) else chunk for chunk in chunks]
        return {"chunks": chunks}


EXERCISE = OverlappingChunks()
