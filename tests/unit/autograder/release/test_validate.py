"""What a teacher's notebook, folder and configuration lack is said before a class is graded."""

import importlib
import json
import shutil
import sys

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell

from autograder.cells import grade_id
from autograder.course_folder import CourseFolder
from autograder.declaration import find_course


def forget():
    """Import the course's package anew."""
    for module in [name for name in sys.modules if name.partition(".")[0].startswith("means")]:
        del sys.modules[module]
    find_course.cache_clear()


def changed(before, after):
    def change(cells):
        for cell in cells:
            cell.source = cell.source.replace(before, after)

    return change


def without_points(cells):
    for cell in cells:
        cell.metadata.get("nbgrader", {}).pop("points", None)


def with_points(points):
    def change(cells):
        cells[-1].metadata.nbgrader.points = points

    return change


def graded_first(cells):
    cells.insert(0, cells.pop())


def all_of_it(cells):
    """The solution's marks around the whole function."""
    (answer,) = (cell for cell in cells if cell.id == "weighted_mean")
    changed("    ### BEGIN SOLUTION\n", "")(cells)
    changed("\n    ### END SOLUTION", "")(cells)
    answer.source = f"### BEGIN SOLUTION\n{answer.source}\n### END SOLUTION"


def by_hand(cells):
    cells[-1].metadata.nbgrader.solution = True


def unlocked(cells):
    """The set-up cell as an ordinary one."""
    (setup,) = (cell for cell in cells if cell.id == "setup")
    del setup.metadata["nbgrader"]


def taken_from(source, name, tags=()):
    """An ordinary cell before the answer, which uses a name from it."""

    def change(cells):
        cells.insert(2, new_code_cell(source, id="given", metadata={"tags": list(tags)}))
        changed("### BEGIN SOLUTION", f"### BEGIN SOLUTION\n    {name}")(cells)

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (unlocked, "cell setup defines what answers or their tests need (check, grade, np), but"),
        (taken_from("SCALE = 2", "SCALE"), "cell given defines what answers or their tests need"),
        (taken_from("def f():\n    pass", "f()", ["demonstration"]), "need (f), but students may"),
        (taken_from("from math import *", "sqrt(4)"), "need (sqrt), but students may change it"),
        (taken_from("import os.path as place", "place"), "mark it as Read-only under Create"),
        (with_points(-3), "cell test_weighted_mean is worth -3 points"),
        (with_points("3"), "cell test_weighted_mean is worth '3' points"),
        (with_points(0), "cell test_weighted_mean is worth 0 points"),
        (by_hand, "cell test_weighted_mean calls grade(): mark it as Autograded tests"),
        (graded_first, "cell test_weighted_mean uses weighted_mean before any cell defines it"),
        (
            changed("from means import check, grade", ""),
            "cell test_weighted_mean uses check before any cell defines it",
        ),
        (
            changed("from means import", "from course import"),
            "imports check and grade from course, but this course's are in means",
        ),
        (without_points, "cell test_weighted_mean has no points"),
        (
            changed("    ### END SOLUTION", "    (\n    ### END SOLUTION"),
            "cell weighted_mean, line 13: '(' was never closed",
        ),
        (
            changed("### END HIDDEN TESTS", "assert 1\n### END HIDDEN TESTS"),
            (
                "cell test_weighted_mean has an assert next to grade(): below it, the assert never "
                "runs"
            ),
        ),
        (
            all_of_it,
            "cell weighted_mean: ### BEGIN SOLUTION is above the first line of weighted_mean",
        ),
        (
            changed("def weighted_mean", "def weightedmean"),
            "checks weighted_mean, which the cell weighted_mean doesn't define",
        ),
        (
            changed("### BEGIN SOLUTION", ""),
            "### BEGIN SOLUTION and ### END SOLUTION must come in pairs",
        ),
        (
            lambda cells: [changed(f"### {end} SOLUTION", "")(cells) for end in ("BEGIN", "END")],
            "cell weighted_mean: ### BEGIN SOLUTION and ### END SOLUTION must surround what",
        ),
        (
            lambda cells: [
                changed(f"### {end} HIDDEN TESTS", "")(cells) for end in ("BEGIN", "END")
            ],
            "cell test_weighted_mean: grade() must be between ### BEGIN HIDDEN TESTS and ",
        ),
        (
            changed(
                'grade("averages.weighted_mean", weighted_mean)',
                'grade("averages.weighted_mean", np.mean)',
            ),
            "which the cell weighted_mean defines; they get np.mean and weighted_mean",
        ),
        (
            changed(
                '"averages.weighted_mean", weighted_mean)', '"averages.weighted_mean", np.mean)'
            ),
            "cell test_weighted_mean checks np.mean, which the cell weighted_mean doesn't define",
        ),
    ],
)
def test_a_slip_in_the_notebook_of_ones_own_course_is_one_line_that_names_it(
    means, autograder, change, said
):
    path = means / "source" / "01-averages" / "01-averages.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change(notebook.cells)
    nbformat.write(notebook, path)
    refused = autograder("release", course=means)
    assert refused.code == 2
    assert said in " ".join(refused.err.split())
    assert "Traceback" not in refused.err


