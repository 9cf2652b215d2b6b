"""The instructor's command where no kernel is needed: release, simulate, and bad input."""

import json
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import nbformat
import pytest

from autograder.cli import rows, terminal
from autograder.cli.deadline import show_deadline
from autograder.course_folder import CourseFolder, check_lesson_name
from autograder.deadlines import Deadline, PenaltyChange
from autograder.grading.results import Score, SubmissionRow
from autograder.judging import keys
from autograder.release import generate as releasing
from autograder.release.generate import leaks_into
from autograder.simulate import read_expected, simulate
from course import COURSE
from tests.conftest import LESSON, REPOSITORY, write_small_course

ANSWERS = REPOSITORY / "tests" / "submissions" / LESSON


def change_source(course, change):
    """Apply a change to the source notebook's cells by grade_id."""
    path = course / "source" / LESSON / f"{LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change({cell.id: cell for cell in notebook.cells})
    nbformat.write(notebook, path)


@pytest.fixture(scope="module")
def released_once(tmp_path_factory):
    folder = write_small_course(tmp_path_factory.mktemp("released"))
    course = CourseFolder(folder)
    sheets = folder / "course" / "answers"
    sheets.mkdir(parents=True)
    releasing.release(course, LESSON)
    releasing.write_sheets(course, LESSON, sheets)
    return folder


@pytest.fixture
def released(released_once, tmp_path):
    """A copy: making the gradebook's tables takes seconds."""
    return shutil.copytree(released_once, tmp_path / "course")


def test_help_lists_the_commands():
    command = [Path(sys.executable).parent / "autograder", "--help"]
    page = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for name in ("release", "simulate", "grade", "demo"):
        assert name in page


def test_help_waits_for_nothing_that_only_commands_need():
    heavy = (
        "nbformat",
        "nbgrader",
        "IPython",
        "jupyter_client",
        "sqlalchemy",
        "tensorflow",
        "keras",
    )
    imported = f"import sys, autograder.cli; print([n for n in {heavy} if n in sys.modules])"
    command = [sys.executable, "-c", imported]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


def test_commands_start_without_building_parsers_that_they_do_not_use():
    imported = "import sys, autograder.cli, nbformat; print('lark' in sys.modules)"
    command = [sys.executable, "-c", imported]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"


def test_release_gives_the_same_bytes_again(released, autograder):
    notebook = released / "release" / LESSON / f"{LESSON}.ipynb"
    sheets = sorted((released / "course" / "answers").iterdir())
    first = [path.read_bytes() for path in (notebook, *sheets)]
    assert autograder("release", LESSON, course=released).code == 0
    assert [path.read_bytes() for path in (notebook, *sheets)] == first
    assert [path.stem for path in sheets] == sorted(COURSE.names(LESSON))


def test_a_release_holds_no_solution_no_hidden_test_and_no_output(released):
    text = (released / "release" / LESSON / f"{LESSON}.ipynb").read_text("utf8")
    source = nbformat.read(released / "source" / LESSON / f"{LESSON}.ipynb", as_version=4)
    assert "BEGIN SOLUTION" not in text
    assert "HIDDEN" not in text
    assert "grade(" not in text
    cells = {cell.id: cell.source for cell in source.cells}
    body = cells["scaled_dot_product_attention"]
    solution = body.split("### BEGIN SOLUTION\n")[1].split("### END SOLUTION")[0]
    for line in solution.strip().splitlines():
        assert json.dumps(line.strip())[1:-1] not in text
    assert not any(cell.get("outputs") for cell in json.loads(text)["cells"])


@pytest.mark.parametrize(
    "name", ["ps 1 (a)", "ps[1]", "ps+1", "ps*", "ps1 ", "ps1.", ".ps", "{ps}", "ps,1", "p" * 101]
)
def test_a_lessons_name_that_breaks_elsewhere_is_refused_at_once(released, autograder, name):
    (released / "source" / LESSON / f"{LESSON}.ipynb").rename(
        released / "source" / LESSON / f"{name}.ipynb"
    )
    (released / "source" / LESSON).rename(released / "source" / name)
    result = autograder("release", name, course=released)
    assert result.code == 2
    assert f"{name!r} can't be a lesson's name: take letters, digits" in " ".join(
        result.err.split()
    )
    assert not (released / "release" / name).exists()


@pytest.mark.parametrize("name", ["ps 1", "Übung-1.2", "課題_1", "a"])
def test_a_lessons_name_that_breaks_nothing(name):
    check_lesson_name(name)


def test_check_notices_what_is_out_of_date_and_changes_nothing(released, autograder):
    assert autograder("release", "--check", course=released).code == 0
    sheet = released / "course" / "answers" / "attention.average_attention.json"
    sheet.write_text("{}")
    notebook = released / "release" / LESSON / f"{LESSON}.ipynb"
    notebook.write_text("{}")
    result = autograder("release", "--check", course=released)
    assert result.code == 2
    assert "course/answers/attention.average_attention.json" in result.err
    assert f"release/{LESSON}/{LESSON}.ipynb" in result.err
    assert (sheet.read_text(), notebook.read_text()) == ("{}", "{}")


