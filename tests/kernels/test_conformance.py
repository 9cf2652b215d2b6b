"""Grading leaves what nbgrader's own autograding leaves.

nbgrader's fixtures, and small notebooks for what these do not try, are graded twice, in copies of
the same courses: by nbgrader alone and by ``autograder.grading``. The courses name no
preprocessors, so both take nbgrader's own. What differs on purpose is in ``DEVIATIONS``.
"""

import functools
import logging
import multiprocessing
import os
import re
import shutil
import stat
import sys
import warnings
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import nbformat
import nbgrader
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.apps import NbGrader
from nbgrader.apps.api import NbGraderAPI

from autograder.course_folder import CourseFolder
from autograder.grading import batch
from autograder.kernels import sandbox
from autograder.record import METADATA

APPS = Path(nbgrader.__file__).parent / "tests" / "apps" / "files"
PREPROCESSORS = Path(nbgrader.__file__).parent / "tests" / "preprocessors" / "files"
RELEASED = "as it was released"

DUE = "2015-02-02 14:58:23.948203 America/Los_Angeles"
ONE_HOUR_LATE = "2015-02-02 15:58:23.948203 America/Los_Angeles"
FOUR_HOURS_LATE = "2015-02-02 18:58:23.948203 America/Los_Angeles"

POINT_PER_HOUR = """
from nbgrader.plugins import BasePlugin

class PointPerHour(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return int(total_seconds_late / 3600)

c = get_config()
c.CourseDirectory.course_id = "class"
c.AssignLatePenalties.plugin_class = PointPerHour
c.Autograde.exclude_overwriting = {"files": ["kept.txt"]}
"""
NOTHING_BUT_A_NAME = """
c = get_config()
c.CourseDirectory.course_id = "kinds"
"""
NO_HURRY = """
c.Execute.timeout = 300
c.Execute.iopub_timeout = 60
"""
"""nbgrader's limits are times on the clock: 3,000 frames of a traceback may take longer than 30 s
on a busy machine, and would then be missing from what nbgrader leaves."""
SHORT_LIMIT = """
c = get_config()
c.CourseDirectory.course_id = "limits"
c.CourseDirectory.groupshared = True
c.Execute.timeout = 1
c.LateSubmissionPlugin.penalty_method = "zero"
"""


def cell(name, source, **nbgrader_metadata):
    """A code cell that nbgrader knows; by default one that is only locked."""
    metadata = {"grade": False, "locked": True, "solution": False, "task": False}
    metadata |= {"grade_id": name, "schema_version": 3} | nbgrader_metadata
    return new_code_cell(source, id=name, metadata={"nbgrader": metadata})


def answer(name, source):
    region = f"### BEGIN SOLUTION\n{source}\n### END SOLUTION"
    return cell(name, region, solution=True, locked=False)


def graded(name, source, points=1.0):
    return cell(name, source, grade=True, points=points)


def notebook(*cells):
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=list(cells), metadata={"kernelspec": spec})


def answering(**answers):
    """Hand in what was released, with other sources in cells, by grade_id."""

    def change(released):
        for each in released.cells:
            name = each.metadata.get("nbgrader", {}).get("grade_id")
            each.source = answers.get(name, each.source)
        return released

    return change


def without(*names):
    """Hand in what was released, without cells, by grade_id."""

    def change(released):
        released.cells = [
            each
            for each in released.cells
            if each.metadata.get("nbgrader", {}).get("grade_id") not in names
        ]
        return released

    return change


def without_stubs(released):
    """Hand in what was released, with stubs that do nothing."""
    for each in released.cells:
        each.source = each.source.replace("raise NotImplementedError()", "pass")
    return released


def looking_around(released):
    """Hand in what was released, and a cell that lists the working directory."""
    released.cells.append(new_code_cell("import os\n\nsorted(os.listdir())"))
    return released


def with_a_cell_twice(released):
    """Hand in what was released, with a copy of its last cell, as made in Jupyter."""
    original = released.cells[-1]
    released.cells.append(new_code_cell(original.source, metadata=original.metadata))
    return released


def with_schema(version):
    """Hand in what was released, with nbgrader's metadata of another version."""

    def change(released):
        for cell in released.cells:
            cell.metadata.nbgrader.schema_version = version
        return released

    return change