def test_a_solution_in_a_file_beside_the_notebook_is_not_released(means, autograder):
    (means / "source" / "01-averages" / "solution.py").write_text(
        "def weighted_mean(values, weights):\n"
        "    mean = (weights[:, None] * values).sum(axis=0) / weights.sum()\n"
        "    return mean\n"
    )
    refused = autograder("release", course=means)
    assert refused.code == 2
    assert "solution.py: mean = (weights[:, None] * values)" in " ".join(refused.err.split())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            changed("import numpy as np", "import numpy as np\nopen('nowhere.csv')"),
            "stops with FileNotFoundError: ",
        ),
        (
            changed("import numpy as np", "import numpy"),
            "stops with NameError: name 'np' is not defined",
        ),
    ],
)
def test_a_lesson_whose_own_notebook_does_not_run_is_found_before_a_class_is_graded(
    means, autograder, change, said
):
    path = means / "source" / "01-averages" / "01-averages.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change(notebook.cells)
    nbformat.write(notebook, path)
    assert autograder("release", course=means).code == 0
    audited = autograder("audit", "--jobs", "1", course=means)
    assert audited.code != 0
    assert said in audited.out + audited.err


def test_shares_that_changed_since_the_grading_are_told(means, autograder):
    for command in (
        ["release"],
        ["simulate", "01-averages"],
        ["grade", "01-averages", "--sandbox", "none"],
    ):
        assert autograder(*command, course=means).code == 0
    again = autograder("release", course=means)
    assert "rejudge" not in again.out
    path = means / "means" / "exercises" / "averages" / "weighted_mean.py"
    path.write_text(path.read_text().replace('30, ("equal"', '10, ("equal"').replace("50,", "70,"))
    forget()
    changed = " ".join(autograder("release", course=means).out.split())
    assert (
        "weighted_mean: graded with a solution or shares of the points that have changed"
    ) in changed
    assert "next: autograder rejudge 01-averages --apply" in changed

    # Nobody's points are final before that.
    said = " ".join(autograder("export", "canvas", course=means).out.split())
    assert "no grade for 4 of 4 students: the lesson changed after they were graded" in said
    autograder("rejudge", "01-averages", "--apply", course=means)
    assert "no grade" not in autograder("export", "canvas", course=means).out


def test_a_second_notebook_beside_the_lesson_is_not_handed_out(means, autograder):
    notebook = means / "source" / "01-averages" / "Untitled.ipynb"
    nbformat.write(nbformat.v4.new_notebook(), notebook)
    refused = autograder("release", course=means)
    assert refused.code == 2
    assert "Untitled.ipynb is next to the lesson's notebook" in " ".join(refused.err.split())


def test_what_was_released_stays_where_nbgrader_can_not_release_anew(means, autograder):
    """It refuses a lesson that lost a notebook after somebody handed it in."""
    assert autograder("release", course=means).code == 0
    source = means / "source" / "01-averages" / "01-averages.ipynb"
    second = source.with_stem("b")
    shutil.copy(source, second)
    course = CourseFolder(means)
    assert course.run("generate_assignment", "01-averages", force=True, create=True) is None
    shutil.copytree(means / "release" / "01-averages", course.submitted("ada", "01-averages"))
    assert autograder("grade", "01-averages", "--sandbox", "none", course=means).code == 0
    released = course.release("01-averages").read_text()
    second.unlink()
    refused = autograder("release", course=means)
    assert refused.code == 2
    assert "Cannot modify existing assignment" in refused.err
    assert course.release("01-averages").read_text() == released


