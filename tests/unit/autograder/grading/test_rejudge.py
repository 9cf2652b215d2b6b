"""`autograder rejudge` on a class that was graded once, after the rubric was mended."""

import dataclasses
import hashlib
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties

from autograder.cells import grade_id
from autograder.course_folder import CONFIG, CourseFolder
from autograder.grading import batch, rejudge, results
from autograder.judging import keys, worker
from autograder.record import METADATA, NotebookResult
from autograder.release.generate import release
from course import COURSE
from selfcheck import responses, verdicts
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import write_quick_course
from tests.support.graded import record_of

pytestmark = pytest.mark.usefixtures("settled_shares")

EXERCISE = "preprocessing.find_emails"
CELL = "test_find_emails"  # worth 2 points

# Neither dots before the @ nor more than one after it, and a number may end it: costs 15 + 15 + 10
# of the settled shares.
SHORT = 'addresses = re.findall(r"\\w+@\\w+\\.\\w+", text)'
# Now those three cost 5 + 5 + 10.
MENDED = {"running text": 40, "local part": 5, "domain": 5}


def edit(path, change):
    """Apply a change to a notebook's cells by grade_id."""
    notebook = nbformat.read(path, as_version=4)
    change({grade_id(cell): cell for cell in notebook.cells})
    path.chmod(0o644)
    nbformat.write(notebook, path)


def handed_in(course, student):
    return course.submitted(student, LESSON) / f"{LESSON}.ipynb"


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Ada is right, Ben's addresses are too short, Cem's function has another name, and Dia's
    submission has not been graded."""
    course = write_quick_course(tmp_path_factory.mktemp("course"), ["ada", "ben", "cem", "dia"])

    def answer(source):
        def change(cells):
            head, _, _ = cells["find_emails"].source.partition("    pattern = ")
            cells["find_emails"].source = f"{head}    {source}\n    return addresses"

        return change

    def rename(cells):
        answered = cells["find_emails"]
        answered.source = answered.source.replace("def find_emails", "def get_emails")

    edit(handed_in(course, "ben"), answer(SHORT))
    edit(handed_in(course, "cem"), rename)
    rows = list(batch.grade(course, LESSON, ["ada", "ben", "cem"]))
    assert [row.problem for row in rows] == [""] * 3
    return course.root


@pytest.fixture
def course(graded, tmp_path):
    return CourseFolder(shutil.copytree(graded, tmp_path / "course"))


@pytest.fixture
def mended(monkeypatch):
    """Give aspects of the exercise other shares."""
    exercise = COURSE.get(EXERCISE)
    aspects = [
        dataclasses.replace(aspect, percent=MENDED.get(aspect.cases[0], aspect.percent))
        for aspect in exercise.aspects
    ]
    assert sum(aspect.percent for aspect in aspects) == 100
    monkeypatch.setattr(type(exercise), "aspects", tuple(aspects))


@pytest.fixture
def run(course, autograder):
    """Run the command on the course's lesson; its output without line breaks."""

    def rejudge(*arguments):
        finished = autograder("rejudge", LESSON, *arguments, course=course.root)
        finished.out = " ".join(finished.out.replace("│", " ").split())
        return finished

    return rejudge


def grade_of(course, student, cell=CELL):
    """What the gradebook says of a cell."""
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        grade = gradebook.find_grade(cell, LESSON, LESSON, student)
        return {
            name: getattr(grade, name)
            for name in ("auto_score", "manual_score", "extra_credit", "score", "max_score")
        } | {"needs": grade.needs_manual_grade}


def graded_cell(course, student, cell=CELL):
    """The cell of the graded notebook, as the feedback shows it."""
    notebook = nbformat.read(course.autograded(student, LESSON), as_version=4)
    return next(each for each in notebook.cells if grade_id(each) == cell)


def judged(course, student, cell=CELL):
    """What the record has of the judge on a cell."""
    return record_of(course.autograded(student, LESSON)).cell(cell).judged


