"""All packages installed as people install them: every command and every documented import.

``make test-wheels`` builds sdists and from these the wheels, installs them into empty environments
with what they ask for and nothing else, and works there in folders from which the checkout is not
to be seen.
"""

import argparse
import email
import io
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
from autograder.cli.export import System
from autograder.course_folder import CONFIG
from course import environment
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import REPOSITORY, needs_sandbox, remove_in_the_background
from tests.support.graded import verdicts_in
from tests.support.lti_platform import Platform
from tests.unit.autograder.test_otter import ONE, master
from tests.unit.test_packaging import FOLDERS, PACKAGES

UV = Path(sys.executable).with_name("uv")
WRONG = "wrong_library_defaults"

AUTOGRADER = f"""
init averages
demo {LESSON} --into demonstration
copy-course course
import otter tides.ipynb --course course
release {LESSON} --course course
release {LESSON} --check --course course
handout {LESSON} --course course
simulate {LESSON} --course course
roster participants.csv --course course
deadline {LESSON} 2026-12-01T23:59 --course course
extend {LESSON} ada 3d --course course
collect {LESSON} moodle.zip --course course
grade {LESSON} --students reference --students {WRONG} --students ada --course course
compare {LESSON} --students unanswered --course course
mark {LESSON} --recount --course course
mistakes {LESSON} --course course
rejudge {LESSON} --apply --students reference --students {WRONG} --students ada --course course
report {LESSON} --course course
export canvas --course course
export moodle --course course
export gradescope --course course
export json --course course
rename-student {WRONG} grace --course course
audit {LESSON} --course course
""".strip().splitlines()
"""What is run of ``autograder``, in this order and in one folder, each with status 0.
A new command gets a line here."""

LTI = f"""
lti keys --course course
lti roster --partial --course course
lti column {LESSON} --course course
lti grades {LESSON} --course course
""".strip().splitlines()
"""What is run after that with the extra, and with a platform to talk to."""

WATCH = f"watch {LESSON} --poll 0.5 --course course"
"""What runs until it's stopped."""

NBGRADER = f"""
autograde {LESSON} --student reference --force
generate_feedback {LESSON} --student reference
generate_feedback {LESSON} --student ada
export --exporter autograder.exports.CanvasExporter --to canvas.csv
""".strip().splitlines()
"""What is run of ``nbgrader`` in the course folder after that, with the autograder's plugins."""

FEEDBACK = f"export feedback {LESSON} --course course"
"""What is run of ``autograder`` once nbgrader has made pages."""

SPY = """import glob, sys
SITE = sys.prefix + "/lib/python*/site-packages/"
SEEN = glob.glob(SITE + "autograder/*") + glob.glob(SITE + "keys/*")
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
    lines = [*AUTOGRADER, *LTI, WATCH]
    run = {name for name in commands for line in lines if f"{line} ".startswith(f"{name} ")}
    assert set(commands) == run, "add a line to AUTOGRADER in tests/installs/test_wheels.py"
    exported = {line.split()[1] for line in (*AUTOGRADER, FEEDBACK) if line.startswith("export ")}
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
    """The wheels, by the package that is in each."""
    into, made = scratch / "dist", {}
    for distribution, folder in FOLDERS.items():
        # An sdist, and the wheel from that: as `make wheels`.
        build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", into, folder]
        subprocess.run(build, cwd=REPOSITORY, check=True, capture_output=True)
        (made[PACKAGES[distribution]],) = into.glob(f"{distribution}-*.whl")
    return made


@pytest.fixture(scope="module")
def bare(scratch, dist):
    """An environment with the students' half of the engine alone."""
    made = Environment(scratch / "bare")
    made.install(dist["selfcheck"])
    return made


@pytest.fixture(scope="module")
def students(scratch, dist):
    """What students get on a hub; elsewhere, one wheel holds both."""
    made = Environment(scratch / "students")
    made.install(dist["selfcheck"], f"{dist['course']}[jupyter]")
    return made