def test_a_demonstration_of_what_was_never_released_asks_for_that(means, autograder, tmp_path):
    refused = autograder("demo", "--into", str(tmp_path / "demo"), course=means)
    assert refused.code == 2
    assert "no answer sheet for averages.weighted_mean: run `autograder release" in " ".join(
        refused.err.split()
    )
    assert not (tmp_path / "demo").exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            'c.LatePolicy.penalty_methd = "zero"',
            "c.LatePolicy.penalty_methd (did you mean penalty_method?)",
        ),
        ("c.LatePolcy.percent_per_day = 3", "c.LatePolcy (did you mean c.LatePolicy?)"),
        ("c.ExecuteSubmission.memory = 3", "c.ExecuteSubmission.memory"),
        ('c.LatePolicy.penalty_method = "percents"', "'percents'"),
    ],
)
def test_an_option_that_nothing_reads_is_named(means, autograder, line, said):
    with (means / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.SomebodyElses.option = 1\n{line}\n")
    refused = autograder("release", course=means)
    assert refused.code == 2
    assert said in " ".join(refused.err.split())
    assert "SomebodyElses" not in refused.err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            'c.CourseDirectory.db_assignments = [dict(name="ps1")]',
            "c.CourseDirectory.db_assignments",
        ),
        ('c.CourseDirectory.db_students = [dict(id="ada")]', "c.CourseDirectory.db_students"),
        ("c.Execute.timeuot = 3", "c.Execute.timeuot (did you mean timeout?)"),
        ("c.Exceute.timeout = 3", "c.Exceute (did you mean c.Execute?)"),
    ],
)
def test_what_nbgrader_ignores_is_said_once_and_ignored(means, autograder, caplog, line, said):
    with (means / "nbgrader_config.py").open("a") as config:
        config.write(f"\n{line}\n")
    assert autograder("release", course=means).code == 0
    (told,) = (each for each in caplog.messages if "nothing reads" in each)
    assert told.endswith(f"ignores: {said}")


def test_a_lesson_from_before_cells_had_ids_is_released(means, autograder):
    path = means / "source" / "01-averages" / "01-averages.ipynb"
    written = json.loads(path.read_text())
    written["nbformat_minor"] = 4
    for cell in written["cells"]:
        del cell["id"]
    path.write_text(json.dumps(written))
    assert autograder("release", course=means).code == 0
    cells = nbformat.read(path, as_version=4).cells
    assert all(cell.id == cell.metadata.nbgrader.grade_id for cell in cells if grade_id(cell))
    assert autograder("release", "--check", course=means).code == 0


def test_a_path_in_which_a_gradebook_can_not_be_named_is_refused(means, autograder):
    there = means.rename(means.parent / "what?")
    refused = autograder("release", course=there)
    assert refused.code == 2
    assert "give the folder a name without a question mark" in " ".join(refused.err.split())


@pytest.mark.parametrize("name", ["Économie", "class", "2means"])
def test_a_course_is_called_what_python_can_import(tmp_path, autograder, name):
    refused = autograder("init", str(tmp_path / name), course=tmp_path)
    assert refused.code == 2
    assert "can't be a package's name" in " ".join(refused.err.split())


def test_a_lesson_whose_notebook_has_another_name_is_not_left_out_silently(means, autograder):
    there = means / "source" / "02-medians" / "medians.ipynb"
    there.parent.mkdir()
    shutil.copy(means / "source" / "01-averages" / "01-averages.ipynb", there)
    released = autograder("release", course=means)
    assert released.code == 0
    assert "because its name isn't its folder's: source/02-medians/medians.ipynb" in " ".join(
        released.out.split()
    )


def test_what_stops_everybody_is_said_to_be_the_lessons_perhaps(means, autograder):
    path = means / "source" / "01-averages" / "01-averages.ipynb"
    notebook = nbformat.read(path, as_version=4)
    changed('check("averages', "open('nowhere.csv')\ncheck(\"averages")(notebook.cells)
    nbformat.write(notebook, path)
    for command in (["release"], ["simulate", "01-averages"]):
        assert autograder(*command, course=means).code == 0
    graded = autograder("grade", "01-averages", "--sandbox", "none", course=means)
    said = " ".join(graded.out.split())
    assert "Nobody earned a point in weighted mean, all for the same reason: nothing to" in said
    assert "`autograder audit 01-averages` grades its own answers" in said