def shown(course, student):
    """The points that the graded notebook's verdict shows."""
    (output,) = graded_cell(course, student).outputs
    return float(output.data["text/plain"]), output.data["text/html"]


def content(course):
    """All that grading left, to the byte."""
    paths = [course.root / "gradebook.db", *(course.root / "autograded").rglob("*")]
    return {p: hashlib.sha256(p.read_bytes()).hexdigest() for p in paths if p.is_file()}


def test_without_apply_it_shows_what_would_change_and_only_reads(course, run, mended):
    before = content(course)
    with sqlite3.connect(course.root / "gradebook.db", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")  # whoever writes now has to wait
        finished = run("--student", "ada", "--student", "ben")
        other.execute("ROLLBACK")
    assert finished.code == 0
    assert "ben find emails 1.2 / 2 1.6 / 2" in finished.out
    assert "5 % of the points, was 15 %: the part before the @ is complete" in finished.out
    assert "40 % of the points, was 20 %: an address in running text is found" in finished.out
    # Ada's 16 points and Ben's 15.2, and Ben's 15.6.
    assert "2 submissions: 1 with changed points, 1 with changed explanations only" in finished.out
    assert (
        "mean 15.6 points before, 15.8 after, not counting late penalties. Nothing"
    ) in finished.out
    assert "Nothing was written" in finished.out
    assert content(course) == before


def as_before_records(path):
    """Leave a graded notebook as versions without a record did: verdicts and responses are among
    the outputs of their cells."""
    notebook = nbformat.read(path, as_version=4)
    record = NotebookResult.read(notebook)
    del notebook.metadata[METADATA]
    notebook.metadata["course"] = {"repairs": list(record.repairs), "seconds": record.seconds}
    for cell in notebook.cells:
        if (result := record.cell(grade_id(cell))) and result.judged:
            (output,), judged = cell.outputs, result.judged
            output.data[verdicts.MIME] = judged.verdict.to_json() | {"seed": judged.seed}
            output.data[responses.MIME] = judged.responses[0]
            output.metadata = {"inputs": judged.inputs, "decided_by": judged.decided_by}
    path.chmod(0o644)
    nbformat.write(notebook, path)
    return record


def test_what_an_earlier_version_left_is_read_and_judged_again(course, run, mended):
    path = course.autograded("ben", LESSON)
    record = as_before_records(path)
    assert record_of(path) is None
    left = results.read_result(path)
    # Which file was graded, and what was handed in, is asked of the files again.
    assert left == replace(record, file_digest="", handed_in="", python="")
    finished = run("--apply", "--student", "ben")
    assert "ben find emails 1.2 / 2 1.6 / 2" in finished.out
    assert grade_of(course, "ben")["auto_score"] == 1.6
    assert judged(course, "ben").verdict.percent == 80


def test_in_another_language_aspects_are_the_same(course, run, titles_in_capitals, request):
    assert run("--student", "ben").out.endswith("Nothing changes.")
    request.getfixturevalue("mended")
    said = run("--student", "ben").out
    assert "5 % of the points, was 15 %: THE PART BEFORE THE @ IS COMPLETE" in said


def test_applied_the_gradebook_and_the_notebook_have_todays_verdict(course, run, mended):
    assert grade_of(course, "ben")["auto_score"] == 1.2
    response, mode = judged(course, "ben").responses, 0o444
    page = course.feedback("ben", LESSON)
    page.parent.mkdir(parents=True)
    page.touch()
    finished = run("--apply")
    assert finished.code == 1
    assert "dia not graded yet: run `autograder grade`" in finished.out
    assert f"out of date: nbgrader generate_feedback {LESSON}" in finished.out
    assert "1 not judged again" in finished.out
    assert finished.out.endswith("Recorded.")
    assert grade_of(course, "ben")["auto_score"] == 1.6
    points, html = shown(course, "ben")
    assert (points, "1.6 of 2 points" in html) == (1.6, True)
    assert judged(course, "ben").verdict.percent == 80
    assert judged(course, "ada").verdict.findings[0].percent == 40
    assert judged(course, "ben").responses == response
    assert course.autograded("ben", LESSON).stat().st_mode & 0o777 == mode
    after = content(course)
    again = run("--apply", "--student", "ada", "--student", "ben", "--student", "cem")
    assert (again.code, again.out.endswith("not counting late penalties. Nothing changes.")) == (
        0,
        True,
    )
    assert content(course) == after


def test_what_a_person_decided_stays(course, run, mended):
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        written = gradebook.find_grade("steps_that_lose", LESSON, LESSON, "ben")
        written.manual_score, written.needs_manual_grade = 2.0, False
        decided = gradebook.find_grade(CELL, LESSON, LESSON, "ben")
        decided.manual_score, decided.needs_manual_grade = 1.5, False
        decided.extra_credit = 0.25
        gradebook.find_comment("find_emails", LESSON, LESSON, "ben").manual_comment = "Nearly."
        gradebook.db.commit()
    written = grade_of(course, "ben", "steps_that_lose")
    finished = run("--student", "ben", "--apply")
    assert " 1.2 / 2 1.6 / 2 " in finished.out and " kept: 1.5 by hand " in finished.out
    assert "the 1.5 points given by hand are kept" in finished.out
    assert "mean 17.75 points before, 17.75 after" in finished.out
    assert grade_of(course, "ben", "steps_that_lose") == written
    assert grade_of(course, "ben") == {
        "auto_score": 1.6,
        "manual_score": 1.5,
        "extra_credit": 0.25,
        "score": 1.75,
        "max_score": 2.0,
        "needs": False,
    }
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        comment = gradebook.find_comment("find_emails", LESSON, LESSON, "ben")
        assert comment.comment == "Nearly."


def test_other_points_in_the_source_are_applied_once_it_is_released(course, run):
    def worth_more(cells):
        cells[CELL].metadata.nbgrader.points = 5

    edit(course.source(LESSON), worth_more)
    assert "Nothing changes." in run("--student", "ada").out
    release(course, LESSON)
    finished = run("--student", "ada", "--student", "ben", "--student", "cem", "--apply")
    assert "ben find emails 1.2 / 2 3 / 5 worth 5, not 2 points" in finished.out
    assert [grade_of(course, name)["auto_score"] for name in ("ada", "ben", "cem")] == [5, 3, 0]
    assert shown(course, "ada")[0] == 5
    points, html = shown(course, "cem")
    assert (points, "0 of 5 points" in html) == (0, True)
    # What an execution alone can tell is still told.
    assert "NameError" in html
    assert graded_cell(course, "ada").metadata.nbgrader.points == 5
    assert "Nothing changes." in run("--student", "ada", "--student", "cem").out


def test_a_late_submission_that_counts_nothing_still_counts_nothing(course, run, mended):
    with (course.root / CONFIG).open("a") as file:
        file.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate="2020-01-01 12:00 UTC")
        gradebook.update_or_create_submission(LESSON, "ben", timestamp="2020-01-02 12:00 UTC")
    run("--student", "ben", "--apply")
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        notebook = gradebook.find_submission_notebook(LESSON, LESSON, "ben")
        assert notebook.late_submission_penalty == notebook.score == pytest.approx(15.6)