ONE_QUESTION = notebook(answer("value", "value = 1"), graded("test_value", "assert value == 1"))
RIGHT, WRONG = answering(value="value = 1"), answering(value="value = 2")

POINTS = notebook(
    answer("earned", "earned = 1.5"),
    graded("partial", "earned", points=2),
    graded("float_in_text", "print('0.5')\nearned / 2", points=2),
    graded("not_a_number", "'two'", points=2),
    graded("nan", "float('nan')", points=2),
    graded("negative", "-1.0", points=2),
    graded("nothing", "None", points=2),
    graded("zero", "0", points=2),
    graded("true", "True", points=2),
    graded("displayed", "display(0.5)", points=2),
    graded("stderr", "import sys\n\nprint('a warning', file=sys.stderr)", points=2),
    graded("warning", "import warnings\n\nwarnings.warn('a warning')", points=2),
    graded("stderr_after_points", "sys.stderr.write('late')\n1.0", points=2),
    graded("error_after_output", "print('fine')\nraise ValueError('not fine')", points=2),
    graded("syntax", "1 +", points=2),
    graded("exit", "raise SystemExit", points=2),
    graded("empty", "", points=2),
)

OUTPUTS = notebook(
    new_code_cell("print('one')\nprint('two', end='')\n'three'", id="text"),
    new_code_cell("import sys\n\nfor n in range(3):\n    print(f'\\r{n}', end='')", id="progress"),
    new_code_cell(
        "from IPython.display import HTML, clear_output, display, update_display\n\n"
        "handle = display('before', display_id=True)\nhandle.update('after')\nHTML('<b>bold</b>')",
        id="updated",
    ),
    new_code_cell("print('gone')\nclear_output()\nprint('kept')", id="cleared"),
    new_code_cell("print('out')\nsys.stderr.write('err\\n')\nprint('out again')", id="streams"),
    new_code_cell("input('name? ')", id="input"),
    new_code_cell("%%sh\necho from a shell", id="shell"),
    new_code_cell("!echo from a line", id="line"),
    new_code_cell("", id="empty"),
    new_code_cell("1 / 0", id="skipped", metadata={"tags": ["skip-execution"]}),
    new_code_cell("1 / 0", id="raises", metadata={"tags": ["raises-exception"], "collapsed": True}),
    new_code_cell("object()", id="address"),
    new_code_cell("import os\n\nos.environ['NBGRADER_EXECUTION']", id="environment"),
    new_code_cell("_, __, In[1], len(Out)", id="history"),
    new_code_cell("[{'name': 'β', 'value': 1.25}] * 3", id="last"),
)

PS1 = APPS / "submitted-unchanged.ipynb"
PRINTING = notebook(
    new_code_cell("import time\n\nwhile True:\n    print('x')\n    time.sleep(0.01)")
)
SLEEPING = notebook(graded("nap", "import time\n\ntime.sleep(2)"))
TWO_ANSWERS = notebook(
    answer("first", "a = 1"),
    graded("test_first", "assert a == 1"),
    answer("second", "b = 1"),
    graded("test_second", "assert b == 1"),
)


@dataclass(frozen=True)
class Assignment:
    """What an instructor wrote, and what students hand in.

    Args:
        source: files by name: a notebook, or the path of one of nbgrader's fixtures, or text.
        submissions: by student, such files, or ``RELEASED``, or how to change the released one.
    """

    source: dict
    submissions: dict


def one(source, **submissions):
    """An assignment of one notebook, handed in by students."""
    return Assignment(
        {"p1.ipynb": source}, {name: {"p1.ipynb": file} for name, file in submissions.items()}
    )


