"""Submitted notebooks that were tampered with, or damaged: repaired, and told.

They go through the preprocessors that ``nbgrader_config.py`` lists, on a lesson that has every kind
of cell, without a kernel.
"""

import copy
import json
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell
from nbgrader.utils import determine_grade

from autograder.cells import grade_id
from autograder.course_folder import CourseFolder
from autograder.record import NotebookResult
from autograder.sanitize.expected_cells import RequiredNotebook
from autograder.sanitize.reader import NotANotebook
from tests.support.every_kind import (
    ANSWERS,
    LESSON,
    Released,
    as_read,
    lesson,
    marked,
)

PICTURE = {"picture.png": {"image/png": "iVBORw0KGgo="}}


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    return Released(tmp_path_factory.mktemp("course"))


def cells_of(notebook):
    return {cell.id: cell for cell in notebook.cells}


def sources(notebook):
    return [cell.source for cell in notebook.cells]


def find(notebook, name):
    """A submission's cell, and its place."""
    place = next(n for n, cell in enumerate(notebook.cells) if cell.id == name)
    return notebook.cells[place], place


def copied(notebook, name, source, new_place):
    """Copy a cell as Jupyter does, with its metadata, and change the copy's text."""
    cell = copy.deepcopy(find(notebook, name)[0])
    cell.id, cell.source = f"copy-{len(notebook.cells)}", source
    notebook.cells.insert(new_place, cell)


def remove(notebook, *names):
    notebook.cells = [cell for cell in notebook.cells if cell.id not in names]


def move(notebook, name, new_place):
    cell, place = find(notebook, name)
    del notebook.cells[place]
    notebook.cells.insert(new_place, cell)


# ---- honest notebooks ----


def by_jupyterlab(notebook):
    notebook.metadata.kernelspec = {"name": "venv", "display_name": ".venv", "language": "python"}
    notebook.metadata.language_info = {
        "name": "python",
        "version": "3.12.1",
        "file_extension": ".py",
    }
    notebook.metadata["widgets"] = {"state": {}}
    for count, cell in enumerate(notebook.cells, start=1):
        cell.metadata |= {"collapsed": False, "jupyter": {"source_hidden": True}, "trusted": True}
        if cell.cell_type == "code":
            cell.metadata["execution"] = {"iopub.execute_input": "2030-01-01T00:00:00Z"}
            cell.execution_count = count
            cell.outputs = [new_output("stream", text="x" * 1000)]
        else:
            cell["attachments"] = {}
    return notebook


def by_vs_code(notebook):
    notebook.metadata["vscode"] = {"interpreter": {"hash": "0"}}
    for cell in notebook.cells:
        cell.metadata["vscode"] = {"languageId": "python"}
    return notebook


def by_colab(notebook):
    notebook.nbformat_minor = 0
    notebook.metadata["colab"] = {"provenance": [], "toc_visible": True}
    notebook.metadata["accelerator"] = "GPU"
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    for number, cell in enumerate(notebook.cells):
        del cell["id"]
        cell.metadata |= {"id": f"aB3{number}", "colab": {"base_uri": "https://localhost"}}
        cell.metadata["outputId"] = f"cD4{number}"
        cell.source = cell.source.rstrip()
    return notebook


def with_marks_without_a_role(notebook):
    """As nbgrader's editor leaves them on cells it has shown."""
    marks = {"grade": False, "solution": False, "task": False, "locked": False}
    marks |= {"grade_id": "cell-0a1b", "schema_version": 3}
    find(notebook, "setup")[0].metadata["nbgrader"] = marks
    return notebook


def with_cells_of_their_own(notebook):
    notebook.cells.insert(5, new_code_cell("import math", metadata={"tags": ["mine"]}))
    notebook.cells.append(new_markdown_cell("![](attachment:picture.png)", attachments=PICTURE))
    return notebook


HONEST = [by_jupyterlab, by_vs_code, by_colab, with_marks_without_a_role, with_cells_of_their_own]