def test_nothing_is_executed(course, run, mended, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("something was executed")

    for owner, name in (
        (KernelManager, "start_kernel"),
        (NotebookClient, "execute"),
        (NotebookClient, "execute_cell"),
        (NotebookClient, "async_execute_cell"),
        (batch, "_start"),
    ):
        monkeypatch.setattr(owner, name, refuse)
    mark = course.root / "executed"
    for path in (handed_in(course, "ben"), course.autograded("ben", LESSON)):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code" and grade_id(cell) != CELL:
                cell.source = f"open({str(mark)!r}, 'w').close()\n{cell.source}"
        path.chmod(0o644)
        nbformat.write(notebook, path)
    assert run("--student", "ben", "--apply").code == 0
    assert grade_of(course, "ben")["auto_score"] == 1.6
    assert not mark.exists()


def edit_record(path, change):
    """Change what a graded notebook's record says of a cell."""
    notebook = nbformat.read(path, as_version=4)
    change(next(each for each in notebook.metadata[METADATA]["cells"] if each["cell"] == CELL))
    path.chmod(0o644)
    nbformat.write(notebook, path)


def nested(cell):
    value = []
    for _ in range(200):
        value = [value]
    cell["judged"]["responses"] = [value]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda cell: cell.update(judged=None), f"{CELL} has no verdict"),
        (lambda cell: cell.update(judged=[1]), "its record cannot be read"),
        (lambda cell: cell["judged"].update(seed=-1), f"in {CELL} has no seed"),
        (lambda cell: cell["judged"].update(seed=True), f"in {CELL} has no seed"),
        (lambda cell: cell["judged"]["verdict"].update(findings="x"), "its record cannot be read"),
        (
            lambda cell: cell["judged"].update(responses=["x"]),
            f"response to {CELL} doesn't fit",
        ),
        (nested, f"response to {CELL} doesn't fit"),
        (
            lambda cell: cell["judged"]["verdict"].update(exercise="\x1b[2J"),
            "was graded for [2J but",
        ),
    ],
)
def test_a_notebook_that_is_not_as_it_was_left_is_a_row_and_stays(
    course, run, mended, change, reason
):
    edit_record(course.autograded("ada", LESSON), change)
    before = course.autograded("ada", LESSON).read_bytes()
    finished = run("--student", "ada", "--student", "ben", "--apply")
    assert (finished.code, reason in finished.out) == (1, True), finished.out
    assert "\x1b" not in finished.out
    assert course.autograded("ada", LESSON).read_bytes() == before
    assert grade_of(course, "ada")["auto_score"] == 2.0
    assert grade_of(course, "ben")["auto_score"] == 1.6