CLASS = {
    "ps1": Assignment(
        {"p1.ipynb": PS1},
        {
            "unchanged": {"p1.ipynb": PS1, "timestamp.txt": DUE},
            "changed": {
                "p1.ipynb": APPS / "submitted-changed.ipynb",
                "timestamp.txt": ONE_HOUR_LATE,
            },
            "cheat": {"p1.ipynb": APPS / "submitted-cheat-attempt.ipynb"},
            "cheat_alternative": {"p1.ipynb": APPS / "submitted-cheat-attempt-alternative.ipynb"},
            "grade_cell_changed": {"p1.ipynb": APPS / "submitted-grade-cell-changed.ipynb"},
            "locked_cell_changed": {
                "p1.ipynb": APPS / "submitted-locked-cell-changed.ipynb",
                "timestamp.txt": FOUR_HOURS_LATE,
            },
            "answer_type_changed": {
                "p1.ipynb": PREPROCESSORS / "submitted-answer-cell-type-changed.ipynb"
            },
            "grade_type_changed": {
                "p1.ipynb": PREPROCESSORS / "submitted-grade-cell-type-changed.ipynb"
            },
            "grade_cell_deleted": {"p1.ipynb": without("bar", "baz"), "timestamp.txt": ""},
            "invalid_timestamp": {"p1.ipynb": PS1, "timestamp.txt": "yesterday"},
            "not_json": {"p1.ipynb": "{ this is no JSON"},
            "other_name": {"homework.ipynb": PS1},
            "no_notebook": {"notes.txt": "I was ill."},
        },
    ),
    "hidden": one(APPS / "test-hidden-tests.ipynb", visible_only=without_stubs),
    "files": Assignment(
        {
            "p1.ipynb": APPS / "open_relative_file.ipynb",
            "data.txt": APPS / "data.txt",
            "kept.txt": "the instructor's",
            "folder/helper.py": "print('the instructor's')",
        },
        {
            "brings_nothing": {"p1.ipynb": RELEASED},
            "looks_around": {"p1.ipynb": looking_around},
            "brings_files": {
                "p1.ipynb": RELEASED,
                "data.txt": "one line",
                "kept.txt": "the student's",
                "extra.txt": "the student's",
                "ignored.pyc": "",
                "folder/helper.py": "print('the student's')",
                "folder/deeper/mine.txt": "the student's",
            },
        },
    ),
    "several": Assignment(
        {"first.ipynb": ONE_QUESTION, "second.ipynb": TWO_ANSWERS},
        {
            "both_late": {
                "first.ipynb": RIGHT,
                "second.ipynb": answering(first="a = 1", second="b = 1"),
                "timestamp.txt": ONE_HOUR_LATE,
            },
            "one_missing_late": {
                "second.ipynb": answering(first="a = 1", second="b = 2"),
                "timestamp.txt": ONE_HOUR_LATE,
            },
            "one_unreadable": {"first.ipynb": RIGHT, "second.ipynb": "{ this is no JSON"},
        },
    ),
    "again": Assignment(
        {"p1.ipynb": ONE_QUESTION},
        {
            student: {"p1.ipynb": WRONG, "timestamp.txt": DUE}
            for student in ("newer", "same", "newer_but_unreadable")
        },
    ),
    "invalid_later": Assignment(
        {"p1.ipynb": ONE_QUESTION},
        {
            student: {"p1.ipynb": WRONG, "timestamp.txt": DUE}
            for student in ("a_invalid", "b_newer")
        },
    ),
    "forced": one(ONE_QUESTION, graded_by_hand=WRONG),
    "dies": one(TWO_ANSWERS, dies=answering(first="a = 1", second="import os\n\nos._exit(1)")),
    "old_schema": one(ONE_QUESTION, a_refused=with_schema(2), b_after=RIGHT),
    "new_schema": one(ONE_QUESTION, a_refused=with_schema(10), b_after=RIGHT),
    "duplicate": one(ONE_QUESTION, a_refused=with_a_cell_twice, b_after=RIGHT),
}
KINDS = {
    "oddities": Assignment(
        {
            "environment.ipynb": APPS / "validating-environment-variable.ipynb",
            "zero_points.ipynb": APPS / "validation-zero-points.ipynb",
            "side_effects.ipynb": APPS / "side-effects.ipynb",
            "recursion.ipynb": PREPROCESSORS / "infinite-recursion.ipynb",
            "long_output.ipynb": PREPROCESSORS / "long-output.ipynb",
            "outputs.ipynb": OUTPUTS,
        },
        {
            "all": {
                "environment.ipynb": RELEASED,
                "zero_points.ipynb": RELEASED,
                "side_effects.ipynb": RELEASED,
                "recursion.ipynb": RELEASED,
                "long_output.ipynb": RELEASED,
                "outputs.ipynb": RELEASED,
                "unknown.ipynb": PS1,
            }
        },
    ),
    "autotests": Assignment(
        {f"{kind}.ipynb": APPS / f"autotest-{kind}.ipynb" for kind in ("hidden", "multi")},
        {
            "changed": {
                "hidden.ipynb": APPS / "autotest-hidden-changed-right.ipynb",
                "multi.ipynb": APPS / "autotest-multi-changed.ipynb",
            },
            "wrong": {"hidden.ipynb": APPS / "autotest-hidden-changed-wrong.ipynb"},
        },
    ),
    "written": Assignment(
        {
            "code.ipynb": PREPROCESSORS / "manually-graded-code-cell.ipynb",
            "task.ipynb": PREPROCESSORS / "test_taskcell.ipynb",
        },
        {
            "unanswered": {"code.ipynb": RELEASED, "task.ipynb": RELEASED},
            "answered": {
                "code.ipynb": answering(foo="print('mine')"),
                "task.ipynb": answering(
                    squares="def squares(n):\n    return [1]",
                    sum_of_squares_equation="$n$",
                    sum_of_squares_application="squares(1)",
                ),
            },
        },
    ),
    "points": one(
        POINTS,
        released=RELEASED,
        above_the_maximum=answering(earned="earned = 2.5"),
    ),
}
LIMITS = {
    "loops": Assignment(
        {
            "silent.ipynb": APPS / "infinite-loop.ipynb",
            "growing.ipynb": APPS / "infinite-loop-with-output.ipynb",
            "printing.ipynb": PRINTING,
        },
        {
            "late": {
                "silent.ipynb": RELEASED,
                "growing.ipynb": RELEASED,
                "printing.ipynb": RELEASED,
                "timestamp.txt": ONE_HOUR_LATE,
            }
        },
    ),
    "timeout": one(APPS / "timeout.ipynb", sleeps=APPS / "timeout.ipynb"),
    "nap": one(SLEEPING, sleeps=RELEASED),
    "late": Assignment(
        {"p1.ipynb": ONE_QUESTION}, {"late": {"p1.ipynb": RIGHT, "timestamp.txt": ONE_HOUR_LATE}}
    ),
}
COURSES = {
    "class": (POINT_PER_HOUR + NO_HURRY, CLASS),
    "kinds": (NOTHING_BUT_A_NAME + NO_HURRY, KINDS),
    "limits": (SHORT_LIMIT, LIMITS),
}

