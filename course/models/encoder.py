"""A trained encoder that runs without TensorFlow: it fills blanks, and shows where it looks.

Its layers compute what those of lessons 03 and 04 do, written otherwise: for one sentence at a
time, all heads and all three maps in one product.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from course.models.words import BLANK, Vocabulary, split

_EPSILON = 1e-6


@dataclass(frozen=True)
class Guess:
    """A word for a blank.

    Args:
        word: the word.
        probability: that the model gives it, 0 to 1.
    """

    word: str
    probability: float

    def __str__(self) -> str:
        return f"{self.word} {self.probability:.0%}"


@dataclass(frozen=True)
class Reading:
    """What a model makes of a sentence.

    Args:
        tokens: the sentence's words, T of them; ``(?)`` follows those that the model doesn't know.
        states: hidden states after every layer. Shape: (layers, T, d_model).
        weights: of the attention, row by row of the queries. Shape: (layers, H, T, T).
        scores: of every word of the vocabulary at every position. Shape: (T, vocabulary).
    """

    tokens: tuple[str, ...]
    states: np.ndarray
    weights: np.ndarray
    scores: np.ndarray


@dataclass(frozen=True)
class Encoder:
    """A masked-language encoder, as ``course.models.load`` gives it.

    Args:
        name: such as ``"news-encoder"``.
        vocabulary: the words that it knows.
        weights: its arrays by name, such as ``"layer_1.attention.query_linear.kernel"``.
        num_heads: H, of every attention layer.
        layer_class: of layers that attend in the place of its own.
        block_class: of whole encoder layers in the place of its own.
    """

    name: str
    vocabulary: Vocabulary
    weights: Mapping[str, np.ndarray]
    num_heads: int
    layer_class: type | None = None
    block_class: type | None = None

    @property
    def num_layers(self) -> int:
        """Encoder layers on top of each other."""
        return sum(name.endswith("norm_2.gamma") for name in self.weights)

    @property
    def hidden_size(self) -> int:
        """Features of a word between the layers, d_model."""
        return self.weights["token_embedding.embeddings"].shape[1]

    @property
    def max_length(self) -> int:
        """Words of a sentence; there is no position for more."""
        return len(self.weights["position_embedding.embeddings"])

    def fill(self, sentence: str, top: int = 5) -> list[list[Guess]]:
        """The most probable words for every blank.

        Args:
            sentence: English, with ``___`` where a word is to be guessed.
            top: so many words per blank.

        Returns:
            A list per blank, the most probable word first.

        Raises:
            ValueError: when there is no blank, or the sentence is too long.

        Example:
            >>> from course import models
            >>> guesses = models.load("news-encoder").fill("Oil prices rose to a record ___.")
            >>> [len(words) for words in guesses]
            [5]
        """
        tokens, states, _ = self._run(sentence)
        blanks = [place for place, token in enumerate(tokens) if token == BLANK]
        if not blanks:
            raise ValueError(
                "There is nothing to fill in: write ___ where a word is missing. "
                f"Received: {sentence!r}"
            )
        # Padding, unknown words and blanks aren't guesses.
        first = self.vocabulary.blank + 1
        words = self.vocabulary.words[first:]
        found = []
        for probabilities in _softmax(self._scores(states[-1][blanks])[:, first:]):
            best = np.argsort(-probabilities)[:top]
            found.append([Guess(words[word], float(probabilities[word])) for word in best])
        return found

    def read(self, sentence: str) -> Reading:
        """Run a sentence through all layers.

        Args:
            sentence: English; ``___`` is a blank.

        Raises:
            ValueError: when it has no word, or more than ``max_length``.
        """
        tokens, states, weights = self._run(sentence)
        return Reading(tokens, states, weights, self._scores(states[-1]))

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """One vector per text: the mean of its tokens' last states.

        Args:
            texts: English; of a long one, the first ``max_length`` tokens are read.

        Returns:
            Shape: (texts, d_model); zeros for a text without a word.
        """
        vectors = np.zeros((len(texts), self.hidden_size), np.float32)
        for row, text in enumerate(texts):
            if words := split(text)[: self.max_length]:
                vectors[row] = self._run(" ".join(words))[1][-1].mean(axis=0)
        return vectors

    def _run(self, sentence: str) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
        """Tokens, states and weights, as in a ``Reading``."""
        words = split(sentence)
        if not 0 < len(words) <= self.max_length:
            raise ValueError(
                f"A sentence may have 1 to {self.max_length} words and punctuation marks. "
                f"Received: {len(words)} of them"
            )
        ids = self.vocabulary.ids(words)
        tokens = tuple(
            word if word in self.vocabulary or word == BLANK else f"{word} (?)" for word in words
        )
        x = self.weights["token_embedding.embeddings"][ids]
        x = x + self.weights["position_embedding.embeddings"][: len(ids)]
        states, weights = [], []
        for number in range(1, self.num_layers + 1):
            if self._blocks:
                x, by_head = _called(self._blocks[number - 1], x, self.num_heads)
            else:
                layer = self._under(f"layer_{number}.")
                attended, by_head = self._attend(number, layer, x)
                x = _normalize(x + attended, layer, "norm_1")
                hidden = np.maximum(x @ layer["expand.kernel"] + layer["expand.bias"], 0)
                network = hidden @ layer["contract.kernel"] + layer["contract.bias"]
                x = _normalize(x + network, layer, "norm_2")
            states.append(x)
            weights.append(by_head)
        return tokens, np.array(states), np.array(weights)

    def _scores(self, states: np.ndarray) -> np.ndarray:
        """Of every word of the vocabulary, for some positions' last states."""
        embeddings = self.weights["token_embedding.embeddings"]
        return states @ embeddings.T + self.weights["scores.bias"]

    def without_heads(self, *heads: tuple[int, int]) -> Encoder:
        """The same encoder with some heads switched off: their outputs aren't used.

        Args:
            heads: (layer, head), both counted from 1.

        Raises:
            ValueError: when there is no such head.
        """
        depth = self.hidden_size // self.num_heads
        weights = dict(self.weights)
        for layer, head in heads:
            if not (1 <= layer <= self.num_layers and 1 <= head <= self.num_heads):
                raise ValueError(
                    f"{self.name} has layers 1 to {self.num_layers} with heads 1 to "
                    f"{self.num_heads}. Received: layer {layer}, head {head}"
                )
            name = f"layer_{layer}.attention.output_linear.kernel"
            kernel = weights[name].copy()
            kernel[(head - 1) * depth : head * depth] = 0  # its rows of W^O
            weights[name] = kernel
        return replace(self, weights=weights)

    def with_attention(self, layer_class: type) -> Encoder:
        """The same encoder with your attention layer in the place of its own, with its weights.

        Args:
            layer_class: made as ``layer_class(hidden_size, num_heads)``; called as
                ``layer(inputs)``, it gives (batch, time, hidden_size). Its Dense layers are called
                ``query_linear``, ``key_linear``, ``value_linear`` and ``output_linear``.

        Raises:
            TypeError: when its weights are others than the encoder's.
        """
        encoder = replace(self, layer_class=layer_class)
        encoder._attentions  # noqa: B018 - weights that don't fit are said here, not later
        return encoder

    def with_layers(self, layer_class: type) -> Encoder:
        """The same encoder made of your encoder layers, with its weights.

        Args:
            layer_class: made as ``layer_class(embedding_dim, ff_dim, num_heads, rate)``; called as
                ``layer(inputs)``, it gives (batch, time, embedding_dim). Its parts are called
                ``attention`` (Keras' ``MultiHeadAttention``), ``norm_1``, ``expand``, ``contract``
                and ``norm_2``.

        Raises:
            TypeError: when its weights are others than the encoder's.
        """
        encoder = replace(self, block_class=layer_class)
        encoder._blocks  # noqa: B018 - weights that don't fit are said here, not later
        return encoder

    @cached_property
    def _attentions(self) -> tuple[Any, ...]:
        """The layers that attend, with their weights; none where the encoder's own do."""
        if self.layer_class is None:
            return ()
        sizes = (self.hidden_size, self.num_heads)
        return tuple(
            self._filled(self.layer_class(*sizes), self._under(f"layer_{number}.attention."))
            for number in range(1, self.num_layers + 1)
        )

    @cached_property
    def _blocks(self) -> tuple[Any, ...]:
        """The encoder layers, with their weights; none where the encoder's own compute."""
        if self.block_class is None:
            return ()
        blocks = []
        for number in range(1, self.num_layers + 1):
            values = self._under(f"layer_{number}.")
            inner = len(values["expand.bias"])
            block = self.block_class(self.hidden_size, inner, self.num_heads, 0.0)
            named = {name.replace("_linear.", "_dense."): value for name, value in values.items()}
            blocks.append(self._filled(block, named))
        return tuple(blocks)

    def _filled(self, layer: Any, values: Mapping[str, np.ndarray]) -> Any:
        """A layer with weights: those that have no value are 0."""
        from course.exercises import weights

        layer(weights.tensor(np.zeros((1, 2, self.hidden_size), np.float32)))
        if missing := weights.missing(layer, values):
            raise TypeError(
                f"{type(layer).__name__} must have the weights {', '.join(values)}. "
                f"Missing: {', '.join(missing)}"
            )
        weights.assign(layer, values)
        return layer

    def _under(self, prefix: str) -> dict[str, np.ndarray]:
        """The arrays whose names have a prefix, by the rest of their names."""
        return {
            name.removeprefix(prefix): value
            for name, value in self.weights.items()
            if name.startswith(prefix)
        }

    def _attend(
        self, number: int, layer: Mapping[str, np.ndarray], x: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The output of a layer's attention, (T, d_model), and its weights, (H, T, T)."""
        if self._attentions:
            return _called(self._attentions[number - 1], x, self.num_heads)
        length, width = x.shape
        kernels = [layer[f"attention.{role}_linear.kernel"] for role in ("query", "key", "value")]
        maps = (x @ np.concatenate(kernels, axis=1)).reshape(length, 3, self.num_heads, -1)
        query, key, value = maps.transpose(1, 2, 0, 3)
        weights = _softmax(np.einsum("htd,hsd->hts", query, key) / np.sqrt(query.shape[-1]))
        found = np.einsum("hts,hsd->thd", weights, value).reshape(length, width)
        output = found @ layer["attention.output_linear.kernel"]
        return output + layer["attention.output_linear.bias"], weights


def _called(layer: Any, x: np.ndarray, num_heads: int) -> tuple[np.ndarray, np.ndarray]:
    """What somebody's layer gives, and its weights: NaN where it doesn't remember them."""
    output = np.asarray(layer(x[None]), np.float32)
    if output.shape != (1, *x.shape):
        raise ValueError(
            f"{type(layer).__name__} must give (batch, time, hidden_size) = {(1, *x.shape)}. "
            f"Received: {output.shape}"
        )
    unknown = np.full((1, num_heads, len(x), len(x)), np.nan, np.float32)
    weights = np.asarray(getattr(layer, "last_weights", unknown), np.float32)
    return output[0], weights[0]


def _softmax(scores: np.ndarray) -> np.ndarray:
    fits = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return fits / fits.sum(axis=-1, keepdims=True)


def _normalize(x: np.ndarray, layer: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    mean, variance = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    normal = (x - mean) / np.sqrt(variance + _EPSILON)
    return normal * layer[f"{name}.gamma"] + layer[f"{name}.beta"]


def read_encoder(name: str, folder: Path) -> Encoder:
    """Read an encoder from its folder.

    Args:
        name: the encoder's.
        folder: with its weights, in float16, and its vocabulary.
    """
    with np.load(folder / "weights.npz", allow_pickle=False) as arrays:
        weights = {each: np.asarray(arrays[each], np.float32) for each in arrays.files}
    heads = int(weights.pop("heads"))
    words: Sequence[str] = (folder / "vocabulary.txt").read_text("utf8").splitlines()
    return Encoder(name, Vocabulary(words), weights, heads)
