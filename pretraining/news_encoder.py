"""Train the news encoder: words of real articles are hidden, and it learns to fill them in.

A run that was stopped goes on where it was when it is started again.

Reference: Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers for Language
Understanding" (2019), section 3.1, https://arxiv.org/abs/1810.04805
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from dataclasses import asdict, dataclass, fields
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
import tensorflow as tf

from course.models.words import SPECIAL
from pretraining import card, corpus
from pretraining.network import Network, Sizes

HIDDEN_TO_TEST = 0.15
"""Share of a held-out article's words that are asked for."""
_BLANKED, _OTHER = 0.8, 0.1
"""Of these, so many are replaced by a blank, so many by any word; the rest stay."""
_GRID = 8
"""Batches are cut to a multiple of this many words, because every new length is compiled."""


@dataclass(frozen=True)
class Training:
    """How long and how fast it is trained.

    Args:
        epochs: times that every article is read, each time with other words hidden.
        batch: articles.
        rate: the highest learning rate; before, it climbs for a twentieth of the steps, and then
            falls like a cosine.
        dropout: of every layer.
        decay: of the weights.
        hidden_words: share of an article's words that are asked for.
        seed: of the start, the order and what is hidden.
    """

    epochs: int = 20
    batch: int = 64
    rate: float = 2e-3
    dropout: float = 0.1
    decay: float = 0.01
    hidden_words: float = 0.25
    seed: int = 1


def train(sizes: Sizes, training: Training, folder: Path) -> None:
    """Train, saying after every epoch how far it is, and keep all that it takes to go on.

    Args:
        sizes: of the encoder.
        training: how.
        folder: for the state after every epoch, and the weights at the end.
    """
    folder.mkdir(parents=True, exist_ok=True)
    read = corpus.read(sizes.vocabulary, sizes.length)
    keras.utils.set_random_seed(training.seed)
    network = Network(sizes, training.dropout)
    batches = len(_batches(read.train, training.batch, np.random.RandomState(0)))
    optimizer = keras.optimizers.AdamW(
        _schedule(training.rate, batches * training.epochs),
        weight_decay=training.decay,
        beta_2=0.98,
        global_clipnorm=1.0,
    )
    network(tf.ones((1, _GRID), tf.int32), tf.zeros((1,), tf.int32))
    optimizer.build(network.trainable_variables)
    step, score = _compiled(network, optimizer)
    checkpoint = tf.train.Checkpoint(
        weights=[v.value for v in network.variables],
        optimizer=[v.value for v in optimizer.variables],
    )
    log = folder / "epochs.jsonl"
    done = log.read_text("utf8").splitlines() if log.exists() else []
    if done:
        checkpoint.read(str(folder / "state")).assert_consumed()
        print(f"Going on after epoch {len(done)}.", flush=True)
    for epoch in range(len(done), training.epochs):
        random = np.random.RandomState(training.seed + epoch)
        began, losses = time.perf_counter(), []
        order = _batches(read.train, training.batch, random)
        for ids in order:
            given, places, answers = _hide(ids, random, len(read.vocabulary), training.hidden_words)
            losses.append(float(step(given, places, answers, answers > 0)))
        result = {
            "epoch": epoch + 1,
            "loss": round(float(np.mean(losses)), 4),
            **_evaluate(score, read.held_out, len(read.vocabulary), training.batch),
            "seconds": round(time.perf_counter() - began, 1),
        }
        checkpoint.write(str(folder / "state"))
        with log.open("a", encoding="utf8") as file:
            file.write(json.dumps(result) + "\n")
        print(result, flush=True)
    _save(network, read, sizes, training, folder)


def _schedule(rate: float, steps: int) -> keras.optimizers.schedules.LearningRateSchedule:
    warmup = steps // 20
    return keras.optimizers.schedules.CosineDecay(
        0.0, steps - warmup, alpha=0.01, warmup_target=rate, warmup_steps=warmup
    )


def _batches(rows: np.ndarray, size: int, random: np.random.RandomState) -> list[np.ndarray]:
    """All rows in batches of similar lengths, which are cut to the longest."""
    lengths = (rows > 0).sum(axis=1)
    order = np.argsort(lengths + random.uniform(0, _GRID, len(rows)))
    groups = [order[first : first + size] for first in range(0, len(order) - size + 1, size)]
    random.shuffle(groups)
    return [rows[group][:, : _up(lengths[group].max(), rows.shape[1])] for group in groups]