DEVIATIONS = {
    ("class", "dies", "dies"): "what was answered before the kernel died counts",
    ("class", "old_schema", "b_after"): "one refused submission does not stop the others",
    ("class", "new_schema", "b_after"): "one refused submission does not stop the others",
    ("class", "duplicate", "b_after"): "one refused submission does not stop the others",
    ("class", "several", "one_unreadable"): "an unreadable notebook leaves nothing half recorded",
    ("class", "files", "looks_around"): "the notebook is not beside the kernel that executes it",
    ("limits", "nap", "sleeps"): "a limit counts seconds of computing, not of waiting",
    ("class", "again", "same"): "another notebook is graded, whatever its time is",
    ("class", "ps1", "other_name"): "a renamed notebook is known by its tasks",
    (
        "class",
        "ps1",
        "answer_type_changed",
    ): "a submission's outputs are dropped unread",
}
"""Where the two differ on purpose; each has a test of its own below."""

EXPECTED = {
    ("class", "ps1", "unchanged"): (1, 7),
    ("class", "ps1", "changed"): (2, 7),
    ("class", "ps1", "cheat"): (1, 7),
    ("class", "ps1", "cheat_alternative"): (1, 7),
    ("class", "hidden", "visible_only"): (1.5, 3),
    ("class", "files", "brings_nothing"): (10, 10),
    ("class", "files", "brings_files"): (10, 10),
    ("kinds", "oddities", "all"): (0, 1),
    ("kinds", "autotests", "changed"): (4, 5),
    ("kinds", "autotests", "wrong"): (0, 5),
    ("limits", "timeout", "sleeps"): (0, 1),
}
"""Points, and of how many: from ``nbgrader/tests/apps/test_nbgrader_autograde.py``."""