@pytest.fixture(scope="module")
def engine(scratch, dist):
    """What somebody installs who brings a course of their own."""
    made = Environment(scratch / "engine")
    made.install(dist["selfcheck"], dist["autograder"])
    return made


@pytest.fixture(scope="module")
def instructors(scratch, dist):
    """What an instructor of this course installs: all wheels, which bring the rest."""
    made = Environment(scratch / "instructors")
    made.install(*dist.values())
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
    nbformat.write(master(*ONE), folder / "tides.ipynb")
    return folder


def wheels(test):
    """A test of what is installed."""
    for mark in (
        pytest.mark.timeout(3600),
        pytest.mark.skipif(
            shutil.which("unshare") is None,
            reason="hides the checkout in a mount namespace: needs Linux's unshare",
        ),
    ):
        test = mark(test)
    return test


IMPORT_ALL = """
import importlib, importlib.metadata, importlib.util, json, pathlib, pkgutil, sys
here, names, absent, without = json.loads(sys.argv[1])
for package, distribution in here.items():
    module = importlib.import_module(package)
    assert module.__file__.startswith(sys.prefix + "/"), module.__file__
    names += [each.name for each in pkgutil.walk_packages(module.__path__, f"{package}.")]
    for point in importlib.metadata.distribution(distribution).entry_points:
        point.load()
for name in {*names} - {*without}:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        getattr(importlib.import_module(module), attribute)
assert not [name for name in absent if importlib.util.find_spec(name)]
checkout = pathlib.Path(sys.argv[2])
assert not list(checkout.iterdir())
assert not [path for path in sys.path if str(checkout) in path]
"""


def documented(packages):
    """What the Python reference describes of some packages."""
    directive = re.compile(r"^\.\. auto\w+:: ([\w.]+)$", re.MULTILINE)
    texts = [path.read_text("utf8") for path in (REPOSITORY / "docs" / "api").glob("*.md")]
    names = [name for text in texts for name in directive.findall(text)]
    assert {name.partition(".")[0] for name in names} <= set(PACKAGES.values())
    return [name for name in names if name.partition(".")[0] in packages]


def import_all(environment, folder, *packages, absent=(), without=()):
    """Import all modules, entry points and documented names of these packages.

    Args:
        environment: to import them in.
        folder: to be in.
        packages: that are there; our other ones must not be.
        absent: what must not be there either.
        without: modules that need an extra.
    """
    here = {name: distribution for distribution, name in PACKAGES.items() if name in packages}
    others = [name for name in PACKAGES.values() if name not in packages]
    told = json.dumps([here, documented(packages), [*others, *absent], without])
    environment.run(folder, "python", "-c", IMPORT_ALL, told, REPOSITORY)


# Students


@wheels
@pytest.mark.parametrize("line", COURSE)
def test_a_students_command(students, scratch, line):
    said = students.run(scratch, "course", *shlex.split(line))
    assert "[FAIL]" not in said


@wheels
def test_a_student_can_import_all_that_is_documented_and_nothing_of_the_instructors(
    students, scratch
):
    import_all(students, scratch, "course", "selfcheck")
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


# The engine alone


@wheels
def test_the_students_half_of_the_engine_needs_numpy_and_ipython(bare, scratch):
    pictures = ("selfcheck.heat_maps",)
    import_all(bare, scratch, "selfcheck", absent=("matplotlib", "nbgrader"), without=pictures)


@wheels
def test_the_engine_alone_can_import_all_that_is_documented_of_it(engine, scratch):
    libraries = ("tensorflow", "keras", "nltk")
    import_all(engine, scratch, "selfcheck", "autograder", absent=libraries)


@wheels
@pytest.mark.parametrize("command", ["", *dict(commands_of(get_command(cli.app)))])
def test_the_engine_alone_explains_a_command(engine, scratch, command):
    said = engine.run(scratch, "autograder", *command.split(), "--help")
    assert f"Usage: autograder {command}" in said


