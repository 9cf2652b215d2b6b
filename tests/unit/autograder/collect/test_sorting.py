"""The files of an archive sorted by who handed them in, and archives that are one student's."""

import shutil

import pytest

from autograder.course_folder import CourseFolder
from tests.conftest import LESSON
from tests.support.archives import Handed, blackboard, brightspace, canvas, moodle
from tests.support.collected import (
    CLASSROOM,
    ILIAS,
    MOODLE,
    MORNING,
    NOTEBOOK,
    notebook_with,
    submitted,
)


def test_one_students_zip_has_the_students_name(course, collected):
    assert collected({NOTEBOOK: b"at the top"}, name="ann.zip").code == 0
    handed_back = {f"attention-course/{LESSON}/{NOTEBOOK}": b"handed back"}
    assert collected(handed_back, name="doejane_1_2_my work.zip").code == 0
    assert submitted(course) == {
        f"ann/{LESSON}/{NOTEBOOK}": b"at the top",
        f"doejane/{LESSON}/{NOTEBOOK}": b"handed back",
    }
    result = collected(handed_back, name=f"{LESSON}-2.zip")
    assert result.code == 1
    assert f"'{LESSON}-2' isn't a student id" in result.out


TURNS = {
    f"Zoë/Attention/Version 1/{NOTEBOOK}": b"zoe's first",
    f"Zoë/Attention/Version 10/{NOTEBOOK}": b"zoe's last",
    f"Zoë/Attention/Version 2/{NOTEBOOK}": b"zoe's second",
    "Zoë/Essay/Version 11/essay.docx": b"",
    f"Bo/Attention/Version 1/{NOTEBOOK}": b"bo's",
}


@pytest.mark.parametrize("around", ["", "Submitted files/", "7b - Student Work/Submitted files/"])
@pytest.mark.parametrize("version", ["Version", "Wersja", "Versión"])
@pytest.mark.parametrize("listed", [True, False])
def test_of_microsoft_teams_versions_the_last_counts(
    course, collected, tmp_path, around, version, listed
):
    names = tmp_path / "names.csv"
    names.write_text("name,student\nZoë,zoe\nBo,bo\n", "utf8")
    options = ("--names", str(names)) if listed else ()
    members = {f"{around}{path}".replace("Version", version): TURNS[path] for path in TURNS}
    result = collected(members, *options)
    assert result.code == 0
    zoe, bo = ("zoe", "bo") if listed else ("Zoë", "Bo")
    assert submitted(course) == {
        f"{bo}/{LESSON}/{NOTEBOOK}": b"bo's",
        f"{zoe}/{LESSON}/{NOTEBOOK}": b"zoe's last",
    }
    assert f"Attention/{version} 2: an earlier version than 10" in result.out
    # What was handed in last counts, whatever it is.
    again = {f"{around}Bo/Attention/{version} 2/text.docx": b""} | members
    assert "only Attention/" in collected(again, *options).out


def test_what_is_not_handed_in_in_microsoft_teams_is_left_out(course, collected):
    working = {f"Working files/{who}/Attention/{NOTEBOOK}": b"" for who in ("Zoë", "Kim")}
    submitted_files = {f"Submitted files/{path}": content for path, content in TURNS.items()}
    result = collected(working | submitted_files)
    assert (result.code, "skipped: 2 files beside those that were" in result.out) == (0, True)
    assert CourseFolder(course).students(LESSON) == ["Bo", "Zoë"]


def test_a_students_own_folders_of_versions_lose_nobodys_work(course, collected):
    own = {f"{part}/ps/Version {n}/{NOTEBOOK}": b"" for part in ("a", "b") for n in (1, 2)}
    others = (f"{MOODLE.format('Bo', 18)}/{NOTEBOOK}", f"bo/{NOTEBOOK}")
    for jane, other in zip((MOODLE.format("Jane", 17), "jane"), others, strict=True):
        shutil.rmtree(course / "submitted", ignore_errors=True)
        result = collected({f"{jane}/{path}": b"" for path in own} | {other: b"bo's"})
        assert "the notebook is in several folders: a/ps/Version 2, b/ps/Version 2" in result.out
        assert list(submitted(course).values()) == [b"bo's"]


def test_a_platforms_archive_that_was_unpacked_and_zipped_anew(course, collected):
    members = {f"Downloads/{MOODLE.format('ann', 1)}/{NOTEBOOK}": b"ann's", "__MACOSX/x": b""}
    assert collected(members).code == 0
    assert submitted(course) == {f"ann/{LESSON}/{NOTEBOOK}": b"ann's"}


def test_a_students_own_file_that_looks_like_canvas(course, collected):
    """results_1_2_plot.png in one student's zip doesn't make it a platform's archive."""
    result = collected({NOTEBOOK: b"ann's", "results_1_2_plot.png": b""}, name="ann.zip")
    assert result.code == 0
    assert set(submitted(course)) == {
        f"ann/{LESSON}/{NOTEBOOK}",
        f"ann/{LESSON}/results_1_2_plot.png",
    }