REFUSED = [
    ("class", "ps1", "answer_type_changed"),
    ("class", "ps1", "grade_type_changed"),
    ("class", "ps1", "invalid_timestamp"),
    ("class", "ps1", "not_json"),
    ("class", "ps1", "no_notebook"),
    ("class", "several", "one_unreadable"),
    ("class", "again", "newer_but_unreadable"),
    ("class", "invalid_later", "a_invalid"),
    ("class", "old_schema", "a_refused"),
    ("class", "new_schema", "a_refused"),
    ("class", "duplicate", "a_refused"),
    ("kinds", "points", "above_the_maximum"),
]
"""What neither grades."""

KEPT = {
    ("class", "again", "newer_but_unreadable"),
    ("class", "invalid_later", "a_invalid"),
}
"""What was graded before and is refused now: nbgrader removes the earlier result, we keep it."""

CASES = [
    (course, assignment, student)
    for course, (_, assignments) in COURSES.items()
    for assignment, each in assignments.items()
    for student in each.submissions
]
EQUAL = [case for case in CASES if case not in DEVIATIONS and case not in KEPT]


def write(path, content, released):
    """Write a file of a course.

    Args:
        content: as ``Assignment`` describes it.
        released: the notebook that ``content`` may be made of.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Path):
        shutil.copy(content, path)
    elif content == RELEASED:
        shutil.copy(released, path)
    elif isinstance(content, str):
        path.write_text(content)
    elif callable(content):
        nbformat.write(content(nbformat.read(released, as_version=4)), path)
    else:
        nbformat.write(content, path)


def stock_api(course):
    """nbgrader's programming interface, configured as its commands are in a course folder."""
    os.chdir(course)
    # nbgrader calls alembic by name.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    warnings.simplefilter("ignore")
    app = NbGrader()
    app.log_level = logging.CRITICAL
    app.initialize([])
    app.config.CourseDirectory.root = str(course)
    return NbGraderAPI(config=app.config)


def open_gradebook(course):
    return Gradebook(f"sqlite:///{course / 'gradebook.db'}")


def release(course, name):
    """Write a course's sources, release them, collect the submissions."""
    config, assignments = COURSES[name]
    course.mkdir()
    if sandbox.problem():
        config += 'c.ExecuteSubmission.sandbox = "none"\n'
    (course / "nbgrader_config.py").write_text(config)
    shutil.copy(APPS / "autotests.yml", course)
    api = stock_api(course)
    for assignment, each in assignments.items():
        for path, content in each.source.items():
            write(course / "source" / assignment / path, content, None)
        with api.gradebook as gradebook:
            gradebook.update_or_create_assignment(assignment, duedate=DUE)
        result = api.generate_assignment(assignment)
        if not result["success"]:
            raise RuntimeError(result["log"])
        for student, files in each.submissions.items():
            for path, content in files.items():
                target = course / "submitted" / student / assignment / path
                write(target, content, course / "release" / assignment / path)


def hand_in_again(course):
    """What happens after the first grading: a person grades, students hand in once more."""
    again = {
        ("again", "newer"): (RIGHT, ONE_HOUR_LATE),
        ("again", "same"): (RIGHT, DUE),
        ("again", "newer_but_unreadable"): ("{ this is no JSON", ONE_HOUR_LATE),
        ("invalid_later", "a_invalid"): (RIGHT, "tomorrow"),
        ("invalid_later", "b_newer"): (RIGHT, ONE_HOUR_LATE),
    }
    for (assignment, student), (content, timestamp) in again.items():
        folder = course / "submitted" / student / assignment
        write(folder / "p1.ipynb", content, course / "release" / assignment / "p1.ipynb")
        (folder / "timestamp.txt").write_text(timestamp)
    with open_gradebook(course) as gradebook:
        grade = gradebook.find_grade("test_value", "p1", "forced", "graded_by_hand")
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 0.5, 0.25, False
        comment = gradebook.find_comment("value", "p1", "forced", "graded_by_hand")
        comment.manual_comment = "Nearly."
        gradebook.db.commit()


def grade_by_nbgrader(course, name):
    """Grade by stock autograding.

    nbgrader's kernels take ports that were free a moment earlier, and it gives up on a cell whose
    last output is four seconds late. On a busy machine that leaves a submission ungraded now and
    then, and an instructor would grade it once more; what nbgrader refuses, it refuses again.

    Returns:
        By assignment, "" or what nbgrader says of a failure.
    """
    api = stock_api(course)

    def autograde(assignment, force):
        result = api.autograde(assignment, "*", force=force)
        for student in COURSES[name][1][assignment].submissions:
            graded = (course / "autograded" / student / assignment).exists()
            # Alone, "b_after" would not come after the submission that ends the batch.
            if not graded and student != "b_after":
                print(f"{assignment} of {student}: not graded, once more:", result.get("log"))
                api.autograde(assignment, student, force=force)
        return result.get("error", "")

    return grade_all(course, name, autograde)


