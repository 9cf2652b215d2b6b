"""The key of ``documents.overlapping_chunks``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Key
from course.exercises.documents.overlapping_chunks import EXERCISE, shown, without_digits
from keys.input_classes import some_values
from selfcheck.exercise import Case


def overlapping_chunks(tokens: list, size: int, overlap: int) -> dict[str, list[list] | str]:
    """Cut a text into the fewest chunks of ``size`` tokens of which neighbours share ``overlap``.

    Args:
        tokens: the text.
        size: tokens of a chunk; the last one may have fewer.
        overlap: tokens that a chunk shares with the one before, less than ``size``.

    Returns:
        chunks: those that are looked at; tokens: what became of the list.

    Reference: Pappagari et al., "Hierarchical Transformers for Long Document Classification"
    (2019), who cut transcripts like this.

    Example:
        >>> overlapping_chunks(["a", "b", "c", "d"], 3, 1)["chunks"]
        [['a', 'b', 'c'], ['c', 'd']]
    """
    return {"chunks": shown(all_chunks(tokens, size, overlap), tokens), "tokens": "unchanged"}


def all_chunks(tokens: list, size: int, overlap: int) -> list[list]:
    """The same, all of them: chunk k begins at token k · (size - overlap)."""
    step = size - overlap
    # From here on, a chunk would follow one that reaches the end of the text.
    stop = max(len(tokens) - size + step, 1) if tokens else 0
    return [tokens[start : start + size] for start in range(0, stop, step)]


KEY = Key(EXERCISE, overlapping_chunks, mutant_sample=2)


CUTS = {
    "chunks_after_the_last": (
        SLIP,
        "You start a chunk wherever tokens are left, even if the previous one already reached the "
        "end: what would it add that hasn't been read yet?",
        "max(len(tokens) - size + step, 1) if tokens else 0",
        "len(tokens)",
    ),
    "end_must_be_passed": (
        SLIP,
        "One chunk too many: the previous one ends exactly where the text ends. Reaching the end "
        "is enough; it doesn't have to be passed.",
        "max(len(tokens) - size + step, 1) if tokens else 0",
        "min(max(len(tokens) - size + step + 1, 1), len(tokens))",
    ),
    "side_by_side": (
        PART,
        "The overlap wasn't used: the chunks are laid end to end.",
        "size - overlap",
        "size",
    ),
    "side_by_side_and_stopped_early": (
        PART,
        "The overlap only decides where the chunks stop, and they're laid end to end: how far "
        "apart do the starts of two chunks have to be, so that they share tokens?",
        "size - overlap",
        "size",
        "max(len(tokens) - size + step, 1) if tokens else 0",
        "max(len(tokens) - overlap, 1) if tokens else 0",
    ),
    "overlap_as_step": (
        SLIP,
        "The overlap was used as the distance between the chunks' starts: how far is it from one "
        "start to the next?",
        "size - overlap",
        "overlap",
    ),
    "chunk_at_every_token": (
        IDEA,
        "A chunk starts at every token: how many of a chunk's tokens should be new?",
        "size - overlap",
        "1",
    ),
}

for _name, (_cost, _hint, *_edits) in CUTS.items():
    KEY.mistake(_name, _hint, *_edits, cost=_cost)
KEY.mistake(
    "tokens_skipped",
    "The overlap was added to the step: the tokens between two chunks are never read.",
    "size - overlap",
    "size + overlap",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "len(tokens)",
    cost=SLIP,
)
KEY.mistake(
    "reaching_into_the_next",
    "The chunks are laid end to end, but each one extends into the next: they're longer than "
    "allowed.",
    "size - overlap",
    "size",
    "start + size",
    "start + size + overlap",
)
KEY.mistake(
    "reaching_into_the_one_before",
    "The chunks are laid end to end, but each one reaches back into the previous one: they're "
    "longer than allowed.",
    "size - overlap",
    "size",
    "tokens[start :",
    "tokens[max(start - overlap, 0) :",
)
KEY.mistake(
    "whole_chunks_only",
    "Only full chunks were kept: the end of the text is lost, and so are short texts.",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "len(tokens) - size + 1",
    cost=SLIP,
)
KEY.mistake(
    "end_of_the_text_lost",
    "Tokens that don't fill a whole chunk were dropped: the last chunk may be shorter.",
    "size + step, 1",
    "size + 1, 1",
    cost=SLIP,
)
KEY.mistake(
    "last_chunk_moved_back",
    "The last chunk was moved back until it was full: it should start one step after the "
    "previous one, and may be shorter.",
    "tokens[start :",
    "tokens[max(min(start, len(tokens) - size), 0) :",
)

for _name, _padding in {
    "last_chunk_filled_up": "''",
    "last_chunk_filled_up_with_pad": "'<pad>'",
    "last_chunk_filled_up_with_capitals": "'[PAD]'",
    # In place of a word, a number is called one.
    "last_chunk_filled_up_with_zeros": "'0' if ''.join(tokens).isdecimal() else 'number 0'",
}.items():
    KEY.mistake(
        _name,
        "The last chunk was padded: padding comes in a later step.",
        "tokens[start : start + size]",
        f"tokens[start : start + size] + [{_padding}] * (start + size - len(tokens))",
        cost=SLIP,
    )

KEY.mistake(
    "rest_added_to_the_last_chunk",
    "The tokens left at the end were added to the chunk before them: no chunk is longer than size.",
    "size + step, 1",
    "size + 1, 1",
    "tokens[start : start + size]",
    "tokens[start : start + size if start + step < stop else None]",
)
KEY.mistake(
    "a_single_token_lost",
    "When only one token is left over, it gets no chunk: try a text that is one token longer "
    "than a chunk.",
    "size + step, 1",
    "size + step - 1, 1",
    cost=SLIP,
)
KEY.mistake(
    "last_chunk_lost",
    "The last chunk is missing, even if it's full: where does the last chunk begin?",
    "size + step, 1",
    "size, 1",
    cost=SLIP,
)
KEY.mistake(
    "last_chunk_and_short_texts_lost",
    "The last chunk is missing, even if it's full, and a short text has none: a range doesn't "
    "contain its end, and a loop that stops first doesn't keep what it has cut last.",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "len(tokens) - size",
    cost=SLIP,
)
KEY.mistake(
    "number_rounded",
    "The number of chunks was rounded to the nearest whole number: the tokens that are left need "
    "a chunk of their own, however few they are.",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "max(round((len(tokens) - overlap) / step), 1) * step if tokens else 0",
    cost=SLIP,
)
KEY.mistake(
    "one_more_than_steps_fit",
    "You made one chunk more than there are whole steps in the text: the last one may have "
    "nothing new in it, or nothing at all.",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "(len(tokens) // step + 1) * step",
    cost=SLIP,
)
KEY.mistake(
    "overlap_one_too_large",
    "Neighbouring chunks share one token too many: how far apart do two of them begin?",
    "size - overlap",
    "size - overlap - 1",
    cost=SLIP,
)
KEY.mistake(
    "overlap_one_too_small",
    "Neighbouring chunks share one token too few: how far apart do two of them begin?",
    "size - overlap",
    "size - overlap + 1",
    cost=SLIP,
)
KEY.mistake(
    "share_rounded_down",
    "You computed the step from a share of the chunk and rounded it down: a share isn't exact, and "
    "12.999 becomes 12. The step is a difference of two whole numbers.",
    "size - overlap",
    "int(size * (1 - overlap / size))",
    cost=SLIP,
)
KEY.mistake(
    "false_tokens_lost",
    "Tokens that Python takes for false are missing, such as the number 0: every token counts.",
    "tokens[start : start + size]",
    "[token for token in tokens[start : start + size] if token != '0']",
    cost=SLIP,
)
KEY.mistake(
    "short_text_lost",
    "A text no longer than the overlap got no chunk at all: it still has tokens to read.",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "len(tokens) - overlap",
    cost=SLIP,
)
KEY.mistake(
    "empty_chunk",
    "A text without tokens gave an empty chunk: what would a model read there?",
    " if tokens else 0",
    "",
    cost=SLIP,
)
KEY.mistake(
    "one_token_short",
    "Each chunk is one token too short: a slice stops before its second index.",
    "start + size",
    "start + size - 1",
    cost=SLIP,
)
KEY.mistake(
    "one_token_long",
    "Each chunk is one token too long: a slice stops before its second index, so it doesn't need "
    "one more.",
    "start + size",
    "start + size + 1",
    cost=SLIP,
)
KEY.mistake(
    "chunks_joined",
    "The tokens of a chunk were joined into one text: a chunk is a list of tokens, just as the "
    "text was.",
    "tokens[start : start + size]",
    # Numbers cannot be joined.
    "' '.join([int(x) if ''.join(tokens).isdecimal() else x for x in tokens[start:][:size]])",
    failure=r"expected str",
)
KEY.mistake(
    "no_tokens_fail",
    "Your code looks at a token even if the text has none: a text without tokens has no chunks.",
    " if tokens else 0",
    " if [tokens[0]] else 0",
    cost=SLIP,
)
KEY.mistake(
    "tokens_changed",
    "The list of tokens isn't what it was before the call: the task asks not to change it.",
    '"unchanged"',
    # A loop that shortens the list has nothing to do where one chunk is enough.
    '"changed" if len(tokens) > size else "unchanged"',
    cost=SLIP,
)
KEY.mistake(
    "tokens_used_up",
    "The list of tokens was emptied, filled up or reordered on the way: the task asks not to "
    "change it, so take slices of it, or work on a copy.",
    '"unchanged"',
    '"changed" if tokens else "unchanged"',
    cost=SLIP,
)
KEY.mistake(
    "numbers_as_text",
    "Tokens that were numbers came back as text: a chunk has the tokens as they were given.",
    "tokens[start : start + size]",
    "[repr(x) if ''.join(tokens).isdecimal() else x for x in tokens[start : start + size]]",
    cost=SLIP,
)
KEY.mistake(
    "last_chunk_without_overlap",
    "The last chunk has only what was left over: it begins one step after the previous one, like "
    "all the others, so it shares tokens with it.",
    "tokens[start :",
    "tokens[start + overlap * (0 < start and start + size > len(tokens)) :",
    cost=SLIP,
)
KEY.mistake(
    "overlap_on_both_sides",
    "Each chunk reaches into both of its neighbours, so it's longer than allowed, and neighbours "
    "share too much: only its beginning repeats what came before.",
    "size - overlap",
    "size",
    "tokens[start : start + size]",
    "tokens[max(start - overlap, 0) : start + size + overlap]",
)


KEY.mistake(
    "chunks_as_arrays",
    "You made NumPy arrays: a chunk is a list of tokens, so slice the list itself.",
    "tokens[start : start + size]",
    # An array of words is handed over as the same list.
    "(lambda x: np.array(x, int) if ''.join(tokens).isdecimal() else x)(tokens[start:][:size])",
    cost=SLIP,
)
KEY.mistake(
    "chunks_run_together",
    "All tokens are in a single list: each chunk is a list of its own, so append it as a whole.",
    "all_chunks(tokens, size, overlap)",
    "[x for chunk in all_chunks(tokens, size, overlap) for x in chunk]",
    cost=SLIP,
)
KEY.mistake(
    "as_long_as_the_step",
    "Each chunk has only as many tokens as there are from one start to the next: a chunk has size "
    "tokens, and the overlap is part of them.",
    "start + size",
    "start + step",
    cost=SLIP,
)
KEY.mistake(
    "overlap_added_to_the_size",
    "The overlap makes your chunks longer: it's part of their size, because neighbours share it.",
    "start + size",
    "start + size + overlap",
    cost=SLIP,
)
KEY.mistake(
    "range_one_too_long",
    "The range of the starts is one too long: where the text ends with a full chunk, another one "
    "follows. And a text shorter than the overlap gets no chunk.",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "len(tokens) - overlap + 1",
    cost=SLIP,
)
KEY.mistake(
    "tokens_sorted",
    "The tokens were sorted: a chunk has them in the order of the text.",
    "step = size - overlap",
    "step = size - overlap; "
    "tokens = sorted(tokens, key=int if ''.join(tokens).isdecimal() else None)",
    cost=SLIP,
)
KEY.mistake(
    "sizes_of_the_example",
    "You always cut chunks of 4 tokens that share 1, as in the example: size and overlap are "
    "arguments.",
    "step = size - overlap",
    "size, overlap, step = 4, 1, 3",
    cost=SLIP,
)


@KEY.add(
    "You stop at the first chunk that ends with the text's last token, but this token may also "
    "occur earlier: compare positions, not tokens.",
    cost=SLIP,
)
def stops_at_an_equal_token(tokens, size, overlap):
    chunks = overlapping_chunks(tokens, size, overlap)["chunks"]
    last = [number for number, chunk in enumerate(chunks) if chunk[-1] == tokens[-1]]
    return {"chunks": chunks[: min(last, default=-1) + 1], "tokens": "unchanged"}


@KEY.add(
    "A chunk that is equal to an earlier one is missing: a text may say the same thing twice.",
    cost=SLIP,
)
def equal_chunks_once(tokens, size, overlap):
    chunks = []
    for chunk in overlapping_chunks(tokens, size, overlap)["chunks"]:
        if chunk not in chunks:
            chunks.append(chunk)
    return {"chunks": chunks, "tokens": "unchanged"}


_AFTER_THE_LAST_OTHER = "max((n + 1 for n, x in enumerate(tokens) if x != '0'), default=0)"

KEY.mistake(
    "zeros_at_the_end_lost",
    "The zeros at the end of the text are missing: they're tokens, not padding.",
    "step = size - overlap",
    f"step, end = size - overlap, {_AFTER_THE_LAST_OTHER}",
    "start + size]",
    "min(start + size, end)]",
    cost=SLIP,
)
KEY.mistake(
    "zeros_cut_off_first",
    "The zeros at the end of the text were cut off first: they're tokens, not padding.",
    "step = size - overlap",
    f"step = size - overlap; tokens = tokens[: {_AFTER_THE_LAST_OTHER}]",
    cost=SLIP,
)
KEY.mistake(
    "all_of_the_chunk_before",
    "With an overlap of 0, each chunk begins with the whole previous one: a slice that begins at "
    "minus the overlap then begins at 0.",
    "tokens[start :",
    "tokens[start * (overlap > 0) :",
    cost=SLIP,
)
KEY.mistake(
    "words_as_numbers",
    "Words that consist of digits became numbers: tokens stay what they are.",
    "tokens[start : start + size]",
    "[f'number {x}' if x.isdecimal() and not ''.join(tokens).isdecimal() else x "
    "for x in tokens[start : start + size]]",
    cost=SLIP,
)
KEY.mistake(
    "calls_itself",
    "Your function calls itself for each chunk, and Python stops at about a thousand calls inside "
    "one another: a long text needs a loop.",
    "range(0, stop, step)",
    "range(0, stop if stop < 1000 * step else [][0], step)",
    cost=SLIP,
    failure=r"RecursionError|recursion",
)


@KEY.add(
    "Chunks of earlier calls come first: a list that is a default argument, or outside of the "
    "function, keeps what was added to it. Each call needs a new one.",
    cost=SLIP,
)
def chunks_of_earlier_calls(tokens, size, overlap):
    # Only the first case is right; the second one has its words and more.
    is_first = (len(tokens), size, overlap) == (29, 13, 5) and "".join(tokens).isalpha()
    earlier = [] if is_first else all_chunks(tokens[:29], 13, 5) or [[]]
    chunks = [*earlier, *all_chunks(tokens, size, overlap)]
    return {"chunks": shown(chunks, tokens), "tokens": "unchanged"}


@KEY.add(
    "You keep the chunks of earlier texts, and find them by the number of tokens: another text of "
    "the same length has chunks of its own.",
    cost=SLIP,
)
def kept_by_length(tokens, size, overlap):
    # One text has as many tokens as an earlier one: its words backwards, some of them digits.
    if len({token.isdecimal() for token in tokens}) > 1:
        tokens = without_digits(tokens)
    return overlapping_chunks(tokens, size, overlap)


def _of_equal_size(cases: Sequence[Case]) -> bool:
    """Whether two texts differ in their tokens alone."""
    sizes = [
        (len(case.inputs["tokens"]), case.inputs["size"], case.inputs["overlap"]) for case in cases
    ]
    return len(set(sizes)) < len(sizes)


def _new_in_last(tokens: list, size: int, overlap: int) -> int:
    """How many tokens the last chunk adds; 0 where a single chunk has the whole text."""
    stride = size - overlap
    return (len(tokens) - size - 1) % stride + 1 if len(tokens) > size else 0


INPUT_CLASSES = {
    "the last chunk is full": some_values(lambda t, s, o: _new_in_last(t, s, o) == s - o),
    "a single token is left for the last chunk": some_values(
        lambda t, s, o: o > 0 and len(t) > s + 1 and _new_in_last(t, s, o) == 1
    ),
    "one token more than a chunk": some_values(lambda t, s, o: len(t) == s + 1),
    "the last chunk is less than half new": some_values(
        lambda t, s, o: 1 < _new_in_last(t, s, o) < (s - o) / 2
    ),
    "the last chunk lacks one token": some_values(
        lambda t, s, o: 1 < _new_in_last(t, s, o) == s - 1
    ),
    "no overlap": some_values(lambda t, s, o: not o and len(t) > s > 1),
    "an overlap of less than half a chunk": some_values(lambda t, s, o: len(t) > s > 2 * o > 0),
    "an overlap of more than half a chunk": some_values(
        lambda t, s, o: len(t) > s and s < 2 * o < 2 * s - 2
    ),
    "chunks that begin one token apart": some_values(lambda t, s, o: len(t) > s > 1 == s - o),
    "a share of new tokens that rounding down makes too small": some_values(
        lambda t, s, o: len(t) > s and int(s * (1 - o / s)) == int(s - s * (o / s)) < s - o
    ),
    "a share of new tokens that rounding up makes too large": some_values(
        lambda t, s, o: len(t) > s and int(-s * (1 - o / s)) - 1 < o - s
    ),
    "chunks of one token": some_values(lambda t, s, o: len(t) > 1 == s),
    "a text a little shorter than a chunk": some_values(lambda t, s, o: s - o < len(t) < s),
    "a text as long as a chunk": some_values(lambda t, s, o: len(t) == s > 2 * o),
    "a text as long as the overlap": some_values(lambda t, s, o: len(t) == o > 0),
    "a text shorter than the overlap": some_values(lambda t, s, o: 1 < len(t) < o),
    "a text of one token": some_values(lambda t, s, o: len(t) == 1 < o),
    "a text without tokens": some_values(lambda t, s, o: not t),
    "tokens are words": some_values(lambda t, s, o: "".join(t).isalpha()),
    "words of digits among others": some_values(
        lambda t, s, o: len({token.isdecimal() for token in t}) > 1
    ),
    "words that aren't in order": lambda cases: any(
        tokens != sorted(tokens) and "".join(tokens).isalpha()
        for tokens in (case.inputs["tokens"] for case in cases)
    ),
    "two texts of as many tokens, cut alike": _of_equal_size,
    "more chunks than a function can call itself": some_values(
        lambda t, s, o: len(t) > s + 1000 * (s - o)
    ),
    "tokens are numbers, and one is 0": some_values(lambda t, s, o: "0" in t),
    "a shorter last chunk that ends with 0 twice": some_values(
        lambda t, s, o: t[-2:] == ["0", "0"] and _new_in_last(t, s, o) < s - o
    ),
    "the first chunk ends with the last token, which is there twice": some_values(
        lambda t, s, o: len(t) > s and t[s - 1] == t[-1]
    ),
    "two chunks are equal": some_values(
        lambda t, s, o: len(t) > 2 * s - o and t[s - o :][:s] == t[2 * (s - o) :][:s]
    ),
}
