"""The published recipes beside the lessons' own settings: same data, same run, same machine.

    COURSE_DATA=<folder with the publishers' archives> python benchmarks/recipes.py

Every row trains the published recipe, restated plainly, and then ours: the lesson's own solution
cells with the settings below. Both learn from all training texts for a fixed number of epochs
and are measured on the test split at the end: no epoch is chosen by looking at it. Then come the
experiments of lessons 05 and 06, as many trainings at a time as there are cores: there,
scores alone count. The figures go to ``benchmarks/recipes.md``.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import json
import math
import multiprocessing
import os
import platform
import re
import string
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import keras
import nbformat
import numpy as np
import sklearn
import tensorflow as tf
from keras import layers, ops
from nltk.tokenize import wordpunct_tokenize
from scipy import stats
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import train_test_split

from autograder.cells import is_solution
from course.data import chains, datasets
from course.experiments import position_probe
from course.figures import diagrams
from course.layers import ChunkedAttention, FullAttention, WordDropout
from course.runtime.budget import choose

ROOT = Path(__file__).parents[1]
VOCABULARY = 20_000
STRENGTHS = (1.0, 3.0, 10.0, 30.0, 100.0)
"""C of the logistic regressions to choose from."""


# --- data ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Texts:
    """Texts and labels of both splits."""

    train: list[str]
    train_labels: np.ndarray
    test: list[str]
    test_labels: np.ndarray
    classes: int


@cache
def texts(name: str) -> Texts:
    """A data set's published texts, line breaks of web pages taken out."""
    data = datasets.load(name, source="real")
    splits = []
    for split in (data.train, data.test):
        rows, labels = split.batch(len(split)).get_single_element()
        splits += [[row.decode().replace("<br />", " ") for row in rows.numpy()], labels.numpy()]
    train, train_labels, test, test_labels = splits
    return Texts(train, train_labels, test, test_labels, len(data.class_names))


@cache
def sequences(name: str) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The ids of all tokens of both splits; the vocabulary is the training split's."""
    data = texts(name)
    vectorizer = layers.TextVectorization(max_tokens=VOCABULARY)
    vectorizer.adapt(tf.data.Dataset.from_tensor_slices(data.train).batch(2000))

    def ids(rows: list[str]) -> list[np.ndarray]:
        batches = (vectorizer(rows[i : i + 2000]).numpy() for i in range(0, len(rows), 2000))
        return [row[row > 0] for batch in batches for row in batch]

    return ids(data.train), ids(data.test)


@cache
def wordpunct_sequences(name: str) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The same with tokens by ``wordpunct_tokenize``; words that occur once are unknown."""
    data = texts(name)
    train, test = (
        [wordpunct_tokenize(row.lower()) for row in rows] for rows in (data.train, data.test)
    )
    counts = Counter(token for row in train for token in row)
    known = [token for token, count in counts.most_common(VOCABULARY - 2) if count > 1]
    index = {token: number for number, token in enumerate(known, start=2)}

    def ids(rows: list[list[str]]) -> list[np.ndarray]:
        return [np.array([index.get(token, 1) for token in row]) for row in rows]

    return ids(train), ids(test)


def padded(rows: list[np.ndarray], length: int, last: bool = False) -> np.ndarray:
    """Rows of ids cut to their first (or last) ``length`` tokens and filled up with 0."""
    table = np.zeros((len(rows), length), np.int32)
    for place, row in zip(table, rows, strict=True):
        kept = row[-length:] if last else row[:length]
        place[: len(kept)] = kept
    return table


# --- measuring -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """What a training gave: test score, seconds of the processor (all cores together: other work on
    the machine changes them little); and for some what else the page says of it."""

    score: float
    cpu: float
    parameters: int
    note: str = ""


class Kept:
    """Figures by what was measured. With a file, a run that is stopped goes on where it was.

    Args:
        path: a JSON file, which need not be there yet; none: nothing is kept.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.figures: dict[str, Any] = {}
        if path and path.exists():
            self.figures = json.loads(path.read_text("utf8"))
        self.earlier = len(self.figures)

    def each(
        self, work: Callable, jobs: Sequence[tuple], run: Callable[[Callable, Sequence], Iterable]
    ) -> list[Any]:
        """``work(*job)`` for each job, as JSON has it; what is in the file isn't done again."""
        budget = choose(
            full="", smoke="smoke: "
        )  # a smoke run's figures aren't those of a full one
        keys = [f"{budget}{work.__name__} {' '.join(map(str, job))}" for job in jobs]
        missing = {key: job for key, job in zip(keys, jobs, strict=True) if key not in self.figures}
        found = run(work, list(missing.values()))
        for key, figure in zip(missing, found, strict=True):
            text = json.dumps(figure)
            print(f"{time.strftime('%H:%M')} {key}: {text}", flush=True)
            self.figures[key] = json.loads(text)
            if self.path:
                self.path.write_text(json.dumps(self.figures, indent=1), "utf8")
        return [self.figures[key] for key in keys]


def one_by_one(work: Callable, jobs: Sequence[tuple]) -> Iterable[Any]:
    """What is timed: each job has all cores."""
    return (work(*job) for job in jobs)