def grade_by_us(course, name):
    """Grade by our pipeline.

    Returns:
        By assignment, the problem of each student, "" for none; of no student, what ended the run.
    """
    os.chdir(course)
    folder = CourseFolder(course)

    def grade(assignment, force):
        rows = batch.grade(folder, assignment, folder.students(assignment), force=force)
        try:
            return {row.student: row.problem for row in rows}
        except Exception as error:
            return {"": repr(error)}

    return grade_all(course, name, grade)


def grade_all(course, name, grade):
    """Grade every assignment; then, where something happened since, once more."""
    results = {assignment: grade(assignment, False) for assignment in COURSES[name][1]}
    if name == "class":
        hand_in_again(course)
        for assignment in ("again", "invalid_later", "forced"):
            results[assignment] = grade(assignment, assignment == "forced")
    return results


@functools.cache
def read_gradebook(course):
    """Everything that the gradebook says of submissions, by assignment and student."""
    with open_gradebook(course) as gradebook:
        return {
            (assignment.name, submission.student.id): {
                "timestamp": submission.timestamp,
                "seconds late": submission.total_seconds_late,
                **_summary(submission),
                "notebooks": {each.name: _read_notebook(each) for each in submission.notebooks},
            }
            for assignment in gradebook.assignments
            for submission in assignment.submissions
        }


def _read_notebook(notebook):
    return {
        **_summary(notebook),
        "flagged": notebook.flagged,
        "grades": {
            grade.name: {
                "auto": grade.auto_score,
                "manual": grade.manual_score,
                "extra": grade.extra_credit,
                "needs a person": grade.needs_manual_grade,
                "of": grade.max_score,
            }
            for grade in notebook.grades
        },
        "comments": {
            comment.name: (comment.auto_comment, comment.manual_comment)
            for comment in notebook.comments
        },
    }


def read_grades(course, assignment, student):
    """Everything that the gradebook says of a submission; None if there is no submission."""
    return read_gradebook(course).get((assignment, student))


def _summary(entry):
    """What submissions and their notebooks have in common."""
    parts = ("", "written_", "code_", "task_")
    names = [f"{limit}{part}score" for limit in ("", "max_") for part in parts]
    names += ["late_submission_penalty", "needs_manual_grade"]
    return {name: getattr(entry, name) for name in names}


def _joined(outputs):
    """Outputs with all that a cell printed to a stream in one piece, at the place of the first."""
    streams = {}
    for output in outputs:
        if output.output_type != "stream":
            yield output
        elif output.name not in streams:
            streams[output.name] = output
            yield output
        else:
            streams[output.name].text += output.text


@functools.cache
def read_notebooks(course, assignment, student):
    """The autograded notebooks, without what differs from one run to the next.

    That is: the times at which a cell was executed (``metadata.execution``); in outputs, addresses
    in memory, the kernel's process number in the names of its files, and the submission's folder,
    which is another one until all is recorded; how often a cell printed until its time was up, and
    in how many pieces a kernel sent what it printed; the words for an error that its cell did not
    show.
    """
    folder = course / "autograded" / student / assignment
    notebooks = {}
    for path in sorted(folder.glob("*.ipynb")):
        text = re.sub(r"0x[0-9a-f]{8,}", "0x0", path.read_text("utf8"))
        text = re.sub(r"(/\w+)+/ipykernel_\d+", "/tmp/ipykernel_0", text)
        for place in (".autograder", "autograded"):
            text = text.replace(str(course / place), "<course>")
        node = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
        for each in node.cells:
            each.metadata.pop("execution", None)
            for output in each.get("outputs", []):
                if output.output_type == "error" and len(output.traceback) == 1:
                    output.traceback = []
            if path.name == "printing.ipynb":
                each.outputs = [out for out in each.outputs if out.output_type != "stream"]
            if "outputs" in each:
                each.outputs = list(_joined(each.outputs))
        notebooks[path.name] = node
    return notebooks


