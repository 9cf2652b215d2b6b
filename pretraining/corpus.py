"""News articles without their labels, as ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course.data import datasets
from course.models.words import SPECIAL, Vocabulary, split

DATA_SETS = ("ag_news", "news_category")
# Agencies' names open half of the articles, and would be learned as the start of a sentence.
_AGENCY = re.compile(r"(?:[A-Z][A-Z .,]+ )?\(?\b(?:Reuters|AP|AFP)\b\)?(?:\s+-+)?")


@dataclass(frozen=True)
class Corpus:
    """Articles as ids.

    Args:
        vocabulary: of the words that occur most often.
        train, held_out: ids (articles, length), filled up with padding.
        rows: by data set, how many articles there are.
        words: in all of them, before they were cut.
        unknown: share of the words that the vocabulary lacks.
    """

    vocabulary: Vocabulary
    train: np.ndarray
    held_out: np.ndarray
    rows: dict[str, int]
    words: int
    unknown: float


def read(vocabulary_size: int, length: int, held_out: int = 2000) -> Corpus:
    """Read the articles of the training splits.

    Args:
        vocabulary_size: with the special entries.
        length: words of an article; what follows is cut.
        held_out: so many articles are kept from training.
    """
    rows, articles = {}, []
    for name in DATA_SETS:
        texts = _texts(name)
        rows[name] = len(texts)
        articles += [_words(text) for text in texts]
    counted = Counter(word for article in articles for word in article)
    common = [word for word, _ in counted.most_common(vocabulary_size - len(SPECIAL))]
    vocabulary = Vocabulary([*SPECIAL, *common])
    total = counted.total()
    ids = _rows(vocabulary, articles, length)
    # The same articles may stand in both parts of a random split, under two labels.
    ids = np.unique(ids, axis=0)
    shuffled = np.random.RandomState(1).permutation(len(ids))
    return Corpus(
        vocabulary,
        ids[shuffled[held_out:]],
        ids[shuffled[:held_out]],
        rows,
        total,
        1 - sum(counted[word] for word in common) / total,
    )


def _words(text: str) -> list[str]:
    # Some articles have blanks of their own, as in "fill in ___": nobody knows what was meant.
    return [word for word in split(_AGENCY.sub(" ", text)) if word not in SPECIAL]


def _texts(name: str) -> list[str]:
    train = datasets.load(name, source="real").train
    texts = train.batch(len(train)).map(lambda text, _: text).get_single_element()
    return [text.decode("utf8") for text in texts.numpy()]


def _rows(vocabulary: Vocabulary, articles: Sequence[Sequence[str]], length: int) -> np.ndarray:
    rows = np.full((len(articles), length), vocabulary.padding, np.int32)
    for row, article in zip(rows, articles, strict=True):
        ids = vocabulary.ids(article[:length])
        row[: len(ids)] = ids
    return rows
