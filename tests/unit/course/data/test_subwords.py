"""Byte-pair encoding: the pairs by hand, and pieces that always make up the word."""

from collections import Counter
from itertools import pairwise

import pytest

from course.data import subwords

WORDS = "in win wins winning sin sing singing king ring rings"


def test_the_most_frequent_pair_of_neighbours_is_merged_first():
    ten = subwords.learn(Counter(WORDS.split()), 5)
    assert [first + second for first, second in ten.merges] == ["in", "ing", "win", "sing", "ring"]


def test_the_words_of_the_paper_fall_into_its_pieces():
    """Sennrich et al. (2016), algorithm 1; "$" ends a word. Which of equals comes first is free."""
    learned = subwords.learn({"low$": 5, "lower$": 2, "newest$": 6, "widest$": 3}, 5)
    assert learned.merges[0] == ("e", "s")
    assert learned.cut("lowest$") == ["low", "est$"]
    assert learned.cut("newest$") == ["n", "e", "w", "est$"]


def test_a_word_counts_as_often_as_it_occurs():
    assert subwords.learn({"ab": 1, "cd": 2}, 2).merges == (("c", "d"), ("a", "b"))


def test_of_equally_frequent_pairs_the_one_seen_first_is_merged():
    assert subwords.learn({"cd": 1, "ab": 1}, 1).merges == (("c", "d"),)


@pytest.mark.parametrize("counts", [{}, {"a": 3}, {"abc": 1}])
def test_learning_ends_where_no_pair_is_left(counts):
    learned = subwords.learn(counts, 10)
    assert all(learned.cut(word) == [word] for word in counts)


def test_every_merge_joins_the_most_frequent_pair_that_there_is():
    """Pairs are counted again before each merge, in words cut by the earlier ones."""
    counts = Counter(WORDS.split()) + Counter({"sings": 3, "banana": 3, "aaaa": 2, "abab": 1})
    merges = subwords.learn(counts, 40).merges
    for number, best in enumerate(merges):
        before = subwords.Subwords(merges[:number])
        pairs = Counter()
        for word, times in counts.items():
            pieces = before.cut(word)
            for pair in pairwise(pieces):
                pairs[pair] += times
        assert pairs[best] == max(pairs.values()) > 0


def test_merges_are_applied_in_the_order_in_which_they_were_learned():
    ten = subwords.learn(Counter(WORDS.split()), 5)
    # "w" meets no "in" where both have become "ing".
    assert ten.cut("swinging") == ["s", "w", "ing", "ing"]
    assert subwords.Subwords([("a", "a")]).cut("aaaaa") == ["aa", "aa", "a"]


def test_the_pieces_make_up_every_word():
    ten = subwords.learn(Counter(WORDS.split()), 5)
    for word in [*WORDS.split(), "unforgettable", "é", ""]:
        assert "".join(ten.cut(word)) == word


def test_the_pieces_of_a_text_are_those_of_its_words_and_none_is_shared():
    ten = subwords.learn(Counter(WORDS.split()), 5)
    assert ten(["kings", "win"]) == ["k", "ing", "s", "win"]
    ten.cut("win").append("x")
    assert ten.cut("win") == ["win"]