@pytest.mark.parametrize("edit", HONEST)
def test_an_honest_notebook_needs_no_repair(released, edit):
    honest = edit(released.answered())
    repaired, repairs = released.repair(honest)
    assert repairs == []
    told = released.result
    assert told == NotebookResult(handed_in=told.handed_in, python=told.python)
    released.assert_is_the_lesson(repaired)
    answers = {grade_id(cell): cell.source for cell in repaired.cells}
    assert {name: answers[name] for name in ANSWERS} == ANSWERS
    for before, after in zip(honest.cells, repaired.cells, strict=True):
        if not grade_id(after):
            assert after.source == before.source
        assert after.get("attachments", {}) == before.get("attachments", {})
        assert not after.get("outputs")


def test_an_unanswered_notebook_stays_unanswered(released):
    repaired, repairs = released.repair(released.released)
    assert repairs == []
    assert released.result.unanswered
    cells = cells_of(repaired)
    assert determine_grade(cells["essay"]) == (0, 4.0)
    assert determine_grade(cells["plan"]) == (0, 1.0)


def test_the_instructors_tags_on_ordinary_cells_stay_also_where_a_student_changed_the_text(
    released,
):
    notebook = released.answered()
    find(notebook, "fails")[0].source = "2 / 0"
    find(notebook, "never")[0].id = "elsewhere"
    repaired, repairs = released.repair(notebook)
    assert repairs == []
    cells = cells_of(repaired)
    assert cells["fails"].metadata.tags == ["raises-exception"]
    assert cells["elsewhere"].metadata.tags == ["skip-execution"]
    assert cells["setup"].metadata == {}


# ---- cells with one name ----


def test_of_copied_answers_the_last_counts_and_the_others_stay(released):
    notebook = released.answered()
    copied(notebook, "double", "def double(x):\n    return 0", find(notebook, "double")[1])
    repaired, repairs = released.repair(notebook)
    assert repairs == ["2 cells are named double: the last one counts"]
    released.assert_is_the_lesson(repaired)
    assert cells_of(repaired)["double"].source == ANSWERS["double"]
    assert sources(repaired).count("def double(x):\n    return 0") == 1


def test_an_answer_copied_behind_its_test_counts_and_the_test_follows_it(released):
    notebook = released.answered()
    copied(notebook, "double", "double = 3", find(notebook, "test_double")[1] + 1)
    repaired, repairs = released.repair(notebook)
    assert repairs == [
        "2 cells are named double: the last one counts",
        "not in the lesson's order, moved down: test_double",
    ]
    released.assert_is_the_lesson(repaired)
    texts = sources(repaired)
    test = cells_of(repaired)["test_double"].source
    assert texts.index(ANSWERS["double"]) < texts.index("double = 3") < texts.index(test)


def test_of_copied_graded_cells_the_first_counts_with_the_lessons_text(released):
    notebook = released.answered()
    copied(notebook, "test_double", "2.0", len(notebook.cells))
    repaired, repairs = released.repair(notebook)
    assert repairs == ["2 cells are named test_double: the first one counts"]
    released.assert_is_the_lesson(repaired)
    assert repaired.cells[-1].source == "2.0"
    assert repaired.cells[-1].metadata == {}


def test_an_unanswered_copy_of_a_written_answer_does_not_hide_the_answer(released):
    notebook = released.answered()
    copied(notebook, "essay", "YOUR ANSWER HERE", len(notebook.cells))
    repaired, repairs = released.repair(notebook)
    assert repairs == ["2 cells are named essay: the last answered one counts"]
    released.assert_is_the_lesson(repaired)
    assert determine_grade(cells_of(repaired)["essay"]) == (None, 4.0)
    copied(notebook, "essay", "On second thoughts.", len(notebook.cells))
    repaired, repairs = released.repair(notebook)
    assert repairs[0] == "3 cells are named essay: the last one counts"
    assert cells_of(repaired)["essay"].source == "On second thoughts."


# ---- missing cells, and cells out of place ----


def test_a_deleted_graded_cell_is_added_back_behind_its_answer(released):
    notebook = released.answered()
    remove(notebook, "test_double")
    repaired, repairs = released.repair(notebook)
    assert repairs == ["the graded cell test_double was missing: added back"]
    released.assert_is_the_lesson(repaired)
    assert sources(repaired) == sources(released.repair(released.answered())[0])