def test_a_course_folder_without_the_package_is_released_without_sheets(released, autograder):
    shutil.rmtree(released / "course")
    result = autograder("release", LESSON, course=released)
    assert (result.code, "answer sheets" in result.out) == (0, False)
    assert f"release/{LESSON}/{LESSON}.ipynb" in result.out
    assert autograder("release", "--check", course=released).code == 0


def test_a_solution_line_in_a_students_file_is_noticed(small_course):
    source = nbformat.read(small_course / "source" / LESSON / f"{LESSON}.ipynb", as_version=4)
    cell = next(cell for cell in source.cells if cell.id == "average_attention")
    line = cell.source.split("### BEGIN SOLUTION\n")[1].splitlines()[0].strip()
    innocent = ["import numpy as np", "return output", "raise NotImplementedError()"]
    assert list(leaks_into(source, innocent, "x.py")) == []
    in_python, in_json = f"    {line}", f'    "  {json.dumps(line)[1:-1]}\\n",'
    for leak in (in_python, in_json, "### BEGIN SOLUTION"):
        assert len(list(leaks_into(source, [*innocent, leak], "x.py"))) == 1


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('grade("attention.average', 'grade("attention.avarage', "did you mean"),
        ('check("attention.average', 'check("attention.avarage', "did you mean"),
        (
            'grade("attention.average_attention", average_attention)',
            "pass",
            "check() and grade() must name the same exercise",
        ),
    ],
)
def test_a_graded_cell_that_could_not_be_judged_is_refused(
    small_course, autograder, old, new, complaint
):
    def misspell(cells):
        cell = cells["test_average_attention"]
        assert old in cell.source
        cell.source = cell.source.replace(old, new)

    change_source(small_course, misspell)
    result = autograder("release", LESSON, course=small_course)
    assert result.code == 2
    assert "test_average_attention" in result.err
    assert complaint in result.err
    assert not (small_course / "release").exists()


def test_outputs_left_in_a_source_are_refused(small_course, autograder):
    def leave(cells):
        cell = cells["test_average_attention"]
        cell.outputs = [nbformat.v4.new_output("stream", text="3.14")]

    change_source(small_course, leave)
    result = autograder("release", LESSON, course=small_course)
    assert (result.code, "has outputs" in result.err) == (2, True)


def test_cells_get_the_ids_that_jupyterlab_cannot_give_them(released, autograder):
    name = "test_average_attention"
    path = released / "source" / LESSON / f"{LESSON}.ipynb"
    before = path.read_bytes()

    def draw(cells):
        cells[name].id = "b2f1c0de"

    change_source(released, draw)
    assert path.read_bytes() != before
    assert autograder("release", LESSON, course=released).code == 0
    assert path.read_bytes() == before


def test_a_copied_cell_is_refused(released, autograder):
    path = released / "source" / LESSON / f"{LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    answer = next(cell for cell in notebook.cells if cell.id == "average_attention")
    notebook.cells.append(nbformat.from_dict(answer | {"id": "b2f1c0de"}))
    nbformat.write(notebook, path)
    result = autograder("release", LESSON, course=released)
    assert result.code == 2
    assert "cell average_attention: its id is 'b2f1c0de'" in result.err


def test_a_source_that_is_no_notebook_is_named(small_course, autograder):
    (small_course / "source" / LESSON / f"{LESSON}.ipynb").write_text("{ no json")
    result = autograder("release", LESSON, course=small_course)
    assert (result.code, "cannot be read as a notebook" in result.err) == (2, True)


def test_simulated_students_hand_in_what_students_have(released, autograder):
    result = autograder("simulate", LESSON, "--answers", str(ANSWERS), course=released)
    assert result.code == 0
    folders = {path.name for path in (released / "submitted").iterdir()}
    assert folders == {"reference", "unanswered"} | {path.stem for path in ANSWERS.glob("*.py")}
    release = (released / "release" / LESSON / f"{LESSON}.ipynb").read_text("utf8")
    unanswered = released / "submitted" / "unanswered" / LESSON / f"{LESSON}.ipynb"
    assert json.loads(unanswered.read_text("utf8")) == json.loads(release)
    wrong = released / "submitted" / "wrong_no_scaling" / LESSON / f"{LESSON}.ipynb"
    assert "HIDDEN" not in wrong.read_text("utf8")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("# %%\nx = 1\n", "has no grade_id"),
        (
            '# %% grade_id="combine_heads"\nx = 1\n\n# %% changes="combine_heads"\nx = 2\n',
            "repeats the grade_id 'combine_heads'",
        ),
        ('# %% grade_id="no_such_cell"\nx = 1\n', "no solution cell 'no_such_cell'"),
        ('# %% changes="no_such_cell"\nx = 1\n', "no solution cell 'no_such_cell'"),
        ('# %% grade_id="combine_heads" changes="combine_heads"\nx = 1\n', "has no grade_id"),
    ],
)
def test_a_simulated_students_file_that_fits_nowhere_is_named(
    released, autograder, tmp_path, text, complaint
):
    answers = tmp_path / "answers"
    answers.mkdir()
    (answers / "ada.py").write_text(text)
    result = autograder("simulate", LESSON, "--answers", str(answers), course=released)
    assert result.code == 2
    assert "ada.py" in result.err
    assert complaint in result.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["release", "03-atention"], "did you mean 03-attention?"),
        (["release", "99-nothing"], "there are: 03-attention"),
        (["grade", "03-atention"], "did you mean 03-attention?"),
        (["grade", LESSON], "Nobody submitted"),
        (["simulate", LESSON], "is not released"),
        (["demo", "03-atention"], "did you mean 03-attention?"),
    ],
)
def test_a_name_that_does_not_exist_gets_one_message(
    small_course, autograder, arguments, complaint
):
    result = autograder(*arguments, course=small_course)
    assert result.code == 2
    assert complaint in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("option", ["--student", "--students"])
