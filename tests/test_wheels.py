"""Both packages installed as people install them: every command and every documented import.

``make test-wheels`` builds sdists and from these the wheels, installs them into empty environments
with what they ask for and nothing else, and works there in folders from which the checkout is not
to be seen.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path
from unittest import mock

import nbformat
import pytest
from typer.main import get_command

from autograder import cli
from autograder.cells import verdict_in
from autograder.cli.export import System
from course import environment
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import REPOSITORY, needs_sandbox, remove_in_the_background

UV = Path(sys.executable).with_name("uv")
WRONG = "wrong_library_defaults"

AUTOGRADER = f"""
demo {LESSON} --into demonstration
rename-lesson {LESSON} 01-words --course demonstration
copy-course course
release {LESSON} --course course
release {LESSON} --check --course course
handout {LESSON} --course course
simulate {LESSON} --course course
roster participants.csv --course course
deadline {LESSON} 2026-12-01T23:59 --course course
extend {LESSON} ada 3d --course course
collect {LESSON} moodle.zip --course course
grade {LESSON} --students reference --students {WRONG} --students ada --course course
rejudge {LESSON} --apply --students reference --students {WRONG} --students ada --course course
report {LESSON} --course course
export canvas --course course
export moodle --course course
export gradescope --course course
export json --course course
rename-student {WRONG} grace --course course
copy-course moved
copy-gradebook course/gradebook.db --course moved
audit {LESSON} --course course
""".strip().splitlines()
"""What is run of ``autograder``, in this order and in one folder, each with status 0.
A new command gets a line here."""

NBGRADER = f"""
autograde {LESSON} --student reference --force
generate_feedback {LESSON} --student reference
export --exporter autograder.exports.CanvasExporter --to canvas.csv
""".strip().splitlines()
"""What is run of ``nbgrader`` in the course folder after that, with the autograder's plugins."""

SPY = """import glob, sys
SEEN = glob.glob(sys.prefix + "/lib/python*/site-packages/autograder/*")
def one_hot(words, vocabulary):
    assert not SEEN, SEEN
    return [[int(word == known) for known in vocabulary] for word in words]
"""
"""Ada's one answer, which is right where nothing is to be seen."""

COURSE = ["check-environment", "hide-instructor-tools"]
"""What is run of ``course``, where students work."""


# What must be run. These take no time, and tell of a new command in `make test`.


def commands_of(group, *words):
    """All commands of a Typer application, also those of its groups."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands_of(command, *words, name)
        else:
            yield " ".join((*words, name)), command


def test_every_command_of_the_autograder_is_run_from_the_wheel():
    commands = dict(commands_of(get_command(cli.app)))
    run = {name for name in commands for line in AUTOGRADER if f"{line} ".startswith(f"{name} ")}
    assert set(commands) == run, "add a line to AUTOGRADER in tests/test_wheels.py"
    exported = {line.split()[1] for line in AUTOGRADER if line.startswith("export ")}
    assert exported == {system.value for system in System}


def test_every_command_of_the_course_is_run_from_the_wheel():
    adding = mock.patch.object(argparse._SubParsersAction, "add_parser")
    with adding as add_parser, suppress(SystemExit):
        environment.main([])
    assert [call.args[0] for call in add_parser.call_args_list] == COURSE


# The environments


def without_checkout(command):
    """The command that runs another one in a namespace in which the checkout is an empty folder."""
    own = [] if os.geteuid() == 0 else ["--map-root-user"]
    hide = 'mount -t tmpfs none "$0" && exec "$@"'
    return ["unshare", "--mount", *own, "sh", "-c", hide, REPOSITORY, *command]


class Environment:
    """A new virtual environment, with nothing in it.

    Args:
        folder: to make it in.
    """

    def __init__(self, folder):
        self.bin = folder / "environment" / "bin"
        self.home = folder / "home"
        self.home.mkdir(parents=True)
        self._uv("venv", "--python", sys.executable, self.bin.parent)

    def install(self, *requirements):
        """Install what these ask for, in the versions of the lock and from nowhere else."""
        lock = ("--constraints", REPOSITORY / "requirements.lock")
        self._uv("pip", "install", "--python", self.bin / "python", *lock, *requirements)
        self._uv("pip", "check", "--python", self.bin / "python")

    def run(self, folder, *command):
        """Run a command as if this environment was activated; return what it printed."""
        kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
        system = [part for part in os.get_exec_path() if Path(part) != UV.parent]
        done = subprocess.run(
            without_checkout(command),
            cwd=folder,
            env=kept
            | {"HOME": str(self.home), "PATH": os.pathsep.join([str(self.bin), *system])}
            | {"TF_CPP_MIN_LOG_LEVEL": "3", "MPLBACKEND": "agg"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}"
        return done.stdout

    def _uv(self, *arguments):
        done = subprocess.run([UV, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A folder for gigabytes, which do not stay."""
    folder = tmp_path_factory.mktemp("wheels")
    yield folder
    remove_in_the_background(folder)