def read_files(course, assignment, student):
    """Of the files in ``autograded``: permissions, and the contents of all but notebooks."""
    folder = course / "autograded" / student / assignment
    return {
        str(path.relative_to(course)): (
            stat.filemode(path.stat().st_mode),
            path.read_text() if path.is_file() and path.suffix != ".ipynb" else None,
        )
        for path in [folder, *folder.rglob("*")]
        if path.exists()
    }


def tree(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@dataclass(frozen=True)
class Graded:
    """A course graded both ways: the folders, and what grading returned."""

    stock: Path
    ours: Path
    stock_results: dict
    our_results: dict

    def read(self, read, assignment, student):
        """What stock left and what we left."""
        return tuple(read(course, assignment, student) for course in (self.stock, self.ours))


@pytest.fixture(scope="module")
def courses(tmp_path_factory):
    context = multiprocessing.get_context("spawn")
    # nbgrader changes the working directory and the environment: not in this process.
    with ProcessPoolExecutor(3, context) as pool:
        folders = {name: tmp_path_factory.mktemp(name) for name in COURSES}
        released = {
            pool.submit(release, folder / "stock", name): name for name, folder in folders.items()
        }
        running = {}
        for future in as_completed(released):
            future.result()
            name = released[future]
            stock, ours = folders[name] / "stock", folders[name] / "ours"
            shutil.copytree(stock, ours)
            running[name] = (
                pool.submit(grade_by_nbgrader, stock, name),
                pool.submit(grade_by_us, ours, name),
            )
        return {
            name: Graded(folders[name] / "stock", folders[name] / "ours", *map(Future.result, both))
            for name, both in running.items()
        }


@pytest.mark.parametrize(("course", "assignment", "student"), EQUAL)
def test_the_gradebook_says_the_same(courses, course, assignment, student):
    stock, ours = courses[course].read(read_grades, assignment, student)
    assert ours == stock


@pytest.mark.parametrize(("course", "assignment", "student"), EQUAL)
def test_the_autograded_notebooks_have_the_same_cells(courses, course, assignment, student):
    stock, ours = courses[course].read(read_notebooks, assignment, student)
    assert list(ours) == list(stock)
    for name in stock:
        assert ours[name].cells == stock[name].cells


@pytest.mark.parametrize(("course", "assignment", "student"), EQUAL)
def test_the_same_files_are_left_with_the_same_permissions(courses, course, assignment, student):
    stock, ours = courses[course].read(read_files, assignment, student)
    assert ours == stock


def test_the_autograded_notebooks_have_the_same_metadata(courses):
    def metadata(notebooks):
        # What a kernel says of its language is the student's process speaking: ours drops it.
        for node in notebooks.values():
            node.metadata.pop("language_info", None)
            node.metadata.pop(METADATA, None)
        return {name: dict(node) | {"cells": []} for name, node in notebooks.items()}

    for course, assignment, student in EQUAL:
        stock, ours = courses[course].read(read_notebooks, assignment, student)
        assert metadata(ours) == metadata(stock)


@pytest.mark.parametrize("course", COURSES)
def test_the_folder_of_all_autograded_submissions_has_the_same_permissions(courses, course):
    stock, ours = (
        stat.filemode((root / "autograded").stat().st_mode)
        for root in (courses[course].stock, courses[course].ours)
    )
    assert ours == stock


@pytest.mark.parametrize("course", COURSES)
def test_sources_and_submissions_are_left_as_they_are_and_nothing_is_left_behind(courses, course):
    def tree(root):
        return {
            path.relative_to(root): path.read_bytes()
            for folder in ("source", "release", "submitted")
            for path in (root / folder).rglob("*")
            if path.is_file()
        }

    stock, ours = courses[course].stock, courses[course].ours
    assert tree(ours) == tree(stock)
    left = {path.name for path in (ours / ".autograder").rglob("*") if path.is_file()}
    # What was executed and not recorded is kept for the next try.
    unrecorded = {
        f"{assignment}.json"
        for assignment, problems in courses[course].our_results.items()
        if any(problem and problem.startswith("not graded") for problem in problems.values())
    }
    assert left - unrecorded == {".lock"}


@pytest.mark.parametrize(("course", "assignment", "student"), EXPECTED)
def test_both_give_the_points_that_nbgraders_own_tests_expect(courses, course, assignment, student):
    points = EXPECTED[course, assignment, student]
    for left in courses[course].read(read_grades, assignment, student):
        assert (left["score"], left["max_score"]) == points


@pytest.mark.parametrize(("course", "assignment", "student"), REFUSED)
def test_a_submission_that_nbgrader_does_not_grade_is_a_row_with_a_reason(
    courses, course, assignment, student
):
    stock, ours = courses[course].read(read_files, assignment, student)
    assert not stock
    assert bool(ours) == ((course, assignment, student) in KEPT)
    assert courses[course].our_results[assignment].get(student)


def test_no_other_submission_is_refused(courses):
    assert {
        (course, assignment, student)
        for course in COURSES
        for assignment, problems in courses[course].our_results.items()
        for student, problem in problems.items()
        if problem
    } == set(REFUSED)


def test_dead_kernel_nbgrader_loses_the_submission_and_we_keep_what_was_answered_before(courses):
    """Stock: no grade, no folder. Ours: what comes after the kernel's end earns nothing."""
    stock, ours = courses["class"].read(read_files, "dies", "dies")
    assert (bool(stock), bool(ours)) == (False, True)
    stock, ours = (
        {name: grade["auto"] for name, grade in left["notebooks"]["p1"]["grades"].items()}
        for left in courses["class"].read(read_grades, "dies", "dies")
    )
    assert stock == {"test_first": None, "test_second": None}
    assert ours == {"test_first": 1.0, "test_second": 0.0}


@pytest.mark.parametrize("assignment", ["old_schema", "new_schema", "duplicate"])
def test_refused_metadata_end_nbgraders_run_and_are_a_row_of_ours(courses, assignment):
    """Stock: whoever comes after is not graded. Ours: only the one has a reason and no grade."""
    assert "NbGraderException" in courses["class"].stock_results[assignment]
    problems = courses["class"].our_results[assignment]
    assert problems["a_refused"]
    assert not problems["b_after"]
    stock, ours = courses["class"].read(read_grades, assignment, "b_after")
    assert stock is None
    assert ours["score"] == ours["max_score"] == 1.0


def test_one_unreadable_notebook_of_two_leaves_half_a_grade_in_nbgrader_and_none_here(courses):
    """Stock: the first notebook's grade stays, without its file. Ours: the row has the reason."""
    stock, ours = (
        {name: grade["auto"] for name, grade in left["notebooks"]["first"]["grades"].items()}
        for left in courses["class"].read(read_grades, "several", "one_unreadable")
    )
    assert set(stock.values()) == {1.0}
    assert set(ours.values()) == {None}
    assert "second.ipynb" in courses["class"].our_results["several"]["one_unreadable"]


def test_another_notebook_of_the_same_time_keeps_its_old_grade_in_nbgrader_and_not_here(courses):
    """Stock: only a later time counts. Ours: times are often unknown, or those of an archive."""
    stock, ours = courses["class"].read(read_grades, "again", "same")
    assert (stock["score"], ours["score"]) == (0.0, 1.0)


def test_a_renamed_notebook_is_left_out_by_nbgrader_and_graded_here(courses):
    """Stock: only names count. Ours: a notebook with the lesson's tasks is the lesson's."""
    stock, ours = courses["class"].read(read_files, "ps1", "other_name")
    assert (bool(stock), bool(ours)) == (False, True)
    assert courses["class"].read(read_grades, "ps1", "other_name")[1]["score"] == 1.0


def test_the_restored_notebook_lies_beside_nbgraders_kernel_and_not_beside_ours(courses):
    """Stock: a cell can read the hidden tests there. Ours: it is written when all is recorded."""
    stock, ours = (
        left["p1.ipynb"].cells[-1].outputs[0].data["text/plain"]
        for left in courses["class"].read(read_notebooks, "files", "looks_around")
    )
    assert "'p1.ipynb'" in stock
    assert "'p1.ipynb'" not in ours


def test_a_cell_that_waits_longer_than_its_limit_fails_in_nbgrader_and_passes_here(courses):
    """Stock: the limit is wall clock. Ours: seconds of computing, and four times as many in all."""
    stock, ours = courses["limits"].read(read_grades, "nap", "sleeps")
    assert (stock["score"], ours["score"]) == (0.0, 1.0)
