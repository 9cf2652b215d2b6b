"""What the encoder of lesson 07 is worth with few labels, beside TF-IDF, LSA and others.

``COURSE_DATA=<folder> python -m benchmarks.few_labels`` trains it on AG News' articles without
their labels, in the lesson's own cells, and learns topics from 20 to 400 labelled ones, ten draws
each. It takes some ten minutes on two cores, and fails unless the encoder is ahead as the lesson
says. ``benchmarks/few_labels.md`` has the figures, made with a copy of AG News that has 41,713 of
the 120,000 training articles.
"""

from __future__ import annotations

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import collections
import sys
import time
from types import SimpleNamespace

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from benchmarks.recipes import demonstrations
from course import models
from course.data import datasets, masked_words
from course.experiments import few_labels
from course.figures import plots
from course.models.words import split

CELLS = ("few-data", "vocabulary", "encoder", "start", "frozen", "tuned", "order-measured")
SECONDS = 300
"""How many CPU seconds the encoder may train for."""
AHEAD = {"TF-IDF": 0.10, "LSA": 0.03}
"""By how much the frozen encoder has to be ahead with 100 labels."""
STRENGTHS = {
    "TF-IDF": (0.1, 1.0, 10.0, 100.0),
    "LSA": (0.1, 1.0, 10.0, 100.0),
    "frozen": (0.003, 0.01, 0.03, 0.1, 0.3),
    "news-encoder": (0.003, 0.01, 0.03, 0.1, 0.3),
}
"""C, tried on labelled training articles that no draw uses."""


def lesson() -> SimpleNamespace:
    """The lesson's functions, and the data that they work on."""
    return demonstrations(
        "07-pretraining",
        CELLS,
        collections=collections,
        datasets=datasets,
        few_labels=few_labels,
        masked_words=masked_words,
        models=models,
        split=split,
        time=time,
    )


def chosen_strengths(of: SimpleNamespace, labels: int = 100) -> dict[str, float]:
    """By method, the strength that is best on 2,000 training articles that no draw uses."""
    draws = [few_labels.drawn(of.labels, labels, draw) for draw in range(of.DRAWS)]
    others = np.setdiff1d(range(len(of.labels)), of.draws.places())
    others = np.random.RandomState(99).permutation(others)
    held_out = others[:2000]
    encoder = of.pretrained()[0]
    needed = np.concatenate([*draws, held_out])
    shipped = np.zeros((len(of.texts), 128))
    shipped[needed] = models.load("news-encoder").embed([of.texts[n] for n in needed])
    vectors = {
        "LSA": few_labels.lsa(of.texts, of.test_texts)[0],
        "frozen": scaled(of.features(encoder, of.ids), slice(None)),
        "news-encoder": scaled(shipped, needed),
    }

    def words(chosen: np.ndarray) -> tuple[object, object]:
        tf_idf = TfidfVectorizer(sublinear_tf=True)
        train = tf_idf.fit_transform([of.texts[n] for n in chosen])
        return train, tf_idf.transform([of.texts[n] for n in held_out])

    found = {}
    for method, strengths in STRENGTHS.items():
        means = {}
        for strength in strengths:
            regression = LogisticRegression(C=strength, max_iter=500)
            scores = []
            for chosen in draws:
                if method == "TF-IDF":
                    train, test = words(chosen)
                else:
                    train, test = vectors[method][chosen], vectors[method][held_out]
                regression.fit(train, of.labels[chosen])
                scores.append(regression.score(test, of.labels[held_out]))
            means[strength] = float(np.mean(scores))
        print(method, {strength: round(mean, 3) for strength, mean in means.items()}, flush=True)
        found[method] = max(means, key=lambda strength: means[strength])
    return found


def scaled(vectors: np.ndarray, of: slice | np.ndarray) -> np.ndarray:
    """Standardised by the mean and deviation of some rows."""
    return (vectors - vectors[of].mean(axis=0)) / (vectors[of].std(axis=0) + 1e-6)


def shown(sizes: tuple[int, ...], accuracy: dict[str, np.ndarray]) -> None:
    """Print means and the half lengths of their 95 % intervals, as a table."""
    print("| labels |" + "".join(f" {size} |" for size in sizes))
    print("|---|" + "---|" * len(sizes))
    for method, values in accuracy.items():
        cells = [plots.interval(draws) for draws in values]
        print(f"| {method} |" + "".join(f" {mean:.3f} ± {half:.3f} |" for mean, half in cells))
    sys.stdout.flush()


def main() -> None:
    """Run the command."""
    of = lesson()
    print(of.news.description)
    _, losses, seconds = of.pretrained()
    print(
        f"trained in {seconds:.0f} CPU seconds, losses {np.round(losses, 3).tolist()}", flush=True
    )
    strengths = chosen_strengths(of)
    used = {method: of.C[method] for method in strengths}
    print(f"best strengths {strengths}, the lesson's {used}", flush=True)
    right = of.measured_frozen()
    accuracy = {method: answers.mean(axis=2) for method, answers in right.items()}
    shown(of.SIZES, accuracy)
    accuracy["fine-tuned"] = of.measured_tuned().mean(axis=2)
    shown(of.SIZES, accuracy)
    print("\nArticles of the sample in which order decides:")
    shown(of.SIZES, of.order_measured())
    means = {method: values.mean(axis=1) for method, values in accuracy.items()}
    at = of.SIZES.index(100)
    failures = [] if seconds <= SECONDS else [f"training took {seconds:.0f} CPU seconds"]
    for method, least in AHEAD.items():
        ahead = means["frozen"] - means[method]
        print(f"frozen ahead of {method} by {np.round(ahead, 3).tolist()}")
        if ahead[at] < least or (ahead <= 0).any():
            failures.append(f"ahead of {method} by {np.round(ahead, 3).tolist()}")
    if failures:
        raise SystemExit("; ".join(failures))


if __name__ == "__main__":
    main()
