"""Fastformer as in Wu et al., "Fastformer: Additive Attention Can Be All You Need" (2021).

Shapes: B batch, T tokens, H heads, d features of one head, so that H·d features are hidden.
"""

from __future__ import annotations

import numpy as np

from autograder.reference.attention import combine_heads, masked, separate_heads, softmax
from autograder.reference.transformer import masked_mean
from course.exercises.classifiers import DISTRIBUTIONS


def additive_pooling(
    x: np.ndarray, scores: np.ndarray, mask: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Σ_t α_t x_t with α = softmax(scores) over the tokens.

    Args:
        x: tokens (..., T, d).
        scores: (..., T).
        mask: boolean, broadcasts to the scores; True may get weight.

    Returns:
        output: (..., d).

    Example:
        >>> x = np.array([[1.0, 0.0], [5.0, 4.0]])
        >>> additive_pooling(x, np.log([1.0, 3.0]))["output"].round(6).tolist()
        [4.0, 3.0]
    """
    logits = masked(scores, mask)
    alpha = softmax(logits)
    weighted = alpha[..., None] * x
    return {"output": weighted.sum(axis=-2)}


def pool_by_head(
    x: np.ndarray, scores: np.ndarray, num_heads: int, mask: np.ndarray | None = None
) -> np.ndarray:
    """The pooled tokens (B, 1, H·d): each head's features by its own scores, over √d.

    Args:
        x: tokens (B, T, H·d).
        scores: (B, T, H).
        num_heads: H.
        mask: padding mask (B, T).
    """
    heads = separate_heads(x, num_heads)
    by_head = np.swapaxes(scores, 1, 2) / np.sqrt(heads.shape[-1])
    pooled = additive_pooling(heads, by_head, None if mask is None else mask[:, None, :])
    return combine_heads(pooled["output"][:, :, None, :])


def fastformer(
    inputs: np.ndarray,
    num_heads: int,
    query_kernel: np.ndarray,
    key_kernel: np.ndarray,
    value_kernel: np.ndarray,
    query_score_kernel: np.ndarray,
    key_score_kernel: np.ndarray,
    output_kernel: np.ndarray,
    output_bias: np.ndarray,
    mask: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """A global query, a global key, and their products with every token (section 3.1).

    Args:
        inputs: (batch, time, width).
        num_heads: H.
        query_kernel, key_kernel, value_kernel: (width, H·d) each.
        query_score_kernel, key_score_kernel: one score for each head (H·d, H).
        output_kernel, output_bias: (H·d, H·d), (H·d,).
        mask: padding mask (batch, time); True is a token, False padding.

    Returns:
        attended: what output_linear adds to the queries; queries: (batch, time, H·d) each. The
        layer's output is their sum.
    """
    queries, keys, values = inputs @ query_kernel, inputs @ key_kernel, inputs @ value_kernel
    global_query = pool_by_head(queries, queries @ query_score_kernel, num_heads, mask)
    products = global_query * keys
    global_key = pool_by_head(products, products @ key_score_kernel, num_heads, mask)
    weighted_values = global_key * values
    attended = weighted_values @ output_kernel + output_bias
    return {"attended": attended, "queries": queries}


def build_fastformer_classifier(
    ids: np.ndarray,
    num_heads: int,
    num_layers: int,
    table: np.ndarray,
    class_kernel: np.ndarray,
    class_bias: np.ndarray,
    **layers: np.ndarray,
) -> dict[str, np.ndarray]:
    """Embeddings times √hidden, layers with residual connections, mean, class probabilities.

    Args:
        ids: (batch, max_length); 0 is padding.
        num_heads: H.
        num_layers: how many Fastformer layers.
        table: (vocabulary_size, hidden).
        class_kernel, class_bias: (hidden, num_classes), (num_classes,).
        layers: the weights that ``fastformer`` takes, with the layer as a further first axis.

    Returns:
        untrained, probabilities: (batch, num_classes); parameters: (1,), how many numbers are
        learned; rows: what the rows are.

    Reference for the scale of the embeddings: Vaswani et al., "Attention Is All You Need" (2017),
    section 3.4.
    """
    mask = ids != 0
    embedded = table[ids] * np.sqrt(table.shape[1])
    x = embedded
    for number in range(num_layers):
        own = {name: stack[number] for name, stack in layers.items()}
        x = x + sum(fastformer(x, num_heads, mask=mask, **own).values())
    pooled = masked_mean(x, mask)
    probabilities = softmax(pooled @ class_kernel + class_bias)
    arrays = (table, class_kernel, class_bias, *layers.values())
    return {
        "untrained": probabilities,
        "probabilities": probabilities,
        "parameters": np.array([float(sum(array.size for array in arrays))]),
        "rows": DISTRIBUTIONS,
    }


def class_counts(y_true: np.ndarray, y_pred: np.ndarray) -> tuple[np.ndarray, ...]:
    """For each class that is true or predicted: how often both, true, predicted."""
    classes = np.union1d(y_true, y_pred)[:, None]
    is_true, is_predicted = y_true == classes, y_pred == classes
    return (is_true & is_predicted).sum(axis=1), is_true.sum(axis=1), is_predicted.sum(axis=1)


def weighted_f1(y_true: np.ndarray, y_pred: np.ndarray) -> dict[str, np.ndarray]:
    """Σ_c n_c/n · F1_c, with F1_c = 2 hits / (true + predicted) and n_c true samples of class c.

    Args:
        y_true, y_pred: classes, integers (samples,).

    Returns:
        score: a number.

    Reference: Van Rijsbergen, "Information Retrieval" (1979), chapter 7, for one class.

    Example:
        >>> score = weighted_f1(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]))["score"]
        >>> round(float(score), 6)
        0.766667
    """
    hits, true, predicted = class_counts(y_true, y_pred)
    f1 = 2 * hits / (true + predicted)
    return {"score": np.array(np.average(f1, weights=true))}
