"""Subwords by byte-pair encoding: letters, merged pair by pair where they're neighbours often."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

Pair = tuple[str, str]


class Subwords:
    """Cuts words into the pieces that merges make.

    Args:
        merges: pairs of neighbouring pieces, in the order in which they are merged.

    Example:
        >>> pieces = Subwords([("i", "n"), ("in", "g")])
        >>> pieces.cut("winning"), pieces(["win", "king"])
        (['w', 'in', 'n', 'ing'], ['w', 'in', 'k', 'ing'])
    """

    def __init__(self, merges: Sequence[Pair]) -> None:
        self.merges = tuple(merges)
        self._order = {pair: number for number, pair in enumerate(self.merges)}
        self._cut: dict[str, list[str]] = {}

    def cut(self, word: str) -> list[str]:
        """The pieces of a word: its letters after all merges, in their order."""
        if word not in self._cut:
            pieces = list(word)
            while known := set(pairwise(pieces)) & self._order.keys():
                pieces = _merged(pieces, min(known, key=self._order.__getitem__))
            self._cut[word] = pieces
        return list(self._cut[word])

    def __call__(self, tokens: Sequence[str]) -> list[str]:
        """The pieces of all tokens, one after the other."""
        return [piece for token in tokens for piece in self.cut(token)]


def learn(counts: Mapping[str, int], how_many: int) -> Subwords:
    """Merge the most frequent pair of neighbouring pieces, again and again.

    Of several equally frequent pairs, the one that was seen first is merged.

    Args:
        counts: how often each word occurs.
        how_many: merges to learn; fewer where no pair is left.

    Example:
        >>> learn({"in": 1, "win": 1, "king": 2}, 3).merges
        (('i', 'n'), ('k', 'in'), ('kin', 'g'))

    Reference: Sennrich, Haddow and Birch (2016), "Neural Machine Translation of Rare Words with
    Subword Units", algorithm 1.
    """
    words = list(counts)
    pieces = [list(word) for word in words]
    pairs: Counter[Pair] = Counter()
    words_with: dict[Pair, set[int]] = defaultdict(set)
    for number, word in enumerate(words):
        for pair in pairwise(word):
            pairs[pair] += counts[word]
            words_with[pair].add(number)
    merges: list[Pair] = []
    while pairs and len(merges) < how_many:
        best = max(pairs, key=pairs.__getitem__)
        if not pairs[best]:
            break
        merges.append(best)
        # In the order of the words: which of two equal pairs was seen first depends on it.
        for number in sorted(words_with[best]):
            times = counts[words[number]]
            for pair in pairwise(pieces[number]):
                pairs[pair] -= times
            pieces[number] = _merged(pieces[number], best)
            for pair in pairwise(pieces[number]):
                pairs[pair] += times
                words_with[pair].add(number)
    return Subwords(merges)


def _merged(pieces: Sequence[str], pair: Pair) -> list[str]:
    """Pieces in which a pair is joined wherever it occurs, from left to right."""
    joined: list[str] = []
    for piece in pieces:
        if joined and (joined[-1], piece) == pair:
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined
