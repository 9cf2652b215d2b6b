"""Trials: what is drawn, what is held out, and that nothing else changes with a step."""

import numpy as np
import pytest

from course.experiments.ablation import Trials, by_word, difference

RANDOM = np.random.RandomState(1)
LABELS = RANDOM.randint(2, size=400)
# A word that tells the class, most of the time, among others that tell nothing; n names the text.
TEXTS = [
    f"{('bad', 'good')[label if RANDOM.uniform() < 0.9 else 1 - label]} "
    f"{' '.join(RANDOM.choice(list('abcdefgh'), 6))} n{number}"
    for number, label in enumerate(LABELS)
]


def trials(size=80):
    return Trials(TEXTS, LABELS, str.split, size=size)


def texts_seen(draw, made):
    """The numbers of the texts that a run learned from, and of those that it scored."""
    seen = []

    def step(tokens):
        seen.append(int(tokens[-1][1:]))
        return tokens

    made.verdicts(draw, step=step)
    return seen[: made.drawn], seen[made.drawn :]


def test_held_out_texts_are_the_same_for_every_draw_and_never_learned_from():
    made = trials()
    (first, scored), (second, again) = texts_seen(0, made), texts_seen(1, made)
    assert len(first) == len(set(first)) == len(scored) == 80
    assert sorted(scored) == sorted(again)
    assert set(first) != set(second)
    assert not set(scored) & {*first, *second}
    assert texts_seen(0, trials())[0] == first


def test_no_more_than_a_quarter_is_held_out_and_half_of_the_rest_drawn():
    made = trials(size=1000)
    assert (made.held_out, made.drawn) == (100, 150)


def test_the_word_that_tells_the_class_is_learned_and_without_it_nothing_is():
    made = trials()
    assert made.verdicts(0).mean() > 0.8
    assert made.verdicts(0, step=lambda tokens: tokens[1:]).mean() < 0.65


@pytest.mark.parametrize("changed", [{"C": 0.001}, {"use_idf": False}, {"min_df": 5}])
def test_what_is_changed_reaches_the_model(changed, monkeypatch):
    import sklearn.feature_extraction.text as text
    import sklearn.linear_model as linear

    given = {}
    for module, name in ((text, "TfidfVectorizer"), (linear, "LogisticRegression")):
        original = getattr(module, name)

        def remember(original=original, **options):
            given.update(options)
            return original(**options)

        monkeypatch.setattr(module, name, remember)
    trials().verdicts(0, **changed)
    assert changed.items() <= given.items()
    assert given["sublinear_tf"] is True


def test_the_same_run_is_done_once():
    made, calls = trials(), []

    def step(tokens):
        calls.append(tokens)
        return tokens

    first = made.verdicts(0, step=step)
    count, kept = len(calls), first.copy()
    first[:] = False  # the caller's own array
    np.testing.assert_array_equal(made.verdicts(0, step=step), kept)
    assert len(calls) == count
    made.verdicts(0, step=step, C=1.0)
    assert len(calls) == 2 * count


def test_a_step_may_change_the_list_that_it_gets():
    made = trials()
    before = made.verdicts(0, step=lambda tokens: [*tokens])
    made.verdicts(0, step=lambda tokens: tokens.clear() or ["x"])
    after = made.verdicts(0, step=lambda tokens: [*tokens, "x"][:-1])
    np.testing.assert_array_equal(after, before)


def test_verdicts_are_about_the_same_texts_in_every_draw():
    made = trials()
    # The word that tells the class tells a lie in some texts: there every draw is wrong.
    told = [text.startswith("good") == label for text, label in zip(TEXTS, LABELS, strict=True)]
    scored = texts_seen(0, made)[1]
    words = {"step": lambda tokens: tokens[:1]}
    for draw in range(2):
        np.testing.assert_array_equal(made.verdicts(draw, **words), np.array(told)[scored])


def test_a_difference_and_its_standard_error_are_those_of_the_texts_whose_verdict_changes():
    first = [True] * 90 + [False] * 10
    # 4 of 100 get worse, 8 better.
    second = [False] * 4 + [True] * 94 + [False] * 2
    gain, error = difference(first, second)
    assert gain == pytest.approx(0.04)
    assert error == pytest.approx(np.sqrt((0.12 - 0.04**2) / 100))
    assert difference(second, first) == pytest.approx((-0.04, error))
    assert difference(first, first) == (0.0, 0.0)


def test_by_word_asks_for_every_word_once():
    asked = []

    def stem(tokens):
        asked.extend(tokens)
        return np.array([token[:2] for token in tokens])

    step = by_word(stem)
    assert step(["cats", "dogs", "cats"]) == ["ca", "do", "ca"]
    assert step(["dogs"]) == ["do"]
    assert asked == ["cats", "dogs"]
