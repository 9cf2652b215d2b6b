"""Courses of nbgrader's own: programs run as in its kernels, and its configuration counts."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook

from autograder.course_folder import STEPS, CourseFolder
from tests.conftest import flat, needs_sandbox
from tests.kernels.test_conformance import graded, notebook
from tests.support.commands import BIN
from tests.support.pages import blocks

pytestmark = [needs_sandbox]

CONFIGURED = """
from autograder.configuration import configure

c = get_config()
configure(c)
"""
ADA = "ada"


def write_course(root, lessons, config=CONFIGURED):
    """A released course in which Ada hands in what each lesson's source holds.

    Args:
        root: the folder.
        lessons: by name, files by name: a notebook or a text.
        config: of nbgrader.
    """
    root.mkdir(exist_ok=True)
    (root / "nbgrader_config.py").write_text(config)
    course = CourseFolder(root)
    for lesson, files in lessons.items():
        for folder in (course.folder("source") / lesson, course.submitted(ADA, lesson)):
            folder.mkdir(parents=True)
            for name, content in files.items():
                if isinstance(content, str):
                    (folder / name).parent.mkdir(exist_ok=True)
                    (folder / name).write_text(content)
                else:
                    nbformat.write(content, folder / name)
        assert course.run("generate_assignment", lesson) is None
    return root


def run(course, *command):
    environment = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True)


def cells_of(course, lesson, name=None):
    """Ada's executed cells, by id."""
    path = course / "autograded" / ADA / lesson / f"{name or lesson}.ipynb"
    return {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}


def failed(course, lesson, name=None):
    """What stopped with an error, and with which."""
    return {
        id: output.evalue
        for id, cell in cells_of(course, lesson, name).items()
        for output in cell.get("outputs", [])
        if output.output_type == "error"
    }


WAYS = {
    "sandboxed": ("autograder", "grade"),
    "without a sandbox": ("autograder", "grade", "--sandbox", "none"),
    "by nbgrader": ("nbgrader", "autograde"),
}

# --- what a program sees --------------------------------------------------------------------------

HOSTILE = "raise SystemExit('a file of the student took the place of a module')"
BESIDE = {
    "beside.ipynb": notebook(
        new_code_cell("%%writefile written.py\nvalue = 2", id="write"),
        graded("helper", "import helper\nassert helper.value == 1"),
        graded("written", "import written\nassert written.value == 2"),
        graded("folder", "from parts.one import value\nassert value == 3"),
        graded("before_packages", "import iniconfig\nassert iniconfig.value == 4"),
        graded("reloaded", "import importlib\nassert importlib.reload(helper).value == 1"),
        graded(
            "children",
            "import subprocess, sys\n"
            "done = [sys.executable, '-c', 'import helper; print(helper.value)']\n"
            "assert subprocess.check_output(done) == b'1\\n'",
        ),
        graded("pythons_own", "import json, random\nassert json.dumps(random.choice([5])) == '5'"),
        graded("error", "1 / 0"),
        graded(
            "places",
            "import site, sys\n"
            "behind, before = sys.path.index(''), sys.path.index(site.__file__[:-8])\n"
            "assert before < behind",
        ),
        graded("plot", "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"),
        graded("figure", "figure, axes = plt.subplots()\naxes.bar([1, 2], [3, 4]);"),
        graded(
            "backend",
            "import matplotlib\nassert 'inline' in matplotlib.get_backend()",
        ),
    ),
    "helper.py": "value = 1",
    "parts/one.py": "value = 3",
    "iniconfig.py": "value = 4",
    "json.py": HOSTILE,
    "random.py": HOSTILE,
    "traceback.py": HOSTILE,
    "selfcheck.py": HOSTILE,
    "ipykernel.py": HOSTILE,
    "stack_data.py": HOSTILE,
}


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    return write_course(tmp_path_factory.mktemp("course") / "plain", {"beside": BESIDE})


@pytest.fixture(scope="module", params=WAYS)
def executed(request, beside, tmp_path_factory):
    course = Path(shutil.copytree(beside, tmp_path_factory.mktemp("graded") / "plain"))
    done = run(course, *WAYS[request.param], "beside")
    assert done.returncode == 0, done.stdout + done.stderr
    return course


