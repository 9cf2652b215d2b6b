"""Convolutions over words, and the steps around them, in NumPy.

Shapes: B batch, T words, d embedding_dim, F filters, k kernel_size, s strides.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from typing import Any

import numpy as np


def standardized(text: str) -> str:
    """Lower case; a space for each ``<br />``; no punctuation.

    Example:
        >>> standardized("It's OK!<br />Well-made.")
        'its ok wellmade'
    """
    text = text.lower().replace("<br />", " ")
    return re.sub(f"[{re.escape(string.punctuation)}]", "", text)


def standardize(texts: Any) -> dict[str, Any]:
    """Each text of a tensor standardized.

    Args:
        texts: text, or nested lists of texts.

    Returns:
        standardized: the texts in one list, row by row; shape: the tensor's, as text.

    Example:
        >>> standardize([["One!", "two"]])
        {'standardized': ['one', 'two'], 'shape': '(1, 2)'}
    """
    array = np.array(texts, dtype=object)
    return {
        "standardized": [standardized(text) for text in array.ravel()],
        "shape": str(array.shape),
    }


def words_of(text: str) -> list[str]:
    """What white space separates in a standardized text.

    Example:
        >>> words_of("Not -- bad!")
        ['not', 'bad']
    """
    return standardized(text).split()


def by_frequency(tokens: list[str]) -> list[str]:
    """Different tokens, the most frequent first; of equals, as Keras has it, the alphabet's last.

    Example:
        >>> by_frequency(["a", "c", "b", "c"])
        ['c', 'b', 'a']
    """
    counts = Counter(tokens)
    return sorted(counts, key=lambda token: (counts[token], token), reverse=True)


def encoded(documents: list[list[str]], vocabulary: list[str], sequence_length: int) -> np.ndarray:
    """Ids (documents, sequence_length): 1 for tokens outside the vocabulary, 0 after the end.

    Example:
        >>> encoded([["b", "x"], ["a", "b", "b", "a"]], ["", "[UNK]", "a", "b"], 3).tolist()
        [[3.0, 1.0, 0.0], [2.0, 3.0, 3.0]]
    """
    numbers = {token: number for number, token in enumerate(vocabulary)}
    ids = np.zeros((len(documents), sequence_length))
    for row, document in enumerate(documents):
        for column, token in enumerate(document[:sequence_length]):
            ids[row, column] = numbers.get(token, 1)
    return ids


def build_vectorizer(
    texts: list[str], max_tokens: int, sequence_length: int, new_texts: list[str]
) -> dict[str, Any]:
    """Token ids by frequency, learned from ``texts``, of ``new_texts``.

    Args:
        texts: what the vocabulary is taken from.
        max_tokens: entries of the vocabulary, padding and unknown included.
        sequence_length: ids of each text, cut or padded.
        new_texts: what is encoded.

    Returns:
        ids: (new_texts, sequence_length); vocabulary: padding "", unknown "[UNK]", then words.

    Example:
        >>> result = build_vectorizer(["so so good", "so good", "bad"], 4, 3, ["So bad"])
        >>> result["vocabulary"], result["ids"].tolist()
        (['', '[UNK]', 'so', 'good'], [[2.0, 1.0, 0.0]])
    """
    tokens = [token for text in texts for token in words_of(text)]
    vocabulary = ["", "[UNK]", *by_frequency(tokens)][:max_tokens]
    documents = [words_of(text) for text in new_texts]
    return {"ids": encoded(documents, vocabulary, sequence_length), "vocabulary": vocabulary}


def conv1d_output_length(length: int, kernel_size: int, strides: int) -> dict[str, Any]:
    """⌊(T - k) / s⌋ + 1 steps without padding; none where the text is shorter than the kernel.

    Returns:
        steps; type: of the answer.

    Reference: Dumoulin and Visin, "A guide to convolution arithmetic for deep learning" (2016),
    relationship 5.

    Example:
        >>> conv1d_output_length(500, 7, 3)["steps"].item()
        165.0
    """
    steps = max((length - kernel_size) // strides + 1, 0)
    return {"steps": np.array(float(steps)), "type": "int"}


def convolved(x: np.ndarray, kernel: np.ndarray, bias: np.ndarray, strides: int) -> np.ndarray:
    """Σ_j x[t·s + j]·W[j] + b at every step t at which the kernel lies inside the text.

    Args:
        x: (B, T, d).
        kernel: W (k, d, F).
        bias: b (F,).
        strides: s.

    Returns:
        (B, steps, F).

    Raises:
        ValueError: when the text is shorter than the kernel.

    Reference: Kim, "Convolutional Neural Networks for Sentence Classification" (2014), equation 2,
    before its non-linearity.

    Example:
        >>> x, kernel = np.arange(5.0).reshape(1, 5, 1), np.ones((2, 1, 1))
        >>> convolved(x, kernel, np.zeros(1), 3).ravel().tolist()
        [1.0, 7.0]
    """
    windows = np.lib.stride_tricks.sliding_window_view(x, len(kernel), axis=1)[:, ::strides]
    return np.tensordot(windows, kernel, ((3, 2), (0, 1))) + bias


def relu(x: np.ndarray) -> np.ndarray:
    """max(x, 0)."""
    return np.maximum(x, 0.0)


def sigmoid(x: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x))."""
    return 1 / (1 + np.exp(-x))