def test_a_configuration_in_which_nobody_judges_gives_nobody_zero(means, autograder):
    assert autograder("release", course=means).code == 0
    assert autograder("simulate", "01-averages", course=means).code == 0
    config = means / "nbgrader_config.py"
    config.write_text(config.read_text().replace("configure(c)\n", ""))
    refused = autograder("grade", "01-averages", "--sandbox", "none", course=means)
    assert refused.code == 2
    assert "nbgrader_config.py has to call configure(get_config())" in refused.err
    assert not (means / "autograded").exists()


def test_what_students_see_beside_the_stubs_is_told(means, autograder):
    source = means / "source" / "01-averages"
    (source / "solution.txt").write_text("the same as above")
    path = source / "01-averages.ipynb"
    notebook = nbformat.read(path, as_version=4)
    line = "mean = (weights[:, None] * values).sum(axis=0) / weights.sum()"
    assert any(line in cell.source for cell in notebook.cells)
    notebook.cells[0].source += f"\n```python\n{line}\n```"
    nbformat.write(notebook, path)
    released = autograder("release", course=means)
    assert released.code == 0
    said = " ".join(released.out.split())
    assert f"a line of the solution can be read in cell title: {line}" in said
    assert "also handed out: solution.txt" in said


def test_rounding_where_an_exact_zero_is_due_costs_nobody_points(means, autograder):
    path = means / "means" / "exercises" / "averages" / "weighted_mean.py"
    equal = '{"values": values, "weights": np.full(rows, 2, np.float32)}'
    whole = '{"values": np.array([[-9], [2], [7]]), "weights": np.array([1, 1, 1])}'
    assert equal in path.read_text()
    path.write_text(path.read_text().replace(equal, whole))
    forget()
    assert autograder("release", course=means).code == 0

    def another_order(values, weights):
        return sum(
            row * (weight / weights.sum()) for row, weight in zip(values, weights, strict=True)
        )

    assert another_order(np.array([[-9], [2], [7]]), np.ones(3)) != 0
    importlib.import_module("means").check("averages.weighted_mean", another_order)


LESSON = "01-averages"
KEY = "means_keys/averages/weighted_mean.py"
EXERCISE = "means/exercises/averages/weighted_mean.py"


def test_grades_by_another_solution_are_not_final_until_they_are_judged_again(means, autograder):
    for command in (["release"], ["simulate", LESSON], ["grade", LESSON, "--sandbox", "none"]):
        assert autograder(*command, course=means).code == 0
    path = means / KEY
    path.write_text(path.read_text().replace("weights @ values", "2 * weights @ values"))
    forget()
    released = " ".join(autograder("release", course=means).out.split())
    assert "weighted_mean: graded with a solution or shares" in released
    said = " ".join(autograder("export", "canvas", course=means).out.split())
    assert "no grade for 4 of 4 students: the lesson changed after they were graded" in said
    # Of the unanswered notebook and the unweighted mean, no verdict changes.
    autograder("rejudge", LESSON, "--apply", course=means)
    assert "no grade" not in autograder("export", "canvas", course=means).out


def test_an_answer_that_changes_its_inputs_spoils_no_other_case(means, autograder):
    assert ".copy()" not in (means / EXERCISE).read_text()  # a teacher needn't think of it
    assert autograder("release", course=means).code == 0

    def in_place(values, weights):
        values *= weights[:, None]
        return values.sum(axis=0) / weights.sum()

    importlib.import_module("means").check("averages.weighted_mean", in_place)


def test_a_notebook_for_another_language_is_not_released(means, autograder):
    path = means / "source" / LESSON / f"{LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata.kernelspec = {"name": "ir", "display_name": "R", "language": "R"}
    nbformat.write(notebook, path)
    refused = autograder("release", course=means)
    assert refused.code == 2
    assert "its kernel is 'ir': choose Python 3" in " ".join(refused.err.split())