def test_an_unknown_student_gets_the_nearest_name(released, autograder, option):
    for student in ("ada", "bob"):
        (released / "submitted" / student / LESSON).mkdir(parents=True)
    result = autograder("grade", LESSON, option, "adda", course=released)
    assert (result.code, "did you mean ada?" in result.err) == (2, True)


def test_grading_before_releasing_says_what_to_do(small_course, autograder):
    (small_course / "submitted" / "ada" / LESSON).mkdir(parents=True)
    result = autograder("grade", LESSON, course=small_course)
    assert (result.code, "autograder release" in result.err) == (2, True)


def test_elsewhere_than_in_a_course_folder_one_message_says_so(tmp_path, autograder):
    result = autograder("grade", LESSON, course=tmp_path)
    assert (result.code, "--course" in result.err) == (2, True)


def test_a_broken_configuration_stops_before_anything_is_graded_without_a_judge(
    released, autograder
):
    (released / "submitted" / "ada" / LESSON).mkdir(parents=True)
    (released / "nbgrader_config.py").write_text("import no_such_module\n")
    result = autograder("grade", LESSON, course=released)
    assert result.code == 2
    assert "nbgrader_config.py cannot be loaded" in result.err


def test_a_demonstration_refuses_a_folder_that_holds_something(small_course, autograder):
    result = autograder("demo", "--into", str(small_course), course=small_course)
    assert (result.code, "is not empty" in result.err) == (2, True)


def test_the_version_is_the_packages(tmp_path, autograder):
    told = autograder("--version", course=tmp_path)
    assert (told.code, told.out) == (0, f"notebook-autograder {version('notebook-autograder')}\n")


def test_a_few_students_differ_as_much_as_they_can(released):
    folder = CourseFolder(released)
    students = simulate(folder, LESSON, ANSWERS, at_most=8)
    assert len(students) == len({*students}) == 8
    stated = [read_expected(ANSWERS / f"{one}.py") for one in students[2:]]
    assert stated.count({}) == 1, "somebody is right, in other words"
    named = {name for one in stated for name, cause in one.items() if cause.mistake}
    assert named <= {name.split(".")[1] for name in COURSE.names(LESSON)}
    assert len(named) == len(stated) - 1, "each of the others is wrong in another exercise"


def test_a_key_that_cannot_be_loaded_refuses_the_release(small_course, autograder, monkeypatch):
    def missing(course, name):
        raise ModuleNotFoundError(f"No module named 'keys.{name}'")

    monkeypatch.setattr(keys, "_module", missing)
    refused = autograder("release", LESSON, course=small_course)
    assert refused.code == 2
    assert (
        "the key of attention.average_attention can't be loaded: ModuleNotFoundError" in refused.err
    )
    assert not (small_course / "release").exists()


def test_no_name_and_no_text_of_a_students_reaches_the_terminal_as_more_than_text():
    steering = "\x1b]0;title\x07\x9b2J\u202e[bold]"
    lost = Score("test_stem", 0.0, 1.0, manual=False, failure=steering)
    late = PenaltyChange(steering, 60.0, 0.0, 1.0, 1.0)
    due = Deadline(None, None, {}, "None.", (late,), unknown=(steering,))
    told = [
        SubmissionRow(
            steering, (lost,), repairs=(steering,), lesson_changes=(steering,), penalty=1.0
        ),
        SubmissionRow(steering, problem=steering),
    ]
    with terminal.console.capture() as capture:
        rows.show_rows(told)
        for row in told:
            terminal.console.print(rows.outcome_of(row))
        show_deadline(LESSON, due, None, asked=False, verb="would be due")
    shown = capture.get()
    assert shown.count("]0;title2J[bold]") > 5
    assert shown.replace("\n", "").isprintable()
