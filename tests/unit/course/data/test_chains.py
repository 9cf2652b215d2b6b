"""Chained articles: what a chain is made of, and where its odd article is."""

import numpy as np
import pytest

from course.data.chains import chained

# Article n of topic t is made of the number 100 t + n alone, so that it can be recognised.
LENGTHS = [3, 5, 8, 4, 6, 7]
TOPICS = np.array([0, 0, 1, 1, 2, 2])
ARTICLES = [[100 * t + n] * size for n, (t, size) in enumerate(zip(TOPICS, LENGTHS, strict=True))]


def made(**changes):
    return chained(ARTICLES, TOPICS, **{"chains": 200, "length": 60, "seed": 3} | changes)


def test_a_chain_has_one_article_of_its_label_and_all_others_of_one_topic():
    found = made()
    assert found.ids.shape == (200, 60)
    for ids, label, start, stop in zip(
        found.ids, found.labels, found.starts, found.stops, strict=True
    ):
        topics = ids // 100
        assert (topics[start:stop] == label).all()
        assert stop - start == LENGTHS[ids[start] % 100]
        others = np.delete(topics, np.arange(start, stop))
        assert len(set(others)) == 1
        assert others[0] != label


def test_the_odd_article_is_anywhere_and_of_any_topic():
    found = made(chains=2000)
    assert found.starts.min() == 0
    assert found.stops.max() == 60
    assert abs(((found.starts + found.stops) / 2).mean() - 30) < 1.5
    assert np.bincount(found.labels).min() > 550


def test_the_seed_decides_and_nothing_else():
    assert (made().ids == made().ids).all()
    assert (made().ids != made(seed=4).ids).any()


def test_long_articles_are_cut():
    assert (made(longest=4).stops - made(longest=4).starts).max() == 4


@pytest.mark.parametrize("changes", [{"length": 10}, {"topics": np.zeros(6, int)}])
def test_chains_that_cannot_be_made_are_refused(changes):
    topics = changes.pop("topics", TOPICS)
    with pytest.raises(ValueError, match="two topics and room for two articles"):
        chained(ARTICLES, topics, **{"chains": 2, "length": 60} | changes)
