"""What is too much to be handed in: it is refused."""

import json
from pathlib import Path

from autograder.sanitize.program_files import left_out
from autograder.sanitize.reader import MOST_VALUES
from autograder.sanitize.submission import (
    LARGEST_NOTEBOOKS,
    LONGEST_PATH,
    MOST_FILES,
    missing,
    read_timestamp,
    too_much,
)

DISK = 2**20
NOTEBOOK = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def sparse(path, size):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(size)


def test_half_of_the_sandboxs_disk_is_for_what_was_handed_in(tmp_path):
    sparse(tmp_path / "data" / "one.bin", DISK // 4)
    sparse(tmp_path / "two.bin", DISK // 4)
    assert too_much(tmp_path, DISK) == ""
    (tmp_path / "three.txt").write_text("x")
    assert "half of c.ExecuteSubmission.disk_limit" in too_much(tmp_path, DISK)


def test_small_files_count_as_the_pages_that_they_take(tmp_path):
    for number in range(200):
        (tmp_path / f"{number}.txt").write_text("x")
    assert too_much(tmp_path, 2 * 200 * 4096) == ""
    assert too_much(tmp_path, 2 * 199 * 4096)


def test_a_notebook_in_a_folder_further_down_is_named(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "hw.ipynb").touch()
    (tmp_path / "data.csv").touch()
    said = "hw.ipynb is missing: only data.csv, work/hw.ipynb was handed in"
    assert missing(tmp_path, ["hw"]) == said


def test_links_are_not_followed(tmp_path):
    sparse(tmp_path / "elsewhere" / "large.bin", 1 << 40)
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "submission" / "link.bin").symlink_to(tmp_path / "elsewhere" / "large.bin")
    (tmp_path / "submission" / "link.ipynb").symlink_to(tmp_path / "elsewhere" / "large.bin")
    assert too_much(tmp_path / "submission", DISK) == ""
    sparse(tmp_path / "elsewhere" / "secret.ipynb", 1)
    assert "secret" not in missing(tmp_path / "submission", ["hw"])


def test_folders_count_as_files(tmp_path):
    for number in range(MOST_FILES):
        (tmp_path / str(number)).mkdir()
    assert too_much(tmp_path, DISK) == ""
    (tmp_path / "one.txt").touch()
    assert "files and folders" in too_much(tmp_path, DISK)


def test_what_programs_keep_counts_as_one_folder(tmp_path):
    for folder in (".venv", "work/.GIT", "work/env"):
        (tmp_path / folder / "lib").mkdir(parents=True)
        for number in range(MOST_FILES):
            (tmp_path / folder / "lib" / str(number)).touch()
    (tmp_path / "work" / "env" / "pyvenv.cfg").touch()
    sparse(tmp_path / "work" / "env" / "model.bin", DISK)
    assert too_much(tmp_path, DISK) == ""
    for number in range(MOST_FILES - 4):
        (tmp_path / "many" / str(number)).mkdir(parents=True)
        (tmp_path / "many" / str(number) / "pyvenv.cfg").touch()
    assert "files and folders" in too_much(tmp_path, DISK)


def test_folders_of_programs_are_listed_and_of_many_some(tmp_path):
    for number in range(8):
        (tmp_path / f"env{number}").mkdir()
        (tmp_path / f"env{number}" / "pyvenv.cfg").touch()
    lines = left_out(tmp_path)
    assert len(lines) == 6
    assert all(line.endswith(": left out, a program's own folder") for line in lines[:5])
    assert lines[5] == "left out: 3 more folders of programs"
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "link").symlink_to(tmp_path / "env0")
    assert left_out(tmp_path / "work") == []


def test_a_path_that_would_be_too_long_for_a_copy_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(LONGEST_PATH // 200 + 1):
        (Path.cwd() / ("x" * 200)).mkdir()
        monkeypatch.chdir("x" * 200)
    assert "path" in too_much(tmp_path, DISK)


def test_notebooks_have_a_limit_of_their_own(tmp_path):
    sparse(tmp_path / "one.ipynb", LARGEST_NOTEBOOKS)
    assert too_much(tmp_path, DISK) == ""
    sparse(tmp_path / "two.ipynb", 1)
    assert "100 MB" in too_much(tmp_path, DISK)


def test_a_notebook_that_takes_much_memory_is_refused_and_text_is_not(tmp_path):
    path = tmp_path / "one.ipynb"
    path.write_text(json.dumps(NOTEBOOK | {"metadata": {"text": "x" * 20_000_000}}))
    assert too_much(tmp_path, DISK) == ""
    path.write_text(json.dumps(NOTEBOOK | {"metadata": {"many": [[]] * (MOST_VALUES + 1)}}))
    assert "lists and dictionaries" in too_much(tmp_path, DISK)


def test_what_is_too_long_for_a_time_is_not_read_as_one(tmp_path):
    """dateutil would take hours."""
    path = tmp_path / "timestamp.txt"
    path.write_text("2026-11-22 20:15:00.000000 UTC\n")
    assert (too_much(tmp_path, DISK), read_timestamp(tmp_path)) == ("", path.read_text().strip())
    path.write_text("9" * 10_000_000)
    assert too_much(tmp_path, DISK) == "timestamp.txt has no time"
    assert read_timestamp(tmp_path) == ""