def _up(length: int, most: int) -> int:
    return min(most, math.ceil(length / _GRID) * _GRID)


def _hide(
    ids: np.ndarray, random: np.random.RandomState, vocabulary: int, share: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hide words.

    Returns:
        What is given, (batch, time); where words are asked for, and which they were, (blanks,):
        always as many for a length, filled up with 0.
    """
    words = ids >= len(SPECIAL)
    chance = np.where(words, random.uniform(size=ids.shape), 2.0)
    hidden = chance < share
    kind = random.uniform(size=ids.shape)
    given = np.where(hidden & (kind < _BLANKED), SPECIAL.index("[blank]"), ids)
    other = random.randint(len(SPECIAL), vocabulary, ids.shape)
    given = np.where(hidden & (kind >= 1 - _OTHER), other, given)
    room = math.ceil(ids.size * share * 1.1)
    places = np.flatnonzero(hidden)[:room]
    padded = np.zeros((2, room), np.int32)
    padded[0, : len(places)] = places
    padded[1, : len(places)] = ids.ravel()[places]
    return given.astype(np.int32), padded[0], padded[1]


def _compiled(network: Network, optimizer: keras.optimizers.Optimizer):
    def loss_of(given, places, answers, counts, training):
        scores = network(given, places, training=training)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(answers, scores)
        counts = tf.cast(counts, tf.float32)
        return losses, scores, counts

    @tf.function
    def step(given, places, answers, counts):
        with tf.GradientTape() as tape:
            losses, _, counts = loss_of(given, places, answers, counts, training=True)
            loss = tf.reduce_sum(losses * counts) / tf.reduce_sum(counts)
        weights = network.trainable_variables
        optimizer.apply_gradients(
            zip(tape.gradient(loss, [v.value for v in weights]), weights, strict=True)
        )
        return loss

    @tf.function
    def score(given, places, answers, counts):
        losses, scores, counts = loss_of(given, places, answers, counts, training=False)
        right = tf.cast(
            tf.equal(tf.argmax(scores, axis=1, output_type=tf.int32), answers), tf.float32
        )
        return tf.reduce_sum(losses * counts), tf.reduce_sum(right * counts), tf.reduce_sum(counts)

    return step, score


def _evaluate(score, rows: np.ndarray, vocabulary: int, batch: int) -> dict[str, float]:
    """Loss and share of right words in held-out articles, always with the same words hidden."""
    random = np.random.RandomState(0)
    sums = np.zeros(3)
    for ids in _batches(rows, batch, random):
        given, places, answers = _hide(ids, random, vocabulary, HIDDEN_TO_TEST)
        sums += [float(each) for each in score(given, places, answers, answers > 0)]
    return {
        "held_out_loss": round(float(sums[0] / sums[2]), 4),
        "held_out_right": round(float(sums[1] / sums[2]), 4),
    }


def _save(
    network: Network, read: corpus.Corpus, sizes: Sizes, training: Training, folder: Path
) -> None:
    half = {name: value.astype(np.float16) for name, value in network.named().items()}
    np.savez(folder / "weights.npz", heads=sizes.heads, **half)
    (folder / "vocabulary.txt").write_text("\n".join(read.vocabulary.words) + "\n", "utf8")
    about = {
        "sizes": asdict(sizes),
        "training": asdict(training),
        "rows": read.rows,
        "different_rows": len(read.train) + len(read.held_out),
        "held_out": len(read.held_out),
        "words": read.words,
        "unknown": round(read.unknown, 4),
    }
    (folder / "about.json").write_text(json.dumps(about, indent=2) + "\n", "utf8")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser("python -m pretraining.news_encoder", description=__doc__)
    parser.add_argument("folder", type=Path, help="for what comes out")
    for kind in (Sizes, Training):
        for field in fields(kind):
            parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    given = vars(parser.parse_args())
    sizes, training = (
        kind(**{field.name: given[field.name] for field in fields(kind)})
        for kind in (Sizes, Training)
    )
    train(sizes, training, given["folder"])
    card.write(given["folder"])


if __name__ == "__main__":
    main()
