"""Batches of similar lengths hold every text once; only places that are asked for count."""

import numpy as np

from course.data import masked_words


def rows_of(lengths, longest=20):
    return np.where(np.arange(longest) < np.array(lengths)[:, None], 5, 0)


def test_every_text_is_in_one_batch_and_none_is_cut():
    lengths = np.random.RandomState(1).randint(1, 20, 128)
    found = list(masked_words.batches(rows_of(lengths), np.random.RandomState(0), size=32))
    assert len(found) == 4
    read = [(batch > 0).sum(axis=1) for batch in found]
    assert sorted(np.concatenate(read)) == sorted(lengths)
    assert all(batch.shape[1] in (8, 16, 20) for batch in found)


def test_a_batch_holds_texts_of_similar_lengths():
    rows = rows_of([2] * 32 + [19] * 32)
    found = list(masked_words.batches(rows, np.random.RandomState(0), size=32))
    assert sorted(batch.shape[1] for batch in found) == [8, 20]


def test_texts_that_do_not_fill_a_batch_are_left_out():
    found = list(masked_words.batches(rows_of([3] * 70), np.random.RandomState(0), size=32))
    assert [len(batch) for batch in found] == [32, 32]


class TestAskedFor:
    TARGETS = np.arange(40).reshape(4, 10)

    def asked(self, places, share=0.2):
        weights = np.zeros(40)
        weights[list(places)] = 1.0
        inputs = np.where(weights.reshape(4, 10) > 0, 2, self.TARGETS)
        return masked_words.asked_for(inputs, self.TARGETS, weights.reshape(4, 10), share)

    def test_names_the_places_and_what_was_there(self):
        inputs, places, targets, weights = self.asked([3, 17, 25])
        assert (inputs.ravel()[[3, 17, 25]] == 2).all()
        assert places[weights > 0].tolist() == targets[weights > 0].tolist() == [3, 17, 25]

    def test_has_the_same_shape_however_many_are_asked_for(self):
        for asked in ([], [1], range(8), range(30)):
            _, places, targets, weights = self.asked(asked)
            assert places.shape == targets.shape == weights.shape == (9,)
            assert weights.sum() == min(9, len(asked))