def test_a_lesson_that_was_copied_or_renamed_says_which_it_is(means, autograder):
    first = means / "source" / LESSON
    second = means / "source" / "02-medians"
    shutil.copytree(first, second)
    (second / f"{LESSON}.ipynb").rename(second / "02-medians.ipynb")
    copied = " ".join(autograder("release", "02-medians", course=means).err.split())
    assert (
        f"averages.weighted_mean belongs to {LESSON}, and each exercise to a single lesson"
    ) in copied
    shutil.rmtree(first)
    renamed = " ".join(autograder("release", "02-medians", course=means).err.split())
    assert "averages.weighted_mean: set lesson = '02-medians' in its file" in renamed
    assert f"the name back instead: their submissions and grades stay under {LESSON}" in renamed


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.removeprefix("# ---\n"), "its header lacks the first line `# ---`"),
        (lambda text: text.replace("#     fails:", "#\tfails:"), "its header has a tab"),
        (
            lambda text: text.replace("#     fails:", "#   fails:"),
            "its header isn't valid YAML near ",
        ),
        (lambda text: text.replace("# ---\n\n", "\n"), "its header lacks the closing line `# ---`"),
    ],
)
def test_a_slip_in_the_header_of_answers_is_named(means, autograder, change, said):
    assert autograder("release", course=means).code == 0
    path = means / "tests" / "submissions" / LESSON / "wrong_unweighted.py"
    text = path.read_text()
    # A byte-order mark alone is no slip.
    path.write_text(text, "utf-8-sig")
    assert autograder("simulate", LESSON, course=means).code == 0
    path.write_text(change(text))
    refused = autograder("simulate", LESSON, course=means)
    assert refused.code == 2
    assert said in " ".join(refused.err.split())


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (
            lambda folder: folder.joinpath("wrong_unweighted.py").rename(folder / "unweighted.py"),
            "unweighted.py: its name must begin with right_ or wrong_",
        ),
        (
            lambda folder: _append(
                folder.parents[2] / KEY,
                'KEY.mistake("typo", "No.", "weights @", "wieghts @")\n',
            ),
            "the known mistake 'typo' stops with NameError: name 'wieghts' is not defined",
        ),
        (
            lambda folder: _rename_answer(folder.parents[2]),
            "the cell weighted_mean doesn't define weighted_mean",
        ),
    ],
)
def test_what_the_audit_can_not_judge_is_said_before_it_begins(means, autograder, spoil, said):
    assert autograder("release", course=means).code == 0
    spoil(means / "tests" / "submissions" / LESSON)
    forget()
    refused = autograder("audit", "--jobs", "1", course=means)
    assert refused.code == 2
    assert said in " ".join(refused.err.split())
    assert "Traceback" not in refused.err


def _append(path, line):
    path.write_text(path.read_text() + line)


def _rename_answer(root):
    path = root / "source" / LESSON / f"{LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    changed("def weighted_mean", "def weightedmean")(notebook.cells)
    nbformat.write(notebook, path)


def test_a_report_before_anything_was_graded_alarms_nobody(means, autograder):
    assert autograder("release", course=means).code == 0
    (means / "gradebook.db").unlink()
    refused = autograder("report", LESSON, course=means)
    assert refused.code == 2
    assert f"Nothing of {LESSON} is graded yet" in " ".join(refused.err.split())


def test_a_notebook_with_a_byte_order_mark_is_named(means, autograder):
    path = means / "source" / LESSON / f"{LESSON}.ipynb"
    path.write_text(path.read_text("utf8"), "utf-8-sig")
    refused = autograder("release", course=means)
    assert refused.code == 2
    assert "begins with a byte-order mark" in " ".join(refused.err.split())


def test_a_mutant_that_makes_no_difference_is_listed_by_the_lines_that_the_audit_prints(
    means, autograder
):
    path = means / "source" / LESSON / f"{LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    line = "mean = (weights[:, None] * values).sum(axis=0) / weights.sum()"
    # Nobody reads the last one.
    changed(line, f"{line}\n    rows = len(values) - 1")(notebook.cells)
    nbformat.write(notebook, path)
    assert autograder("release", course=means).code == 0
    audited = autograder("audit", "--jobs", "1", course=means)
    assert audited.code == 1
    lines = audited.out.partition("beside the answers:\n")[2].partition("\n\n")[0]
    answers = means / "tests" / "submissions" / LESSON
    (answers / "equivalent_mutants.yaml").write_text(lines)
    again = autograder("audit", "--jobs", "1", course=means)
    assert "a mutant that passes" not in again.out
    assert again.code == 0, again.out
