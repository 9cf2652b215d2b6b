"""Long documents: overlapping chunks, and attention to relative positions.

Shapes: B batch, T time, H heads, d depth of one head, L max_length: distances from -(L-1) to L-1
have an embedding a each, the farther ones share these two.
"""

from __future__ import annotations

import numpy as np

from autograder.reference.attention import (
    combine_heads,
    masked,
    separate_heads,
    softmax,
    transposed,
)


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


def distances(query_length: int, key_length: int) -> np.ndarray:
    """Key position minus query position, j - i: integers (query_length, key_length)."""
    return np.arange(key_length) - np.arange(query_length)[:, None]


def relative_position_index(
    query_length: int, key_length: int, max_length: int
) -> dict[str, np.ndarray | str]:
    """Which row of a table of 2L-1 embeddings belongs to query i and key j.

    Args:
        query_length, key_length: how many queries and keys.
        max_length: L; distances are clipped to -(L-1) to L-1.

    Returns:
        index: integers (query_length, key_length), 0 to 2L-2; entries: what the index consists of.

    Reference: Shaw et al., "Self-Attention with Relative Position Representations" (2018), section
    3.2, with k = L-1 and the rows counted from 0.

    Example:
        >>> relative_position_index(2, 4, 3)["index"].tolist()
        [[2, 3, 4, 4], [1, 2, 3, 4]]
    """
    farthest = max_length - 1
    distance = distances(query_length, key_length)
    clipped = np.clip(distance, -farthest, farthest)
    return {"index": clipped + farthest, "entries": "integers"}


def relative_position_self_attention(
    inputs: np.ndarray,
    num_heads: int,
    max_length: int,
    query_kernel: np.ndarray,
    key_kernel: np.ndarray,
    value_kernel: np.ndarray,
    output_kernel: np.ndarray,
    distance_embedding: np.ndarray,
    mask: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Multi-head self-attention with logits (q_i·k_j + q_i·a_ij + k_j·a_ij) / √d in each head.

    Args:
        inputs: (batch, time, hidden_size).
        num_heads: H, a divisor of hidden_size.
        max_length: L.
        query_kernel, key_kernel, value_kernel, output_kernel: (hidden_size, hidden_size) each.
        distance_embedding: the table of the a, shared by all heads (2L-1, d).
        mask: padding mask (batch, time); True is a token, False padding.

    Returns:
        output: (batch, time, hidden_size).

    Reference: Huang et al., "Improve Transformer Models with Better Relative Position Embeddings"
    (2020), method 4.
    """
    query, key, value = inputs @ query_kernel, inputs @ key_kernel, inputs @ value_kernel
    query, key, value = (separate_heads(x, num_heads) for x in (query, key, value))
    time, depth = query.shape[-2:]
    a = distance_embedding[relative_position_index(time, time, max_length)["index"]]
    dot_product = query @ transposed(key)
    query_term = np.einsum("bhid,ijd->bhij", query, a)
    key_term = np.einsum("bhjd,ijd->bhij", key, a)
    logits = (dot_product + query_term + key_term) / np.sqrt(depth)
    by_key = None if mask is None else mask[:, None, None, :]
    weights = softmax(masked(logits, by_key))
    heads = combine_heads(weights @ value)
    return {"output": heads @ output_kernel}


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
