"""What users install: the wheel, the lock, the commands that set everything up."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import nbformat
import pytest
import yaml

from autograder import sheets
from autograder.release import leaks_into
from course import exercises

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, "."],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
    )
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_wheel_holds_the_course_alone(wheel):
    rooms = {name.split("/")[0] for name in wheel.namelist()}
    assert {room for room in rooms if not room.endswith(".dist-info")} == {"course"}
    assert "course/answers/attention.average_attention.json" in wheel.namelist()
    (points,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    commands = wheel.read(points).decode("utf8").split()
    assert commands == ["[console_scripts]", "course", "=", "course.environment:main"]


def test_the_wheels_only_data_on_exercises_are_the_answer_sheets(wheel):
    """And these hold what the published inputs must give: no value of a secret seed's inputs.

    Catalogues hold no more sentences than the sheets and the code.
    """
    data = {
        name
        for name in wheel.namelist()
        # Beside English words and their forms, for the lesson on lemmas.
        if name.startswith("course/")
        and not name.endswith(".py")
        and not name.startswith(("course/nltk_data/", "course/texts/"))
    }
    assert data == {f"course/answers/{name}.json" for name in exercises.names()}
    for name in exercises.names():
        assert wheel.read(f"course/answers/{name}.json").decode("utf8") == sheets.write(name)


def test_the_wheel_tells_no_solution(wheel):
    texts = {
        name: wheel.read(name).decode("utf8").splitlines()
        for name in wheel.namelist()
        if name.startswith("course/") and not name.endswith(".mo")  # the .po beside it is read
    }
    for source in sorted(REPOSITORY.glob("source/*/*.ipynb")):
        notebook = nbformat.read(source, as_version=4)
        for name, lines in texts.items():
            assert list(leaks_into(notebook, lines, name)) == []


def test_the_wheel_tells_nothing_of_the_reference(wheel):
    """No line of the reference or of a misconception that computes something is in the wheel."""
    computing = re.compile(r"[-+*/@]|softmax|reshape|transpose")
    secret = {
        line.strip()
        for topic in ("reference", "misconceptions")
        for path in (REPOSITORY / "autograder" / topic).glob("*.py")
        for line in path.read_text("utf8").splitlines()
        if line.startswith(" ")
        and "=" in line
        and computing.search(line)
        and len(line.strip()) > 20
    }
    assert len(secret) > 30
    for name in wheel.namelist():
        if name.startswith("course/") and name.endswith(".py"):
            lines = {line.strip() for line in wheel.read(name).decode("utf8").splitlines()}
            assert not lines & secret, name


def test_the_course_imports_nothing_of_the_autograder():
    for path in (REPOSITORY / "course").rglob("*.py"):
        assert not re.search(r"^\s*(from|import) autograder", path.read_text("utf8"), re.M), path


def test_the_lock_serves_every_python_with_hashes_and_no_registry():
    lock = (REPOSITORY / "requirements.lock").read_text("utf8")
    assert "://" not in lock
    assert "--index" not in lock
    entries = re.split(r"\n(?=[a-z0-9])", lock.split("\n", 2)[2])
    for entry in entries:
        assert "--hash=sha256:" in entry, entry
    assert re.search(r"^tensorflow-cpu==.*linux", lock, re.M)
    assert re.search(r"^tensorflow==.*", lock, re.M)


def test_every_dependency_is_locked():
    locked = set(
        re.findall(r"^([a-z0-9-]+)==", (REPOSITORY / "requirements.lock").read_text(), re.M)
    )
    root = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf8"))
    tools = tomllib.loads((REPOSITORY / "autograder" / "pyproject.toml").read_text("utf8"))
    wanted = [
        *root["project"]["dependencies"],
        *root["project"]["optional-dependencies"]["jupyter"],
        *root["dependency-groups"]["dev"],
        *tools["project"]["dependencies"],
        *root["build-system"]["requires"],
    ]
    names = {re.match(r"[A-Za-z0-9-]+", entry)[0].lower() for entry in wanted}
    assert names - {"attention-course"} <= locked


def test_conda_users_get_the_same_lock():
    environment = yaml.safe_load((REPOSITORY / "environment.yml").read_text("utf8"))
    (pip,) = [entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict)]
    assert pip == ["--require-hashes", "-r requirements.lock"]


@pytest.mark.parametrize("version", ["3.10", "3.14"])
def test_a_python_without_tensorflow_gets_one_clear_line(tmp_path, version):
    fake = tmp_path / "python-of-another-time"
    fake.write_text(f"#!/bin/sh\necho {version}\n")
    fake.chmod(0o755)
    finished = subprocess.run(
        ["make", "demo", f"PYTHON={fake}", f"VENV={tmp_path / 'venv'}"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode != 0
    said = [line for line in finished.stderr.splitlines() if not line.startswith("make")]
    assert len(said) == 1
    assert version in said[0]
    assert "PYTHON=python3.12" in said[0]


def test_a_python_that_does_not_exist_gets_one_clear_line(tmp_path):
    finished = subprocess.run(
        ["make", "test", "PYTHON=no-such-python", f"VENV={tmp_path / 'venv'}"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode != 0
    assert "'no-such-python' does not run" in finished.stderr
