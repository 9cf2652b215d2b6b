"""course check-environment: a line for each requirement, and what mends those that are missing."""

import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path

import pytest

from course import environment


def lines(capsys):
    code = environment.main(["check-environment"])
    return code, capsys.readouterr().out.splitlines()


def test_here_everything_is_there():
    command = Path(sys.executable).with_name("course")
    done = subprocess.run([command, "check-environment"], capture_output=True, text=True)
    *found, last = done.stdout.splitlines()
    assert all(line.startswith("[ OK ] ") for line in found), done.stdout
    assert found[0] == "[ OK ] Python {}.{}".format(*sys.version_info)
    assert f"[ OK ] keras {importlib.metadata.version('keras')}" in found
    assert "[ OK ] TensorFlow computes: yes" in found
    assert last.startswith("Everything is there.")
    assert done.returncode == 0


@pytest.fixture
def quick(monkeypatch):
    """TensorFlow alone takes seconds."""
    monkeypatch.setattr(environment, "_tensorflow", lambda: "yes")


def test_what_is_not_installed_or_too_old_is_named_with_what_mends_it(quick, monkeypatch, capsys):
    version = importlib.metadata.version

    def other(name):
        if name == "nbgrader":
            raise importlib.metadata.PackageNotFoundError(name)
        return "2.0" if name == "keras" else version(name)

    monkeypatch.setattr(importlib.metadata, "version", other)
    code, found = lines(capsys)
    assert code == 1
    old = found.index("[FAIL] keras >=3.15: 2.0 is installed")
    missing = found.index("[FAIL] nbgrader <0.10,>=0.9.6: not installed")
    for place in (old, missing):
        assert found[place + 1].strip() == environment.INSTALL
    assert found[-1] == "2 of these have to be fixed."


def test_a_tensorflow_that_cannot_compute_is_one_line(monkeypatch, capsys):
    monkeypatch.setattr(environment.sys, "executable", "/bin/false")
    monkeypatch.setattr(environment, "_same_environment", lambda program: True)
    code, found = lines(capsys)
    assert code == 1
    assert "[FAIL] TensorFlow computes: it ended with status 1" in found


def test_folders_that_are_not_there(quick, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "nowhere"))
    monkeypatch.setenv("COURSE_RESULTS", str(tmp_path / "results"))
    allowed = environment.os.access
    monkeypatch.setattr(
        environment.os, "access", lambda path, mode: path != tmp_path and allowed(path, mode)
    )
    code, found = lines(capsys)
    assert code == 1
    assert f"[FAIL] data: COURSE_DATA names {tmp_path / 'nowhere'}, which is not a folder" in found
    (results,) = (n for n, line in enumerate(found) if "cannot be written" in line)
    assert "COURSE_RESULTS" in found[results + 1]


def test_a_language_that_is_not_there_is_one_line(quick, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_LANGUAGE", "tlh")
    code, found = lines(capsys)
    assert code == 1
    (place,) = (n for n, line in enumerate(found) if "'tlh'" in line)
    assert found[place].startswith("[FAIL] language of the checks:")
    assert found[place].endswith("de, en")
    assert "unset" in found[place + 1]


def test_a_kernel_of_another_environment_is_noticed(quick, monkeypatch, capsys, tmp_path):
    kernel = tmp_path / "kernels" / "python3" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text(json.dumps({"argv": ["/elsewhere/bin/python"], "display_name": "3"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    code, found = lines(capsys)
    assert code == 1
    (kernel,) = (n for n, line in enumerate(found) if "is not of this environment" in line)
    assert found[kernel].startswith("[FAIL] the kernel that notebooks run in: ")
    assert found[kernel + 1].endswith("-m ipykernel install --sys-prefix")


def test_the_command_explains_itself(capsys):
    with pytest.raises(SystemExit) as stop:
        environment.main(["--help"])
    assert stop.value.code == 0
    assert "check-environment" in capsys.readouterr().out
