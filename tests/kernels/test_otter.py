"""An assignment for Otter-Grader, imported and graded: right answers earn what they earn there."""

import shutil

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.cells import grade_id, is_solution
from tests.conftest import flat, needs_sandbox
from tests.kernels.test_conformance import answering
from tests.kernels.test_plain_courses import run
from tests.unit.autograder.test_otter import (
    EARNED_BY_HALF,
    HALF,
    LESSON,
    WORTH,
    begin,
    sources,
    write_assignment,
)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The course in which three students handed something in, and what the import said."""
    scratch = tmp_path_factory.mktemp("tides")
    folder = begin(scratch / "course")
    path = write_assignment(scratch / "otter")
    before = path.read_bytes()
    done = run(folder.root, "autograder", "import", "otter", str(path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert path.read_bytes() == before
    assert folder.run("generate_assignment", LESSON) is None
    source = nbformat.read(folder.source(LESSON), as_version=4)
    solutions = {grade_id(cell): cell.source for cell in source.cells if is_solution(cell)}
    for student, answers in (("right", solutions), ("half", HALF), ("untouched", {})):
        shutil.copytree(folder.release(LESSON).parent, folder.submitted(student, LESSON))
        released = nbformat.read(folder.release(LESSON), as_version=4)
        handed_in = folder.submitted(student, LESSON) / f"{LESSON}.ipynb"
        nbformat.write(answering(**answers)(released), handed_in)
    graded = run(folder.root, "autograder", "grade", LESSON)
    assert graded.returncode == 0, graded.stdout + graded.stderr
    return folder, done.stdout


@needs_sandbox
@pytest.mark.parametrize(
    ("student", "earned"), [("right", WORTH), ("half", EARNED_BY_HALF), ("untouched", [])]
)
def test_answers_earn_what_they_earn_in_otter(graded, student, earned):
    folder, _ = graded
    with Gradebook(f"sqlite:///{folder.root}/gradebook.db") as gradebook:
        submission = gradebook.find_submission_notebook(LESSON, LESSON, student)
        cells = [grade for grade in submission.grades if grade.name in WORTH]
        assert {cell.name: cell.max_score for cell in cells} == pytest.approx(WORTH)
        assert {cell.name for cell in cells if cell.auto_score} == set(earned) - {"test_q2"}
        assert all(cell.auto_score in (0, cell.max_score) for cell in cells)
        by_hand = [grade for grade in submission.grades if grade.name not in WORTH]
        assert {grade.name: grade.max_score for grade in by_hand} == {
            "q5": 2,
            "q6": 1.5,
            "q6_2": 1.5,
        }
        assert all(grade.needs_manual_grade for grade in by_hand) == (student == "right")


@needs_sandbox
def test_students_get_no_solution_and_no_hidden_test(graded):
    folder, _ = graded
    text = folder.release(LESSON).read_text("utf8")
    for secret in (
        "sum(heights)",
        "+ [5]",
        "'at'",
        "moon = 'full'",
        "springs = 2",
        "moon pulls",
        "Neaps",
    ):
        assert secret in folder.source(LESSON).read_text("utf8")
        assert secret not in text
    for hidden in ("1.66", "Was 5 added?", "neap", "springs == 2", "high > 5"):
        assert hidden not in text
    released = sources(nbformat.read(folder.release(LESSON), as_version=4))
    assert "# heights = ...\n# low, high = ...\n# YOUR CODE HERE" in released["q1"]
    assert "    # Print on every hour but the first.\n    # print(...)\n" in released["q2"]
    assert released["q_3"].startswith("# Call it moon.\n# moon = ...\n# YOUR CODE HERE")
    assert released["q5"].startswith("| cause | effect |")
    assert released["test_q4"].strip() == "assert springs > 1"


@needs_sandbox
def test_what_was_done_is_said(graded):
    folder, out = graded
    said = flat(out)
    assert "7 questions, 19 points: 14 by machine, 5 by hand (q5, q6, q6_2)." in said
    assert "Copied next to the notebook: levels.csv, tools/units.py." in said
    assert "tides.ipynb (checks that your solutions pass the tests)" in said
    assert "Then: nbgrader generate_assignment tides" in said
    copied = folder.source(LESSON).parent
    assert (copied / "tools" / "units.py").read_text() == "METRE = 1\n"
    assert not (copied / "secret.csv").exists()
    assert "autograder_files, in the assignment's configuration, isn't used." in said
    assert "q5: export isn't used." in said
    assert "Left out: marked # IGNORE (5)." in said
    assert "Left out: Otter's own lines, such as grader.check (3)." in said
    text = "\n".join(cell.source for cell in nbformat.read(folder.source(LESSON), 4).cells)
    assert "kept = 1" in text and "import math" in text
    for gone in ("otter", "grader", "left_out", "nly_for_teachers", "nly for teachers"):
        assert gone not in text