def build_conv1d_classifier(
    vocabulary_size: int,
    embedding_dim: int,
    ids: np.ndarray,
    embedding: np.ndarray,
    kernel_1: np.ndarray,
    bias_1: np.ndarray,
    kernel_2: np.ndarray,
    bias_2: np.ndarray,
    hidden_kernel: np.ndarray,
    hidden_bias: np.ndarray,
    output_kernel: np.ndarray,
    output_bias: np.ndarray,
) -> dict[str, Any]:
    """Embedding, convolution and convolution (k = 7, s = 3), maximum over time, two dense layers.

    Args:
        vocabulary_size: rows of the embedding.
        embedding_dim: d.
        ids: (B, T).
        embedding: (vocabulary_size, d).
        kernel_1, kernel_2: (7, d, F) and (7, F, F).
        bias_1, bias_2: (F,).
        hidden_kernel, output_kernel: (F, hidden) and (hidden, 1).
        hidden_bias, output_bias: (hidden,) and (1,).

    Returns:
        predictions: probabilities (B, 1); shape: theirs, as text; rows: B; weights: the shapes of
        all weights, as text; sigmoid: of 3 and -3; dropped: shares of the embedded words and of
        the hidden layer's outputs that training drops.

    Raises:
        ValueError: when two convolutions leave nothing of a text.

    Reference: Kim (2014), figure 1, with a second convolution; Srivastava et al., "Dropout" (2014).
    """
    x = relu(convolved(embedding[ids], kernel_1, bias_1, 3))
    x = relu(convolved(x, kernel_2, bias_2, 3)).max(axis=1)
    x = relu(x @ hidden_kernel + hidden_bias)
    weights = (embedding, kernel_1, bias_1, kernel_2, bias_2)
    weights += (hidden_kernel, hidden_bias, output_kernel, output_bias)
    predictions = sigmoid(x @ output_kernel + output_bias)
    return {
        "predictions": predictions,
        "shape": str(predictions.shape),
        "rows": np.array(float(len(ids))),
        "weights": [str(weight.shape) for weight in weights],
        "sigmoid": sigmoid(np.array([3.0, -3.0])),
        "dropped": np.array([0.5, 0.5]),
    }


def best_epoch(history: dict[str, list[float]]) -> dict[str, Any]:
    """The first epoch with the lowest validation loss, counted from 1.

    Args:
        history: one number an epoch for each quantity, ``val_loss`` among them.

    Returns:
        epoch; type: of the answer.

    Example:
        >>> best_epoch({"val_loss": [0.5, 0.3, 0.4, 0.3]})["epoch"].item()
        2.0
    """
    epoch = np.argmin(history["val_loss"]) + 1
    return {"epoch": np.array(float(epoch)), "type": "int"}