def test_deleted_answers_are_added_back_unanswered(released):
    notebook = released.answered()
    remove(notebook, *ANSWERS)
    repaired, repairs = released.repair(notebook)
    assert repairs == [
        "the solution cell double was missing: added back unanswered",
        "the solution cell triple was missing: added back unanswered",
        "the manually graded cell essay was missing: added back unanswered",
        "the manually graded cell plan was missing: added back unanswered",
    ]
    released.assert_is_the_lesson(repaired)
    assert sources(repaired) == sources(released.repair(released.released)[0])
    assert determine_grade(cells_of(repaired)["essay"]) == (0, 4.0)


@pytest.mark.parametrize("place", ["double", "title", "constants"])
def test_an_answer_that_moved_to_another_cell_is_not_overwritten(released, monkeypatch, place):
    """Merged into another answer, into a cell above, or into the set-up."""
    notebook = released.answered()
    remove(notebook, "triple")
    monkeypatch.setattr(RequiredNotebook, "is_judged", property(lambda lesson: True))
    if place == "title":
        notebook.cells.insert(0, new_code_cell(f"%time 1\n{ANSWERS['triple']}"))
    else:
        find(notebook, place)[0].source += f"\n\n{ANSWERS['triple']}"
    repaired, repairs = released.repair(notebook)
    assert (
        "the solution cell triple was missing: added back empty, because another cell defines "
        "triple"
    ) in repairs
    released.assert_is_the_lesson(repaired)
    assert find(repaired, "triple")[0].source == ""
    assert any(ANSWERS["triple"] in cell.source for cell in repaired.cells)


def test_who_answered_in_cells_of_their_own_did_not_hand_in_nothing(released):
    notebook = copy.deepcopy(released.released)
    released.repair(notebook)
    assert released.result.unanswered
    notebook.cells.append(new_code_cell(ANSWERS["double"]))
    _, repairs = released.repair(notebook)
    assert not released.result.unanswered
    assert repairs == ["double is only defined outside the answer cells"]


def test_who_copied_an_unanswered_cell_defined_nothing(released):
    notebook = released.answered()
    stub, _ = find(released.released, "triple")
    remove(notebook, "triple")
    notebook.cells.append(new_code_cell(stub.source))
    _, repairs = released.repair(notebook)
    assert "the solution cell triple was missing: added back unanswered" in repairs


def test_an_empty_notebook_becomes_the_lessons_unanswered_cells(released):
    repaired, repairs = released.repair(new_notebook())
    released.assert_is_the_lesson(repaired)
    assert len(repairs) == len(repaired.cells) == 8
    assert "the read-only cell constants was missing: added back" in repairs
    assert "the task cell project was missing: added back" in repairs


def test_a_test_before_its_answer_is_moved_behind_it_and_no_code_in_front_of_it(released):
    notebook = released.answered()
    move(notebook, "test_double", 0)
    notebook.cells.insert(1, new_code_cell("needed = 1"))
    repaired, repairs = released.repair(notebook)
    assert repairs == ["not in the lesson's order, moved down: test_double"]
    released.assert_is_the_lesson(repaired)
    texts = sources(repaired)
    assert texts.index("needed = 1") < texts.index(ANSWERS["double"])


def test_lessons_in_another_order_keep_what_each_answer_needs_in_front_of_it(released):
    notebook = released.answered()
    helpers = {name: f"helper_of_{name} = 1" for name in ("double", "triple")}
    for name, source in helpers.items():
        notebook.cells.insert(find(notebook, name)[1], new_code_cell(source))
    place = find(notebook, "double")[1] - 1
    second = find(notebook, "triple")[1] - 1
    both = notebook.cells[second : second + 3]
    del notebook.cells[second : second + 3]
    notebook.cells[place:place] = both
    repaired, repairs = released.repair(notebook)
    assert repairs == ["not in the lesson's order, moved down: triple, test_triple"]
    released.assert_is_the_lesson(repaired)
    texts = sources(repaired)
    for name, source in helpers.items():
        assert texts.index(source) < texts.index(ANSWERS[name])