def test_what_lies_beside_a_notebook_can_be_imported_and_takes_no_modules_place(executed):
    assert failed(executed, "beside") == {"error": "division by zero"}
    (shown,) = cells_of(executed, "beside")["error"].outputs
    assert any("ZeroDivisionError" in line for line in shown.traceback)


def test_plots_appear_without_a_magic(executed):
    cells = cells_of(executed, "beside")
    for name in ("plot", "figure"):
        (output,) = (o for o in cells[name].outputs if "data" in o and "image/png" in o.data)
        assert output.output_type == "display_data"


# --- packages with threads ------------------------------------------------------------------------

IMPORTED = graded("imported", "import pyarrow\nassert pyarrow.array([1, 2]).sum().as_py() == 3")
BUSY = new_code_cell(
    "import os\nos.environ['JE_ARROW_MALLOC_CONF'] = 'background_thread:true'", id="threads"
)


@pytest.mark.parametrize(
    ("first", "said"), [([], ""), ([BUSY], "Importing pyarrow starts threads")]
)
def test_packages_that_start_threads_are_graded(tmp_path, first, said):
    pytest.importorskip("pyarrow")
    files = {"tables.ipynb": notebook(*first, IMPORTED)}
    course = write_course(tmp_path / "plain", {"tables": files})
    done = run(course, "autograder", "grade", "tables")
    assert done.returncode == 0, done.stdout + done.stderr
    assert failed(course, "tables") == {}
    assert said in done.stderr
    assert bool(said) == ("threads" in done.stderr)


# --- the teacher's configuration ------------------------------------------------------------------

TEACHERS_CLASSES = """
from nbgrader.plugins import BasePlugin
from nbgrader.preprocessors import NbGraderPreprocessor

class HalfAPoint(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 0.5

class Stamp(NbGraderPreprocessor):
    def preprocess(self, nb, resources):
        nb.metadata["stamps"] = nb.metadata.get("stamps", 0) + 1
        return nb, resources

c = get_config()
"""
TEACHERS_CHOICES = """
c.CourseDirectory.db_assignments = [dict(name="late")]
c.AssignLatePenalties.plugin_class = HalfAPoint
c.ExecutePreprocessor.timeout = 1
"""
OWN_LIST = """
from nbgrader.converters import Autograde
c.Autograde.autograde_preprocessors = [Stamp, *Autograde.autograde_preprocessors.default(), Stamp]
"""
ADDED = "c.Autograde.autograde_preprocessors.append(Stamp)\n"
BLOCKS = [block for block in blocks("grade-the-course-you-have.md") if block.language == "python"]
(CALL,) = (block.text for block in BLOCKS)


@pytest.mark.parametrize(
    ("config", "stamps"),
    [
        (TEACHERS_CHOICES + OWN_LIST + CALL, 2),
        (TEACHERS_CHOICES + ADDED + CALL, 1),
        (CALL + TEACHERS_CHOICES + ADDED, 1),
    ],
    ids=["before, in a list", "before, added", "after"],
)
def test_what_the_teacher_sets_counts(tmp_path, config, stamps):
    lesson = {
        "late.ipynb": notebook(graded("right", "assert True"), graded("slow", "while True: pass")),
        "timestamp.txt": "2015-02-02 15:58:23 UTC",
    }
    course = write_course(tmp_path / "plain", {"late": lesson}, TEACHERS_CLASSES + config)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        gradebook.update_or_create_assignment("late", duedate="2015-02-02 14:58:23 UTC")
    done = run(course, "autograder", "grade", "late")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count("c.CourseDirectory.db_assignments") == 1
    outputs = cells_of(course, "late")["slow"].outputs
    assert "CellTimeoutError" in [output.ename for output in outputs]
    executed = nbformat.read(course / "autograded" / ADA / "late" / "late.ipynb", as_version=4)
    assert executed.metadata.stamps == stamps
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        submission = gradebook.find_submission("late", ADA)
        assert (submission.score, submission.late_submission_penalty) == (1, 0.5)


