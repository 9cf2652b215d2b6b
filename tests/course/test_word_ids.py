"""Texts become rows of ids."""

import tensorflow as tf

from course import word_ids

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