def each_in_a_process(work: Callable, jobs: Sequence[tuple]) -> Iterable[Any]:
    """What is weighed: each job has a new process, and all cores."""
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        yield from pool.imap(functools.partial(_call, work), jobs)


def side_by_side(work: Callable, jobs: Sequence[tuple]) -> Iterable[Any]:
    """Where scores alone count: as many jobs at a time as there are cores, one core each."""
    processes = min(os.cpu_count() or 1, len(jobs))
    if processes:
        with multiprocessing.get_context("spawn").Pool(processes, _one_core_each) as pool:
            yield from pool.imap(functools.partial(_call, work), jobs)


def _call(work: Callable, job: tuple) -> Any:
    return work(*job)


def _one_core_each() -> None:
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)


def measure(fit: Callable[[], object], score: Callable[[], float], parameters: int) -> Measured:
    """Time ``fit`` alone; score afterwards."""
    began = time.process_time()
    fit()
    cpu = time.process_time() - began
    return Measured(score(), cpu, parameters)


def train(
    model: keras.Model,
    inputs: tuple[np.ndarray, np.ndarray],
    labels: tuple[np.ndarray, np.ndarray],
    *,
    optimizer: keras.optimizers.Optimizer,
    epochs: int,
    batch_size: int,
    loss: str = "sparse_categorical_crossentropy",
    class_weight: dict[int, float] | None = None,
    score: Callable[[np.ndarray, np.ndarray], float] = accuracy_score,
    combine: Callable[[np.ndarray], np.ndarray] = lambda predicted: predicted,
) -> Measured:
    """Train for a fixed number of epochs and score the test split.

    Args:
        model: not compiled.
        inputs: ids of the training and the test split.
        labels: of the training inputs, and of the test split's documents.
        combine: from predictions for inputs to predictions for documents.
    """
    model.compile(optimizer, loss)

    def fit() -> None:
        model.fit(
            inputs[0],
            labels[0],
            epochs=epochs,
            batch_size=batch_size,
            class_weight=class_weight,
            verbose=0,
        )

    def test() -> float:
        predicted = combine(model.predict(inputs[1], batch_size=500, verbose=0))
        one = predicted.shape[-1] == 1
        return score(labels[1], predicted[:, 0] > 0.5 if one else predicted.argmax(axis=-1))

    return measure(fit, test, model.count_params())


def falling(rate: float, examples: int, batch_size: int, epochs: int):
    """A learning rate that falls from ``rate`` to 0 along a cosine, over the whole training."""
    return keras.optimizers.schedules.CosineDecay(rate, epochs * math.ceil(examples / batch_size))


def weighted_f1(labels: np.ndarray, predicted: np.ndarray) -> float:
    """scikit-learn's, so that the lesson's own is not judged by itself."""
    return f1_score(labels, predicted, average="weighted", zero_division=0)


@cache
def lesson(name: str) -> SimpleNamespace:
    """What a lesson's solution cells define."""
    return demonstrations(name, ())


def demonstrations(name: str, cells: Collection[str], **given: Any) -> SimpleNamespace:
    """What a lesson's solution cells and those ``cells`` define, so that an experiment of a lesson
    is measured here as students run it. ``given`` is what these take from other cells."""
    notebook = nbformat.read(ROOT / "source" / name / f"{name}.ipynb", as_version=4)
    names = {
        "ChunkedAttention": ChunkedAttention,
        "FullAttention": FullAttention,
        "chains": chains,
        "choose": choose,
        "position_probe": position_probe,
        "functools": functools,
        "keras": keras,
        "layers": layers,
        "math": math,
        "np": np,
        "ops": ops,
        "string": string,
        "tf": tf,
        **given,
    }
    with contextlib.redirect_stdout(io.StringIO()):  # what students see is of no interest here
        for cell in notebook.cells:
            if cell.cell_type == "code" and (is_solution(cell) or cell.id in cells):
                exec(cell.source, names)
    return SimpleNamespace(**names)


def tf_idf(name: str, score: Callable[[np.ndarray, np.ndarray], float], weighted: bool) -> Measured:
    """TF-IDF of words and word pairs, logistic regression: the course's baseline.

    C rises as long as the score of a held-out tenth of the training texts does; then all of them
    are learned from.
    """
    data = texts(name)
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    kept, held_out = train_test_split(
        np.arange(len(data.train)), test_size=0.1, random_state=1
    )  # not stratified: a category of the headlines has a single text
    chosen: LogisticRegression

    def regression(c: float, rows: np.ndarray, counted: csr_matrix) -> LogisticRegression:
        labels = data.train_labels[rows]
        weights = class_weights(labels) if weighted else None
        return LogisticRegression(C=c, max_iter=1000, class_weight=weights).fit(counted, labels)

    def fit() -> None:
        nonlocal chosen
        counted = vectorizer.fit_transform([data.train[row] for row in kept])
        other = vectorizer.transform([data.train[row] for row in held_out])
        best, c = -math.inf, STRENGTHS[0]
        for strength in STRENGTHS:
            guesses = regression(strength, kept, counted).predict(other)
            reached = score(data.train_labels[held_out], guesses)
            if reached <= best:
                break  # The larger C, the longer it takes.
            best, c = reached, strength
        counted = vectorizer.fit_transform(data.train)
        chosen = regression(c, np.arange(len(data.train)), counted)

    def test() -> float:
        return score(data.test_labels, chosen.predict(vectorizer.transform(data.test)))

    measured = measure(fit, test, 0)
    learned = chosen.coef_.size + chosen.intercept_.size
    return replace(measured, parameters=learned, note=f"C = {chosen.C:g}")