def test_whoever_cannot_be_judged_stops_nobody(course, run, mended, monkeypatch):
    unreadable = course.autograded("ada", LESSON)
    unreadable.chmod(0o644)
    unreadable.write_text("{ this is no JSON")
    judge = worker.judge_again

    def failing(declared, responses, marking):
        if any((one.asked.name, one.asked.seed) == (EXERCISE, failing.seed) for one in responses):
            raise ZeroDivisionError("in the reference\nand more")
        return judge(declared, responses, marking)

    # Ben's response again, under Cem's name.
    cell = judged(course, "ben")
    failing.seed = cell.seed
    monkeypatch.setattr(worker, "judge_again", failing)
    finished = run("--apply")
    assert finished.code == 1
    assert "ada 01-text-preprocessing.ipynb cannot be read as a notebook" in finished.out
    assert "ben not judged again: ZeroDivisionError: in the reference" in finished.out
    assert "4 submissions: 0 with changed points, 0 with" in finished.out
    assert "3 not judged again; mean 14 points before, 14 after" in finished.out
    assert (grade_of(course, "ben")["auto_score"], shown(course, "ben")[0]) == (1.2, 1.2)
    assert grade_of(course, "ada")["auto_score"] == 2.0


def test_a_key_that_cannot_be_loaded_is_named_once(course, run, monkeypatch):
    def broken(declared, name):
        raise SyntaxError("invalid syntax")

    monkeypatch.setattr(keys, "_module", broken)
    finished = run("--student", "ada", "--student", "ben")
    problem = f"the key of {EXERCISE} can't be loaded: SyntaxError: invalid syntax"
    assert (finished.code, f"ada, ben {problem}" in finished.out) == (1, True), finished.out


