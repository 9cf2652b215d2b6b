"""A version for others: one command sets it, dates it, tags it and builds it."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

VERSION = "7.8.9"
PROJECTS = [".", "selfcheck", "autograder", "keys"]


def git(folder, *command):
    done = subprocess.run(["git", *command], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path):
    """A clone of what is here, with somebody who commits, and nothing to install."""
    folder = tmp_path / "checkout"
    git(tmp_path, "clone", "-q", REPOSITORY, folder)
    git(folder, "config", "user.name", "Ada")
    git(folder, "config", "user.email", "ada@example.org")
    return folder


def publish(folder, version=VERSION):
    command = ["make", "publish", "INSTALLED=", f"BIN={Path(sys.executable).parent}"]
    return subprocess.run(
        [*command, f"VERSION={version}"], cwd=folder, capture_output=True, text=True, check=False
    )


def announce(folder):
    """Say what is new."""
    changes = folder / "CHANGELOG.md"
    heading, rest = changes.read_text("utf8").split("\n## ", 1)
    said = f"{heading}\n## {VERSION} (unreleased)\n\n- All.\n\n## {rest}"
    changes.write_text(said, "utf8")


@pytest.mark.timeout(1800)
def test_a_version_is_set_dated_tagged_and_built(checkout):
    announce(checkout)
    git(checkout, "commit", "-qam", "Say what is new")
    done = publish(checkout)
    assert done.returncode == 0, done.stderr
    assert git(checkout, "status", "--porcelain") == ""
    assert git(checkout, "describe", "--tags") == f"v{VERSION}"
    dated = rf"^## {re.escape(VERSION)} \(\d{{4}}-\d\d-\d\d\)$"
    assert re.search(dated, (checkout / "CHANGELOG.md").read_text("utf8"), re.MULTILINE)
    for project in PROJECTS:
        about = tomllib.loads((checkout / project / "pyproject.toml").read_text("utf8"))["project"]
        assert about["version"] == VERSION
        ours = [one for one in about["dependencies"] if re.match("(notebook|attention)-", one)]
        assert all(one.endswith(f"=={VERSION}") for one in ours)
        name = about["name"].replace("-", "_")
        assert [*(checkout / "dist").glob(f"{name}-{VERSION}-*.whl")]


def test_what_is_missing_is_said_before_anything_changes(checkout):
    before = git(checkout, "rev-parse", "HEAD")
    assert "Name the version" in publish(checkout, "").stderr
    assert f"no line '## {VERSION} (unreleased)'" in publish(checkout).stderr
    announce(checkout)
    assert "Commit your changes first" in publish(checkout).stderr
    assert git(checkout, "rev-parse", "HEAD") == before
    assert git(checkout, "tag") == ""