# --- the published recipes, restated -------------------------------------------------------------


class PublishedEmbedding(layers.Layer):
    """Token embeddings plus learned position embeddings."""

    def __init__(self, length: int, size: int) -> None:
        super().__init__()
        self.tokens = layers.Embedding(VOCABULARY, size)
        self.positions = layers.Embedding(length, size)

    def call(self, ids):
        return self.tokens(ids) + self.positions(ops.arange(ids.shape[1]))


def published_block(x, *, heads: int, key_dim: int, ff_dim: int, rate: float = 0.1):
    """A post-norm transformer block without masks, as the Keras example has it."""
    size = x.shape[-1]
    attended = layers.Dropout(rate)(layers.MultiHeadAttention(heads, key_dim)(x, x))
    x = layers.LayerNormalization(epsilon=1e-6)(x + attended)
    forward = layers.Dense(size)(layers.Dense(ff_dim, activation="relu")(x))
    return layers.LayerNormalization(epsilon=1e-6)(x + layers.Dropout(rate)(forward))


def published_transformer(length: int, classes: int, *, size=32, heads=2, key_dim=32, ff_dim=32):
    """The Keras example's classifier: block, mean over all places, 20 hidden units."""
    ids = keras.Input((length,), dtype="int32")
    x = published_block(
        PublishedEmbedding(length, size)(ids), heads=heads, key_dim=key_dim, ff_dim=ff_dim
    )
    x = layers.Dropout(0.1)(layers.GlobalAveragePooling1D()(x))
    x = layers.Dropout(0.1)(layers.Dense(20, activation="relu")(x))
    return keras.Model(ids, layers.Dense(classes, activation="softmax")(x))


@keras.saving.register_keras_serializable()
class PublishedWarmup(keras.optimizers.schedules.LearningRateSchedule):
    """d_model^-0.5 · min(step^-0.5, step · warmup^-1.5)."""

    def __init__(self, d_model: int, warmup: int) -> None:
        self.d_model, self.warmup = d_model, warmup

    def __call__(self, step):
        step = ops.cast(step, "float32") + 1
        return self.d_model**-0.5 * ops.minimum(step**-0.5, step * self.warmup**-1.5)


def published_conv1d() -> keras.Model:
    """The Keras example "text classification from scratch"."""
    return keras.Sequential(
        [
            keras.Input((None,), dtype="int32"),
            layers.Embedding(VOCABULARY, 128),
            layers.Dropout(0.5),
            layers.Conv1D(128, 7, strides=3, activation="relu"),
            layers.Conv1D(128, 7, strides=3, activation="relu"),
            layers.GlobalMaxPooling1D(),
            layers.Dense(128, activation="relu"),
            layers.Dropout(0.5),
            layers.Dense(1, activation="sigmoid"),
        ]
    )


# --- the rows ------------------------------------------------------------------------------------


def imdb(length: int, last: bool = False):
    """Padded ids and labels of the reviews."""
    data, (train_ids, test_ids) = texts("imdb"), sequences("imdb")
    inputs = padded(train_ids, length, last), padded(test_ids, length, last)
    return inputs, (data.train_labels, data.test_labels)


def imdb_200_published() -> Measured:
    return train(
        published_transformer(200, 2), *imdb(200, last=True),
        optimizer=keras.optimizers.Adam(), epochs=2, batch_size=32,
    )  # fmt: skip


def imdb_200_ours() -> Measured:
    return imdb_ours(200, heads=1, last=True)


def imdb_500_published() -> Measured:
    return train(
        published_transformer(500, 2), *imdb(500),
        optimizer=keras.optimizers.Adam(), epochs=2, batch_size=32,
    )  # fmt: skip


def imdb_500_ours() -> Measured:
    return imdb_ours(500, heads=2)


def imdb_ours(length: int, *, heads: int, last: bool = False) -> Measured:
    """The lesson's classifier behind word dropout, one epoch at a rate that falls to 0."""
    inputs, labels = imdb(length, last)
    build = lesson("04-transformer-encoder").build_transformer_classifier
    model = with_word_dropout(0.1, build(length, VOCABULARY, 2, 32, 32, heads, 0.4))
    rate = falling(4e-3, len(inputs[0]), 64, 1)
    return train(
        model, inputs, labels,
        optimizer=keras.optimizers.Adam(rate), epochs=1, batch_size=64,
    )  # fmt: skip


def ag_news(length: int):
    """Padded ids and labels of the articles."""
    data, (train_ids, test_ids) = texts("ag_news"), sequences("ag_news")
    inputs = padded(train_ids, length), padded(test_ids, length)
    return inputs, (data.train_labels, data.test_labels)


def ag_news_published() -> Measured:
    model = published_transformer(100, 4, size=64, heads=4, key_dim=16, ff_dim=64)
    warm = keras.optimizers.Adam(PublishedWarmup(64, 500), beta_2=0.98, epsilon=1e-9)
    return train(model, *ag_news(100), optimizer=warm, epochs=2, batch_size=128)


def ag_news_ours() -> Measured:
    # Padded to 64 tokens instead of 100, and a small rate that falls from the start instead of one
    # that climbs: a single layer needs no warm-up, as the lesson shows.
    inputs, labels = ag_news(64)
    model = lesson("04-transformer-encoder").build_transformer_classifier(
        64, VOCABULARY, 4, 64, 64, 4, 0.3
    )
    rate = falling(2e-3, len(inputs[0]), 128, 1)
    return train(
        model, inputs, labels,
        optimizer=keras.optimizers.Adam(rate), epochs=1, batch_size=128,
    )  # fmt: skip


def conv1d_published() -> Measured:
    return train(
        published_conv1d(), *imdb(500), loss="binary_crossentropy",
        optimizer=keras.optimizers.Adam(), epochs=3, batch_size=32,
    )  # fmt: skip


def conv1d_ours() -> Measured:
    inputs, labels = imdb(500)
    rate = falling(2e-3, len(inputs[0]), 64, 3)
    return train(
        lesson("02-conv1d-baseline").build_conv1d_classifier(VOCABULARY, 32), inputs, labels,
        loss="binary_crossentropy",
        optimizer=keras.optimizers.Adam(rate), epochs=3, batch_size=64,
    )  # fmt: skip


def with_word_dropout(rate: float, model: keras.Model) -> keras.Model:
    """The model behind a layer that hides words while training."""
    ids = keras.Input(model.input_shape[1:], dtype="int32")
    return keras.Model(ids, model(WordDropout(rate, seed=11)(ids)))


