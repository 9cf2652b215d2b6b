"""The key of ``pretraining.mask_tokens``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.pretraining.mask_tokens import EXERCISE
from keys.input_classes import among_others, some


def _one_after_the_other(words, places):
    """The words from the first on, in the order of the places: a part of a mistake."""
    return words.ravel()[np.maximum(places.cumsum() - 1, 0)].reshape(words.shape)


def mask_tokens(
    ids: np.ndarray,
    chances: np.ndarray,
    kinds: np.ndarray,
    words: np.ndarray,
    mask_id: int,
    share: float,
) -> dict[str, np.ndarray | str]:
    """Hide a share of the words: of these 80 % become blanks, 10 % other words, 10 % stay.

    Args:
        ids: (..., T); those up to ``mask_id`` are padding, unknown words and blanks.
        chances, kinds: uniform random numbers (..., T).
        words: random words' ids (..., T).
        mask_id: of the blank.
        share: of the words that are asked for.

    Returns:
        inputs, targets, weights: (..., T), and whether the ids were changed.

    Reference: Devlin et al., section 3.1 and appendix A.1, https://arxiv.org/abs/1810.04805

    Example:
        >>> ids, kinds = np.array([7, 8, 9, 0]), np.array([0.5, 0.85, 0.95, 0.5])
        >>> found = mask_tokens(ids, np.zeros(4), kinds, np.full(4, 5), 2, 0.15)
        >>> found["inputs"].tolist(), found["weights"].tolist()
        ([2, 5, 9, 0], [1.0, 1.0, 1.0, 0.0])
    """
    asked = (chances < share) & (ids > mask_id)
    blank, other = kinds < 0.8, (kinds >= 0.8) & (kinds < 0.9)
    inputs = np.where(asked & blank, mask_id, ids)
    inputs = np.where(asked & other, words, inputs)
    targets, weights = ids, asked.astype(float)
    return {"inputs": inputs, "targets": targets, "weights": weights, "ids": "unchanged"}


KEY = Key(EXERCISE, mask_tokens)


KEY.mistake(
    "special_tokens_asked_for",
    "Padding, unknown words and blanks are asked for as well: there's nothing to learn from them.",
    " & (ids > mask_id)",
    "",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "changed_where_nothing_is_asked",
    "Words that nothing is asked about were changed, too: the kinds count only where the chance is "
    "below the share.",
    "asked & blank, mask_id",
    "(ids > mask_id) & blank, mask_id",
    "asked & other, words",
    "(ids > mask_id) & other, words",
)
KEY.mistake(
    "words_from_the_beginning",
    "The other words were taken from the beginning of `words`, one after the other: each comes "
    "from the place that it's put in.",
    "np.where(asked & other, words, inputs)",
    "np.where(asked & other, _one_after_the_other(words, asked & other), inputs)",
)
# Before the missing brackets, which beside weights of another kind give the same.
KEY.mistake(
    "nothing_hidden",
    "The inputs are the ids, unchanged: nothing is hidden from the model.",
    "asked & blank, mask_id, ids",
    "asked & blank, ids, ids",
    "np.where(asked & other, words, inputs)",
    "ids",
    cost=PART,
)
KEY.mistake(
    "brackets_missing",
    "Nothing is hidden and nothing is asked for. If you wrote `&` between two comparisons without "
    "brackets: it comes before `<` and `>`.",
    "(chances < share) & (ids > mask_id)",
    "((chances < share) & ids) > mask_id",
    cost=SLIP,
)
for _name, _hint, _new, _failure in (
    (
        "brackets_missing_and_fail",
        "`&` comes before `<`, so it met a number: each comparison needs brackets.",
        "chances < share &",
        "bitwise_and",
    ),
    (
        "and_of_arrays",
        "`and` asks whether a whole array is true: for arrays it's `&`, with brackets around each "
        "side.",
        "(chances < share) and",
        "truth value of an array",
    ),
):
    KEY.mistake(_name, _hint, "(chances < share) &", _new, cost=PART, failure=_failure)
KEY.mistake(
    "only_blanks_left_out",
    "Blanks are left out, but padding and unknown words are asked for: all ids up to that of the "
    "blank are special.",
    "ids > mask_id",
    "ids != mask_id",
    cost=SLIP,
)
KEY.mistake(
    "blanks_lost",
    "No word becomes a blank: putting in the other words begins with the ids again, and not with "
    "the inputs that have the blanks.",
    "np.where(asked & other, words, inputs)",
    "np.where(asked & other, words, ids)",
    cost=SLIP,
)
KEY.mistake(
    "blanks_for_words_that_stay",
    "Words of the kinds from 0.9 on became blanks: they stay.",
    "kinds < 0.8,",
    "(kinds < 0.8) | (kinds >= 0.9),",
    cost=SLIP,
)
KEY.mistake(
    "only_padding_left_out",
    "Padding is left out, but unknown words and blanks are asked for: all ids up to that of the "
    "blank are special.",
    "ids > mask_id",
    "ids > 0",
    cost=SLIP,
)
KEY.mistake(
    "unknown_words_asked_for",
    "Padding and blanks are left out, but unknown words are asked for: all ids up to that of the "
    "blank are special.",
    "ids > mask_id",
    "(ids != 0) & (ids != mask_id)",
    cost=SLIP,
)
KEY.mistake(
    "special_ids_between_asked_for",
    "Of the special ids, you leave out 0, 1 and that of the blank: with a larger mask_id, those in "
    "between are special as well.",
    "ids > mask_id",
    "(ids > 1) & (ids != mask_id)",
    cost=SLIP,
)
KEY.mistake(
    "texts_in_a_batch_alone",
    "Your code needs two axes, (batch, time): the ids may have any number of them, so a single "
    "text has to work, too.",
    "asked = (chances < share)",
    "if ids.ndim != 2:\n        raise ValueError\n    asked = (chances < share)",
    cost=SLIP,
)
KEY.mistake(
    "blank_asked_for",
    "A blank that's in the text already is asked for: its id is one of the special ones, too.",
    "ids > mask_id",
    "ids >= mask_id",
    cost=SLIP,
)
KEY.mistake(
    "first_word_left_out",
    "The word whose id comes right after the blank's is never asked for: it's an ordinary word.",
    "ids > mask_id",
    "ids > mask_id + 1",
    cost=SLIP,
)
KEY.mistake(
    "ids_of_the_blank_fixed",
    "You count on a blank whose id is 2: it's an argument, and every id up to it is special.",
    "ids > mask_id",
    "ids > 2",
    "blank, mask_id",
    "blank, 2",
    cost=SLIP,
)
KEY.mistake(
    "special_up_to_two",
    "You count the ids up to 2 as special: how many there are depends on the id of the blank.",
    "ids > mask_id",
    "ids > 2",
    cost=SLIP,
)
KEY.mistake(
    "blank_is_two",
    "You put a 2 in place of hidden words: the id of the blank is an argument.",
    "blank, mask_id",
    "blank, 2",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "share_fixed",
    "You always ask for 15 %: the share is an argument.",
    "chances < share",
    "chances < 0.15",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "all_but_the_share",
    "You ask for the words with large chances: those below the share are meant.",
    "chances < share",
    "chances >= share",
    cost=SLIP,
)
KEY.mistake(
    "every_word_asked_for",
    "Every word is asked for: the chances say which ones are.",
    "(chances < share) & (ids > mask_id)",
    "ids > mask_id",
    cost=PART,
)
KEY.mistake(
    "always_blank",
    "Every word that's asked for became a blank: 10 % should become another word, and 10 % stay.",
    "kinds < 0.8, (kinds >= 0.8) & (kinds < 0.9)",
    "kinds < 2, kinds > 2",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "no_other_word",
    "No word is replaced by another one: that's what the kinds from 0.8 to 0.9 are for.",
    "(kinds >= 0.8) & (kinds < 0.9)",
    "kinds > 2",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "none_stays",
    "No word that's asked for stays as it is: that's what the kinds from 0.9 on are for.",
    "(kinds >= 0.8) & (kinds < 0.9)",
    "kinds >= 0.8",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "blank_up_to_nine_tenths",
    "Words of the kinds from 0.8 to 0.9 became blanks: your limits give 90 % blanks.",
    "kinds < 0.8, (kinds >= 0.8) & (kinds < 0.9)",
    "kinds < 0.9, kinds >= 0.9",
    cost=SLIP,
)
KEY.mistake(
    "nine_tenths_blank",
    "Words of the kinds from 0.8 to 0.9 became blanks, and none is replaced by another.",
    "kinds < 0.8, (kinds >= 0.8) & (kinds < 0.9)",
    "kinds < 0.9, kinds > 2",
    cost=SLIP,
)
KEY.mistake(
    "other_and_same_exchanged",
    "The kinds from 0.8 to 0.9 stay, and those above become other words: it should be the other "
    "way round.",
    "(kinds >= 0.8) & (kinds < 0.9)",
    "kinds >= 0.9",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "kinds_reversed",
    "Small kinds stay and large ones become blanks: start with the blanks at 0.",
    "kinds < 0.8, (kinds >= 0.8) & (kinds < 0.9)",
    "kinds >= 0.2, (kinds >= 0.1) & (kinds < 0.2)",
    cost=SLIP,
)
KEY.mistake(
    "other_word_first",
    "Small kinds become other words: start with the blanks at 0, then come the other words.",
    "kinds < 0.8, (kinds >= 0.8) & (kinds < 0.9)",
    "(kinds >= 0.1) & (kinds < 0.9), kinds < 0.1",
    cost=SLIP,
)
KEY.mistake(
    "one_draw_for_both",
    "The chances decide what becomes of a word, too: that's what the kinds are for.",
    "kinds < 0.8, (kinds >= 0.8) & (kinds < 0.9)",
    "chances < 0.8 * share, (chances >= 0.8 * share) & (chances < 0.9 * share)",
)
KEY.mistake(
    "kinds_of_all_words",
    "Words that aren't asked for become blanks as well.",
    "asked & blank",
    "blank & (ids > mask_id)",
)
KEY.mistake(
    "blanks_everywhere",
    "The kinds alone decide where a blank goes, even in the padding: only tokens that are asked "
    "for change.",
    "asked & blank",
    "blank",
)
KEY.mistake(
    "other_words_everywhere",
    "Tokens that aren't asked for are replaced by other words.",
    "asked & other",
    "other",
)
KEY.mistake(
    "other_word_overwrites_blanks",
    "Words that should become blanks became other words.",
    "asked & blank, mask_id",
    "asked & blank, words",
    cost=SLIP,
)
KEY.mistake(
    "every_word_counts",
    "Every word has a weight of 1, whether it's asked for or not.",
    "asked.astype(float)",
    "(ids > mask_id).astype(float)",
)
KEY.mistake(
    "every_token_counts",
    "Every token has a weight of 1, even padding: only what's asked for counts.",
    "asked.astype(float)",
    "np.ones(ids.shape)",
)
KEY.mistake(
    "only_blanks_count",
    "Only blanks have a weight: words that were replaced or stayed are asked for as well, or the "
    "model needn't think about words that it can see.",
    "asked.astype(float)",
    "(asked & blank).astype(float)",
)
KEY.mistake(
    "only_changes_count",
    "Only places that changed have a weight: a word that stayed is asked for as well.",
    "asked.astype(float)",
    "(inputs != ids).astype(float)",
    paired=True,
)
KEY.mistake(
    "blanks_in_the_inputs_count",
    "The weights are 1 where the inputs have a blank: words that were replaced or stayed are asked "
    "for as well, and a blank of the text itself isn't.",
    "asked.astype(float)",
    "(inputs == mask_id).astype(float)",
)
KEY.mistake(
    "weights_inverted",
    "The weights are the wrong way round: 1 means that the word is asked for.",
    "asked.astype(float)",
    "1.0 - asked",
    cost=SLIP,
)
KEY.mistake(
    "weights_before_special",
    "The inputs leave special tokens alone, but the weights don't.",
    "asked.astype(float)",
    "(chances < share).astype(float)",
    cost=SLIP,
)
KEY.mistake(
    "targets_cleared",
    "The targets are the ids themselves, everywhere: which of them count is what the weights say.",
    "targets, weights = ids,",
    "targets, weights = np.where(asked, ids, 0),",
    cost=SLIP,
)
KEY.mistake(
    "targets_cleared_to_minus_hundred",
    "The targets are the ids themselves, everywhere: which of them count is what the weights say.",
    "targets, weights = ids,",
    "targets, weights = np.where(asked, ids, -100),",
    cost=SLIP,
)
KEY.mistake(
    "targets_are_the_inputs",
    "The targets are the inputs: the model would only learn to repeat what it reads.",
    "targets, weights = ids,",
    "targets, weights = inputs,",
)
KEY.mistake(
    "ids_changed",
    "Your function changes the array that it got: work on a copy.",
    '"ids": "unchanged"',
    '"ids": "changed" if (inputs != ids).any() else "unchanged"',
    cost=SLIP,
)
KEY.mistake(
    "changed_in_place",
    "The hidden words are gone, because you changed the array that you got: work on a copy, or the "
    "targets change with it.",
    "targets, weights = ids,",
    "targets, weights = inputs,",
    '"ids": "unchanged"',
    '"ids": "changed" if (inputs != ids).any() else "unchanged"',
    cost=SLIP,
)


@KEY.add("Targets and weights are swapped: the targets come second.", cost=SLIP)
def targets_and_weights_swapped(ids, chances, kinds, words, mask_id, share):
    right = mask_tokens(ids, chances, kinds, words, mask_id, share)
    return right | {"targets": right["weights"], "weights": right["targets"]}


@KEY.add(
    "Inputs and targets are swapped: the inputs are what the model reads, with blanks.", cost=SLIP
)
def inputs_and_targets_swapped(ids, chances, kinds, words, mask_id, share):
    right = mask_tokens(ids, chances, kinds, words, mask_id, share)
    return right | {"inputs": right["targets"], "targets": right["inputs"]}


def _places(given: Mapping[str, Any], special: bool, least: float, below: float) -> int:
    """How many special tokens, or words, are drawn, with a kind in some range."""
    drawn = given["chances"] < given["share"]
    of_kind = (given["kinds"] >= least) & (given["kinds"] < below)
    return int((drawn & of_kind & ((given["ids"] <= given["mask_id"]) == special)).sum())


def _parities(given: Mapping[str, Any]) -> np.ndarray:
    """Whether each token's id is odd, whether it's drawn, and which kind it has (3, tokens)."""
    drawn = given["chances"] < given["share"]
    kind = np.digitize(given["kinds"], [0.8, 0.9])
    return np.stack([given["ids"] % 2, drawn, kind]).reshape(3, -1)


INPUT_CLASSES = {
    "odd and even ids, drawn and not, for each kind": some(
        lambda given: (
            len({tuple(kind) for kind in _parities(given).T}) == 12
            and given["ids"].min() > given["mask_id"]
        )
    ),
    "words alone": some(lambda given: given["ids"].min() > given["mask_id"]),
    "a word just above the special tokens": among_others(
        lambda given: (given["ids"] == given["mask_id"] + 1).any()
    ),
    "padding, unknown words and blanks": among_others(
        lambda given: set(range(given["mask_id"] + 1)) <= set(given["ids"].flat)
    ),
    "words to be replaced by the blank": some(lambda given: _places(given, False, 0, 0.8)),
    "words to be replaced by another": some(lambda given: _places(given, False, 0.8, 0.9)),
    "words to be left as they are": some(lambda given: _places(given, False, 0.9, 1)),
    "special tokens with small chances, of each kind": among_others(
        lambda given: (
            _places(given, True, 0, 0.8)
            and _places(given, True, 0.8, 0.9)
            and _places(given, True, 0.9, 1)
        )
    ),
    "a text in which many words are drawn": some(
        lambda given: (given["chances"] < given["share"])[..., :11].sum(axis=-1).max() >= 6
    ),
    "a text without a batch": some(lambda given: given["ids"].ndim == 1),
    "a share that isn't 0.15": among_others(lambda given: given["share"] != 0.15),
    "a blank that isn't 2": among_others(lambda given: given["mask_id"] != 2),
    "nothing drawn": some(lambda given: (given["chances"] > given["share"]).all()),
    "a word that is drawn to replace itself": some(
        lambda given: (
            (given["words"] == given["ids"])
            & (given["chances"] < given["share"])
            & (given["kinds"] >= 0.8)
            & (given["kinds"] < 0.9)
        ).any()
    ),
}
