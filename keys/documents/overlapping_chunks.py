"""The key of ``documents.overlapping_chunks``."""

from __future__ import annotations

from functools import partial

from autograder.judging.keys import Key
from course.exercises.documents.overlapping_chunks import EXERCISE


def overlapping_chunks(tokens: list[str], size: int, overlap: int) -> dict[str, list[list[str]]]:
    """Cut a text into the fewest chunks of ``size`` tokens of which neighbours share ``overlap``.

    Args:
        tokens: the text.
        size: tokens of a chunk; the last one may have fewer.
        overlap: tokens that a chunk shares with the one before, less than ``size``.

    Returns:
        chunks: chunk k begins at token k · (size - overlap).

    Reference: Pappagari et al., "Hierarchical Transformers for Long Document Classification"
    (2019), who cut transcripts like this.

    Example:
        >>> overlapping_chunks(["a", "b", "c", "d"], 3, 1)
        {'chunks': [['a', 'b', 'c'], ['c', 'd']]}
    """
    step = size - overlap
    # From here on, a chunk would follow one that reaches the end of the text.
    stop = max(len(tokens) - size + step, 1) if tokens else 0
    return {"chunks": [tokens[start : start + size] for start in range(0, stop, step)]}


KEY = Key(EXERCISE, overlapping_chunks)

_chunks = partial(KEY.mistake, alone=True)

_chunks(
    "chunks_after_the_last",
    "You start a chunk wherever tokens are left, even if the previous one already reached the "
    "end: what would it add that hasn't been read yet?",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "len(tokens)",
)
_chunks(
    "end_must_be_passed",
    "One chunk too many: the previous one ends exactly where the text ends. Reaching the end "
    "is enough; it doesn't have to be passed.",
    "size + step, 1",
    "size + step + 1, 1",
)
_chunks(
    "side_by_side",
    "The overlap wasn't used: the chunks are laid end to end.",
    "size - overlap",
    "size",
)
_chunks(
    "overlap_as_step",
    "The overlap was used as the distance between the chunks' starts: how far is it from one "
    "start to the next?",
    "size - overlap",
    "overlap",
)
_chunks(
    "chunk_at_every_token",
    "A chunk starts at every token: how many of a chunk's tokens should be new?",
    "size - overlap",
    "1",
)
_chunks(
    "tokens_skipped",
    "The overlap was added to the step: the tokens between two chunks are never read.",
    "size - overlap",
    "size + overlap",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "len(tokens)",
)
_chunks(
    "reaching_into_the_next",
    "The chunks are laid end to end, but each one extends into the next: they're longer than "
    "allowed.",
    "size - overlap",
    "size",
    "start + size",
    "start + size + overlap",
)
_chunks(
    "reaching_into_the_one_before",
    "The chunks are laid end to end, but each one reaches back into the previous one: they're "
    "longer than allowed.",
    "size - overlap",
    "size",
    "tokens[start :",
    "tokens[max(start - overlap, 0) :",
)
_chunks(
    "whole_chunks_only",
    "Only full chunks were kept: the end of the text is lost, and so are short texts.",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "len(tokens) - size + 1",
)
_chunks(
    "end_of_the_text_lost",
    "Tokens that don't fill a whole chunk were dropped: the last chunk may be shorter.",
    "size + step, 1",
    "size + 1, 1",
)
_chunks(
    "last_chunk_moved_back",
    "The last chunk was moved back until it was full: it should start one step after the "
    "previous one, and may be shorter.",
    "tokens[start :",
    "tokens[max(min(start, len(tokens) - size), 0) :",
)

for _name, _padding in {
    "last_chunk_filled_up": "",
    "last_chunk_filled_up_with_pad": "<pad>",
    "last_chunk_filled_up_with_capitals": "[PAD]",
}.items():
    _chunks(
        _name,
        "The last chunk was padded: padding comes in a later step.",
        "tokens[start : start + size]",
        f"tokens[start : start + size] + ['{_padding}'] * (start + size - len(tokens))",
    )

_chunks(
    "short_text_lost",
    "A text no longer than the overlap got no chunk at all: it still has tokens to read.",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "len(tokens) - overlap",
)
_chunks(
    "empty_chunk",
    "A text without tokens gave an empty chunk: what would a model read there?",
    " if tokens else 0",
    "",
)
_chunks(
    "one_token_short",
    "Each chunk is one token too short: a slice stops before its second index.",
    "start + size",
    "start + size - 1",
)
_chunks(
    "chunks_joined",
    "The tokens of a chunk were joined into one text: a chunk is a list of tokens, just as the "
    "text was.",
    "tokens[start : start + size]",
    "' '.join(tokens[start : start + size])",
)