@pytest.mark.parametrize(
    ("name", "archive"),
    [
        ("x-Victim_99_assignsubmission_file_", canvas),
        ("x_victim_attempt_2026-03-02-09-30-00_", canvas),
        ("x_victim_attempt_2026-03-02-09-30-00_", lambda p: moodle(p, folders=False)),
        ("9-8 - victim - Oct 10, 2025 234 PM - ", canvas),
        ("victim_98_99_", lambda people: blackboard([(people[0], MORNING)])),
        ("victim_98_99_", lambda people: brightspace([(people[0], MORNING)], folders=False)),
    ],
)
def test_a_students_file_named_like_another_platforms_is_nobody_elses(
    course, collected, autograder, tmp_path, name, archive
):
    (tmp_path / "people.csv").write_text("Name,SID\nVictim,victim\nEve,eve\n", "utf8")
    assert autograder("roster", str(tmp_path / "people.csv"), course=course).code == 0
    handed = Handed("eve", 7, {NOTEBOOK: b"eve's", f"{name}{NOTEBOOK}": b"forged"})
    collected(archive([handed]))
    assert CourseFolder(course).students(LESSON) in (["eve"], [])
    assert "victim" not in {path.name for path in (course / "submitted").glob("*")}


@pytest.mark.parametrize(
    "names",
    [set(CLASSROOM), set(ILIAS), {"a.ipynb", "b.ipynb"}, {"Ex3/a/x.ipynb", "Ex3/b/x.ipynb"}],
)
def test_a_class_of_an_unknown_platform_is_no_single_students(course, collected, names):
    (course / "source" / LESSON / NOTEBOOK).write_bytes(notebook_with("a", "b"))
    result = collected(dict.fromkeys(names, notebook_with("a", "b")), name="class.zip")
    assert result.code == 1
    assert "add the line" not in result.out
    assert "--pattern" in result.out
    assert not (course / "submitted").exists()
    many = {f"{n}.ipynb": notebook_with("a", "b") for n in range(30)}
    assert "--pattern" in collected(many, name="class.zip").out
    assert not (course / "submitted").exists()


@pytest.mark.parametrize(
    "members",
    [
        {f"{LESSON}/{LESSON} - {name}.ipynb": "same" for name in ("Ada", "Bo", "Cy")},
        {f"{LESSON}/{NOTEBOOK}": "teacher's", f"{LESSON}/{LESSON} - Bo.ipynb": "bo's"},
        {f"Neuer Ordner/ML-4711/{MOODLE.format(n, 1)}/{NOTEBOOK}": n for n in ("Ada", "Bo")},
        {f"Neuer Ordner/ML-4711/{MOODLE.format(n, 1)}x.ipynb": "same" for n in ("Ada", "Bo")},
        {f"Neuer Ordner/ML-4711/{MOODLE.format(n, 1)}/a.zip": "zip" for n in ("Ada", "Bo")},
        {f"Neuer Ordner/ML-4711/{name}/{NOTEBOOK}": name for name in ("Ada", "Bo")},
        {f"Neuer Ordner/{n}.ipynb": "same" for n in range(30)},
    ],
)
def test_a_folder_of_several_people_is_nobodys(course, collected, people, tmp_path, members):
    """A line in the file of names would give one of them what the others wrote."""
    (course / "source" / LESSON / NOTEBOOK).write_bytes(notebook_with("a", "b"))
    (tmp_path / "names.csv").write_text(f"name,student\n{LESSON},ada\nNeuer Ordner,ada\n")
    members = {name: notebook_with("a", "b", text=text) for name, text in members.items()}
    for options in ((), ("--names", str(tmp_path / "names.csv"))):
        result = collected(members, *options, name="ML-4711.zip")
        assert result.code == 1
        assert "seems to hold several people's files: say with --pattern" in result.out
        assert "add the line" not in result.out
        assert not (course / "submitted").exists()


def test_copies_of_one_notebook_are_one_persons(course, collected, people, tmp_path):
    (course / "source" / LESSON / NOTEBOOK).write_bytes(notebook_with("a", "b"))
    worked, part = (notebook_with(*ids, text="1") for ids in ("ab", "a"))
    members = {f"Work/{LESSON}-Copy1.ipynb": worked, f"Work/{NOTEBOOK}": part}
    members |= {f"Work/old/{NOTEBOOK}": notebook_with("a", "b", text="2")}
    assert "'Work' isn't in the roster" in collected(members).out
    (tmp_path / "names.csv").write_text("name,student\nWork,ada\n")
    assert collected(members, "--names", str(tmp_path / "names.csv")).code == 0
    assert submitted(course)[f"ada/{LESSON}/{NOTEBOOK}"] == worked


def test_files_in_nobodys_folder_are_told(course, collected):
    result = collected({f"bo/{NOTEBOOK}": b"bo's", "grades.csv": b"", "notes.txt": b""})
    assert result.code == 1
    assert f"grades.csv: in no student's folder: expected <student>/{NOTEBOOK}" in result.out
