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
    "The chunks of a document were added up but not divided by their number: long documents get "
    "more than 1 in all.",
    " / len(chunks)",
    "",
)
_aggregated(
    "largest",
    "The largest probability of a class was taken over the chunks: then the classes no longer sum "
    "to 1.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.max(axis=0)",
)
_aggregated(
    "median",
    "The median of the chunks was taken: the mean is asked.",
    "chunks.sum(axis=0) / len(chunks)",
    "np.median(chunks, axis=0)",
)
_aggregated(
    "votes",
    "Each chunk voted for one class: how sure it was is lost.",
    "chunks.sum(axis=0)",
    "np.eye(chunks.shape[1])[chunks.argmax(axis=1)].sum(axis=0)",
)
_aggregated(
    "product",
    "The probabilities of the chunks were multiplied: the mean is asked.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.prod(axis=0) / chunks.prod(axis=0).sum()",
)


@KEY.add(
    "Each new chunk was averaged with the mean so far, so that the last one counts half: all "
    "chunks count alike.",
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
    "Only a document's last chunk was used: each one overwrites the one before.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks[-1]",
)
_aggregated(
    "averaged_over_classes",
    "The mean ran over the classes as well: a document keeps one probability for each of them.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.mean()",
)
_aggregated(
    "classes_returned",
    "The likeliest class came back: the probabilities themselves are asked.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.sum(axis=0).argmax()",
)
_aggregated(
    "order_of_appearance",
    "The documents came back in the order in which they first appear: their numbers must ascend.",
    "np.unique(document_ids)",
    "dict.fromkeys(document_ids)",
)
_aggregated(
    "neighbours_only",
    "Only neighbouring chunks were put together: those of one document may be far apart.",
    # Each run of equal numbers becomes a document.
    "rows = []",
    "rows, document_ids = [], np.cumsum(np.diff(document_ids, prepend=document_ids[0]) != 0)",
)
_aggregated(
    "rows_for_missing_documents",
    "Numbers that no chunk has got a row as well: only the documents that are there have one.",
    "np.unique(document_ids)",
    "range(document_ids.max() + 1)",
    "len(chunks)",
    "max(len(chunks), 1)",
)
_aggregated(
    "numbers_as_rows",
    "A document's number served as its row: numbers may be missing, so that rows run out.",
    "rows = []",
    "rows = [None] * len(np.unique(document_ids))",
    "rows.append(chunks.sum(axis=0) / len(chunks))",
    "rows[document] = chunks.sum(axis=0) / len(chunks)",
)
_aggregated(
    "numbers_from_zero",
    "Numbers were looked for from 0 upwards, as many as there are documents: numbers may be "
    "missing, and these rows are a mean of nothing.",
    "np.unique(document_ids)",
    "range(len(np.unique(document_ids)))",
)
_aggregated(
    "equal_numbers_of_chunks",
    "Each document's sum was divided by the mean number of chunks: each has a number of its own.",
    "len(chunks)",
    "(len(document_ids) / len(np.unique(document_ids)))",
)
