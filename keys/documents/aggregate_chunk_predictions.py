"""The key of ``documents.aggregate_chunk_predictions``."""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.judging.keys import Key
from course.exercises.documents.aggregate_chunk_predictions import EXERCISE


def aggregate_chunk_predictions(
    probabilities: np.ndarray, document_ids: np.ndarray
) -> dict[str, np.ndarray]:
    """The mean of each document's chunks, documents in ascending order.

    Args:
        probabilities: of each chunk's classes (chunks, classes).
        document_ids: the document of each chunk, integers (chunks,).

    Returns:
        predictions: (documents, classes).

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
    return {"predictions": np.stack(rows)}


KEY = Key(EXERCISE, aggregate_chunk_predictions)

_aggregated = partial(KEY.mistake, alone=True)

_aggregated(
    "sums",
    "A document's chunks were added up but not divided by how many there are: long documents "
    "get more than 1 in total.",
    " / len(chunks)",
    "",
)
_aggregated(
    "largest",
    "You took each class's largest probability over the chunks: then the classes no longer sum "
    "to 1.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.max(axis=0)",
)
_aggregated(
    "median",
    "You took the median of the chunks: the task asks for the mean.",
    "chunks.sum(axis=0) / len(chunks)",
    "np.median(chunks, axis=0)",
)
_aggregated(
    "votes",
    "Each chunk voted for one class: this loses how sure it was.",
    "chunks.sum(axis=0)",
    "np.eye(chunks.shape[1])[chunks.argmax(axis=1)].sum(axis=0)",
)
_aggregated(
    "product",
    "The chunks' probabilities were multiplied: the task asks for the mean.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.prod(axis=0) / chunks.prod(axis=0).sum()",
)


@KEY.add(
    "Each new chunk was averaged with the mean so far, so the last one counts for half: all "
    "chunks should count equally.",
)
def averaged_in_pairs(probabilities, document_ids):
    means = {}
    for document, chunk in zip(document_ids, probabilities, strict=True):
        means[document] = (means.get(document, chunk) + chunk) / 2
    return {"predictions": np.stack([means[document] for document in sorted(means)])}


_aggregated(
    "first_chunk_only",
    "Only a document's first chunk was used.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks[0]",
)
_aggregated(
    "last_chunk_only",
    "Only a document's last chunk was used: each one overwrites the previous one.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks[-1]",
)
_aggregated(
    "averaged_over_classes",
    "The mean ran over the classes as well: a document keeps one probability per class.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.mean()",
)
_aggregated(
    "classes_returned",
    "You returned the most likely class: the task asks for the probabilities themselves.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.sum(axis=0).argmax()",
)
_aggregated(
    "order_of_appearance",
    "The documents were returned in the order of their first appearance: their numbers must be "
    "ascending.",
    "np.unique(document_ids)",
    "dict.fromkeys(document_ids)",
)
_aggregated(
    "neighbours_only",
    "Only neighbouring chunks were combined: a document's chunks may be far apart.",
    # Each run of equal numbers becomes a document.
    "rows = []",
    "rows, document_ids = [], np.cumsum(np.diff(document_ids, prepend=document_ids[0]) != 0)",
)
_aggregated(
    "rows_for_missing_documents",
    "Numbers that don't belong to any chunk also got a row: only documents that are present "
    "get one.",
    "np.unique(document_ids)",
    "range(document_ids.max() + 1)",
    "len(chunks)",
    "max(len(chunks), 1)",
)
_aggregated(
    "numbers_as_rows",
    "A document's number was used as its row: numbers may be missing, and then there aren't "
    "enough rows.",
    "rows = []",
    "rows = [None] * len(np.unique(document_ids))",
    "rows.append(chunks.sum(axis=0) / len(chunks))",
    "rows[document] = chunks.sum(axis=0) / len(chunks)",
)
_aggregated(
    "numbers_from_zero",
    "You looked for the numbers 0, 1, 2 and so on, one per document: numbers may be missing, "
    "and such rows are a mean of nothing.",
    "np.unique(document_ids)",
    "range(len(np.unique(document_ids)))",
)
_aggregated(
    "equal_numbers_of_chunks",
    "Each document's sum was divided by the average number of chunks: each document has its "
    "own number.",
    "len(chunks)",
    "(len(document_ids) / len(np.unique(document_ids)))",
)
