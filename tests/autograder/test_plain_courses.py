"""Courses of nbgrader's own: programs run as in its kernels, and its configuration counts."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from autograder.course_folder import CourseFolder
from tests.autograder.test_conformance import graded, notebook
from tests.conftest import needs_sandbox, remember_alembic

pytestmark = [pytest.mark.kernels, needs_sandbox]

BIN = Path(sys.executable).parent
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
    remember_alembic()
    root.mkdir(exist_ok=True)
    (root / "nbgrader_config.py").write_text(config)
    course = CourseFolder(root)
    for lesson, files in lessons.items():
        for folder in (root / "source" / lesson, root / "submitted" / ADA / lesson):
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