@pytest.mark.parametrize(
    "names",
    [
        {"source": "instructors", "release": "students"},
        {"source": "2026/source", "release": "2026/release", "submitted": "2026/in"},
        {"submitted": "{outside}/in", "autograded": "{outside}/out", "feedback": "pages"},
    ],
    ids=["two", "in a folder", "outside"],
)
def test_folders_have_the_names_that_the_configuration_gives_them(tmp_path, autograder, names):
    names = {step: name.format(outside=tmp_path / "outside") for step, name in names.items()}
    lines = [f"c.CourseDirectory.{step}_directory = {name!r}\n" for step, name in names.items()]
    lesson = {"one.ipynb": notebook(graded("right", "assert True", points=3))}
    root = write_course(tmp_path / "plain", {"one": lesson}, CONFIGURED + "".join(lines))
    for command in (["grade", "one"], ["report", "one"], ["export", "json"]):
        done = autograder(*command, course=root)
        assert done.code == 0, done.err
    course = CourseFolder(root)
    assert course.run("generate_feedback", "one") is None
    for step in STEPS:
        folder = root / names.get(step, step)
        assert course.folder(step) == folder
        assert list(folder.rglob("one*")), step
        assert step in names or folder == root / step
    assert [name for name in names if (root / name).exists()] == []
    (student,) = json.loads((root / "reports" / "json.json").read_text())["students"]
    assert "3.0" in str(student)


# --- helpers and kernels --------------------------------------------------------------------------

HELPERS = {
    "one.ipynb": notebook(
        new_code_cell("def check(question, value):\n    assert value", id="own"),
        graded("by_a_function", "check('part.one', True)\ncheck('q1', 1)"),
        graded("by_an_assert", "assert True"),
    ),
    "two.ipynb": notebook(
        new_code_cell("from helpers import check, grade as grade", id="beside"),
        graded("by_a_module", "check('q1')\ngrade('sums.csv', 1)\ngrade('q2')"),
        graded("fails", "grade('sums.csv', 0)"),
    ),
    "helpers.py": "def check(*asked):\n    pass\ndef grade(question, value=1):\n    assert value",
}


@pytest.mark.parametrize("way", WAYS)
def test_helpers_called_check_and_grade_are_no_exercises(tmp_path, way):
    course = write_course(tmp_path / "plain", {"helped": HELPERS})
    done = run(course, *WAYS[way], "helped")
    assert done.returncode == 0, done.stdout + done.stderr
    assert failed(course, "helped", "one") == {}
    assert list(failed(course, "helped", "two")) == ["fails"]
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        assert gradebook.find_submission("helped", ADA).score == 3


def asking_for(kernel):
    asking = notebook(graded("right", "assert True"))
    asking.metadata.kernelspec.name = kernel
    return {"lesson.ipynb": asking}


@pytest.fixture
def other_kernels(tmp_path, monkeypatch):
    """Kernels of this Python under another name, of another Python, and of another language."""
    for name, command in {
        "ours": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "other_python": ["/usr/bin/python3", "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "ir": ["R", "--slave", "-e", "IRkernel::main()", "--args", "{connection_file}"],
    }.items():
        folder = tmp_path / "jupyter" / "kernels" / name
        folder.mkdir(parents=True)
        spec = {"argv": command, "display_name": name, "language": "any"}
        (folder / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))


def test_a_kernel_that_no_sandbox_has_is_refused_at_once(tmp_path, other_kernels):
    names = ("ours", "other_python", "ir", "xpython")
    course = write_course(tmp_path / "plain", {name: asking_for(name) for name in names})
    started = time.monotonic()
    done = run(course, "autograder", "grade")
    took = time.monotonic() - started
    assert done.returncode == 1
    said = " ".join(flat(done.stdout).split())
    for name in ("other_python", "ir"):
        assert f"not graded: lesson.ipynb asks for the kernel '{name}'" in said
    assert "--sandbox none" in said
    assert (
        "not graded: the kernel 'xpython', which lesson.ipynb asks for, isn't installed here"
    ) in said
    assert failed(course, "ours", "lesson") == {}
    assert took < 60, "a kernel was waited for"
    by_nbgrader = run(course, "nbgrader", "autograde", "ir")
    assert "Nothing was graded: lesson.ipynb asks for the kernel 'ir'" in by_nbgrader.stderr
    with (course / "nbgrader_config.py").open("a") as config:
        config.write("c.Execute.kernel_name = 'python3'\n")
    assert run(course, "autograder", "grade").returncode == 0


# --- what else they need --------------------------------------------------------------------------

