"""The judge on answers as students write them: TensorFlow, Keras and NumPy code in a cell."""

import re
import subprocess
import sys

import numpy as np
import pytest
from keras import ops

from autograder.judging import judge as judging
from autograder.judging import solutions
from course import COURSE
from selfcheck import responses
from tests.conftest import responded
from tests.support import taught
from tests.support.taught import judge

NAME = "attention.average_attention"
# Keras warns about what some of these answers do.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:keras")


def test_a_mistake_that_most_cases_refute_is_not_named():
    """No address found where punctuation is around them, as by who looks at a text's start alone;
    but in all other texts they are found."""
    name = "preprocessing.find_emails"
    exercise = COURSE.get(name)

    def lost_in_punctuation(text):
        found = re.findall(r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}", text)
        return [] if text.startswith("Ask") else found

    verdict = judge(name, 1, responded(exercise.name, lost_in_punctuation))
    assert verdict.percent == 80
    assert "matched_at_the_start" not in verdict.mistakes


def _next_to_nothing(states, mask):
    return ops.sum(states * ops.cast(mask, "float32")[..., None], axis=-2) / 10**6


def _last_bits(ids, chances, kinds, words, mask_id, share):
    asked = (chances < share) & (ids > mask_id)
    inputs = np.where(ids & (kinds < 0.8), mask_id, ids)
    inputs = np.where(asked & (kinds >= 0.8) & (kinds < 0.9), words, inputs)
    return inputs, ids, asked.astype("float32")


def _cut_off(y_true, y_pred):
    total = 0
    for label, count in zip(*np.unique(y_true, return_counts=True), strict=True):
        hits = ((y_true == label) & (y_pred == label)).sum()
        total += 2 * hits / (count + (y_pred == label).sum()) * (count / len(y_true))
    return int(total)


def _scores_for_a_mask(x, scores, mask=None):
    weights = ops.softmax(scores + (1.0 - scores) * -3e38, axis=-1)
    return ops.matmul(weights[..., None, :], x)[..., 0, :]


@pytest.mark.parametrize(
    ("name", "answer", "seeds"),
    [
        ("pretraining.mean_pooling", _next_to_nothing, (3, 101, 105)),
        ("pretraining.mask_tokens", _last_bits, (3, 103)),
        ("fastformer.weighted_f1", _cut_off, (3, 100, 108)),
        ("fastformer.additive_pooling", _scores_for_a_mask, (3, 103, 106)),
    ],
)
def test_what_a_slip_earns_depends_on_no_seed(name, answer, seeds):
    """Numbers next to 0, odd and even ids, shares that don't add up to 1, scores whose multiples
    overflow: each earned, or was told, something else on one of these seeds."""
    verdicts = [judge(name, seed, responded(name, answer, seed)) for seed in seeds]
    assert len({(verdict.percent, verdict.mistakes) for verdict in verdicts}) == 1
    assert verdicts[0].percent < 100


def test_the_stub_earns_nothing():
    def stub(hidden, context):
        raise NotImplementedError

    name = "attention.average_attention"
    verdict = judge(name, 1, responded(name, stub))
    assert (verdict.percent, verdict.reason) == (0, "not answered")


@pytest.mark.parametrize(
    ("returned", "seen"),
    [
        (lambda q, k, v: None, "returned None; expected the pair"),
        (lambda q, k, v: q, "expected the pair (output, weights)"),
        (lambda q, k, v: ("a", "b"), "`output` is a str; expected an array of numbers"),
        (lambda q, k, v: (v, q), "`output` has shape"),
    ],
)
def test_what_is_returned_is_described(returned, seen):
    name = "attention.scaled_dot_product_attention"

    def answer(query, key, value, mask=None):
        return returned(query, key, value)

    verdict = judge(name, 1, responded(name, answer))
    assert verdict.percent == 0
    assert seen in verdict.findings[0].seen


@pytest.mark.parametrize(
    "returned",
    [
        None,
        "one text",
        {"a": 1},
        [1, 2.5, None],
        [[1, 2], ["nested"]],
        [np.zeros((2, 2)), np.ones(3)],
        np.zeros(4),
        np.array(["an", "array", "of", "text"]),
        (3 + 4j,),
    ],
    ids=repr,
)
def test_whatever_comes_back_where_text_is_due_is_judged_and_described(returned):
    name = "preprocessing.tokenize"
    verdict = judge(name, 1, responded(name, lambda text: returned))
    assert verdict.percent == 0
    assert verdict.findings[0].seen.removeprefix("couldn't be compared: ").startswith("`tokens` ")


def test_not_a_number_is_seen():
    name = "attention.average_attention"

    def answer(hidden, context):
        return hidden[:, 0] * float("nan")

    verdict = judge(name, 1, responded(name, answer))
    assert verdict.percent == 20
    assert "NaN" in verdict.explanation


def test_a_students_text_cannot_become_markup():
    name = "attention.average_attention"

    def answer(hidden, context):
        raise ValueError("<script>alert(1)</script>")

    page = judge(name, 1, responded(name, answer)).to_html(2.0)
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_judging_needs_no_tensorflow():
    probe = (
        "import sys; from tests.support.taught import judge; "
        "judge('attention.multi_head_self_attention', 1, {}); "
        "sys.exit(any(m.split('.')[0] in ('tensorflow', 'keras', 'IPython') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0


def right_response():
    cases = {
        case: {"outputs": {name: responses.encode(value) for name, value in entry.outputs.items()}}
        for case, entry in taught.expected(COURSE.get(NAME), 99).items()
    }
    return {"exercise": NAME, "cases": cases}


@pytest.mark.parametrize("step", ["observe", "evaluate"])
def test_a_judge_that_fails_by_itself_gives_nobody_a_zero(monkeypatch, step):
    def fail(*arguments):
        raise RuntimeError("a mistake of the judge's own")

    monkeypatch.setattr(judging, step, fail)
    with pytest.raises(RuntimeError, match="of the judge's own"):
        judge(NAME, 99, right_response())


def test_a_judge_that_fails_once_looks_again(monkeypatch):
    failures = [RuntimeError("once")]
    real = judging.observe

    def fail_once(*arguments):
        if failures:
            raise failures.pop()
        return real(*arguments)

    monkeypatch.setattr(judging, "observe", fail_once)
    assert judge(NAME, 99, right_response()).percent == 100


def test_every_exercise_has_known_responses_that_can_be_examined():
    for name in COURSE.names():
        exercise = COURSE.get(name)
        expected = taught.expected(exercise, 99)
        mistakes = taught.known(exercise, 99).single
        right, *others = judging._known_responses(name, expected, mistakes)
        assert judge(name, 99, right).percent == 100, name
        assert [judge(name, 99, other).reason for other in others] == ["", ""], name


def test_every_exercise_has_a_fingerprint_of_its_own_whatever_its_outputs_are():
    exercises = [COURSE.get(name) for name in COURSE.names()]
    found = {solutions.points_fingerprint(x, taught.solution(x.name)) for x in exercises}
    assert len(found) == len(exercises)
