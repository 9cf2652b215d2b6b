"""Mistakes in cutting texts and in putting their chunks together: by name what each costs, its
hint, and the edits of the solution. None is looked for in pairs."""

from __future__ import annotations

from autograder.judging.keys import IDEA, PART, SLIP

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

MEANS = {
    "sums": (
        SLIP,
        "A document's chunks were added up but not divided by how many there are: long documents "
        "get more than 1 in total.",
        " / len(chunks)",
        "",
    ),
    "largest": (
        IDEA,
        "You took each class's largest probability over the chunks: then the classes no longer sum "
        "to 1.",
        "chunks.sum(axis=0) / len(chunks)",
        "chunks.max(axis=0)",
    ),
    "median": (
        IDEA,
        "You took the median of the chunks: the task asks for the mean.",
        "chunks.sum(axis=0) / len(chunks)",
        "np.median(chunks, axis=0)",
    ),
    "votes": (
        IDEA,
        "Each chunk voted for one class: this loses how sure it was.",
        "chunks.sum(axis=0)",
        "np.eye(chunks.shape[1])[chunks.argmax(axis=1)].sum(axis=0)",
    ),
    "products": (
        IDEA,
        "The chunks' probabilities were multiplied: the task asks for the mean.",
        "chunks.sum(axis=0) / len(chunks)",
        "chunks.prod(axis=0) / chunks.prod(axis=0).sum()",
    ),
}
