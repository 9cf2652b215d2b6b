"""Texts become rows of ids."""

import numpy as np
import pytest
import tensorflow as tf

from course.data import datasets, word_ids

TEXTS = ["Oil, oil, OIL!", "Oil falls!", "Gold falls.", "Gold?", "A single one!"]


def test_words_of_two_texts_or_more_get_ids_the_most_frequent_first():
    assert word_ids.word_index(TEXTS) == {"!": 2, "oil": 3, "falls": 4, "gold": 5}


def test_no_more_ids_than_asked_for_padding_and_unknown_included():
    assert word_ids.word_index(TEXTS, most=4) == {"!": 2, "oil": 3}


def test_other_words_are_unknown():
    assert word_ids.ids_of(["Oil rises!"], {"oil": 2, "!": 3}) == [[2, word_ids.UNKNOWN, 3]]


def test_rows_are_cut_or_filled_up_at_their_ends():
    assert word_ids.padded([[2, 3, 4], [5]], 2).tolist() == [[2, 3], [5, word_ids.PADDING]]


def test_a_split_as_arrays():
    split = tf.data.Dataset.from_tensor_slices((["Öl", "Gold"], [1, 0]))
    texts, labels = word_ids.arrays(split)
    assert texts == ["Öl", "Gold"]
    assert labels.tolist() == [1, 0]


@pytest.fixture(scope="module")
def parts():
    return word_ids.prepare(datasets.load("ag_news", source="sample"), most=200, length=6)


def test_a_tenth_of_the_training_texts_is_held_out(parts):
    assert [len(part.ids) for part in parts[1:]] == [180, 20, 200]
    every = [text for part in (parts.learned, parts.held_out) for text in part.texts]
    data = datasets.load("ag_news", source="sample")
    assert sorted(every) == sorted(data.train.take(200).batch(200).get_single_element()[0].numpy())


def test_each_text_keeps_its_label(parts):
    data = datasets.load("ag_news", source="sample")
    texts, labels = data.train.take(200).batch(200).get_single_element()
    labels = dict(zip(texts.numpy(), labels.numpy(), strict=True))
    for part in (parts.learned, parts.held_out):
        assert [labels[text] for text in part.texts] == part.labels.tolist()


def test_ids_are_words_of_the_training_texts_cut_off_or_padded(parts):
    for part in parts[1:]:
        assert part.ids.shape == (len(part.texts), 6)
        assert part.ids.max() < parts.vocabulary_size
    # The same word has the same id in every part.
    first = {}
    for part in parts[1:]:
        for text, ids in zip(part.texts, part.ids, strict=True):
            word = text.decode().lower().split()[0]
            if word.isalpha():
                assert first.setdefault(word, ids[0]) == ids[0]
    assert len(set(first.values())) > 5


def test_more_texts_than_there_are_give_all_of_them():
    data = datasets.load("ag_news", source="sample")
    parts = word_ids.prepare(data, most=10**6, length=2)
    assert len(parts.learned.ids) + len(parts.held_out.ids) == len(data.train)
    assert len(parts.test.labels) == len(data.test)
    assert np.issubdtype(parts.test.labels.dtype, np.integer)