def relative_classifier(length: int, *, size: int, heads: int, rate: float) -> keras.Model:
    """Embedding, relative-position self-attention with residual and norm, masked mean."""
    attention = lesson("05-long-documents").RelativePositionSelfAttention(size, heads, 16)
    ids = keras.Input((length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Dropout(rate)(layers.Embedding(VOCABULARY, size)(ids))
    x = layers.LayerNormalization(epsilon=1e-6)(x + attention(x, mask=mask))
    x = layers.Dropout(rate)(layers.GlobalAveragePooling1D()(x, mask=mask))
    return keras.Model(ids, layers.Dense(2, activation="softmax")(x))


def in_chunks(size: int, overlap: int, most: int):
    """The reviews' first ``most`` overlapping chunks, and how to put predictions together."""
    solved = lesson("05-long-documents")
    data, (train_ids, test_ids) = texts("imdb"), sequences("imdb")

    def cut(rows: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        chunks, documents = [], []
        for number, row in enumerate(rows):
            cut_row = solved.overlapping_chunks(row.tolist(), size, overlap)[:most] or [[]]
            chunks += [np.array(chunk, np.int32) for chunk in cut_row]
            documents += [number] * len(cut_row)
        return padded(chunks, size), np.array(documents)

    (train_chunks, of_train), (test_chunks, of_test) = cut(train_ids), cut(test_ids)

    def combine(predicted: np.ndarray) -> np.ndarray:
        return np.array(solved.aggregate_chunk_predictions(predicted, of_test))

    labels = data.train_labels[of_train], data.test_labels
    return (train_chunks, test_chunks), labels, combine


def relative_published() -> Measured:
    inputs, labels, combine = in_chunks(128, 32, 6)
    return train(
        relative_classifier(128, size=32, heads=2, rate=0.1), inputs, labels, combine=combine,
        optimizer=keras.optimizers.Adam(), epochs=2, batch_size=32,
    )  # fmt: skip


def relative_ours() -> Measured:
    inputs, labels, combine = in_chunks(256, 64, 4)
    model = with_word_dropout(0.1, relative_classifier(256, size=32, heads=1, rate=0.3))
    rate = falling(4e-3, len(inputs[0]), 64, 1)
    return train(
        model, inputs, labels, combine=combine,
        optimizer=keras.optimizers.Adam(rate), epochs=1, batch_size=64,
    )  # fmt: skip


def news_category(length: int):
    """Padded ids and labels of the headlines."""
    data, (train_ids, test_ids) = texts("news_category"), wordpunct_sequences("news_category")
    inputs = padded(train_ids, length), padded(test_ids, length)
    return inputs, (data.train_labels, data.test_labels)


def fastformer_published() -> Measured:
    solved = lesson("06-fastformer")
    ids = keras.Input((100,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Embedding(VOCABULARY, 256)(ids)
    for _ in range(2):
        x = solved.Fastformer(16, 16)(x, mask=mask)
    x = layers.Dropout(0.2)(layers.GlobalAveragePooling1D()(x, mask=mask))
    classes = texts("news_category").classes
    return train(
        keras.Model(ids, layers.Dense(classes, activation="softmax")(x)), *news_category(100),
        optimizer=keras.optimizers.Adam(), epochs=3, batch_size=64, score=weighted_f1,
    )  # fmt: skip


def fastformer_ours() -> Measured:
    # Some 20,000 short texts: layers that begin beside untrained words learn the texts by heart.
    # So the mean of the words comes first, and the layers join when the words mean something.
    (inputs, test_inputs), labels = news_category(40)
    heads, size, data = 8, 16, (inputs, test_inputs)
    weights = class_weights(labels[0])
    ids = keras.Input(inputs.shape[1:], dtype="int32")
    mask = ops.not_equal(ids, 0)
    words = layers.Embedding(VOCABULARY, heads * size)(ids) * math.sqrt(heads * size)
    words = layers.Dropout(0.5)(words)
    classify = layers.Dense(texts("news_category").classes, activation="softmax")

    def classifier(x) -> keras.Model:
        pooled = layers.GlobalAveragePooling1D()(x, mask=mask)
        return keras.Model(ids, classify(layers.Dropout(0.5)(pooled)))

    start = train(
        with_word_dropout(0.4, classifier(words)), data, labels, class_weight=weights,
        optimizer=keras.optimizers.Adam(2e-3), epochs=8, batch_size=128, score=weighted_f1,
    )  # fmt: skip
    x = words
    for _ in range(2):
        layer = lesson("06-fastformer").Fastformer(heads, size)
        x = x + layer(x, mask=mask)
        for linear in (layer.query_linear, layer.output_linear):
            linear.kernel.assign(0.1 * linear.kernel)  # so that it begins as a small change
    rate = falling(1e-3, len(inputs), 64, 2)
    end = train(
        with_word_dropout(0.4, classifier(x)), data, labels, class_weight=weights,
        optimizer=keras.optimizers.Adam(rate), epochs=2, batch_size=64, score=weighted_f1,
    )  # fmt: skip
    return replace(end, cpu=start.cpu + end.cpu, note=f"{start.score:.4f}")


def class_weights(labels: np.ndarray) -> dict[int, float]:
    """Proportional to n^-1/2 for a class of n texts, and 1 on average over all texts."""
    weights = np.maximum(np.bincount(labels), 1) ** -0.5
    return dict(enumerate(weights / weights[labels].mean()))


@dataclass(frozen=True)
class Recipe:
    """A published recipe and what ours must reach beside it.

    Args:
        title: what is classified by what.
        published: trains the recipe as published.
        ours: trains the lesson's solution.
        data: the data set.
        metric: of the scores.
        required: what must hold, in words.
        holds: whether it does, given the recipe's, ours and the baseline's figures.
        weighted: whether ours weighs classes, so that the baseline is shown with it as well.
    """

    title: str
    published: Callable[[], Measured]
    ours: Callable[[], Measured]
    data: str
    metric: str
    required: str
    holds: Callable[[Measured, Measured, Measured], bool]
    weighted: bool = False


def _equal_in_half_the_time(published: Measured, ours: Measured, _: Measured) -> bool:
    return ours.score >= published.score and ours.cpu <= 0.5 * published.cpu


def _at_least(score: float) -> Callable[[Measured, Measured, Measured], bool]:
    return lambda published, ours, baseline: ours.score >= score


def _beats_both(published: Measured, ours: Measured, baseline: Measured) -> bool:
    return ours.score > max(published.score, baseline.score)


RECIPES = {
    "transformer-200": Recipe(
        "transformer block, 200 tokens", imdb_200_published, imdb_200_ours, "imdb", "accuracy",
        "at least equal, in at most half the time", _equal_in_half_the_time,
    ),
    "ag-news": Recipe(
        "encoder, 4 heads, warm-up", ag_news_published, ag_news_ours, "ag_news", "accuracy",
        "at least equal, in at most half the time", _equal_in_half_the_time,
    ),
    "conv1d": Recipe(
        "Conv1D x 2, 500 tokens", conv1d_published, conv1d_ours, "imdb", "accuracy",
        "at least 0.86", _at_least(0.86),
    ),
    "transformer-500": Recipe(
        "transformer block, 500 tokens", imdb_500_published, imdb_500_ours, "imdb", "accuracy",
        "at least 0.88", _at_least(0.88),
    ),
    "relative": Recipe(
        "relative positions, overlapping chunks", relative_published, relative_ours, "imdb",
        "accuracy", "at least 0.88", _at_least(0.88),
    ),
    "fastformer": Recipe(
        "Fastformer", fastformer_published, fastformer_ours, "news_category", "weighted F1",
        "more than the recipe and than TF-IDF", _beats_both, weighted=True,
    ),
}  # fmt: skip


# --- the lessons' experiments, at more lengths and with three seeds ------------------------------

SEEDS = range(1, 4)
LENGTHS = 256, 512, 1024, 2048, 4096
CUT = 512
REVIEWS = 2_500
FULL = "full attention"


@cache
def ways_to_tell_positions() -> SimpleNamespace:
    """Lesson 05's readers, one for each way to tell positions, and how it trains them."""
    return demonstrations(
        "05-long-documents",
        ("colours", "rotation", "position-methods", "compare-setup", "compare-training"),
        diagrams=diagrams,
        predict=SimpleNamespace(answer=lambda name: None),
    )


def position_accuracies(method: str, seed: int) -> list[float]:
    """By question and length, as ``_position_tests`` lists them."""
    run = ways_to_tell_positions().trained_reader(method, seed)
    return [float(run[test]) for test in _position_tests()]


def _position_tests() -> list[tuple[str, int]]:
    lengths = ways_to_tell_positions().lengths
    return [(question, length) for question in position_probe.QUESTIONS for length in lengths]


def positions(kept: Kept) -> list[str]:
    """Seven ways to tell positions, as lesson 05 compares them: a part of the page."""
    here = ways_to_tell_positions()
    heads = [f"`{question}`, {length} words" for question, length in _position_tests()]
    lines = [
        "## Positions",
        "",
        "Lesson 05's comparison (its section 6 says what is asked): trained on texts of",
        f"{here.train_length} words, tested on longer ones as well; everything but the way to",
        f"tell positions is equal. Accuracy: the mean of {len(SEEDS)} seeds and half of its 95 %",
        "interval (Student's t).",
        "",
        f"| positions | {' | '.join(heads)} |",
        "|---" * (1 + len(heads)) + "|",
    ]
    half = stats.t.ppf(0.975, len(SEEDS) - 1) / math.sqrt(len(SEEDS))
    jobs = [(method, seed) for method in here.LAYERS for seed in SEEDS]
    runs = np.array(kept.each(position_accuracies, jobs, side_by_side))
    for method, found in zip(here.LAYERS, np.split(runs, len(here.LAYERS)), strict=True):
        pairs = zip(found.mean(axis=0), half * found.std(axis=0, ddof=1), strict=True)
        cells = [f"{mean:.3f} ± {interval:.3f}" for mean, interval in pairs]
        lines.append(f"| {method} | {' | '.join(cells)} |")
    return [*lines, ""]


@cache
def long_readers() -> SimpleNamespace:
    """Lesson 06's readers with three kinds of layer, and how it trains them on chains."""
    articles = texts("ag_news")
    return demonstrations(
        "06-fastformer",
        ("readers", "chain-reader"),
        index=range(VOCABULARY - 2),  # as many words as there are ids
        padded=padded,
        topics=range(articles.classes),
        train_ids=wordpunct_sequences("ag_news")[0],
        train_topics=articles.train_labels,
    )


def step_cost(kind: str, length: int) -> tuple[float, float]:
    """The median seconds of the processor for a training step on two texts, and how many megabytes
    the process takes at its peak more than before the first one. A process is to call it once."""
    model = demonstrations("06-fastformer", ("readers",)).reader(kind, 1000, 4)
    random = np.random.RandomState(1)
    ids, labels = random.randint(2, 1000, (2, length)), random.randint(0, 4, 2)
    # From now on; what getrusage calls the peak includes that of the program that began this one.
    Path("/proc/self/clear_refs").write_text("5", "ascii")
    before = peak_kilobytes()
    times = []
    for _ in range(6):
        started = time.process_time()
        model.train_on_batch(ids, labels)
        times.append(time.process_time() - started)
    return float(np.median(times[1:])), (peak_kilobytes() - before) / 1024


def peak_kilobytes() -> int:
    """The most memory that this process has had at a time."""
    status = Path("/proc/self/status").read_text("ascii")
    (peak,) = re.findall(r"^VmHWM:\s*(\d+) kB", status, re.MULTILINE)
    return int(peak)


def chain_accuracies(kind: str, seed: int) -> dict[str, dict[str, float]]:
    """Accuracy on whole chains, and on their first ``CUT`` tokens: by what is read and the length
    of the chains."""
    model = long_readers().trained_reader(seed, kind)
    articles, topics = wordpunct_sequences("ag_news")[1], texts("ag_news").test_labels
    found: dict[str, dict[str, float]] = {"whole": {}, "cut": {}}
    for length in LENGTHS:
        made = chains.chained(articles, topics, chains=300, length=length, seed=99)
        for name, read in ("whole", length), ("cut", min(CUT, length)):
            if kind == FULL and read == LENGTHS[-1]:
                continue  # It would take longer than all the rest.
            found[name][str(length)] = model.evaluate(
                made.ids[:, :read], made.labels, batch_size=LENGTHS[-1] // read, verbose=0
            )[1]
    return found


def review_accuracy(kind: str, length: int, seed: int) -> float:
    """Accuracy on reviews of IMDB's, of which the first tokens are read, after two epochs."""
    keras.utils.set_random_seed(seed)
    inputs, labels = ([part[:REVIEWS] for part in parts] for parts in imdb(length))
    model = long_readers().reader(kind, VOCABULARY, 2)
    model.optimizer = keras.optimizers.Adam(falling(2e-3, REVIEWS, 16, 2))
    model.fit(inputs[0], labels[0], batch_size=16, epochs=2, verbose=0)
    return model.evaluate(inputs[1], labels[1], batch_size=20, verbose=0)[1]


def long_texts(kept: Kept) -> tuple[list[str], bool]:
    """Full, chunked and additive attention on texts of 256 to 4,096 tokens: a part of the page, and
    whether what is required holds."""
    kinds = long_readers().KINDS
    steps = [(kind, length) for kind in kinds for length in LENGTHS]
    costs = dict(zip(steps, kept.each(step_cost, steps, each_in_a_process), strict=True))
    trainings = [(kind, seed) for kind in kinds for seed in SEEDS]
    readers = dict(
        zip(trainings, kept.each(chain_accuracies, trainings, side_by_side), strict=True)
    )
    runs = {kind: [readers[kind, seed] for seed in SEEDS] for kind in kinds}
    read = [
        (kind, length, seed)
        for kind in kinds
        for length in (256, 512, 1024)
        if (kind, length) != (FULL, 1024)  # It would take longer than all the rest.
        for seed in SEEDS
    ]
    accuracies = dict(zip(read, kept.each(review_accuracy, read, side_by_side), strict=True))
    lines = [
        "## Long texts",
        "",
        "Lesson 06's readers: two blocks with three kinds of layer in them. Seconds (of the",
        "processor) and memory are those of a training step on two texts, each in a process of",
        "its own: the median, and how much more memory the process takes at its peak than",
        "before its first step.",
        "Chains are made of `ag_news` articles of one topic and one article on another topic,",
        "which is the label; all models are trained as in the lesson, with a larger vocabulary,",
        f"and tested on 300 chains of each length: read whole, and the first {CUT} tokens only.",
        f"Reviews are {REVIEWS:,} of `imdb` to learn from, for two epochs, and {REVIEWS:,} to",
        f"test; their first tokens are read. Accuracies are means of {len(SEEDS)} seeds, with the",
        "lowest and the highest; an empty cell wasn't measured. (`chain_readers.md` trains without",
        "the lesson's last stage, on at most 512 tokens, and with the lesson's vocabulary.)",
        "",
        "| layer | tokens | seconds per step | MB | chains, whole | chains, cut | reviews |",
        "|---|---|---|---|---|---|---|",
    ]
    for kind in kinds:
        for length in LENGTHS:
            seconds, megabytes = costs[kind, length]
            cells = (
                kind,
                f"{length:,}",
                f"{seconds:.3f}",
                f"{megabytes:,.0f}",
                *(
                    spread(
                        [run[name][str(length)] for run in runs[kind] if str(length) in run[name]],
                        3,
                    )
                    for name in ("whole", "cut")
                ),
                spread(
                    [
                        accuracies[kind, length, seed]
                        for seed in SEEDS
                        if (kind, length, seed) in accuracies
                    ],
                    3,
                ),
            )
            lines.append(f"| {' | '.join(cells)} |")
    ratio = costs[FULL, LENGTHS[-1]][0] / costs["Fastformer", LENGTHS[-1]][0]
    longest = str(LENGTHS[-1])
    whole = np.mean([run["whole"][longest] for run in runs["Fastformer"]])
    best_cut = max(run["cut"][longest] for kind in kinds for run in runs[kind])
    holds = bool(ratio >= 5 and whole > best_cut)
    lines += [
        "",
        f"At {LENGTHS[-1]:,} tokens, a step with Fastformer is {ratio:.1f} times as fast as one",
        f"with full attention (required: 5), and it has {whole:.3f} of the whole chains right,",
        f"where no training of any layer has more than {best_cut:.3f} of those that are cut",
        f"(required: more): {'holds' if holds else '**does not hold**'}.",
        "",
    ]
    return lines, holds


# --- running and reporting -----------------------------------------------------------------------


PUBLISHED = {
    "imdb": "25,000 and 25,000",
    "ag_news": "120,000 and 7,600",
    "news_category": "200,853 in all",
}
"""How many texts the publishers' files hold: our copies of two of them hold fewer."""

EXPERIMENTS = "positions", "long-texts"
"""What ``--only`` calls the parts about the lessons' experiments."""


@dataclass(frozen=True)
class Result:
    """The figures of one recipe, a seed each; ``weighted_baseline`` has ours' class weights."""

    recipe: Recipe
    published: list[Measured]
    ours: list[Measured]
    baseline: Measured
    weighted_baseline: Measured | None = None

    @property
    def holds(self) -> bool:
        """Whether what is required holds for every seed, beside the better of the baselines."""
        baselines = [self.baseline, *([self.weighted_baseline] if self.weighted_baseline else [])]
        best = max(baselines, key=lambda measured: measured.score)
        pairs = zip(self.published, self.ours, strict=True)
        return all(self.recipe.holds(published, ours, best) for published, ours in pairs)


def figures(measured: list[Measured], value: Callable[[Measured], float], digits: int) -> str:
    """The mean, and the range if there are several."""
    return spread([value(entry) for entry in measured], digits)


def spread(values: Sequence[float], digits: int) -> str:
    """The mean, and the range if there are several; nothing if there are none."""
    mean = f"{np.mean(values):.{digits}f}" if values else ""
    if len(values) < 2:
        return mean
    return f"{mean} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def report(results: list[Result], more: list[str], command: str, seeds: int) -> str:
    """The page that ``benchmarks/recipes.md`` holds."""
    lines = [
        "# Published recipes and ours",
        "",
        "Each row trains the published recipe, restated plainly, and then the lesson's own layers",
        "with our settings (`benchmarks/recipes.py` holds both): on the same published texts, in",
        "one run, on one machine. Both learn from all training texts of our copy of the data (the",
        "sizes are at the end) for a fixed number of epochs: none is chosen by looking at the test",
        "split. But we chose our settings in earlier trainings on these very data sets, so a lead",
        "of half a point may come from that choice alone. Seconds are those of training, by the",
        "processor, all cores together; the ratio is ours to the recipe's.",
        "",
        "| model | data | published | ours | TF-IDF | seconds, published | seconds, ours | ratio "
        "| required | holds |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for result in results:
        recipe = result.recipe
        ratio = sum(m.cpu for m in result.ours) / sum(m.cpu for m in result.published)
        tf_idf_scores = f"{result.baseline.score:.4f}"
        if result.weighted_baseline:
            tf_idf_scores += f" ({result.weighted_baseline.score:.4f} with ours' class weights)"
        cells = (
            recipe.title,
            f"`{recipe.data}`, {recipe.metric}",
            figures(result.published, lambda m: m.score, 4),
            figures(result.ours, lambda m: m.score, 4),
            tf_idf_scores,
            figures(result.published, lambda m: m.cpu, 0),
            figures(result.ours, lambda m: m.cpu, 0),
            f"{ratio:.2f}",
            recipe.required,
            "yes" if result.holds else "**no**",
        )
        lines.append(f"| {' | '.join(cells)} |")
    lines += [
        "",
        "TF-IDF: words and word pairs, no stop words removed, logistic regression. C rose "
        f"({', '.join(f'{c:g}' for c in STRENGTHS)}) as long as",
        "the score of a held-out tenth of the training texts did: "
        + "; ".join(
            dict.fromkeys(
                f"`{result.recipe.data}` {result.baseline.note}" for result in results
            )
        )
        + ".",
        "",
        *(line for result in results for line in _start(result)),
        *more,
        "## Data and machine",
        "",
        *(
            f"- `{name}`: {len(texts(name).train):,} train and {len(texts(name).test):,} test "
            f"texts; published: {PUBLISHED[name]}"
            for name in dict.fromkeys(result.recipe.data for result in results)
        ),
        f"- seeds of the first table: {', '.join(map(str, range(1, seeds + 1)))}",
        f"- Python {platform.python_version()}, TensorFlow {tf.__version__}, Keras "
        f"{keras.__version__}, scikit-learn {sklearn.__version__}, NumPy {np.__version__}; "
        f"{os.cpu_count()} cores",
        f"- command: `{command}",
        "",
    ]  # fmt: skip
    return "\n".join(lines)


def _start(result: Result) -> list[str]:
    """What ours scored before its layers joined, where that is how it is trained."""
    notes = [measured.note for measured in result.ours if measured.note]
    if not notes:
        return []
    return [
        f"{result.recipe.title}, ours: the mean of the words' vectors is trained first, and scores",
        f"{', '.join(notes)} by itself. Then the layers join.",
        "",
    ]


def trained(name: str, side: str, seed: int) -> dict[str, Any]:
    """What training one side of a row gives."""
    keras.utils.clear_session()
    keras.utils.set_random_seed(seed)
    return asdict(getattr(RECIPES[name], side)())


def baseline(data: str, metric: str, classes: str) -> dict[str, Any]:
    """TF-IDF's figures; ``classes`` are "weighted" or "equal"."""
    score = weighted_f1 if metric == "weighted F1" else accuracy_score
    return asdict(tf_idf(data, score, classes == "weighted"))


def result(name: str, seeds: int, kept: Kept) -> Result:
    """Both sides with every seed, one after the other, and TF-IDF."""
    recipe = RECIPES[name]
    sides = "published", "ours"
    jobs = [(name, side, seed) for seed in range(1, seeds + 1) for side in sides]
    figures = [Measured(**found) for found in kept.each(trained, jobs, one_by_one)]
    classes = ["equal", "weighted"] if recipe.weighted else ["equal"]
    baselines = [
        Measured(**found)
        for found in kept.each(
            baseline, [(recipe.data, recipe.metric, kind) for kind in classes], one_by_one
        )
    ]
    return Result(recipe, figures[::2], figures[1::2], *baselines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Train the published recipes and the lessons' own on the same real data, and "
        "write the figures to benchmarks/recipes.md.",
        epilog="Real data: prepared by TensorFlow Datasets, or archives in the folder COURSE_DATA.",
    )
    parser.add_argument("--seeds", type=int, default=1, help="how many, for a spread (default: 1)")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=[*RECIPES, *EXPERIMENTS],
        metavar="ROW",
        help=f"print these rows alone, write no file: {', '.join([*RECIPES, *EXPERIMENTS])}",
    )
    parser.add_argument(
        "--kept",
        type=Path,
        metavar="FILE",
        help="write each figure to this JSON file at once, and measure none that it has: a run "
        "that was stopped goes on",
    )
    arguments = parser.parse_args()
    if arguments.seeds < 1:
        parser.error("--seeds must be at least 1")
    kept = Kept(arguments.kept)
    try:
        chosen = arguments.only or [*RECIPES, *EXPERIMENTS]
        results = [result(name, arguments.seeds, kept) for name in chosen if name in RECIPES]
        more = positions(kept) if "positions" in chosen else []
        long, holds = long_texts(kept) if "long-texts" in chosen else ([], True)
    except datasets.DatasetError as error:
        print(error, file=sys.stderr)
        return 2
    command = f"python benchmarks/recipes.py --seeds {arguments.seeds}"
    if kept.path and kept.earlier:
        command += f" --kept {kept.path.name}` (with {kept.earlier} figures of an earlier run)"
    else:
        command += "`"
    page = report(results, more + long, command, arguments.seeds)
    if arguments.only:
        print(page)
    else:
        (ROOT / "benchmarks" / "recipes.md").write_text(page, "utf8")
    return 0 if holds and all(result.holds for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