# ---- answers beside the question ----

TEXT = "Because the sum of the weights is one."


def beside(new_cell, offset=1, text=TEXT):
    def write(notebook):
        notebook.cells.insert(find(notebook, "essay")[1] + offset, new_cell(text))

    return write


def in_place_of_the_question(notebook):
    beside(new_markdown_cell)(notebook)
    remove(notebook, "essay")


def below_a_cell_of_the_lessons(notebook):
    find(notebook, "never")[0].source += f"\n# {TEXT}"


BESIDE = {
    "below": beside(new_markdown_cell),
    "above": beside(new_markdown_cell, 0),
    "raw": beside(new_raw_cell),
    "further-above": beside(new_markdown_cell, -2),
    "code-cell": beside(new_code_cell),
    "comment": beside(new_code_cell, text=f"# {TEXT}\n"),
    "string": beside(new_code_cell, text=f'"""{TEXT}"""'),
    "in-place": in_place_of_the_question,
    "in-a-cell-of-the-lessons": below_a_cell_of_the_lessons,
}


@pytest.mark.parametrize("write", BESIDE.values(), ids=BESIDE)
def test_text_beside_an_untouched_question_waits_for_a_person(released, write):
    notebook = released.answered()
    find(notebook, "essay")[0].source = find(released.released, "essay")[0].source
    write(notebook)
    repaired, repairs = released.repair(notebook)
    released.assert_is_the_lesson(repaired)
    essay = cells_of(repaired)["essay"]
    assert determine_grade(essay) == (None, 4.0)
    assert TEXT in essay.source
    assert repairs[-1] == (
        "the manually graded cell essay is untouched: text next to it was moved into it for "
        "manual grading"
    )
    assert cells_of(repaired)["plan"].source == ANSWERS["plan"]
    again, _ = released.repair(notebook)
    assert again == repaired


@pytest.mark.parametrize(
    "write",
    [
        beside(new_code_cell, text="import math"),
        beside(new_markdown_cell, 3),
        beside(new_markdown_cell, text=" \n"),
        lambda notebook: remove(notebook, "fails"),
        lambda notebook: find(notebook, "never")[0].update(source="print(1)"),
    ],
)
def test_what_is_no_text_beside_a_question_leaves_it_unanswered(released, write):
    notebook = released.answered()
    find(notebook, "essay")[0].source = find(released.released, "essay")[0].source
    write(notebook)
    repaired, _ = released.repair(notebook)
    assert determine_grade(cells_of(repaired)["essay"]) == (0, 4.0)


def test_code_beside_a_question_for_code_is_shown_and_not_executed_twice(released):
    notebook = released.answered()
    find(notebook, "plan")[0].source = find(released.released, "plan")[0].source + "  "
    notebook.cells.insert(find(notebook, "plan")[1] + 1, new_code_cell("x = 1\nprint(x)"))
    repaired, _ = released.repair(notebook)
    plan = cells_of(repaired)["plan"]
    assert plan.source.endswith("\n\n# x = 1\n# print(x)")
    assert determine_grade(plan) == (None, 1.0)


def test_what_was_written_into_a_read_only_cell_answers_no_question_before_it(
    tmp_path, monkeypatch
):
    """Where the judge asks for answers, it runs before that cell."""
    monkeypatch.setattr(RequiredNotebook, "is_judged", property(lambda lesson: True))
    released, instructors = Released(tmp_path), lesson()
    move(instructors, "plan", find(instructors, "constants")[1])
    nbformat.write(instructors, tmp_path / "source" / LESSON / f"{LESSON}.ipynb")
    course = CourseFolder(tmp_path)
    assert course.run("generate_assignment", LESSON, force=True) is None
    notebook = nbformat.read(course.release(LESSON), as_version=4)
    question, mine = find(notebook, "plan")[0].source, "import re\nSCALE = 1"
    find(notebook, "constants")[0].source = mine
    repaired, _ = released.repair(notebook)
    place = find(repaired, "plan")[1]
    assert sources(repaired)[place : place + 3] == [question, mine, "SCALE = 1"]


# ---- types, flags, metadata ----


@pytest.mark.parametrize("kind", ["markdown", "raw", "code", "spreadsheet", None, 3, ["code"]])
def test_retyped_cells_are_what_they_were_with_their_text(released, kind):
    notebook = released.answered()
    for cell in notebook.cells:
        if "nbgrader" in cell.metadata:
            cell.cell_type = kind
    repaired, repairs = released.repair(notebook)
    released.assert_is_the_lesson(repaired)
    cells = cells_of(repaired)
    assert {name: cells[name].source for name in ANSWERS} == ANSWERS
    if kind in ("markdown", "raw"):
        assert f"the solution cell double had the type {kind}: restored to code" in repairs
    assert repairs


def test_forged_points_and_flags_are_the_lessons_again(released):
    forged = {
        "test_double": {"points": 100},
        "test_triple": {"points": "NaN", "grade": False, "locked": False},
        "double": {"grade": True, "solution": False, "points": 50},
        "essay": {"points": float("nan"), "task": True},
        "plan": {"schema_version": 99},
    }
    notebook = released.answered()
    for name, marks in forged.items():
        find(notebook, name)[0].metadata.nbgrader |= marks
    repaired, repairs = released.repair(notebook)
    released.assert_is_the_lesson(repaired)
    assert repairs == [
        "grade, solution, locked of the solution cell double had been changed: restored",
        "points of the graded cell test_double had been changed: restored",
        "grade, locked, points of the graded cell test_triple had been changed: restored",
        "task, points of the manually graded cell essay had been changed: restored",
        "schema_version of the manually graded cell plan had been changed: restored",
    ]
    assert {name: cells_of(repaired)[name].source for name in ANSWERS} == ANSWERS


@pytest.mark.parametrize(
    "marks", [[], {}, "grade", None, {"grade_id": 7}, {"grade_id": ["double"]}]
)
def test_a_cell_with_broken_metadata_is_known_by_its_id(released, marks):
    notebook = released.answered()
    find(notebook, "double")[0].metadata["nbgrader"] = marks
    repaired, repairs = released.repair(notebook)
    assert repairs == [
        "the solution cell double had lost its nbgrader metadata: recognized by its cell id"
    ]
    released.assert_is_the_lesson(repaired)
    assert cells_of(repaired)["double"].source == ANSWERS["double"]


def test_names_that_the_lesson_does_not_have_make_ordinary_cells(released):
    notebook = released.answered()
    graded = {"grade": True, "locked": True, "points": 9}
    bonus = marked(new_code_cell, "bonus", "9.0", **graded)
    long = marked(new_code_cell, "bonus", "9.0", **graded)
    nothing = new_code_cell("9.0", metadata={"nbgrader": [1]})
    notebook.cells[:0] = [bonus, nothing]
    long.id, long.metadata.nbgrader.grade_id = "long", "\x1b[2J" + "x" * 500
    notebook.cells.append(long)
    repaired, repairs = released.repair(notebook)
    quoted = "[2J" + "x" * 37 + "..."
    count = len(notebook.cells)
    assert repairs == [
        "cell 1 was marked as a cell 'bonus' that the lesson doesn't have: treated as an ordinary "
        "cell",
        "cell 2 was marked as a cell that the lesson doesn't have: treated as an ordinary cell",
        f"cell {count} was marked as a cell '{quoted}' that the lesson doesn't have: "
        "treated as an ordinary cell",
    ]
    released.assert_is_the_lesson(repaired)
    assert sources(repaired).count("9.0") == 3


def test_tags_that_change_how_cells_are_executed_are_removed(released):
    notebook = released.answered()
    for name in ("setup", "double", "test_double"):
        find(notebook, name)[0].metadata["tags"] = ["skip-execution", "mine", {}, 1]
    find(notebook, "show")[0].metadata["tags"] = "raises-exception, skip-execution"
    repaired, repairs = released.repair(notebook)
    assert repairs == [
        "tags removed from cell 2: skip-execution",
        "tags removed from the solution cell double: skip-execution",
        "tags removed from the graded cell test_double: skip-execution",
        "tags removed from cell 7: raises-exception, skip-execution",
    ]
    released.assert_is_the_lesson(repaired)
    assert cells_of(repaired)["test_double"].metadata.tags == ["raises-exception"]


def test_changed_texts_of_locked_cells_are_restored_and_told(released):
    notebook = released.answered()
    for name in ("constants", "test_double", "project"):
        find(notebook, name)[0].source += "\nmine = 1"
    find(notebook, "project")[0]["attachments"] = PICTURE
    repaired, repairs = released.repair(notebook)
    assert repairs == [
        "the text of the read-only cell constants had been changed: restored",
        "the text of the graded cell test_double had been changed: restored",
        "the text of the task cell project had been changed: restored",
        "attachments of the task cell project had been changed: restored",
    ]
    released.assert_is_the_lesson(repaired)


def test_without_a_judge_a_students_text_in_a_read_only_cell_is_gone_as_with_nbgrader(released):
    notebook = released.answered()
    find(notebook, "constants")[0].source = "import re\nSCALE = 1"
    repaired, repairs = released.repair(notebook)
    assert repairs == ["the text of the read-only cell constants had been changed: restored"]
    assert not any("import re" in source for source in sources(repaired))


def test_a_cell_that_was_locked_after_it_was_handed_out_accuses_nobody(tmp_path):
    released = Released(tmp_path)
    notebook = released.answered()
    source = tmp_path / "source" / LESSON / f"{LESSON}.ipynb"
    locked = marked(new_code_cell, "setup", "import os", locked=True)
    instructors = lesson()
    instructors.cells[find(instructors, "setup")[1]] = locked
    nbformat.write(instructors, source)
    assert CourseFolder(tmp_path).run("generate_assignment", LESSON, force=True) is None
    repaired, repairs = released.repair(notebook)
    assert repairs == []
    said = "the read-only cell setup was an ordinary cell then"
    assert released.result.lesson_changes == (said,)
    assert cells_of(repaired)["setup"].metadata.nbgrader.locked


@pytest.mark.parametrize(
    "version", ["3.12", "3.9.1", "<b>3.12</b>", 3.12, None, ["3.12"], "9" * 99]
)
def test_the_version_of_python_is_kept_where_it_is_one(released, version):
    notebook = released.answered()
    notebook.metadata.language_info = {"name": "python", "version": version}
    released.repair(notebook)
    assert released.result.python == (version if version in ("3.12", "3.9.1") else "")


def test_a_picture_in_a_written_answer_belongs_to_it(released):
    notebook = released.answered()
    broken = {"list": [], "number": {"image/png": 3}}
    find(notebook, "essay")[0]["attachments"] = PICTURE | {"number": broken["number"]}
    find(notebook, "title")[0]["attachments"] = {"number": broken["number"]}
    repaired, repairs = released.repair(notebook)
    assert repairs == []
    assert cells_of(repaired)["essay"].attachments == PICTURE
    assert "attachments" not in cells_of(repaired)["title"]


@pytest.mark.filterwarnings("ignore::nbformat.warnings.DuplicateCellId")
def test_ids_are_valid_and_unique(released):
    notebook = released.answered()
    for cell, wrong in zip(notebook.cells, ["", "a b", 7, None, "x" * 65, "title"], strict=False):
        cell["id"] = wrong
    notebook.cells.append(new_code_cell("mine", id="test_triple"))
    repaired, repairs = released.repair(notebook)
    assert repairs == []
    released.assert_is_the_lesson(repaired)
    ids = [cell.id for cell in repaired.cells]
    assert len(set(ids)) == len(ids)
    assert repaired.cells[-1].source == "mine"


# ---- what is hardly a notebook ----


def test_halves_of_characters_are_replaced(released):
    notebook = released.answered()
    find(notebook, "essay")[0].source = "half \ud800 of one"
    find(notebook, "show")[0].source = "'\udfff'"
    repaired, repairs = released.repair(notebook)
    assert repairs == [
        "cell 7 contains something that isn't text: replaced",
        "cell 13 contains something that isn't text: replaced",
    ]
    released.assert_is_the_lesson(repaired)
    json.dumps(repaired, ensure_ascii=False).encode("utf8")
    assert cells_of(repaired)["essay"].source == "half ? of one"


def test_entries_that_are_no_cells_are_dropped(released):
    notebook = json.loads(json.dumps(released.answered()))
    notebook["nbformat_minor"] = 4
    for cell in notebook["cells"]:
        del cell["id"]
    notebook["cells"][3]["source"] = 12
    submitted = nbformat.from_dict(notebook)
    submitted.cells[:0] = ["a text", 5, None, []]
    repaired, lines = released.repair(submitted)
    assert lines[:4] == [f"entry {n} of the notebook isn't a cell: dropped" for n in range(1, 5)]
    assert "cell 8 contains something that isn't text: replaced" in lines
    released.assert_is_the_lesson(repaired)


@pytest.mark.parametrize("cells", [{}, {"a": {}}, "cells", None, 3])
def test_what_has_no_list_of_cells_is_no_notebook(released, cells):
    node = released.answered()
    node["cells"] = cells
    with pytest.raises(NotANotebook, match="it has no list of cells"):
        released.repair(node)


def test_a_long_list_of_repairs_is_cut(released):
    notebook = released.answered()
    for number in range(80):
        cell = marked(new_raw_cell, f"bonus{number}", "", grade=True, points=1)
        notebook.cells.append(cell)
    repaired, repairs = released.repair(notebook)
    assert len(repairs) == 51
    assert repairs[-1] == "and 30 more"
    assert max(map(len, repairs)) <= 203
    released.assert_is_the_lesson(repaired)


# ---- crafted to take long ----


def like_ours(number, count):
    """Ids such as repairing gives, in the way of those that it has to give."""
    cell = new_code_cell()
    cell.id = f"cell-{number + count // 2}" if number < count // 2 else f"not valid {number}"
    return cell


def of_one_name(number, count):
    return marked(new_markdown_cell, "essay", f"answer {number}", grade=True, solution=True)


def of_foreign_names(number, count):
    return marked(new_code_cell, f"bonus-{number}", "1", grade=True, points=1)


def of_every_text(number, count):
    return new_code_cell(f"x = {number}", metadata={"tags": ["skip-execution"]})


def calls(function):
    """How many functions are called, of Python or C: on a busy machine, seconds say little."""
    count = 0

    def called(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("craft", [like_ours, of_one_name, of_foreign_names, of_every_text])
def test_four_times_the_cells_are_four_times_the_work(released, craft):
    def work(count):
        cells = [craft(number, count) for number in range(count)]
        notebook = as_read({"cells": cells}, [])
        return calls(lambda: released.repair_alone(notebook))

    few, many = work(200), work(800)
    assert many < 5 * few


def test_too_many_cells_are_refused_before_any_work(released):
    cells = [{"cell_type": "raw", "metadata": {}, "source": ""}] * 5_001
    with pytest.raises(NotANotebook, match=r"it has 5,001 cells; the maximum is 5,000"):
        released.repair({"cells": cells})


# ---- what the instructor changed since ----


def test_a_cell_that_the_source_has_lost_still_counts(released):
    path = released.root / "source" / LESSON / f"{LESSON}.ipynb"
    before = path.read_bytes()
    try:
        source = nbformat.read(path, as_version=4)
        remove(source, "test_double")
        nbformat.write(source, path)
        repaired, repairs = released.repair(released.answered())
    finally:
        path.write_bytes(before)
    assert grade_id(repaired.cells[-1]) == repaired.cells[-1].id == "test_double"
    assert repaired.cells[-1].metadata.nbgrader.points == 2
    assert "### BEGIN HIDDEN TESTS" in repaired.cells[-1].source
    assert repairs == []
    assert released.result.lesson_changes == ("the order of the cells changed",)


def test_without_the_source_nothing_is_graded_and_the_reason_names_it(released):
    path = released.root / "source" / LESSON / f"{LESSON}.ipynb"
    away = path.rename(path.with_suffix(".away"))
    try:
        with pytest.raises(FileNotFoundError, match=r"every-kind\.ipynb is missing"):
            released.repair(released.answered())
    finally:
        away.rename(path)


# ---- a class, graded both ways ----