# Instructors


@wheels
def test_an_instructor_can_import_all_that_is_documented(instructors, desk):
    import_all(instructors, desk, *PACKAGES.values())
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
def test_what_is_handed_in_is_graded_while_somebody_watches(instructors, desk):
    shutil.rmtree(desk / "course" / "autograded" / "reference")
    stopped = f"timeout --signal=INT 60 autograder {WATCH} || [ $? = 124 ]"
    said = instructors.run(desk, "sh", "-c", stopped)
    assert re.search(rf"{LESSON} reference: [\d.]+ of [\d.]+ points", said)


@wheels
@needs_sandbox
@pytest.mark.parametrize("line", NBGRADER)
def test_a_command_of_nbgraders(instructors, desk, line):
    instructors.run(desk / "course", "nbgrader", *shlex.split(line))


@wheels
@needs_sandbox
def test_feedback_pages_are_packed_for_moodle(instructors, desk):
    instructors.run(desk, "autograder", *shlex.split(FEEDBACK))
    with zipfile.ZipFile(desk / "course" / "reports" / f"{LESSON}-feedback.zip") as archive:
        # Only Ada's number is known.
        assert archive.namelist() == [f"ada_4711_assignfeedback_file_/{LESSON}.html"]


def unpacked(wheel):
    """By a file's path in a wheel: what is in it, and what the wheel's list says of it."""
    with zipfile.ZipFile(wheel) as archive:
        (record,) = (name for name in archive.namelist() if name.endswith(".dist-info/RECORD"))
        listed = {line.split(",")[0]: line for line in archive.read(record).decode().split()}
        names = set(archive.namelist()) - {record}
        assert listed.keys() == names | {record}
        return {name: (archive.read(name), listed[name]) for name in names}


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
        handed = unpacked(io.BytesIO(archive.read(name)))
    # Both packages that were installed, file by file, in one that asks for what both need.
    own, half = unpacked(dist["course"]), unpacked(dist["selfcheck"])
    half = {name: both for name, both in half.items() if name.startswith("selfcheck/")}
    (metadata,) = (name for name in own if name.endswith(".dist-info/METADATA"))
    asked, asking = (
        email.message_from_bytes(wheel.pop(metadata)[0]).get_all("Requires-Dist")
        for wheel in (own, handed)
    )
    assert handed == own | half
    assert asking == [line for line in asked if line != "notebook-selfcheck==0.1.0"]


@wheels
@needs_sandbox
def test_a_kernel_sees_nothing_of_the_installed_autograder(desk):
    path = desk / "course" / "autograded" / "ada" / LESSON / f"{LESSON}.ipynb"
    verdict = verdicts_in(path)["test_one_hot"]
    assert verdict.percent == 100, verdict.to_text()


@wheels
def test_the_extras(instructors, dist, desk):
    instructors.install(dist["course"], f"{dist['autograder']}[dask,lti,postgresql]")
    instructors.run(desk, "python", "-c", "import distributed, psycopg; psycopg.pq.version()")


@wheels
@needs_sandbox
def test_the_commands_for_a_platform(instructors, dist, desk):
    instructors.install(dist["course"], f"{dist['autograder']}[lti]")
    with Platform(desk) as platform:
        trusted = ["env", f"REQUESTS_CA_BUNDLE={platform.certificate}"]
        with (desk / "course" / CONFIG).open("a") as file:
            file.writelines(
                f"c.LTI.{name} = {value!r}\n" for name, value in platform.options.items()
            )
        platform.members = [
            {"user_id": name, "roles": ["Learner"], "email": f"{name}@example.org"}
            for name in ("ada", "grace", "reference")
        ]
        for line in LTI:
            said = instructors.run(desk, *trusted, "autograder", *shlex.split(line))
            platform.read_key(said)
    assert [item["label"] for item in platform.line_items.values()] == [LESSON]
