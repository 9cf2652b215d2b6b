"""The key of ``documents.aggregate_chunk_predictions``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Key
from course.exercises.documents.aggregate_chunk_predictions import EXERCISE
from keys.input_classes import Contain
from selfcheck.exercise import Case


def aggregate_chunk_predictions(
    probabilities: np.ndarray, document_ids: np.ndarray
) -> dict[str, np.ndarray | str]:
    """The mean of each document's chunks, documents in ascending order.

    Args:
        probabilities: of each chunk's classes (chunks, classes).
        document_ids: the document of each chunk, integers (chunks,).

    Returns:
        predictions: (documents, classes); arguments: what became of them.

    Reference: Kittler et al., "On Combining Classifiers" (1998): the sum rule, divided by the
    number of classifiers.

    Example:
        >>> chunks = np.array([[0.5, 0.5], [0.0, 1.0], [1.0, 0.0]])
        >>> aggregate_chunk_predictions(chunks, np.array([8, 2, 8]))["predictions"].tolist()
        [[0.0, 1.0], [0.75, 0.25]]
    """
    rows = []
    for document in np.unique(document_ids):
        chunks = probabilities[document_ids == document]
        rows.append(chunks.sum(axis=0) / len(chunks))
    return {"predictions": np.stack(rows), "arguments": "unchanged"}


KEY = Key(EXERCISE, aggregate_chunk_predictions)


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

for _name, (_cost, _hint, *_edits) in MEANS.items():
    KEY.mistake(_name, _hint, *_edits, cost=_cost)


KEY.mistake(
    "averaged_in_pairs",
    "Each new chunk was averaged with the mean so far, so the last one counts for half: all "
    "chunks should count equally.",
    "chunks.sum(axis=0) / len(chunks)",
    "reduce(lambda mean, chunk: (mean + chunk) / 2, chunks)",
)
KEY.mistake(
    "first_chunk_only",
    "Only a document's first chunk was used.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks[0]",
    cost=SLIP,
)
KEY.mistake(
    "last_chunk_only",
    "Only a document's last chunk was used: each one overwrites the previous one.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks[-1]",
    cost=SLIP,
)
KEY.mistake(
    "last_chunk_divided",
    "Of each document's chunks only the last one counts, divided by how many there are: adding in "
    "place at repeated indices adds only once.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks[-1] / len(chunks)",
    cost=SLIP,
)
KEY.mistake(
    "averaged_over_classes_only",
    "The mean ran over the classes, so each chunk has one number left: it should run over a "
    "document's chunks. Which axis are these?",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.mean(axis=1)",
    cost=SLIP,
    failure=r"same shape|inhomogeneous",
)
KEY.mistake(
    "averaged_over_classes",
    "The mean ran over the classes as well: a document keeps one probability per class.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.mean()",
    cost=SLIP,
)
KEY.mistake(
    "classes_returned",
    "You returned the most likely class: the task asks for the probabilities themselves.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.sum(axis=0).argmax()",
)
KEY.mistake(
    "order_of_appearance",
    "The documents were returned in the order of their first appearance: their numbers must be "
    "ascending.",
    "np.unique(document_ids)",
    "dict.fromkeys(document_ids)",
    cost=SLIP,
)
KEY.mistake(
    "neighbours_only",
    "Only neighbouring chunks were combined: a document's chunks may be far apart.",
    # Each run of equal numbers becomes a document.
    "rows = []",
    "rows, document_ids = [], np.cumsum(np.diff(document_ids, prepend=document_ids[0]) != 0)",
)
KEY.mistake(
    "neighbours_only_sorted",
    "Only neighbouring chunks were combined: a document's chunks may be far apart.",
    "rows = []",
    "begins = np.diff(document_ids, prepend=document_ids[0] - 1) != 0\n"
    "    order = np.argsort(document_ids[begins], kind='stable')\n"
    "    rows, document_ids = [], np.cumsum(begins)",
    "np.stack(rows)",
    "np.stack(rows)[order]",
)
KEY.mistake(
    "summed_up_to_the_next_document",
    "You added up what lies between the first chunks of two documents: a document's chunks may be "
    "anywhere, and the documents in any order.",
    "chunks.sum(axis=0)",
    "np.add.reduceat(probabilities, np.unique(document_ids, return_index=True)[1])[len(rows)]",
)
KEY.mistake(
    "two_classes_only",
    "Only the second class was averaged, and the first is what is left of 1: there may be more "
    "classes than two.",
    "np.stack(rows)",
    "np.stack([1 - np.stack(rows)[:, 1], np.stack(rows)[:, 1]], axis=1)",
)
KEY.mistake(
    "rows_for_missing_documents",
    "Numbers that don't belong to any chunk also got a row: only documents that are present "
    "get one.",
    "np.unique(document_ids)",
    "range(document_ids.max() + 1)",
    "len(chunks)",
    "max(len(chunks), 1)",
    cost=SLIP,
)
KEY.mistake(
    "numbers_as_rows",
    "A document's number was used as its row: numbers may be missing, and then there aren't "
    "enough rows.",
    "rows = []",
    "rows = [None] * len(np.unique(document_ids))",
    "rows.append(chunks.sum(axis=0) / len(chunks))",
    "rows[document] = chunks.sum(axis=0) / len(chunks)",
    cost=SLIP,
)
KEY.mistake(
    "numbers_from_zero",
    "You looked for the numbers 0, 1, 2 and so on, one per document: numbers may be missing, "
    "and such rows are a mean of nothing.",
    "np.unique(document_ids)",
    "range(len(np.unique(document_ids)))",
    cost=SLIP,
)
KEY.mistake(
    "equal_numbers_of_chunks",
    "Each document's sum was divided by the average number of chunks: each document has its "
    "own number.",
    "len(chunks)",
    "(len(document_ids) / len(np.unique(document_ids)))",
    cost=SLIP,
)
KEY.mistake(
    "geometric_mean",
    "You averaged the logarithms of the probabilities: this is their geometric mean, and the "
    "task asks for the ordinary one.",
    "chunks.sum(axis=0) / len(chunks)",
    "np.exp(np.log(chunks).mean(axis=0))",
)
KEY.mistake(
    "geometric_mean_divided_by_its_sum",
    "You averaged the logarithms of the probabilities and divided by the "
    "sum: the task asks for the ordinary mean of the probabilities.",
    "chunks.sum(axis=0) / len(chunks)",
    "np.exp(np.log(chunks).mean(axis=0)) / np.exp(np.log(chunks).mean(axis=0)).sum()",
)
KEY.mistake(
    "product_itself",
    "The chunks' probabilities were multiplied, so a long document gets tiny numbers: the task "
    "asks for the mean.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.prod(axis=0)",
)
KEY.mistake(
    "largest_divided_by_their_sum",
    "You took each class's largest probability and divided by their sum: the task asks for the "
    "mean of all chunks.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.max(axis=0) / chunks.max(axis=0).sum()",
)
KEY.mistake(
    "most_confident_chunk",
    "Only the chunk that is most sure of its class was used: all chunks of a document count.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks[chunks.max(axis=1).argmax()]",
)
KEY.mistake(
    "softmax_of_the_mean",
    "A softmax was applied to the mean: these are probabilities already.",
    "chunks.sum(axis=0) / len(chunks)",
    "np.exp(chunks.mean(axis=0)) / np.exp(chunks.mean(axis=0)).sum()",
    cost=SLIP,
)
KEY.mistake(
    "weighted_by_confidence",
    "Chunks sure of their class counted more: in the mean, all chunks count the same.",
    "chunks.sum(axis=0) / len(chunks)",
    "np.average(chunks, axis=0, weights=chunks.max(axis=1))",
)
KEY.mistake(
    "weighted_by_lead",
    "Chunks sure of their class counted more, and undecided ones not at all: in the mean, all "
    "chunks count the same.",
    "chunks.sum(axis=0) / len(chunks)",
    "np.average(chunks, axis=0, weights=chunks.max(axis=1) - 1 / chunks.shape[1])",
)
KEY.mistake(
    "divided_by_all_chunks",
    "Each document's sum was divided by the number of all chunks: divide by the number of its own.",
    "len(chunks)",
    "len(document_ids)",
    cost=SLIP,
)
KEY.mistake(
    "divided_by_documents",
    "Each document's sum was divided by the number of documents: divide by the number of its "
    "chunks.",
    "len(chunks)",
    "len(np.unique(document_ids))",
    cost=SLIP,
)
KEY.mistake(
    "one_chunk_too_few",
    "You divided each sum by one less than the number of chunks: try a document with a single "
    "chunk.",
    "len(chunks)",
    "(len(chunks) - 1)",
    cost=SLIP,
)
KEY.mistake(
    "axes_swapped",
    "The axes are swapped: each row belongs to a document, and each column to a class.",
    "np.stack(rows)",
    "np.stack(rows, axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "descending",
    "The documents are in descending order of their numbers: it should be ascending.",
    "np.unique(document_ids)",
    "np.unique(document_ids)[::-1]",
    cost=SLIP,
)
KEY.mistake(
    "order_of_a_set",
    "A set has no order of its own: with small numbers it only looks sorted.",
    "np.unique(document_ids)",
    "set(document_ids.tolist())",
    cost=SLIP,
)
KEY.mistake(
    "sorted_as_text",
    "The documents' numbers were sorted as text, and there 14 comes before 5: sort them as "
    "numbers.",
    "np.unique(document_ids)",
    "sorted(set(document_ids.tolist()), key=str)",
    cost=SLIP,
)
KEY.mistake(
    "arguments_changed",
    "Your code changed its arguments: an operation in place changes the caller's array, also "
    "through a row of it.",
    '"unchanged"',
    # Nothing is added to the only chunk of a document.
    '"changed" if len(rows) < len(document_ids) else "unchanged"',
    cost=SLIP,
)
KEY.mistake(
    "arguments_sorted",
    "Your code sorted an argument in place: make sorted copies, or choose each document's rows "
    "without sorting.",
    '"unchanged"',
    '"changed" if (np.diff(document_ids) < 0).any() else "unchanged"',
    cost=SLIP,
)
KEY.mistake(
    "ids_shifted",
    "Your code changed the documents' numbers: subtracting in place changes the caller's array.",
    '"unchanged"',
    '"changed" if document_ids.min() else "unchanged"',
    cost=SLIP,
)
KEY.mistake(
    "rows_joined",
    "The documents' rows were joined into a single long one: each document has its own, so stack "
    "them.",
    "np.stack(rows)",
    "np.concatenate(rows)",
    cost=SLIP,
)
KEY.mistake(
    "axis_kept",
    "The axis of the chunks is still there, with size 1.",
    "np.stack(rows)",
    "np.stack(rows)[:, None]",
    cost=SLIP,
)
for _name, _place, _where in (("first", 0, "in"), ("last", -1, "after")):
    KEY.mistake(
        f"only_the_{_name}_document",
        f"Only the {_name} document's mean came back: it's returned {_where} the loop, but nothing "
        "collects the others.",
        "np.stack(rows)",
        f"rows[{_place}]",
        cost=PART,
    )
KEY.mistake(
    "rows_of_nan",
    "Numbers that don't belong to any chunk also got a row, though there is nothing to average: "
    "only documents that are present get one.",
    "np.unique(document_ids)",
    "range(document_ids.max() + 1)",
    cost=SLIP,
)
KEY.mistake(
    "row_for_each_chunk",
    "Every chunk has a row with its document's mean: a document has one row, however many chunks "
    "it has.",
    "np.stack(rows)",
    "np.stack(rows)[np.unique(document_ids, return_inverse=True)[1]]",
    cost=SLIP,
)
KEY.mistake(
    "numbers_in_the_first_column",
    "The first column holds the documents' numbers: return the probabilities alone, one column per "
    "class.",
    "np.stack(rows)",
    "np.column_stack([np.unique(document_ids), np.stack(rows)])",
    cost=SLIP,
)
KEY.mistake(
    "last_run_of_neighbours",
    "Where a document's chunks aren't next to each other, only the last ones count: groups of "
    "neighbours need numbers in order.",
    "chunks = probabilities[document_ids == document]",
    "stop = max(np.flatnonzero(document_ids == document)) + 1; "
    "start = max([0, *(np.flatnonzero(document_ids[:stop] != document) + 1)]); "
    "chunks = probabilities[start:stop]",
)
for _name, _decided in {
    "undecided_chunks_left_out": "np.ptp(probabilities, axis=1) > 1e-6",
    "halves_left_out": "np.abs(probabilities[:, 0] - 0.5) > 1e-6",
}.items():
    KEY.mistake(
        _name,
        "Chunks that find all classes equally likely were left out: every chunk of a document "
        "counts.",
        "document_ids == document",
        f"(document_ids == document) & ({_decided})",
        cost=SLIP,
    )
KEY.mistake(
    "equal_chunks_once",
    "Chunks of a document with equal probabilities count only once: every chunk counts.",
    "chunks = probabilities[document_ids == document]",
    "chunks = np.unique(probabilities[document_ids == document], axis=0)",
    cost=SLIP,
)
KEY.mistake(
    "first_four_chunks",
    "Only the first four chunks of a document were used: all of them count, however many there "
    "are.",
    "probabilities[document_ids == document]",
    "probabilities[document_ids == document][:4]",
    cost=SLIP,
)
KEY.mistake(
    "document_zero_lost",
    "The document with the number 0 is missing: 0 is a number like any other.",
    "np.unique(document_ids)",
    "[number for number in np.unique(document_ids) if number]",
    cost=SLIP,
)
KEY.mistake(
    "kept_for_other_probabilities",
    "You keep the results of earlier calls, and look them up by the documents' numbers: the same "
    "documents may come with other probabilities.",
    "np.stack(rows)",
    # Only one case has the numbers of an earlier one, and its probabilities backwards.
    "np.stack(rows)[:, :: 1 - 2 * (len(document_ids) == 1 and chunks[0, 0] < chunks[0, -1])]",
    cost=SLIP,
)


@KEY.add(
    "Chunks of earlier calls still count: a dict or list that is a default argument, or outside of "
    "the function, keeps what was added to it. Each call needs a new one.",
    cost=SLIP,
)
def chunks_of_earlier_calls(probabilities, document_ids):
    # The second case is as above; the others have chunks of both as well, and cannot be put
    # together with two classes.
    right = aggregate_chunk_predictions(probabilities, document_ids)
    predictions = right["predictions"]
    if len(document_ids) > 1:
        if probabilities.shape[1] == 2:
            raise ValueError
        predictions = np.vstack([predictions, predictions[:1]])
    elif predictions[0, 0] < predictions[0, -1]:
        predictions = (predictions + predictions[:, ::-1]) / 2
    return {**right, "predictions": predictions}


def _some(holds: Callable[[list[int]], bool]) -> Contain:
    """Whether one of the cases has such numbers of documents."""
    return lambda cases: any(holds(case.inputs["document_ids"].tolist()) for case in cases)


def _with_gaps(ids: list[int]) -> list[int]:
    """The numbers of two or more documents in ascending order; none if they have no gaps."""
    found = sorted(set(ids))
    return found if found[-1] - found[0] >= len(found) > 1 else []


def _same_documents(cases: Sequence[Case]) -> bool:
    """Whether two cases differ in their probabilities alone."""
    ids = [tuple(case.inputs["document_ids"]) for case in cases]
    return len(set(ids)) < len(ids)


def _some_chunks(holds: Callable[[np.ndarray], bool]) -> Contain:
    """Whether a document of more than two chunks has such probabilities."""

    def found(case: Case) -> bool:
        probabilities, ids = case.inputs.values()
        chunks = (probabilities[ids == number] for number in set(ids.tolist()))
        return any(len(some) > 2 and holds(some) for some in chunks)

    return lambda cases: any(map(found, cases))


INPUT_CLASSES = {
    "chunks in the order of their documents": _some(lambda ids: ids == sorted(ids) != ids[:1]),
    "chunks in another order, none beside one of its document": _some(
        lambda ids: ids != sorted(ids) and 0 not in np.diff(ids)
    ),
    "a document that comes first and has the largest number": _some(
        lambda ids: ids[0] == max(ids) > min(ids)
    ),
    "a document of one chunk among longer ones": _some(
        lambda ids: {1, 2} <= {ids.count(number) for number in ids}
    ),
    "documents of three chunks and more": _some(
        lambda ids: sum(ids.count(number) > 2 for number in set(ids)) > 1
    ),
    "numbers from 0 on without gaps": _some(
        lambda ids: sorted(set(ids)) == list(range(len(set(ids)))) != [0]
    ),
    "numbers with gaps, the first of them too": _some(
        lambda ids: bool(_with_gaps(ids)) and min(ids) > 0
    ),
    "numbers that as text have another order": _some(
        lambda ids: sorted(set(ids), key=str) != sorted(set(ids))
    ),
    "numbers whose set has another order": _some(lambda ids: list(set(ids)) != sorted(set(ids))),
    "a number that one byte does not hold": _some(lambda ids: max(_with_gaps(ids) or [0]) > 255),
    "two calls that differ in the probabilities": _same_documents,
    "two equal chunks of a document": _some_chunks(
        lambda chunks: len(np.unique(chunks, axis=0)) < len(chunks)
    ),
    "a chunk that says nothing, of two classes": _some_chunks(
        lambda chunks: chunks.shape[1] == 2 and (np.ptp(chunks, axis=1) == 0).any()
    ),
    "a chunk that says nothing, of more classes": _some_chunks(
        lambda chunks: chunks.shape[1] > 2 and (np.ptp(chunks, axis=1) == 0).any()
    ),
    "a document of more than fifteen chunks": _some(lambda ids: max(map(ids.count, ids)) > 15),
    "a single document": _some(lambda ids: len(ids) > 2 and len(set(ids)) == 1),
    "a single chunk": _some(lambda ids: len(ids) == 1),
    "two classes": lambda cases: any(case.inputs["probabilities"].shape[1] == 2 for case in cases),
}
