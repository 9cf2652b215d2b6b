"""The judge on answers as students write them: TensorFlow, Keras and NumPy code in a cell."""

import subprocess
import sys
from pathlib import Path

import pytest

from autograder.judge import judge
from autograder.simulate import read_answers
from course import exercises, responses

SUBMISSIONS = Path(__file__).parents[1] / "submissions"
OBJECTS = {
    "average_attention": "average_attention",
    "scaled_dot_product_attention": "scaled_dot_product_attention",
    "multi_head_self_attention": "MultiHeadSelfAttention",
}
RIGHT = sorted(SUBMISSIONS.glob("03-attention/right_*.py"))
WRONG = sorted(SUBMISSIONS.glob("03-attention/wrong_*.py"))
# Keras warns about what some of these answers do.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:keras")
SEEDS = (3, 20, 4_000_000_000)


def answered(path):
    """The names a submission's cells define, over right answers where it leaves cells out."""
    names = {}
    cells = read_answers(RIGHT[0]).cells | read_answers(path).cells
    for grade_id in OBJECTS:
        exec(cells[grade_id], names)
    return names


def verdicts(path, grade_id):
    name = f"attention.{grade_id}"
    obj = answered(path)[OBJECTS[grade_id]]
    exercise = exercises.get(name)
    return [judge(name, seed, responses.respond(exercise, obj, seed)) for seed in SEEDS]


@pytest.mark.parametrize("grade_id", OBJECTS)
@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_right_answers_written_differently_earn_everything(path, grade_id):
    for verdict in verdicts(path, grade_id):
        assert verdict.percent == 100, verdict.to_text()


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_wrong_answers_lose_points_for_the_reason_that_their_file_states(path):
    stated = read_answers(path).expected
    assert stated
    for grade_id, expectation in stated.items():
        if OBJECTS[grade_id] not in answered(path):
            continue  # a renamed function never reaches the judge; the notebook tests cover it
        points = {"average_attention": 2}.get(grade_id, 5)
        for verdict in verdicts(path, grade_id):
            assert verdict.points(points) == expectation["points"]
            if "mistake" in expectation:
                assert expectation["mistake"] in verdict.mistakes
            else:
                assert expectation["reason"] in verdict.explanation


def test_the_stub_earns_nothing():
    def stub(hidden, context):
        raise NotImplementedError

    name = "attention.average_attention"
    verdict = judge(name, 1, responses.respond(exercises.get(name), stub, 1))
    assert (verdict.percent, verdict.reason) == (0, "not answered")


@pytest.mark.parametrize(
    ("returned", "seen"),
    [
        (lambda q, k, v: None, "returned None; expected the pair"),
        (lambda q, k, v: q, "expected the pair (output, weights)"),
        (lambda q, k, v: ("a", "b"), "output is a str; expected an array of numbers"),
        (lambda q, k, v: (v, q), "output has shape"),
    ],
)
def test_what_is_returned_is_described(returned, seen):
    name = "attention.scaled_dot_product_attention"

    def answer(query, key, value, mask=None):
        return returned(query, key, value)

    verdict = judge(name, 1, responses.respond(exercises.get(name), answer, 1))
    assert verdict.percent == 0
    assert seen in verdict.findings[0].seen


def test_not_a_number_is_seen():
    name = "attention.average_attention"

    def answer(hidden, context):
        return hidden[:, 0] * float("nan")

    verdict = judge(name, 1, responses.respond(exercises.get(name), answer, 1))
    assert verdict.percent == 20
    assert "NaN" in verdict.explanation


def test_a_students_text_cannot_become_markup():
    name = "attention.average_attention"

    def answer(hidden, context):
        raise ValueError("<script>alert(1)</script>")

    page = judge(name, 1, responses.respond(exercises.get(name), answer, 1)).to_html(2.0)
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_judging_needs_no_tensorflow():
    probe = (
        "import sys; import autograder.judge as j; "
        "j.judge('attention.multi_head_self_attention', 1, {}); "
        "sys.exit(any(m.split('.')[0] in ('tensorflow', 'keras', 'IPython') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0