@pytest.fixture(scope="module")
def dist(scratch):
    """The wheels, by the first word of their distribution's name after the common one."""
    into = scratch / "dist"
    for folder in (".", "autograder"):
        # An sdist, and the wheel from that: as `make wheels`.
        build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", into, folder]
        subprocess.run(build, cwd=REPOSITORY, check=True, capture_output=True)
    (course,) = into.glob("attention_course-*.whl")
    (autograder,) = into.glob("attention_course_autograder-*.whl")
    return {"course": course, "autograder": autograder}


@pytest.fixture(scope="module")
def students(scratch, dist):
    """What a student installs."""
    made = Environment(scratch / "students")
    made.install(f"{dist['course']}[jupyter]")
    return made


@pytest.fixture(scope="module")
def instructors(scratch, dist):
    """What an instructor installs: both wheels, which bring the rest."""
    made = Environment(scratch / "instructors")
    made.install(dist["course"], dist["autograder"])
    return made


@pytest.fixture(scope="module")
def desk(scratch, instructors):
    """A folder in which an instructor works, with what a learning platform gave."""
    folder = scratch / "desk"
    folder.mkdir()
    notebook = nbformat.read(REPOSITORY / "release" / LESSON / f"{LESSON}.ipynb", as_version=4)
    (answer,) = (cell for cell in notebook.cells if cell.id == "one_hot")
    answer.source = SPY
    with zipfile.ZipFile(folder / "moodle.zip", "w") as archive:
        name = f"Ada Lovelace_4711_assignsubmission_file_/{LESSON}.ipynb"
        archive.writestr(name, nbformat.writes(notebook))
    participants = "First name,Last name,Email address\nAda,Lovelace,ada@example.org\n"
    (folder / "participants.csv").write_text(participants)
    return folder


def wheels(test):
    """A test of what is installed."""
    for mark in (
        pytest.mark.wheels,
        pytest.mark.timeout(1500),
        pytest.mark.skipif(
            shutil.which("unshare") is None,
            reason="hides the checkout in a mount namespace: needs Linux's unshare",
        ),
    ):
        test = mark(test)
    return test


IMPORT_ALL = """
import importlib, importlib.metadata, json, pathlib, pkgutil, sys
distribution, names = json.loads(sys.argv[1])
for package in ("course", "autograder"):
    try:
        module = importlib.import_module(package)
    except ModuleNotFoundError:
        continue
    assert module.__file__.startswith(sys.prefix + "/"), module.__file__
    found = [each.name for each in pkgutil.walk_packages(module.__path__, f"{package}.")]
    names += [name for name in found if ".bundled_course" not in name]
for name in names:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        getattr(importlib.import_module(module), attribute)
for point in importlib.metadata.distribution(distribution).entry_points:
    point.load()
checkout = pathlib.Path(sys.argv[2])
assert not list(checkout.iterdir())
assert not [path for path in sys.path if str(checkout) in path]
"""


def documented(*pages):
    """What the pages of the Python reference describe."""
    directive = re.compile(r"^\.\. auto\w+:: ([\w.]+)$", re.MULTILINE)
    texts = [(REPOSITORY / "docs" / "api" / f"{page}.md").read_text("utf8") for page in pages]
    return [name for text in texts for name in directive.findall(text)]


def import_all(environment, folder, distribution, names):
    """Import a distribution's modules, its entry points, and these names."""
    told = json.dumps([distribution, names])
    environment.run(folder, "python", "-c", IMPORT_ALL, told, REPOSITORY)