def test_other_inputs_are_no_reason_to_take_points(course, run, monkeypatch):
    exercise = COURSE.get(EXERCISE)
    drawn = type(exercise).drawn
    monkeypatch.setattr(type(exercise), "drawn", lambda self, seed: drawn(self, seed + 1))
    finished = run("--student", "ada", "--apply")
    assert (finished.code, f"inputs of {CELL} have changed" in finished.out) == (1, True)
    assert grade_of(course, "ada")["auto_score"] == 2.0


def test_interrupted_between_the_two_it_is_made_whole_by_running_it_again(
    course, run, mended, monkeypatch
):
    real = Path.replace

    def stop(self, target):
        monkeypatch.setattr(Path, "replace", real)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stop)
    assert run("--student", "ben", "--apply").code == 130
    assert (grade_of(course, "ben")["auto_score"], shown(course, "ben")[0]) == (1.6, 1.2)
    finished = run("--student", "ben", "--apply")
    assert (finished.code, "5 % of the points, was 15 %" in finished.out) == (0, True)
    assert (grade_of(course, "ben")["auto_score"], shown(course, "ben")[0]) == (1.6, 1.6)
    assert "Nothing changes." in run("--student", "ben").out


def test_points_and_penalty_are_recorded_together_or_not_at_all(course, run, mended, monkeypatch):
    with monkeypatch.context() as broken:

        def fail(self, nb, resources):
            raise RuntimeError("no penalty")

        broken.setattr(AssignLatePenalties, "preprocess", fail)
        finished = run("--student", "ben", "--apply")
    assert (finished.code, "no penalty" in finished.out) == (1, True)
    assert (grade_of(course, "ben")["auto_score"], shown(course, "ben")[0]) == (1.2, 1.2)
    assert run("--student", "ben", "--apply").code == 0
    assert (grade_of(course, "ben")["auto_score"], shown(course, "ben")[0]) == (1.6, 1.6)


def test_a_full_disk_is_a_row_and_what_was_due_stays_due(course, run, mended, monkeypatch):
    with monkeypatch.context() as full:

        def fail(self, target):
            raise OSError(28, "No space left on device")

        full.setattr(Path, "replace", fail)
        finished = run("--student", "ben", "--apply")
    assert (finished.code, "OSError: [Errno 28] No space left" in finished.out) == (1, True)
    assert shown(course, "ben")[0] == 1.2
    assert run("--student", "ben", "--apply").code == 0
    assert shown(course, "ben")[0] == 1.6


def test_a_large_class_is_judged_side_by_side(course, run, monkeypatch):
    monkeypatch.setattr(rejudge, "_FEW", 1)
    monkeypatch.delattr(rejudge._InlineExecutor, "submit")
    with sqlite3.connect(course.root / "gradebook.db") as gradebook:
        gradebook.execute("UPDATE grade SET auto_score = 0.5 WHERE auto_score = 1.2")
    finished = run("--student", "ada", "--student", "ben", "--student", "cem")
    assert "3 submissions: 1 with changed points, 0 with changed explanations" in finished.out
    said = "the gradebook's points differ from the recorded verdict"
    assert f"ben find emails 0.5 / 2 1.2 / 2 {said}" in finished.out


def test_it_never_runs_beside_a_grading(course, run, autograder):
    with batch.grading_lock(course):
        finished = run()
    assert (finished.code, "Another command is at work in" in finished.err) == (2, True)
    assert run("--student", "ada").code == 0


def test_bad_names_and_the_help_are_explained(course, run, autograder):
    assert "did you mean ada?" in run("--student", "adda").err
    finished = autograder("rejudge", "01-text-preprocesing", course=course.root)
    assert (finished.code, "did you mean 01-text-preprocessing?" in finished.err) == (2, True)
    page = " ".join(autograder("rejudge", "--help", course=course.root).out.split())
    for words in (
        "No student's code is executed",
        "--apply",
        "--student",
        "autograder grade --force",
    ):
        assert words in page