USUAL = {
    "a_first.ipynb": notebook(
        new_code_cell("%%writefile made.py\nvalue = 5", id="write"),
        graded("account", "import getpass, os, pwd\nassert pwd.getpwuid(os.getuid()).pw_dir"),
        graded("home", "assert os.path.expanduser('~' + getpass.getuser()) == os.environ['HOME']"),
        graded("said", "assert sum([1, 2]) == 4, 'the sum is not right'"),
        new_code_cell("def mean(x):\n    return sum(x) /", id="broken"),
        graded("called", "assert mean([1]) == 1"),
        graded("warned", "import warnings\nwarnings.warn('once')"),
    ),
    "b_second.ipynb": notebook(graded("made", "import made\nassert made.value == 5")),
}


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    root = tmp_path_factory.mktemp("usual") / "plain"
    worth = {"worth.ipynb": notebook(graded("much", "3", points=2), graded("right", "2", points=2))}
    course = write_course(root, {"usual": USUAL, "worth": worth})
    return course, run(course, "autograder", "grade")


def test_programs_find_who_they_are_and_what_earlier_notebooks_made(usual):
    course, _ = usual
    assert list(failed(course, "usual", "a_first")) == ["said", "broken", "called"]
    assert failed(course, "usual", "b_second") == {}


def test_what_an_assert_says_stands_in_the_summary_of_the_feedback(usual):
    course, _ = usual
    assert CourseFolder(course).run("generate_feedback", "usual") is None
    page = (course / "feedback" / ADA / "usual" / "a_first.html").read_text()
    summary, _, _ = page.partition("made.py")
    assert "The test stopped with AssertionError: the sum is not right" in summary


def test_a_name_is_missing_because_of_a_cell_that_stopped(usual):
    course, done = usual
    cause = "begins with `def mean(x):` stopped with SyntaxError: invalid syntax, line 2"
    why = "wrote to stderr, perhaps a warning: nbgrader gives no points for that"
    assert why in flat(done.stdout)
    assert f"`mean` is missing because the cell that {cause}" in flat(done.stdout)
    assert CourseFolder(course).run("generate_feedback", "usual") is None
    page = (course / "feedback" / ADA / "usual" / "a_first.html").read_text()
    assert "is missing because the cell that begins with" in page
    assert "The test wrote to stderr, perhaps a warning" in page


def test_a_cell_that_gives_more_than_its_points_is_named(usual):
    _, done = usual
    assert "much: partial credit cannot be greater than maximum points" in flat(done.stdout)


def test_how_to_release_what_the_gradebook_does_not_know_is_said(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text(CONFIGURED)
    for folder in (tmp_path / "source" / "one", tmp_path / "submitted" / ADA / "one"):
        folder.mkdir(parents=True)
        nbformat.write(USUAL["b_second.ipynb"], folder / "two.ipynb")
    done = run(tmp_path, "autograder", "grade", "one")
    assert "`nbgrader generate_assignment one`" in " ".join(done.stderr.split())


# --- compared with nbgrader -----------------------------------------------------------------------

COMPARED = {
    "compared.ipynb": notebook(
        graded("alike", "assert True", points=2),
        graded("fails_alike", "assert False"),
        graded("reads_a_file", "open('{elsewhere}').read()"),
    )
}


def test_a_sample_of_a_class_is_compared_cell_by_cell(tmp_path):
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_text("data")
    cell = COMPARED["compared.ipynb"].cells[-1]
    cell.source = cell.source.format(elsewhere=elsewhere)
    course = write_course(tmp_path / "plain", {"compared": COMPARED})
    for student in ("ben", "cleo"):
        shutil.copytree(course / "submitted" / ADA, course / "submitted" / student)
    before = {path: path.stat().st_mtime_ns for path in course.rglob("*")}
    done = run(course, "autograder", "compare", "compared", "--sample", "2")
    assert done.returncode == 1
    for student in (ADA, "cleo"):
        assert (
            f"{student}, compared/reads_a_file: nbgrader 1 (no error), autograder 0 "
            "(FileNotFoundError: " in done.stdout
        )
    assert "Submissions compared: 2. Cells with different points: 2." in done.stdout
    assert before == {path: path.stat().st_mtime_ns for path in course.rglob("*")}