# Students


@wheels
@pytest.mark.parametrize("line", COURSE)
def test_a_students_command(students, scratch, line):
    said = students.run(scratch, "course", *shlex.split(line))
    assert "[FAIL]" not in said


@wheels
def test_a_student_can_import_all_that_is_documented_and_no_autograder(students, scratch):
    exercises = [name for name in documented("exercises") if not name.startswith("autograder")]
    import_all(students, scratch, "attention-course", [*documented("lessons"), *exercises])
    found = students.run(
        scratch, "python", "-c", "import importlib.util as u; print(u.find_spec('autograder'))"
    )
    assert found == "None\n"
    assert not (students.bin / "autograder").exists()


@wheels
def test_a_student_works_on_a_lesson(students, scratch):
    """As Run All Cells does, and the Validate button."""
    folder = scratch / "student"
    shutil.copytree(REPOSITORY / "release" / LESSON, folder)
    options = ["--to", "notebook", "--execute", "--allow-errors", "--output", "executed"]
    students.run(folder, "jupyter", "nbconvert", *options, f"{LESSON}.ipynb")
    said = (folder / "executed.ipynb").read_text("utf8")
    assert "CheckFailed" in said
    assert "ModuleNotFoundError" not in said
    said = students.run(folder, "nbgrader", "validate", f"{LESSON}.ipynb")
    assert "CheckFailed: preprocessing.tf_idf: not answered." in said


# Instructors


@wheels
def test_an_instructor_can_import_all_that_is_documented(instructors, desk):
    pages = ("autograder", "exercises", "lessons")
    import_all(instructors, desk, "attention-course-autograder", documented(*pages))
    said = instructors.run(desk, "jupyter", "kernelspec", "provisioners")
    assert "autograder.kernels.provisioner:ForkingProvisioner" in said


@wheels
@needs_sandbox
@pytest.mark.parametrize("line", AUTOGRADER)
def test_an_instructors_command(instructors, desk, line):
    said = instructors.run(desk, "autograder", *shlex.split(line))
    assert "Traceback" not in said
    assert "Without a sandbox" not in said


@wheels
@needs_sandbox
@pytest.mark.parametrize("line", NBGRADER)
def test_a_command_of_nbgraders(instructors, desk, line):
    instructors.run(desk / "course", "nbgrader", *shlex.split(line))


@wheels
@needs_sandbox
def test_what_the_commands_made(instructors, dist, desk):
    """They ended with status 0; this is what they were for."""
    course = desk / "course"
    assert (course / "feedback" / "reference" / LESSON / f"{LESSON}.html").is_file()
    assert {path.name for path in (course / "reports").iterdir()} >= {
        *("canvas.csv", "moodle.csv", "gradescope.csv"),
        *(f"{LESSON}.html", f"{LESSON}.csv"),
    }
    assert "Lovelace" in (course / "canvas.csv").read_text("utf8")
    with zipfile.ZipFile(course / "handout" / f"{LESSON}.zip") as archive:
        name = f"attention-course/{dist['course'].name}"
        with archive.open(name) as file, zipfile.ZipFile(file) as handed:
            packed = {each: handed.read(each) for each in handed.namelist()}
    with zipfile.ZipFile(dist["course"]) as wheel:
        built = {each: wheel.read(each) for each in wheel.namelist()}
    (record,) = (name for name in built if name.endswith(".dist-info/RECORD"))
    # The package that was installed, file by file; only the order of its list is free.
    packed[record], built[record] = (sorted(each[record].split()) for each in (packed, built))
    assert packed == built


@wheels
@needs_sandbox
def test_a_kernel_sees_nothing_of_the_installed_autograder(desk):
    path = desk / "course" / "autograded" / "ada" / LESSON / f"{LESSON}.ipynb"
    (cell,) = (c for c in nbformat.read(path, as_version=4).cells if c.id == "test_one_hot")
    verdict = verdict_in(cell)
    assert verdict.percent == 100, verdict.to_text()


@wheels
def test_the_extras(instructors, dist, desk):
    instructors.install(dist["course"], f"{dist['autograder']}[dask,postgresql]")
    instructors.run(desk, "python", "-c", "import distributed, psycopg; psycopg.pq.version()")
