"""The judge between execution and saving, on executed cells as kernels leave them."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from nbgrader.utils import determine_grade

from autograder.execution.job import Plan
from autograder.grading.judging_step import PLAN, JudgeResponses
from autograder.judging import judge, time_limit
from autograder.record import RESULT, NotebookResult
from course import COURSE
from selfcheck import Failure, UnknownExercise, responses
from tests.support import taught

NAME = "attention.average_attention"
SEED = 99


def right_response():
    return {
        "exercise": NAME,
        "cases": {
            case: {"outputs": {name: responses.encode(x) for name, x in entry.outputs.items()}}
            for case, entry in taught.expected(COURSE.get(NAME), SEED).items()
        },
    }


def handing_over(response):
    return new_output("display_data", data={responses.MIME: response})


def graded(*outputs, source=f'grade("{NAME}", average_attention)'):
    """A graded cell of 2 points."""
    marks = {
        "schema_version": 3,
        "grade": True,
        "solution": False,
        "locked": True,
        "task": False,
        "grade_id": "test_average_attention",
        "points": 2,
    }
    cell = new_code_cell(source, metadata={"nbgrader": marks})
    cell.outputs.extend(outputs)
    return cell


def judged(*outputs, before=None, **options):
    """A graded cell after the judge has seen it, and the verdict, with a cell before it."""
    cell = graded(*outputs, **options)
    notebook = new_notebook()
    notebook.cells = [before, cell] if before else [cell]
    (verdict,) = judge_cells(notebook) or [None]
    nbformat.validate(notebook)
    return notebook.cells[-1], verdict


def judge_cells(notebook):
    """The verdicts on a notebook's graded cells, which show them then."""
    resources = {PLAN: Plan({}, {}, seed=SEED, afresh="asked"), RESULT: NotebookResult()}
    JudgeResponses().preprocess(notebook, resources)
    return [result.judged.verdict for result in resources[RESULT].cells]


UNJUDGED = new_output("error", ename="Unjudged", evalue="", traceback=[])
FULL_MARKS = new_output("execute_result", data={"text/plain": "2.0"}, execution_count=1)


def test_a_right_response_earns_the_points():
    cell, verdict = judged(handing_over(right_response()), UNJUDGED)
    assert determine_grade(cell) == (2.0, 2.0)
    assert verdict.percent == 100


def test_only_the_verdict_stays_in_the_cell():
    noise = [
        new_output("stream", name="stderr", text="a warning"),
        new_output("display_data", data={"text/html": "<script>alert(1)</script>"}),
    ]
    cell, _ = judged(*noise, handing_over(right_response()), FULL_MARKS)
    assert len(cell.outputs) == 1
    assert "script" not in str(cell.outputs)
    assert determine_grade(cell) == (2.0, 2.0)


@pytest.mark.parametrize(
    "outputs",
    [
        [],
        [FULL_MARKS],
        [new_output("stream", name="stdout", text="2.0")],
        [new_output("display_data", data={"text/plain": "2.0"})],
        [handing_over({"exercise": NAME, "points": 2.0}), FULL_MARKS],
        [handing_over(None)],
        [nbformat.from_dict({"output_type": "display_data", "data": [responses.MIME]})],
    ],
)
def test_without_right_outputs_nothing_that_the_cell_says_earns_points(outputs):
    cell, verdict = judged(*outputs)
    assert determine_grade(cell) == (0.0, 2.0)
    assert verdict.reason


def test_a_second_response_voids_both():
    cell, verdict = judged(handing_over(right_response()), handing_over(right_response()))
    assert determine_grade(cell) == (0.0, 2.0)
    assert verdict.reason == "2 responses were sent; exactly one is expected"


@pytest.fixture
def slow(monkeypatch):
    """Make the judge take for ever to examine an answer that fails."""
    monkeypatch.setattr(time_limit, "LIMIT", 0.5)
    observe = judge.observe

    def observe_slowly(exercise, seed, answers, expected):
        while any(isinstance(each, Failure) for each in answers.values()):
            try:
                sum(range(1000))
            except Exception:
                continue
        return observe(exercise, seed, answers, expected)

    monkeypatch.setattr(judge, "observe", observe_slowly)


def failing_response():
    failure = {"failure": {"kind": "ValueError", "message": "slow"}}
    return right_response() | {"cases": dict.fromkeys(right_response()["cases"], failure)}


@pytest.mark.usefixtures("slow")
def test_a_response_that_takes_the_judge_too_long_earns_nothing_and_costs_no_other():
    cells = [graded(handing_over(each)) for each in (right_response(), failing_response())]
    notebook = new_notebook(cells=[cells[0], cells[1], graded(handing_over(right_response()))])
    verdicts = judge_cells(notebook)
    assert [determine_grade(cell)[0] for cell in notebook.cells] == [2.0, 0.0, 2.0]
    reason = "unreadable response: judging it takes more than 0.5 seconds"
    assert [verdict.reason for verdict in verdicts] == ["", reason, ""]


@pytest.mark.usefixtures("slow")
def test_a_judge_that_takes_too_long_by_itself_blames_no_response(monkeypatch):
    response = handing_over(right_response())

    def expected(*_):
        while True:
            sum(range(1000))

    monkeypatch.setattr(judge.solutions, "expected", expected)
    with pytest.raises(TimeoutError):
        judged(response)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (("NameError", "name 'f' is not defined"), "under the name that the task asks for"),
        (("CellTimeoutError", ""), "time limit"),
        (("KeyboardInterrupt", "\x1b[2J"), "stopped with KeyboardInterrupt: [2J"),
    ],
)
def test_a_cell_that_stopped_says_why(error, reason):
    ename, evalue = error
    _, verdict = judged(new_output("error", ename=ename, evalue=evalue, traceback=[]))
    assert reason in verdict.reason


def test_an_answer_whose_own_cell_stopped_names_that_error():
    """As a slip of the syntax does: the name is then missing where it is used."""
    marks = {"grade": False, "solution": True, "locked": False, "task": False, "schema_version": 3}
    answer = new_code_cell("def average_attention(", metadata={"nbgrader": marks})
    answer.metadata.nbgrader["grade_id"] = "average_attention"
    message = "'(' was never closed (2680554723.py, line 1)"
    slip = {"ename": "SyntaxError", "evalue": message, "traceback": []}
    answer.outputs.append(new_output("error", **slip))
    missing = "name 'average_attention' is not defined"
    _, verdict = judged(
        new_output("error", ename="NameError", evalue=missing, traceback=[]), before=answer
    )
    reason = verdict.reason
    said = "SyntaxError: '(' was never closed, line 1 of the cell"
    assert reason == f"nothing to judge: the answer's own cell stopped with {said}"
    assert "under the name" not in reason


def test_cells_with_tests_of_their_own_are_left_as_they_are():
    cell, _ = judged(FULL_MARKS, source="assert average_attention\n2.0")
    assert determine_grade(cell) == (2.0, 2.0)
    magic, _ = judged(FULL_MARKS, source="%time average_attention")
    assert magic.outputs == [FULL_MARKS]


def test_a_misspelt_exercise_stops_the_grading_instead_of_costing_points():
    with pytest.raises(UnknownExercise, match="did you mean"):
        judged(source='grade("attention.avarage_attention", average_attention)')


def test_a_list_of_preprocessors_that_executes_nothing_is_refused():
    with pytest.raises(RuntimeError, match="ExecuteSubmission before it"):
        JudgeResponses().preprocess(new_notebook(), {})
