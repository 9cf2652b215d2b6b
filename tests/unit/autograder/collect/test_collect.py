"""Archives as learning platforms make them, and as nobody should, into submitted/."""

import random
import re
import shutil
import stat
import struct
import zipfile
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import nbformat
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autograder.cells import is_solution
from autograder.collect import archives, collect, lesson_files
from autograder.collect.archives import LITTLE_BYTES, MOST_ARCHIVED_FILES, MOST_BYTES, megabytes
from autograder.collect.filenames import Naming
from autograder.collect.manifest import COLLECTED_FILE, late_without_time
from autograder.collect.timestamps import read_times, read_worksheet
from autograder.course_folder import STAGING, CourseFolder
from autograder.grading.batch import grading_lock
from autograder.grading.converter import converter_of
from autograder.release import generate as releasing
from autograder.roster.csv_lists import read_list, read_text
from autograder.roster.roster import ROSTER_FILE, read_roster
from autograder.roster.update import update_roster
from autograder.roster.worksheet import Worksheet
from autograder.sanitize.recognition import MOST_NOTEBOOK_BYTES
from tests.conftest import CONFIG, LESSON, REPOSITORY, flat, write_configuration
from tests.support.archives import (
    DOWNLOADED,
    Exported,
    Handed,
    blackboard,
    brightspace,
    canvas,
    canvas_submissions,
    gradescope,
    moodle,
    packed,
    uploaded_again,
    worksheet,
)

NOTEBOOK = f"{LESSON}.ipynb"
MOODLE = "{}_{}_assignsubmission_file_"


def special(name, kind=0, time=DOWNLOADED):
    """A member with a file type in its attributes."""
    info = zipfile.ZipInfo(name, time)
    info.external_attr = (kind | 0o777) << 16
    return info


@pytest.fixture
def course(tmp_path):
    root = tmp_path / "course"
    (root / "source" / LESSON).mkdir(parents=True)
    (root / "source" / LESSON / NOTEBOOK).write_text("{}")
    (root / "source" / LESSON / "words.txt").write_text("query")
    (root / CONFIG).write_text("")
    return root


@pytest.fixture
def collected(course, autograder, tmp_path):
    """Run the command on one archive, given as its members or its bytes."""

    def run(members, *options, name="download.zip", time=DOWNLOADED, lesson=LESSON):
        path = tmp_path / name
        path.write_bytes(members if isinstance(members, bytes) else packed(members, time))
        result = autograder("collect", lesson, str(path), *options, course=course)
        assert "Traceback" not in result.err
        assert sorted(each.name for each in (course / STAGING).glob("*")) in ([], [".lock"])
        result.out = flat(result.out)
        return result

    return run


def submitted(course):
    """Everything under submitted/, by path, but for the times."""
    root = course / "submitted"
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != "timestamp.txt"
    }


def test_moodle(course, collected, tmp_path):
    names = tmp_path / "names.csv"
    names.write_text("\ufeffname,student,group\nJané Doe,jdoe,1\nBo,bo.li,2\n", "utf8")
    result = collected(
        {
            f"{MOODLE.format('Jané Doe', 17)}/{NOTEBOOK}": b"jane's",
            f"{MOODLE.format('Jané Doe', 17)}/extra/data.csv": b"1,2",
            f"{MOODLE.format('Bo', 18)}{NOTEBOOK}": b"bo's, of an archive without folders",
            f"{MOODLE.format('Lee, Ann', 19)}/{NOTEBOOK}": b"who is that?",
        },
        "--names",
        str(names),
    )
    assert submitted(course) == {
        f"jdoe/{LESSON}/{NOTEBOOK}": b"jane's",
        f"jdoe/{LESSON}/extra/data.csv": b"1,2",
        f"bo.li/{LESSON}/{NOTEBOOK}": b"bo's, of an archive without folders",
    }
    assert result.code == 1
    assert 'add the line "Lee, Ann",<student>' in result.out
    assert "2 collected, 0 unchanged, 1 refused." in result.out


def test_canvas_with_late_ones_and_further_attempts(course, collected):
    result = collected(
        {
            f"doejane_12_34_{NOTEBOOK}": b"jane's",
            "doejane_12_35_notes.txt": b"notes",
            f"libo_LATE_13_36_{LESSON}-2.ipynb": b"second",
            f"libo_LATE_13_37_{LESSON}-10.ipynb": b"third",
            "annlee_14_38_attention-course-1.zip": packed({f"{LESSON}/{NOTEBOOK}": b"ann's"}),
        }
    )
    assert result.code == 0
    assert submitted(course) == {
        f"annlee/{LESSON}/{NOTEBOOK}": b"ann's",
        f"doejane/{LESSON}/{NOTEBOOK}": b"jane's",
        f"doejane/{LESSON}/notes.txt": b"notes",
        f"libo/{LESSON}/{NOTEBOOK}": b"third",
    }


@pytest.mark.parametrize("with_roster", [True, False])
def test_whom_a_platform_made_up_hands_in_nothing(course, listed, collected, with_roster):
    """Canvas' "Student, Test", whom each course has, and Blackboard's preview user."""
    if with_roster:
        listed("canvas")
    handed = [Handed(name, 1001, {NOTEBOOK: b""}) for name in ("Student, Test", "Sinéad O'Brien")]
    handed[1] = replace(handed[1], name="O'Brien, Sinéad", number=1004)
    result = collected(canvas([handed[0], replace(handed[0], number=1002), handed[1]]))
    assert (result.code, "skipped: the test student of Canvas" in result.out) == (0, True)
    previews = ("ps1_ann_previewuser", "ps1_zoe")
    result = collected({f"{each}_attempt_2026-03-02-09-30-00_{NOTEBOOK}": b"" for each in previews})
    assert (result.code, "skipped: the test student of Blackboard" in result.out) == (0, True)
    sinead = "sinead" if with_roster else "obriensinéad"
    assert CourseFolder(course).students(LESSON) == [sinead, "zoe"]


def test_folders_zips_and_what_systems_add(course, collected):
    handout = {
        f"attention-course/{LESSON}/{NOTEBOOK}": b"bo's",
        f"attention-course/{LESSON}/.ipynb_checkpoints/{NOTEBOOK}": b"old",
        "attention-course/README.md": b"how to",
        "attention-course/.venv/bin/python": b"\x7fELF",
        "attention-course/02-conv1d-baseline/02-conv1d-baseline.ipynb": b"another lesson",
        "__MACOSX/attention-course/._README.md": b"",
    }
    result = collected(
        {
            "ann/": b"",
            f"ann/{NOTEBOOK}": b"ann's",
            "ann/.DS_Store": b"",
            "bo.zip": packed(handout),
            f"cy/work/{LESSON}/{LESSON} (1).ipynb": b"cy's",
            f"cy/work/{LESSON}/words-1.txt": b"the lesson's own file",
        }
    )
    assert result.code == 0, result.out
    assert submitted(course) == {
        f"ann/{LESSON}/{NOTEBOOK}": b"ann's",
        f"bo/{LESSON}/{NOTEBOOK}": b"bo's",
        f"cy/{LESSON}/{NOTEBOOK}": b"cy's",
        f"cy/{LESSON}/words.txt": b"the lesson's own file",
    }
    assert "2 files that are not in the notebook's folder" in result.out
    assert "attention-course/.venv: left out, a program's own folder with 1 file" in result.out


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


def stamp(course, student, lesson=LESSON):
    """What nbgrader reads as the time of handing in, or None."""
    path = course / "submitted" / student / lesson / "timestamp.txt"
    if not path.exists():
        return None
    parsed = CourseFolder(course).nbgrader.coursedir.get_existing_timestamp(str(path.parent))
    return parsed.isoformat(" ", "seconds")


def test_an_archives_times_are_the_downloads(course, collected):
    """Nobody becomes late because a teacher downloads late."""
    jane = Handed("Jane", 1, {NOTEBOOK: b"jane's"})
    exact = zipfile.ZipInfo(f"bo/{NOTEBOOK}", DOWNLOADED)  # Info-ZIP's extended time is no better
    exact.extra = struct.pack("<HHBl", 0x5455, 5, 1, 1_700_000_000)
    forged = ("cy/timestamp.txt", b"2020-01-01 00:00:00 UTC")
    result = collected([*moodle([jane]).items(), (exact, b""), (f"cy/{NOTEBOOK}", b""), forged])
    assert result.code == 0
    assert not list(course.rglob("timestamp.txt"))
    assert "the time comes from the platform, not from the student" in result.out
    assert "No submission time for 3 submissions" in result.out
    collected(canvas([Handed("Doe, Di", 4, {NOTEBOOK: b""})]))
    assert stamp(course, "doedi") is None


def uploaded(people, times):
    """Moodle's archive, in which each person's files have the time of their upload."""
    return [
        (zipfile.ZipInfo(name, time), content)
        for person, time in zip(people, times, strict=True)
        for name, content in moodle([person]).items()
    ]


def test_moodles_archive_knows_the_uploads(course, collected, tmp_path):
    """On the server's clock, which somebody has to name; a worksheet knows better."""
    people = [Handed(name, n, {NOTEBOOK: b""}) for n, name in enumerate(("Jane", "Bo", "Cy"))]
    times = [(2026, 3, 2, 9, 30, 4), (2026, 7, 1, 23, 59, 58), (1980, 0, 0, 0, 0, 0)]
    members = uploaded(people, times)
    collected(members)
    assert not list(course.rglob("timestamp.txt"))
    collected(members, "--timezone", "Europe/Berlin")
    assert stamp(course, "Jane") == "2026-03-02 08:30:04"
    assert stamp(course, "Bo") == "2026-07-01 21:59:58"
    assert stamp(course, "Cy") is None
    rows = [(0, "Jane", "", "", "2026-03-02 09:31"), (1, "Bo", "", "", "2026-07-02 00:07")]
    sheet = (*times_file(tmp_path, worksheet(rows)), "--timezone", "Europe/Berlin")
    collected(members, *sheet)
    assert stamp(course, "Jane") == "2026-03-02 08:31:00"
    collected(members, "--timezone", "Europe/Berlin")
    assert stamp(course, "Jane") == "2026-03-02 08:31:00"
    assert stamp(course, "Bo") == "2026-07-01 22:07:00"
    # A later upload replaces an earlier one, and what was packed again says nothing.
    later = [replace(people[0], files={NOTEBOOK: b"better"}), *people[1:]]
    times[0] = (2026, 3, 3, 9, 30, 4)
    assert "1 collected" in collected(uploaded(later, times), "--timezone", "Europe/Berlin").out
    assert stamp(course, "Jane") == "2026-03-03 08:30:04"
    shutil.rmtree(course / "submitted")
    collected(moodle(people), "--timezone", "Europe/Berlin")
    assert not list(course.rglob("timestamp.txt"))


def times_file(tmp_path, content, name="times.csv"):
    path = tmp_path / name
    path.write_bytes(content)
    return ("--times", str(path))


@pytest.mark.parametrize(
    ("when", "header"),
    [
        ("Monday, 2 March 2026, 9:30 AM", "Last modified (submission)"),
        ("Monday, March 2, 2026, 9:30\u202fAM", "Last modified (submission)"),
        ("Montag, 2. März 2026, 09:30", "Zuletzt geändert (Abgabe)"),
        ("2026年3月2日 星期一 09:30", "上次修改（作业）"),
        ("понеділок 2 березня 2026 09:30 AM", "Востаннє змінювалося (здача)"),
        ("월요일, 2 3월 2026, 9:30 AM", "마지막 수정됨(제출)"),
        ("dilluns, 2 de març 2026, 09:30", "Darrera modificació (tramesa)"),
        ("الاثنين، 2 مارس 2026، 9:30 AM", "آخر تعديل (التسليم)"),
        ("mánudagur, 2. mars 2026, 09:30", "Síðast breytt (skil)"),
        ("lundi 2 mars 2026, 09:30", "Dernière modification (travail remis)"),
        ("lunes, 2 de marzo de 2026, 09:30", "Última modificación (entrega)"),
        ("02.03.2026 09:30", "Poslední změna (odevzdání)"),
        ("2026-03-02 09:30", "Last modified (submission)"),
    ],
)
def test_moodles_worksheet_knows_the_time(course, collected, tmp_path, when, header):
    rows = [(17, "Jane", "", "", when), (18, "Bo", "", "", "-"), (19, "Cy", "", "", "3/4/26, 9:30")]
    times = times_file(tmp_path, worksheet(rows, time=header))
    people = [Handed(name, number, {NOTEBOOK: b""}) for number, name, *_ in rows]
    result = collected(moodle(people), *times, "--timezone", "Europe/Berlin")
    assert result.code == 0
    assert stamp(course, "Jane") == "2026-03-02 08:30:00"
    assert stamp(course, "Bo") is stamp(course, "Cy") is None
    assert "2026-03-02 08:30" in result.out
    assert "times.csv: 1 time not understood, such as '3/4/26, 9:30'" in result.err
    assert "No submission time for 2 submissions" in result.out


REAL = Path(__file__).parents[4].parent / "shared" / "moodle"


@pytest.mark.skipif(not REAL.is_dir(), reason="needs the worksheets that a real Moodle wrote")
def test_worksheets_of_a_real_moodle_are_read_whole_in_every_language():
    sheets = sorted(REAL.glob("**/*-worksheet.csv"))
    for path in sheets:
        text = read_text(path)
        assert Worksheet(text).filled({}) == text, path
        assert read_worksheet(path).maximum == 100, path
        read = read_times([path], UTC)
        assert (len(read.entries), read.remarks) == (27, ()), path
        assert len({each.number for each in read.entries}) == 27, path
        assert any(each.names for each in read.entries) == ("blind" not in path.name), path
        assert all(each.group for each in read.entries) == ("team" in path.name), path
        extended = [each.until for each in read.entries if each.until]
        has_extensions = path.name.startswith(("plain", "blind-", "files"))
        assert len(extended) == 2 * has_extensions, path
        assert all(f"{each:%H:%M}" == "23:59" for each in extended), path
        drafts = sum(each.draft for each in read.entries)
        assert drafts == 9 * path.name.startswith("drafts"), path


def test_a_time_without_a_zone_is_not_guessed(course, collected, tmp_path):
    rows = [(17, "Jane", "", "", "Monday, 2 March 2026, 9:30 AM")]
    times = times_file(tmp_path, worksheet(rows))
    jane = moodle([Handed("Jane", 17, {NOTEBOOK: b""})])
    result = collected(jane, *times)
    assert result.code == 2
    assert "--timezone Europe/Berlin" in result.err
    assert "Unknown time zone 'Berlin'" in collected(jane, *times, "--timezone", "Berlin").err
    assert not (course / "submitted").exists()
    # Summer time: the same clock is another time in UTC.
    rows = [(17, "Jane", "", "", "Thursday, 2 July 2026, 9:30 AM")]
    times = times_file(tmp_path, worksheet(rows))
    collected(jane, *times, "--timezone", "Europe/Berlin")
    assert stamp(course, "Jane") == "2026-07-02 07:30:00"


@pytest.mark.parametrize("when", ["02.03.26 21:30", "02/03/2026 21:30", "2. Mrz 26 21.30 Uhr"])
def test_a_date_that_is_not_understood_says_what_to_type(course, collected, tmp_path, when):
    """As a spreadsheet in German or French rewrites them."""
    jane = moodle([Handed("Jane", 17, {NOTEBOOK: b""})])

    def sheet(*times):
        rows = [(17 + n, "Jane", "", "", time) for n, time in enumerate(times)]
        return (*times_file(tmp_path, worksheet(rows)), "--timezone", "Europe/Berlin")

    said = flat(collected(jane, *sheet(when)).err)
    assert f"such as '{when}', and treated as unknown. Expected one such as" in said
    assert "and give --timezone, such as Europe/Berlin" in said
    expected = re.findall(r"'([^']+)'", said.partition("Expected")[2])
    assert len(expected) == 4
    assert collected(jane, *sheet(*expected)).err == ""


def test_a_date_in_a_name_that_is_not_understood_is_named(course, collected):
    folder = "39786-640693 - Jane - Okt 10, 2025 234 PM"
    said = collected({f"{folder}/{NOTEBOOK}": b""}, "--timezone", "Europe/Berlin").out
    assert "its time 'Okt 10, 2025 234 PM' isn't understood" in said
    assert "expected one such as 'Mar 2, 2026 930 PM' or '2026-03-02-21-30-00'" in said
    assert "--times reads the times from your platform's list. " in said


@pytest.mark.parametrize("start", ["", "sep=;\r\n"])
def test_a_list_of_times_that_excel_saved(course, collected, tmp_path, start):
    table = f"{start}user_id;submitted_at\r\n12;2026-03-02T08:30:00Z\r\n".encode("utf-16")
    ann = canvas([Handed("Doe, Ann", 12, {NOTEBOOK: b""})])
    assert collected(ann, *times_file(tmp_path, table)).code == 0
    assert stamp(course, "doeann") == "2026-03-02 08:30:00"


@pytest.mark.parametrize("with_roster", [True, False])
def test_the_worksheet_of_a_different_assignment_tells_no_times(
    course, listed, collected, tmp_path, with_roster
):
    """In Moodle, each assignment gives everybody a different number."""
    if with_roster:
        listed("moodle")
    name = "Sinéad O'Brien" if with_roster else "sinead"
    sinead = moodle([Handed(name, 52, {NOTEBOOK: b""})])
    lines = [(n, name, "", "", f"2026-03-0{day} 09:30") for n, day in ((152, 1), (52, 3))]
    other, own = (times_file(tmp_path, worksheet([line]), f"{line[0]}.csv") for line in lines)
    result = collected(sinead, *other, "--timezone", "UTC")
    assert "has number 152 for sinead, the archive 52: it's of a different assign" in result.out
    assert stamp(course, "sinead") is None
    collected(sinead, *other, *own, "--timezone", "UTC")
    assert stamp(course, "sinead") == "2026-03-03 09:30:00"


def test_canvas_knows_the_time_and_the_attempt(course, collected, tmp_path):
    rows = [
        {"user_id": 12, "submitted_at": "2026-03-02T08:30:00Z", "attempt": 1},
        {"user_id": 13, "submitted_at": "2026-03-09T08:30:00Z", "attempt": 3, "late": True},
        {"user_id": 14, "submitted_at": None, "attempt": None},
    ]
    people = [Handed(f"Doe, {name}", n, {NOTEBOOK: b""}) for n, name in ((12, "A"), (13, "B"))]
    times = times_file(tmp_path, canvas_submissions(rows), "submissions.json")
    assert collected(canvas(people), *times).code == 0
    assert stamp(course, "doea") == "2026-03-02 08:30:00"
    assert stamp(course, "doeb") == "2026-03-09 08:30:00"
    table = b"user_id,submitted_at\n12,2026-03-01T08:30:00Z\n"
    said = collected(canvas(people), *times_file(tmp_path, table)).out
    assert "the submission time was changed, before it was 2026-03-02 08:30 UTC" in said
    assert "was added" not in said
    assert stamp(course, "doea") == "2026-03-01 08:30:00"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"name,grade\nann,3\n", "it begins with 'name,grade'"),
        (b"", "it begins with 'nothing'"),
        (b"while(1);[{}]", "a submission has no submitted_at"),
        (b"[3]", "isn't Canvas' list"),
        (b"[" * 100_000, "isn't Canvas' list"),
        (b"Identifier\xff", "has no submission times"),
    ],
)
def test_a_list_of_times_that_is_none(course, collected, tmp_path, content, reason):
    result = collected({f"ann/{NOTEBOOK}": b""}, *times_file(tmp_path, content))
    assert result.code == 2
    assert reason in " ".join(result.err.split())
    assert not (course / "submitted").exists()


def test_gradescopes_export(course, collected):
    noon = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
    jane, bo = ("Jane Doe", "jdoe", "jane@school.org"), ("Bo Li", "", "bo@school.org")
    handed = [
        Exported(100, (jane,), {NOTEBOOK: b"jane's", "data/words.csv": b"w"}, noon),
        Exported(101, (bo, ("Di Ng", "dng", "")), {NOTEBOOK: b"of two"}, noon),
        Exported(102, (("Cy", "cy", ""),), {NOTEBOOK: b"cy's"}),
        Exported(103, (), {NOTEBOOK: b"nobody's"}, noon),
    ]
    result = collected(gradescope(handed), name="export.zip")
    assert result.code == 1
    assert "Gradescope lists no submitter" in result.out
    assert submitted(course) == {
        f"bo@school.org/{LESSON}/{NOTEBOOK}": b"of two",
        f"cy/{LESSON}/{NOTEBOOK}": b"cy's",
        f"dng/{LESSON}/{NOTEBOOK}": b"of two",
        f"jdoe/{LESSON}/{NOTEBOOK}": b"jane's",
        f"jdoe/{LESSON}/data/words.csv": b"w",
    }
    assert stamp(course, "jdoe") == stamp(course, "dng") == "2026-03-02 12:00:00"
    assert stamp(course, "cy") is None
    # Submissions are numbered as they come: a later one is newer, also without a time.
    again = [Exported(99, (("Cy", "cy", ""),), {NOTEBOOK: b"earlier"})]
    assert "the one collected before is newer" in collected(gradescope(again)).out
    again = [Exported(999, (("Cy", "cy", ""),), {NOTEBOOK: b"later"})]
    collected(gradescope(again))
    assert submitted(course)[f"cy/{LESSON}/{NOTEBOOK}"] == b"later"


def test_gradescopes_namesakes_are_told_apart(course, collected, autograder, tmp_path):
    rows = ["John,Smith,100,js1@uni.edu", "John,Smith,101,js2@uni.edu", "Ann,Lee,7,ann@uni.edu"]
    (tmp_path / "class.csv").write_text("\n".join(["First Name,Last Name,SID,Email", *rows]))
    assert autograder("roster", str(tmp_path / "class.csv"), course=course).code == 0
    one, two = ("John Smith", "100", "js1@uni.edu"), ("John Smith", "101", "js2@uni.edu")
    handed = [
        Exported(303, (one,), {NOTEBOOK: b"one's"}),
        Exported(305, (("John Smith", "101", ""),), {NOTEBOOK: b"two's"}),
        Exported(306, (("John Smith", "", "ann@uni.edu"),), {NOTEBOOK: b"ann's"}),
        Exported(307, (("John Smith", "", "other@uni.edu"),), {NOTEBOOK: b"whose?"}),
        Exported(308, (("Ann Lee", "7", "js1@uni.edu"),), {NOTEBOOK: b"whose?"}),
    ]
    result = collected(gradescope(handed))
    assert result.code == 1
    assert submitted(course) == {
        f"ann/{LESSON}/{NOTEBOOK}": b"ann's",
        f"js1/{LESSON}/{NOTEBOOK}": b"one's",
        f"js2/{LESSON}/{NOTEBOOK}": b"two's",
    }
    assert "matched to ann by ann@uni.edu, although 'John Smith' is js1 or js2 in" in result.out
    assert result.out.count("matched to") == 1
    assert "'John Smith' may be js1 and js2" in result.out
    assert "'Ann Lee' may be ann and js1" in result.out
    shutil.rmtree(course / "submitted")
    together = [Exported(400, (one, two), {NOTEBOOK: b"of both"})]
    result = collected(gradescope(together))
    assert (result.code, "matched to" in result.out) == (0, False)
    assert CourseFolder(course).students(LESSON) == ["js1", "js2"]
    renamed = [Exported(401, (("Ann Lee", "", "lee@home.org"),), {NOTEBOOK: b"of Ann"})]
    told = collected(gradescope(renamed)).out
    assert "matched to ann only by the name: the roster doesn't have lee@home.org" in told


def test_gradescopes_list_with_rubys_own_times(course, collected):
    metadata = b"""\
submission_301:
  :submitters:
  - :name: Ann Lee
    :sid: ann
    :email: !ruby/string:ActiveSupport::SafeBuffer ann@uni.edu
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: 2026-11-10 10:00:00.123456000 Z
    zone: &1 !ruby/object:ActiveSupport::TimeZone
      name: America/Los_Angeles
    time: 2026-11-10 02:00:00.123456000 Z
  :history:
  - !ruby/array:Array [1]
"""
    members = {"e/submission_metadata.yml": metadata, f"e/submission_301/{NOTEBOOK}": b"ann's"}
    assert collected(members).code == 0
    assert stamp(course, "ann") == "2026-11-10 10:00:00"


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("!binary QW5uIEzDqWU=", "ann"),
        ("!!binary |-\n      QW5uIEzDqWU=", "ann"),
        ("!binary 'not base64'", ""),
        ("!!binary [x]", ""),
        ("!something:else 2026", ""),
        ("2026-13-45", ""),
        ("!!int one", ""),
        ("!!int [1]", ""),
        ("!!bool perhaps", ""),
        ("!!timestamp noon", ""),
        ("!!python/object/apply:os.system ['true']", ""),
        ("!ruby/object:OpenStruct {a: b}", ""),
    ],
)
def test_an_odd_name_in_gradescopes_list_costs_nobody_else(
    course, collected, autograder, tmp_path, name, student
):
    (tmp_path / "people.csv").write_text("Name,SID\nAnn Lée,ann\nBo,bo\n", "utf8")
    assert autograder("roster", str(tmp_path / "people.csv"), course=course).code == 0
    lists = ("1:\n  :submitters:\n  - :name: " + name, "2:\n  :submitters:\n  - :name: Bo\n")
    metadata = "\n".join(f"submission_{each}" for each in lists).encode()
    members = {"e/submission_metadata.yml": metadata}
    members |= {f"e/submission_{number}/{NOTEBOOK}": b"" for number in (1, 2)}
    result = collected(members)
    assert "Traceback" not in result.err
    assert CourseFolder(course).students(LESSON) == sorted(filter(None, ["bo", student]))
    assert result.code == (not student)


def test_gradescopes_export_without_its_list(course, collected):
    for root in ("assignment_77_export/", ""):
        members = {f"{root}submission_{n}/{NOTEBOOK}": b"" for n in (1, 2)}
        result = collected(members)
        assert result.code == 1
        assert "submission_metadata.yml is missing" in result.out
    assert not (course / "submitted").exists()


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        (b"a: [", "submission_metadata.yml isn't YAML"),
        (b"- 1", "lists no submissions"),
        (b"!!python/object/apply:os.system ['true']", "lists no submissions"),
        (b"!python/object/apply:os.system ['true']", "lists no submissions"),
        (b"submission_1: 3", "these have no owner"),
        (b"submission_1: {':submitters': 3, ':created_at': noon}", "Gradescope lists no submitter"),
        (b"a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]", "these have no owner"),
    ],
)
def test_a_gradescope_list_that_is_none(course, collected, metadata, reason):
    members = {"e/submission_metadata.yml": metadata, f"e/submission_1/{NOTEBOOK}": b""}
    result = collected(members)
    assert result.code == 1
    assert reason in result.out
    assert not (course / "submitted").exists()


def test_late_for_sure_but_nobody_knows_by_how_much(course, collected, tmp_path):
    """Canvas' LATE_ is shown and remembered, and never becomes a time."""
    people = [Handed("Li, Bo", 13, {NOTEBOOK: b"bo's"}, late=True)]
    people.append(Handed("Doe, Jane", 12, {NOTEBOOK: b"jane's"}))
    result = collected(canvas(people))
    assert "Late by an unknown time, so without a penalty: libo" in result.out
    assert "doejane" not in result.out.partition("Late by")[2]
    assert stamp(course, "libo") is None
    folder = CourseFolder(course)
    assert late_without_time(folder, LESSON) == ["libo"]
    # Once the time is known, lateness is worked out from it.
    rows = [{"user_id": 13, "submitted_at": "2026-03-02T08:30:00Z"}]
    times = times_file(tmp_path, canvas_submissions(rows), "s.json")
    result = collected(canvas(people), *times)
    assert "the submission time was added" in result.out
    assert stamp(course, "libo") == "2026-03-02 08:30:00"
    assert late_without_time(folder, LESSON) == []


def test_a_newer_one_replaces_and_nothing_is_lost(course, collected, tmp_path):
    place = f"libo/{LESSON}"

    def hand_in(content, day, *options):
        rows = [{"user_id": 13, "submitted_at": f"2026-03-0{day}T08:30:00Z"}]
        times = times_file(tmp_path, canvas_submissions(rows), "s.json")
        person = Handed("Li, Bo", 13, {NOTEBOOK: content, **({"w": b"w"} if day == 3 else {})})
        return collected(canvas([person]), *times, *options)

    hand_in(b"tuesday", 3)
    assert "already collected" in hand_in(b"tuesday", 3).out
    older = hand_in(b"monday", 2)
    assert older.code == 0
    assert "of 2026-03-03 08:30 UTC, is newer; --force replaces it" in older.out
    assert submitted(course)[f"{place}/{NOTEBOOK}"] == b"tuesday"

    forced = hand_in(b"monday", 2, "--force")
    kept = "20260303T083000"
    assert f"submitted/{place}.before-{kept}" in forced.out.replace(" ", "")
    assert submitted(course) == {
        f"{place}/{NOTEBOOK}": b"monday",
        f"{place}.before-{kept}/{NOTEBOOK}": b"tuesday",
        f"{place}.before-{kept}/w": b"w",
    }
    assert "replaced" in hand_in(b"wednesday", 4).out
    hand_in(b"tuesday, later", 3, "--force")
    hand_in(b"tuesday, last", 3, "--force")
    everything = set(submitted(course).values())
    assert everything == {
        *(b"monday", b"tuesday", b"w", b"wednesday", b"tuesday, later", b"tuesday, last")
    }
    assert CourseFolder(course).students(LESSON) == ["libo"]
    assert CourseFolder(course).handed_in() == [LESSON]


def test_the_same_files_handed_in_again_make_nobody_late(course, collected, tmp_path):
    """Whether a list, an archive or the names in it have the later time."""

    def sheet(when):
        return times_file(tmp_path, worksheet([(1, "Jane", "", "", when)]))

    jane, other = (Handed(name, n, {NOTEBOOK: b"her"}) for n, name in ((1, "Jane"), (2, "Bo")))
    days = [(2026, 3, day, 9, 30, 0) for day in (2, 3)]
    archives = [uploaded([jane, other], [day, days[0]]) for day in days]
    archives[0].append((zipfile.ZipInfo("Cy_3_assignsubmission_file/x", DOWNLOADED), b""))
    for members in archives:
        result = collected(members, "--timezone", "UTC")
    assert "the same files again at 2026-03-03 09:30 UTC, so the first time counts" in result.out
    assert stamp(course, "Jane") == "2026-03-02 09:30:00"
    for when in ("2026-03-02 09:40", "2026-03-04 09:30", "2026-03-05 09:30"):
        result = collected(moodle([jane]), *sheet(when), "--timezone", "UTC")
    assert "already collected; the same files again at 2026-03-05 09:30 UTC" in result.out
    assert stamp(course, "Jane") == "2026-03-02 09:40:00"
    collected(moodle([jane]), *sheet("2026-03-01 09:30"), "--timezone", "UTC")
    assert stamp(course, "Jane") == "2026-03-01 09:30:00"
    options = (*sheet("2026-03-04 09:30"), "--timezone", "UTC", "--force")
    assert "was changed, before it was 2026-03-01" in collected(moodle([jane]), *options).out
    # Without a time, Canvas says who is late.
    for number, late in ((67_000, False), (68_000, True)):
        di = Handed("Doe, Di", 4, {NOTEBOOK: b"hers"}, late=late)
        assert "Late by" not in collected(canvas([di], first_upload=number)).out
    assert late_without_time(CourseFolder(course), LESSON) == []


def test_the_same_files_several_times_in_one_go_make_nobody_late(course, autograder, tmp_path):
    """Nor is one of them refused because it's unknown which is newer."""
    attempts = {
        f"ps1_{name}_attempt_2026-03-0{day}-09-30-00_{NOTEBOOK}": content
        for name, day, content in (
            ("ann", 1, b"first"),
            ("ann", 2, b"same"),
            ("ann", 3, b"same"),
            ("bo", 1, b"same"),
            ("bo", 2, b"not"),
            ("bo", 3, b"same"),
        )
    }
    (tmp_path / "blackboard.zip").write_bytes(packed(attempts))
    path = str(tmp_path / "blackboard.zip")
    result = autograder("collect", LESSON, path, "--timezone", "UTC", course=course)
    assert stamp(course, "ann") == "2026-03-02 09:30:00"
    assert stamp(course, "bo") == "2026-03-03 09:30:00"
    assert "the same files were handed in several times" in flat(result.out)
    paths = [tmp_path / f"{day}.zip" for day in ("monday", "friday", "sunday")]
    for path, content in zip(paths, (b"same", b"same", b"not"), strict=True):
        path.write_bytes(packed(moodle([Handed("Cy", 3, {NOTEBOOK: content})])))
    said = flat(autograder("collect", LESSON, *map(str, paths), course=course).out)
    assert "it's unknown which is the newest" in said
    result = autograder("collect", LESSON, *map(str, paths[:2]), course=course)
    assert (result.code, "the same files as in monday.zip: Cy_3" in flat(result.out)) == (0, True)
    assert submitted(course)[f"Cy/{LESSON}/{NOTEBOOK}"] == b"same"


def test_without_times_nothing_is_replaced_by_itself(course, collected):
    collected({f"ann/{NOTEBOOK}": b"one"})
    result = collected({f"ann/{NOTEBOOK}": b"two"})
    assert "it's unknown which is newer" in result.out
    (course / "submitted" / "ann" / LESSON / "timestamp.txt").write_text("soon")
    assert "it's unknown which" in collected({f"ann/{NOTEBOOK}": b"two"}).out
    assert submitted(course) == {f"ann/{LESSON}/{NOTEBOOK}": b"one"}


def test_a_time_does_not_outlive_its_submission(course, collected, tmp_path):
    """What replaces a submission has its own time or none, in the folder and in the gradebook."""
    rows = [(7, "ann", "", "", "2026-03-02 09:30")]
    times = (*times_file(tmp_path, worksheet(rows)), "--timezone", "UTC")
    collected(moodle([Handed("ann", 7, {NOTEBOOK: b"one"})]), *times)
    assert stamp(course, "ann") == "2026-03-02 09:30:00"
    folder = CourseFolder(course)
    with folder.quiet(), folder.nbgrader.gradebook as gradebook:
        gradebook.add_assignment(LESSON)
        gradebook.add_student("ann")
        gradebook.add_submission(LESSON, "ann", timestamp=datetime(2026, 3, 2, 9, 30))
    assert "kept" in collected(moodle([Handed("ann", 7, {NOTEBOOK: b"two"})]), "--force").out
    assert stamp(course, "ann") is None
    with folder.quiet(), folder.nbgrader.gradebook as gradebook:
        assert gradebook.find_submission(LESSON, "ann").timestamp is None
    # News of the same submission reach the gradebook, which has its penalty.
    (course / "autograded" / "ann" / LESSON).mkdir(parents=True)
    result = collected(moodle([Handed("ann", 7, {NOTEBOOK: b"two"})]), *times)
    assert f"To see the penalties: autograder deadline {LESSON}" in result.out
    with folder.quiet(), folder.nbgrader.gradebook as gradebook:
        known = gradebook.find_submission(LESSON, "ann").timestamp
        assert known == datetime(2026, 3, 2, 9, 30)


def test_of_canvas_attempts_the_last_counts(course, collected):
    """Canvas numbers uploads as they come: the higher number is the later one."""
    first = [Handed("Li, Bo", 13, {NOTEBOOK: b"first"})]
    third = [Handed("Li, Bo", 13, {uploaded_again(NOTEBOOK, 2): b"third"})]
    collected(canvas(first))
    assert "replaced" in collected(canvas(third, first_upload=70_000)).out
    assert "the one collected before is newer" in collected(canvas(first)).out
    assert submitted(course)[f"libo/{LESSON}/{NOTEBOOK}"] == b"third"


def test_who_withdrew_is_named_and_kept(course, collected, tmp_path):
    """Only an archive of the whole class tells: by what is no longer in it."""
    people = [Handed(f"{name}, X", n, {NOTEBOOK: b""}) for n, name in enumerate("abcde", 1)]
    names = tmp_path / "names.csv"
    names.write_text("name,student\nCole_9,cole\n")
    collected(canvas([*people, Handed("Cole", 9, {NOTEBOOK: b""})]), "--names", str(names))
    collected({f"fi/{NOTEBOOK}": b""})  # not Canvas'
    line = (
        "Collected before, missing from this archive, and kept: bx, cx. If one was withdrawn, "
        f"remove submitted/<student>/{LESSON}."
    )
    # cole is in it, and only not recognised.
    (course / ROSTER_FILE).write_text('{"ax": {}, "dx": {}, "ex": {"dropped": true}}')
    later = [people[0], people[3], Handed("Cole", 9, {NOTEBOOK: b""})]
    assert line in collected(canvas(later)).out
    assert "Collected before" not in collected(canvas(people[:1])).out
    assert f"bx/{LESSON}/{NOTEBOOK}" in submitted(course)
    for student in ("bx", "cx"):
        shutil.rmtree(course / "submitted" / student / LESSON)
    assert "Collected before" not in collected(canvas(later)).out


def test_a_dry_run_says_the_same_and_writes_nothing(course, collected):
    before = sorted(course.rglob("*"))
    result = collected({f"ann/{NOTEBOOK}": b"", "Bo Li/x.ipynb": b""}, "--dry-run")
    assert sorted(course.rglob("*")) == before
    assert result.code == 1
    assert "to be collected" in result.out
    assert "1 collected, 0 unchanged, 1 refused. Nothing was written" in result.out


def test_two_submissions_of_one_student(course, autograder, tmp_path):
    uploads = {"late.zip": 900, "early.zip": 100}
    for name, upload in uploads.items():
        handed = canvas([Handed("ann", 1, {NOTEBOOK: name.encode()})], first_upload=upload)
        (tmp_path / name).write_bytes(packed(handed))
    (tmp_path / "twin.zip").write_bytes(packed({f"ann/{NOTEBOOK}": b"twin"}))
    paths = [str(tmp_path / name) for name in ("late.zip", "early.zip", "twin.zip")]
    undecided = autograder("collect", LESSON, *paths, course=course)
    assert undecided.code == 1
    assert "it's unknown which is the newest" in flat(undecided.out)
    assert submitted(course) == {}
    decided = autograder("collect", LESSON, *paths[:2], course=course)
    assert decided.code == 0
    assert submitted(course) == {f"ann/{LESSON}/{NOTEBOOK}": b"late.zip"}


NASTY = {
    "van den Berg-Smith, Zoë": "vandenbergsmithzoë",
    "van den Berg_Smith, Zoë": "vandenberg_smithzoë",
    "O'Brien, Sinéad Mary": "obriensinéadmary",
    "李, 小龙": "李小龙",
    "Müller-Lüdenscheidt, Jörg": "müllerlüdenscheidtjörg",
    "de la Cruz y García, Ana": "delacruzygarcíaana",
    "Ng": "ng",
}


def test_canvas_names_with_underscores_hyphens_and_apostrophes(course, collected):
    people = [Handed(name, n, {NOTEBOOK: b""}) for n, name in enumerate(NASTY, 1)]
    assert collected(canvas(people)).code == 0
    assert CourseFolder(course).students(LESSON) == sorted(NASTY.values())


def test_moodle_names_without_what_file_names_cannot_have(course, collected, tmp_path):
    people = [
        Handed("Zoë van den Berg_Smith", 1, {NOTEBOOK: b"", "data/x.csv": b"1"}, text="<p>Hi</p>"),
        Handed("Sinéad O'Brien", 2, {NOTEBOOK: b""}),
        Handed("小龙 李", 3, {NOTEBOOK: b""}),
    ]
    names = tmp_path / "names.csv"
    names.write_text(
        "name,student\nZoë van den Berg Smith,zoe\nSinéad OBrien_2,sinead\n小龙 李,li\n", "utf8"
    )
    for folders in (True, False):
        shutil.rmtree(course / "submitted", ignore_errors=True)
        result = collected(moodle(people, folders=folders), "--names", str(names))
        assert result.code == 0, result.out
        assert set(submitted(course)) == {
            f"zoe/{LESSON}/{NOTEBOOK}",
            f"zoe/{LESSON}/onlinetext.html",
            f"zoe/{LESSON}/{'data/' if folders else ''}x.csv",
            f"sinead/{LESSON}/{NOTEBOOK}",
            f"li/{LESSON}/{NOTEBOOK}",
        }


@pytest.mark.parametrize(
    "members",
    [
        canvas([Handed("Doe, Jane", 12, {NOTEBOOK: b"x"}, anonymous_id="x7Qp2")], anonymous=True),
        canvas(
            [Handed("Doe, Jane", 12, {NOTEBOOK: b"x"}, late=True, anonymous_id="x7Qp2")],
            anonymous=True,
        ),
    ],
)
def test_an_anonymous_download_makes_no_student(course, collected, tmp_path, members):
    result = collected(members)
    assert result.code == 1
    assert "the download is anonymous: show names in" in result.out
    assert not (course / "submitted").exists()
    names = tmp_path / "names.csv"
    names.write_text("name,student\nanon_x7Qp2,jdoe\n")
    assert collected(members, "--names", str(names)).code == 0
    assert submitted(course) == {f"jdoe/{LESSON}/{NOTEBOOK}": b"x"}


@pytest.mark.parametrize(
    ("participant", "options"),
    [
        ("Participant", {}),
        ("Participant", {"folders": False}),
        ("Teilnehmer/in", {}),
        ("Teilnehmer*in", {}),
        ("Teilnehmer*in", {"zip_stream": False}),
        ("Συμμετέχων", {}),
        ("شریک", {"folders": False}),
    ],
)
def test_blind_marking_is_graded_blind(course, listed, collected, tmp_path, participant, options):
    """Even if the class is known, and without a list: the number is the student."""
    listed("moodle")
    members = moodle(
        [Handed("Jane", 12, {NOTEBOOK: b"x"})], blind=True, participant=participant, **options
    )
    result = collected(members)
    assert result.code == 0, result.out
    assert submitted(course) == {f"participant-12/{LESSON}/{NOTEBOOK}": b"x"}
    assert "reveal" not in result.out
    shutil.rmtree(course / "submitted")
    label = next(iter(members)).partition("_assign")[0].replace("*", "_")
    names = tmp_path / "names.csv"
    names.write_text(f"name,student\n{label},jdoe\n", "utf8")
    assert collected(members, "--names", str(names)).code == 0
    assert submitted(course) == {f"jdoe/{LESSON}/{NOTEBOOK}": b"x"}


@pytest.mark.parametrize("word", ["Dalībnieks", "Hallgató", "சேர்பவர்"])
def test_blind_marking_needs_no_known_word(course, collected, tmp_path, word):
    """Everybody has one name, or the worksheet has none."""
    people = [Handed("", number, {NOTEBOOK: str(number).encode()}) for number in (12, 13, 14)]
    rows = [(number, "", "", "", "Monday, 2 March 2026, 9:30 AM") for number in (12, 13)]
    times = times_file(tmp_path, worksheet(rows, blind=True, identifier=word))
    for some, options in ((people, ()), (people[:1], (*times, "--timezone", "UTC"))):
        shutil.rmtree(course / "submitted", ignore_errors=True)
        assert collected(moodle(some, blind=True, participant=word), *options).code == 0
        assert set(submitted(course)) == {
            f"participant-{person.number}/{LESSON}/{NOTEBOOK}" for person in some
        }
    assert stamp(course, "participant-12") == "2026-03-02 09:30:00"


def test_people_called_like_participants_and_namesakes_are_people(course, listed, collected):
    listed("moodle")
    rows = [Handed("Participant 12", 9, {NOTEBOOK: b""}), Handed("Jo", 10, {NOTEBOOK: b""})]
    assert "'Participant 12' isn't in the roster" in collected(moodle(rows)).out
    janes = [Handed("Jane Doe", number, {NOTEBOOK: b""}) for number in (61, 62)]
    assert "2 people in the archive are called 'Jane Doe'" in collected(moodle(janes)).out
    assert not (course / "submitted").exists()


@pytest.mark.parametrize("with_roster", [True, False])
def test_blind_teams_have_times(course, listed, collected, tmp_path, with_roster):
    """Their list has the team beside the participant's number, and no names."""
    if with_roster:
        listed("moodle")
    when = "Monday, 2 March 2026, 9:30 AM"
    rows = [(3, "", "", "Other", "-"), *((n, "", "", "Team_A", when) for n in (101, 102))]
    times = times_file(tmp_path, worksheet(rows, blind=True))
    team = moodle([Handed("Team_A", 3, {NOTEBOOK: b""})])
    assert collected(team, *times, "--timezone", "UTC").code == 0
    members = ["sinead", "zoe"] if with_roster else ["participant-101", "participant-102"]
    assert CourseFolder(course).students(LESSON) == members
    assert {stamp(course, each) for each in members} == {"2026-03-02 09:30:00"}


@pytest.mark.parametrize(
    ("draft", "in_time"),
    [
        ("Draft (not submitted) -  - ", "Submitted for grading -  - "),
        ("Entwurf (nicht abgegeben) - 1 Tag zu spät -  - ", "Zur Bewertung abgegeben -  - "),
        ("草稿（未提交） - 迟3 小时 -  - ", "已提交请评分 -  - "),
        ("مسودة (غير مسلمة)", "مسلمة للتقييم"),
        ("Brouillon (non remis) - Pas évalué -  - ", "Remis pour évaluation - Pas évalué -  - "),
    ],
)
def test_a_draft_is_not_handed_in(course, collected, tmp_path, draft, in_time):
    when = "Monday, 2 March 2026, 9:30 AM"
    rows = [(17, "Jane", "", "", when, draft), (18, "Bo", "", "", when, in_time)]
    times = (*times_file(tmp_path, worksheet(rows)), "--timezone", "UTC")
    members = moodle(Handed(name, number, {NOTEBOOK: b""}) for number, name, *_ in rows)
    result = collected(members, *times)
    assert result.code == 0
    assert "skipped: a draft that was not handed in; --drafts collects it" in result.out
    assert "1 collected, 1 unchanged, 0 refused." in result.out
    assert CourseFolder(course).students(LESSON) == ["Bo"]
    assert "autograder extend" not in result.out
    assert "1 collected, 1 unchanged" in collected(members, *times, "--drafts").out
    assert CourseFolder(course).students(LESSON) == ["Bo", "Jane"]


def test_extensions_in_moodle_are_announced(course, collected, tmp_path):
    told = "Submitted - Extension granted until: Monday, 9 March 2026, 11:59 PM -  - "
    rows = [(17, "Jane", "", "", "Monday, 2 March 2026, 9:30 AM", told)]
    times = (*times_file(tmp_path, worksheet(rows)), "--timezone", "UTC")
    out = collected(moodle([Handed("Jane", 17, {NOTEBOOK: b""})]), *times).out
    assert f"more time: autograder extend {LESSON} --worksheet FILE records this" in out


def test_blind_marking_with_the_worksheet_of_after(course, collected, tmp_path):
    """A participant keeps the number when Moodle shows the names again."""
    blind = [Handed("", number, {NOTEBOOK: str(number).encode()}) for number in (12, 13)]
    rows = [(12, "Jane Doe", "jane@school.org", "", "2026-03-02 09:30"), (13, "Bo", "", "", "-")]
    times = times_file(tmp_path, worksheet(rows, identifier="Teilnehmer/in"))
    names = tmp_path / "names.csv"
    names.write_text("name,student\njane@school.org,jane\nBo,bo\n")
    options = (*times, "--timezone", "UTC", "--names", str(names))
    assert collected(moodle(blind, blind=True), *options).code == 0
    assert submitted(course) == {
        f"bo/{LESSON}/{NOTEBOOK}": b"13",
        f"jane/{LESSON}/{NOTEBOOK}": b"12",
    }
    assert stamp(course, "jane") == "2026-03-02 09:30:00"
    assert stamp(course, "bo") is None


def test_what_a_group_handed_in_is_every_members(course, collected, tmp_path):
    teams = [Handed("Team_A", 3, {NOTEBOOK: b"a's"}), Handed("Default group", "", {NOTEBOOK: b""})]
    result = collected(moodle(teams))
    assert result.code == 1
    assert "'Team A' isn't a student id: add the line Team A,<student>" in result.out
    assert "'Default group' isn't a student id" in result.out
    names = tmp_path / "names.csv"
    names.write_text("name,student\nTeam A_3,ann bo ann\nDefault group,cy\n")
    result = collected(moodle(teams), "--names", str(names))
    assert result.code == 0
    assert submitted(course) == {
        f"ann/{LESSON}/{NOTEBOOK}": b"a's",
        f"bo/{LESSON}/{NOTEBOOK}": b"a's",
        f"cy/{LESSON}/{NOTEBOOK}": b"",
    }
    assert result.out.count("Team A_3") == 2
    # Moodle's worksheet says who is in a group, and when it handed in.
    shutil.rmtree(course / "submitted")
    rows = [
        (101, "Ann", "ann@school.org", "Team_A", "2026-03-02 09:30"),
        (102, "Bo", "bo@school.org", "Team_A", "2026-03-02 09:30"),
        (3, "Di", "di@school.org", "", "2026-04-02 09:30"),  # not the group's number
    ]
    times = (*times_file(tmp_path, worksheet(rows)), "--timezone", "UTC")
    assert collected(moodle(teams[:1]), *times).code == 0
    assert set(submitted(course).values()) == {b"a's"}
    assert CourseFolder(course).students(LESSON) == ["ann@school.org", "bo@school.org"]
    assert stamp(course, "ann@school.org") == stamp(course, "bo@school.org")
    assert stamp(course, "bo@school.org") == "2026-03-02 09:30:00"


CANVAS_LIST = """\
Student,ID,SIS User ID,SIS Login ID,Section,Final Score
    Points Possible,,,,,(read only)
"van den Berg_Smith, Zoë",1001,,zoe,Lab A,
"Doe, Jane",1002,,jane2,Lab A,
"Doe, Jane",1003,,jane3,Lab A,
"O'Brien, Sinéad",1004,,sinead,Lab B,
"""
MOODLE_LIST = """\
Identifier,Full name,Email address,Group
Participant 51,Zoë van den Berg_Smith,zoe@school.edu,Team_A
Participant 52,Sinéad O'Brien,sinead@school.edu,Team_A
Participant 53,Jane Doe,jane2@school.edu,
Participant 54,Jane Doe,jane3@school.edu,
"""


@pytest.fixture(scope="module")
def classes(tmp_path_factory):
    """The same class, read once from Canvas' and once from Moodle's list."""
    roots = {}
    for system, text in (("canvas", CANVAS_LIST), ("moodle", MOODLE_LIST)):
        root = tmp_path_factory.mktemp(system)
        (root / CONFIG).write_text("")
        (root / "class.csv").write_text(text, "utf8")
        update_roster(CourseFolder(root), [read_list(root / "class.csv")])
        roots[system] = root
    return roots


@pytest.fixture
def listed(course, classes):
    """Give the course a class: the one that Canvas or Moodle lists."""

    def copy(system):
        for name in (ROSTER_FILE, "gradebook.db"):
            shutil.copy(classes[system] / name, course)

    return copy


def test_the_roster_knows_canvas_names(course, listed, collected):
    listed("canvas")
    handed = [
        Handed("van den Berg_Smith, Zoë", 1001, {NOTEBOOK: b"zoe's"}, late=True),
        Handed("Doe, Jane", 1002, {NOTEBOOK: b"jane2's"}),
        Handed("Doe, Jane", 1003, {NOTEBOOK: b"jane3's"}),
        Handed("O'Brien, Sinéad", 1999, {NOTEBOOK: b"of another one of this name"}),
        Handed("Stranger, A", 1010, {NOTEBOOK: b"nobody's"}),
        Handed("Team 7", 1004, {NOTEBOOK: b"a group's"}),
    ]
    result = collected(canvas(handed))
    assert result.code == 1
    assert submitted(course) == {
        f"zoe/{LESSON}/{NOTEBOOK}": b"zoe's",
        f"jane2/{LESSON}/{NOTEBOOK}": b"jane2's",
        f"jane3/{LESSON}/{NOTEBOOK}": b"jane3's",
    }
    assert "'obriensinéad' is Canvas' user 1004 in the roster, and here 1999" in result.out
    assert "'strangera' isn't in the roster" in result.out
    assert "Canvas' user 1004 is Sinéad O'Brien in the roster, not 'team7'" in result.out
    third = Handed("Doe, Jane", 1303, {NOTEBOOK: b"whose?"})
    result = collected(canvas([handed[1], handed[2], third]))
    assert "Canvas' user 1303 isn't in the roster" in result.out
    assert "people in the archive are called" not in result.out


def test_the_roster_knows_moodle_names_numbers_and_groups(course, listed, collected):
    listed("moodle")
    handed = [
        Handed("Sinéad O'Brien", 52, {NOTEBOOK: b"sinead's"}),
        Handed("Jane Doe", 54, {NOTEBOOK: b"jane3's"}),
        Handed("Jane Doe", 99, {NOTEBOOK: b"which Jane's?"}),
        Handed("Team_A", 4, {NOTEBOOK: b"a group's"}),
    ]
    result = collected(moodle(handed[:3]))
    assert result.code == 1
    assert submitted(course) == {
        f"sinead/{LESSON}/{NOTEBOOK}": b"sinead's",
        f"jane3/{LESSON}/{NOTEBOOK}": b"jane3's",
    }
    assert "2 people in the archive are called 'Jane Doe': give Moodle's grading" in result.out
    assert "'Jane Doe' may be jane2, jane3: add the line" in collected(moodle(handed[2:3])).out
    shutil.rmtree(course / "submitted")
    assert collected(moodle(handed[3:])).code == 0
    assert CourseFolder(course).students(LESSON) == ["sinead", "zoe"]
    # In older versions, every member's own name stands behind the team's.
    shutil.rmtree(course / "submitted")
    members = ("Team_A-Zoë van den Berg_Smith", 51), ("Team_A-Sinéad O'Brien", 52)
    members += (("Default group-Jane Doe", 54),)
    handed = [Handed(name, number, {NOTEBOOK: b"theirs"}) for name, number in members]
    assert collected(moodle(handed)).code == 0
    assert CourseFolder(course).students(LESSON) == ["jane3", "sinead", "zoe"]
    shutil.rmtree(course / "submitted")
    assert collected(moodle(handed[1:], blind=True, participant="Team_A-Participant")).code == 0
    assert CourseFolder(course).students(LESSON) == ["jane3", "sinead"]
    # Blind marking: the roster knows a participant's number, and of 99 nothing else.
    shutil.rmtree(course / "submitted")
    janes = [Handed("Jane Doe", number, {NOTEBOOK: b"hers"}) for number in (54, 99)]
    result = collected(moodle(janes, blind=True))
    assert result.code == 0
    assert CourseFolder(course).students(LESSON) == ["jane3", "participant-99"]


def test_what_could_not_be_collected_is_not_nothing(course, listed, collected, autograder):
    listed("moodle")
    handed = [
        Handed("Sinéad O'Brien", 52, {NOTEBOOK: b"sinead's"}),
        Handed("Jane Doe", 54, {"essay.docx": b"jane3's"}),
    ]
    collected(moodle(handed))

    def missing():
        told = autograder("roster", "--missing", LESSON, course=course)
        return flat(told.out)

    people = len(read_roster(CourseFolder(course)).enrolled)
    reason = f"not collected: there is no {NOTEBOOK}, only essay.docx"
    assert reason in missing()
    assert f"{LESSON}: {people - 2} of {people} handed in nothing: " in missing()
    assert f"; 1 of {people} with a submission that could not be collected: jane3" in missing()
    # A dry run leaves no trace, and what is collected later counts.
    collected(moodle([Handed("Zoë van den Berg Smith", 51, {"a.txt": b""})]), "--dry-run")
    assert missing().count("not collected") == 1
    collected(moodle([Handed("Jane Doe", 54, {NOTEBOOK: b"jane3's"})]))
    assert "not collected" not in missing()
    # Nor does a later attempt that can't be taken undo an earlier one.
    collected(moodle(handed[1:]))
    assert "not collected" not in missing()


@pytest.mark.parametrize("word", ["Participant", "Teilnehmer/in", "Teilnehmer*in"])
def test_a_german_worksheet_knows_whose_a_blind_archive_is(course, collected, autograder, word):
    """Only English has a space before the number."""
    space = " " if word == "Participant" else ""
    sheet = course / "worksheet.csv"
    sheet.write_bytes(
        "ID,Vollständiger Name,E-Mail-Adresse,Status,Zuletzt geändert (Abgabe)\n"
        f"{word}{space}5001,Zoë van den Berg,zoe@uni.de,Zur Bewertung abgegeben,-\n"
        f"{word}{space}5002,Jo Rot,jo@uni.de,Zur Bewertung abgegeben,-\n".encode("utf-8-sig")
    )
    assert autograder("roster", str(sheet), course=course).code == 0
    people = {person.student: person for person in read_roster(CourseFolder(course)).people}
    assert people["zoe"].participants == ("5001",)
    assert people["zoe"].lms_user_id == ""
    handed = [Handed("", number, {NOTEBOOK: b""}) for number in (5001, 5002)]
    for zip_stream in (True, False):
        members = moodle(handed, blind=True, participant=word, zip_stream=zip_stream)
        result = collected(members)
        assert result.code == 0, result.out
    assert CourseFolder(course).students(LESSON) == ["jo", "zoe"]


def test_a_student_with_a_new_id_is_still_late(course, listed, collected, autograder):
    listed("canvas")
    collected(canvas([Handed("Doe, Jane", 1002, {NOTEBOOK: b""}, late=True)]))
    assert autograder("rename-student", "jane2", "jdoe", course=course).code == 0
    assert late_without_time(CourseFolder(course), LESSON) == ["jdoe"]
    again = collected(canvas([Handed("Doe, Jane", 1002, {NOTEBOOK: b""}, late=True)]))
    assert "already collected" in again.out


def notebook_with(*ids, text=""):
    """A notebook's bytes, with nbgrader's cells of these ids."""
    notebook = nbformat.v4.new_notebook()
    for each in ids:
        cell = nbformat.v4.new_code_cell(text)
        cell.metadata["nbgrader"] = {"grade_id": each}
        notebook.cells.append(cell)
    return nbformat.writes(notebook).encode()


def test_a_renamed_notebook_is_known_by_its_tasks(course, collected):
    (course / "source" / LESSON / NOTEBOOK).write_bytes(notebook_with("a", "b", "c", "d"))
    whole, part, other = (notebook_with(*ids) for ids in ("abcd", "abx", "axyz"))
    renamed = f"{LESSON}_final_Priya.ipynb"
    archive = canvas([Handed("Rao, Priya", 1, {renamed: whole, "words.txt": b"w"})])
    archive |= {"ann/work/hw.ipynb": part, "ann/work/02-conv1d.ipynb": other}
    archive |= {"bo.zip": packed({"my answers/Untitled.ipynb": whole})}
    archive |= {"cy/first.ipynb": whole, "cy/second.ipynb": notebook_with(*"abcd", text="1")}
    archive |= {"al/first.ipynb": whole, "al/second.ipynb": whole}
    archive |= {"di/other.ipynb": other, "ed/broken.ipynb": b"{", "fi/deep.ipynb": b"[" * 99_999}
    archive |= {f"gi/{NOTEBOOK}": whole, "gi/final.ipynb": whole}
    archive |= {f"jo/{NOTEBOOK}.txt": whole, "ko/answers.py": b"1", "ko/page.html": b"<p>"}
    result = collected(archive)
    assert result.code == 1
    assert submitted(course) == {
        f"al/{LESSON}/{NOTEBOOK}": whole,
        f"al/{LESSON}/second.ipynb": whole,
        f"ann/{LESSON}/02-conv1d.ipynb": other,
        f"ann/{LESSON}/{NOTEBOOK}": part,
        f"bo/{LESSON}/{NOTEBOOK}": whole,
        f"gi/{LESSON}/{NOTEBOOK}": whole,
        f"gi/{LESSON}/final.ipynb": whole,
        f"jo/{LESSON}/{NOTEBOOK}": whole,
        f"raopriya/{LESSON}/{NOTEBOOK}": whole,
        f"raopriya/{LESSON}/words.txt": b"w",
    }
    assert f"there is no {NOTEBOOK}, only answers.py, page.html" in result.out
    assert f"{renamed}: has the tasks of {NOTEBOOK}, and is graded as it" in result.out
    assert f"whether first.ipynb or second.ipynb is to be graded as {NOTEBOOK}" in result.out
    assert f"there is no {NOTEBOOK}, only other.ipynb" in result.out
    assert f"final.ipynb: also has the lesson's tasks, but only {NOTEBOOK} is graded" in result.out
    assert collected({renamed: whole}, name="hal.zip").code == 0
    assert submitted(course)[f"hal/{LESSON}/{NOTEBOOK}"] == whole


def test_a_notebook_of_another_lesson_under_the_lessons_name_is_refused(course, collected):
    (course / "source" / LESSON / NOTEBOOK).write_bytes(notebook_with("a", "b", "c", "d"))
    good, other, changed = (notebook_with(*ids) for ids in ("abcd", "wxyz", "axyz"))
    # Grading knows a cell without metadata by its own id.
    stripped = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(id=i) for i in "abcd"])
    stripped = nbformat.writes(stripped).encode()
    collected(canvas([Handed("Li, Bo", 13, {NOTEBOOK: good})]))
    people = [
        Handed("Li, Bo", 13, {NOTEBOOK: other}),
        Handed("Ng, Di", 14, {NOTEBOOK: b'{"cells": ['}),
        Handed("Doe, Jane", 12, {NOTEBOOK: changed}),
        Handed("Roe, Ann", 15, {NOTEBOOK: stripped}),
    ]
    result = collected(canvas(people, first_upload=70_000))
    assert result.code == 1
    assert f"{NOTEBOOK}: it has none of the lesson's tasks" in result.out
    assert f"{NOTEBOOK}: it can't be read as a notebook" in result.out
    assert f"{NOTEBOOK}: only 1 of the 4 cells that the lesson's tasks are in" in result.out
    assert result.out.count("cells that the lesson's tasks") == 1
    assert submitted(course) == {
        f"doejane/{LESSON}/{NOTEBOOK}": changed,
        f"libo/{LESSON}/{NOTEBOOK}": good,
        f"roeann/{LESSON}/{NOTEBOOK}": stripped,
    }


def test_a_notebook_of_an_earlier_version_of_the_lesson_is_taken(tmp_path, autograder):
    """All its tasks may have new ids since."""
    course = tmp_path / "course"
    write_configuration(course.parent)
    shutil.copytree(course.parent, course, ignore=lambda *_: ["course"])
    source = course / "source" / LESSON / NOTEBOOK
    source.parent.mkdir(parents=True)
    notebook = nbformat.v4.new_notebook(
        metadata={"kernelspec": {"name": "python3", "language": "python", "display_name": ""}}
    )
    for name in ("before", "after"):
        marks = {"grade": True, "solution": True, "locked": False, "points": 1, "task": False}
        marks |= {"grade_id": name, "schema_version": 3, "cell_type": "markdown"}
        cell = nbformat.v4.new_markdown_cell("answer", id=name, metadata={"nbgrader": marks})
        notebook.cells = [cell]
        nbformat.write(notebook, source)
        released = autograder("release", LESSON, course=course)
        assert released.code == 0, released.err
    handed_in = notebook_with("before")
    (tmp_path / "ann.zip").write_bytes(packed({NOTEBOOK: handed_in}))
    result = autograder("collect", LESSON, str(tmp_path / "ann.zip"), course=course)
    assert result.code == 0, result.out
    assert "only 0 of the 1 cells" in flat(result.out)
    assert submitted(course) == {f"ann/{LESSON}/{NOTEBOOK}": handed_in}


def test_of_canvas_files_the_last_upload_counts_whatever_its_name(course, collected):
    """Canvas adds a number where a name is taken in a student's files, not where one is newer."""
    files = {uploaded_again(NOTEBOOK, 1): b"older", "words.txt": b"w", NOTEBOOK: b"newer"}
    result = collected(canvas([Handed("García, José", 2001, files)]))
    assert f"{LESSON}-1.ipynb: {NOTEBOOK} is a later version" in result.out
    assert submitted(course) == {
        f"garcíajosé/{LESSON}/{NOTEBOOK}": b"newer",
        f"garcíajosé/{LESSON}/words.txt": b"w",
    }


def test_a_students_own_file_that_looks_like_canvas(course, collected):
    """results_1_2_plot.png in one student's zip doesn't make it a platform's archive."""
    result = collected({NOTEBOOK: b"ann's", "results_1_2_plot.png": b""}, name="ann.zip")
    assert result.code == 0
    assert set(submitted(course)) == {
        f"ann/{LESSON}/{NOTEBOOK}",
        f"ann/{LESSON}/results_1_2_plot.png",
    }


def test_people_of_one_name_and_names_of_one_person(course, collected, tmp_path):
    janes = {
        f"{MOODLE.format('Jane', 1)}/{NOTEBOOK}": b"the first",
        f"{MOODLE.format('Jane', 2)}/{NOTEBOOK}": b"the second",
    }
    result = collected(janes)
    assert result.code == 1
    assert "2 people in the archive are called 'Jane'" in result.out
    names = tmp_path / "names.csv"
    names.write_text("name,student\nJane_1,jane1\nJane_2,jane2\n")
    assert collected(janes, "--names", str(names)).code == 0
    assert len(submitted(course)) == 2

    cases = collected({f"Kim/{NOTEBOOK}": b"", f"kim/{NOTEBOOK}": b"", f"JANE1/{NOTEBOOK}": b""})
    assert cases.code == 1
    assert "Kim and kim only differ in case" in cases.out
    assert "submitted/jane1/ already exists" in cases.out
    assert len(submitted(course)) == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_file_of_names_may_be_excels(course, collected, tmp_path, encoding, separator):
    """A German or French Excel separates by semicolons, and marks or doesn't mark the encoding."""
    names = tmp_path / "names.csv"
    rows = [("Student", "Name"), ("zoe ann", "Zoë, Ann"), ("", ""), ("rene", "René")]
    lines = [separator.join(f'"{cell}"' if "," in cell else cell for cell in row) for row in rows]
    names.write_bytes("\r\n".join([f"sep={separator}", *lines]).encode(encoding))
    members = {f"Zoë, Ann/{NOTEBOOK}": b"theirs", f"René/{NOTEBOOK}": b"his"}
    assert collected(members, "--names", str(names)).code == 0
    assert CourseFolder(course).students(LESSON) == ["ann", "rene", "zoe"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("student;surname\n", "must begin with the line name,student"),
        ("", "must begin with the line name,student; it begins with nothing"),
        ("name,student\nAnn,../../etc\n", "line 2: '../../etc' for 'Ann' isn't a student id"),
        ("name,student\nAnn,a\nAnn,b\n", "line 3: 'Ann' is 'a' further up"),
        ("name,student\nAnn\n", "line 2: '' for 'Ann' isn't a student id"),
        (b"PK\x03\x04", "or an Excel workbook: save it as CSV"),
        ('name,student\nAnn,"5,01E"\n', "line 2: '5,01E' for 'Ann' isn't a student id"),
        ("name;student\nBo;502\nAnn;5,01E+02\n", "line 3: a spreadsheet took an id for a number"),
        ("name,student\nAnn,5-Jan\n", "number or a date and wrote '5-Jan'"),
        ("name,student\nAnn,ann 1E+12\n", "wrote '1E+12': format the column as"),
    ],
)
def test_a_file_of_names_that_is_none(course, collected, tmp_path, text, reason):
    names = tmp_path / "names.csv"
    names.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = collected({f"ann/{NOTEBOOK}": b""}, "--names", str(names))
    assert result.code == 2
    assert reason in " ".join(result.err.split())
    assert not (course / "submitted").exists()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ann/../../evil", "a .. in its path"),
        ("../evil", "a .. in its path"),
        ("/etc/evil", "an absolute path"),
        ("C:/evil", "'C:' isn't a student id"),
        ("ann/C:evil", "a : in its name"),
        ("ann\\..\\..\\evil", "a \\ in its name"),
        ("ann/a\x1b[2Jb", "a control character in its name"),
        ("ann/a<zero>", "a control character in its name"),
        ("ann/\u202egpj.exe", "a control character in its name"),
        ("ann/nul.txt", "a name that is reserved on Windows"),
        ("ann/evil.", "ends with a dot"),
        ("ann//evil", "an empty name in its path"),
        ("ann/" + "a" * 300, "a name of more than 255 bytes"),
        ("ann/" + "a/" * 30 + "b", "nested folders"),
        ("ann/" + ("a" * 200 + "/") * 6 + "b", "a path of more than 1,000 characters"),
        (special("ann/evil", stat.S_IFLNK), "a link"),
        (special("ann/evil", stat.S_IFIFO), "not a regular file"),
        (f"ann/{NOTEBOOK}/evil", "its folder is also a file"),
        ("ann/WORDS.TXT", "only in case or Unicode form"),
    ],
)
def test_a_file_that_is_not_fit_is_left_out_alone(course, collected, tmp_path, name, reason):
    members = [(f"ann/{NOTEBOOK}", b"ann's"), (name, b"evil"), (f"bo/{NOTEBOOK}", b"bo's")]
    if "WORDS" in str(name):
        members.append(("ann/words.txt", b"evil"))
    before = sorted(tmp_path.rglob("*"))
    # Python writes no name with a zero byte, and reads none beyond it.
    result = collected(packed(members).replace(b"<zero>", b"\0.html"))
    assert reason in result.out
    assert "\x1b" not in result.out
    assert submitted(course) == {
        f"ann/{LESSON}/{NOTEBOOK}": b"ann's",
        f"bo/{LESSON}/{NOTEBOOK}": b"bo's",
    }
    new = set(tmp_path.rglob("*")) - set(before)
    inside = (
        course / "submitted",
        course / STAGING,
        tmp_path / "download.zip",
        course / COLLECTED_FILE,
    )
    assert all(any(path.is_relative_to(place) for place in inside) for path in new)


class OfDos(zipfile.ZipInfo):
    """A member as old Windows programs write it: its name in a code page, which it doesn't say."""

    def __init__(self, name, page="ascii", extra=b""):
        super().__init__(name, DOWNLOADED)
        self.page, self.create_system, self.extra = page, 0, extra

    def _encodeFilenameFlags(self):
        return self.filename.encode(self.page), self.flag_bits


@pytest.mark.parametrize(
    ("inside", "taken"),
    [
        ([f"ann\\{NOTEBOOK}", "ann\\data\\words.csv", "ann\\empty\\"], ["data/words.csv"]),
        ([f"Downloads\\ann_7_assignsubmission_file\\{NOTEBOOK}"], []),
        ([f"ann\\{LESSON}\\{NOTEBOOK}", f"ann\\{LESSON}\\données.csv"], ["données.csv"]),
    ],
)
def test_backslashes_of_windows_are_folders(course, collected, inside, taken):
    """PowerShell 5 packs so: a class's archive that was unpacked and packed again."""
    result = collected([(OfDos(name, "cp850"), b"ann's") for name in inside])
    assert result.code == 0, result.out
    names = [NOTEBOOK, *taken]
    assert submitted(course) == dict.fromkeys((f"ann/{LESSON}/{n}" for n in names), b"ann's")


def test_backslashes_lead_nowhere(course, collected):
    names = ["ann\\..\\..\\evil", "..\\evil", "\\evil", "bo\\C:\\evil", "bo/a\\..\\evil"]
    members = [*((OfDos(name), b"evil") for name in names), (f"bo/{NOTEBOOK}", b"bo's")]
    result = collected(members)
    for reason in ("a .. in its path", "an absolute path", "a : in its name", "a \\ in its name"):
        assert reason in result.out
    assert submitted(course) == {f"bo/{LESSON}/{NOTEBOOK}": b"bo's"}
    student = packed([(OfDos(f"work\\{NOTEBOOK}"), b"cy's"), (OfDos("work\\..\\x"), b"evil")])
    assert "a .. in its path" in collected({"cy.zip": student}).out
    assert submitted(course)[f"cy/{LESSON}/{NOTEBOOK}"] == b"cy's"


@pytest.mark.parametrize(
    ("folder", "page"),
    [("功課", "big5"), ("表計算ソ", "cp932"), ("Моя работа", "cp1251"), ("숙제", "cp949")],
)
def test_a_folders_name_that_is_dropped_may_be_in_any_code_page(course, collected, folder, page):
    inner = {NOTEBOOK: b"ann's", "data/x.csv": b"1"}.items()
    inner = packed([(OfDos(f"{folder}/{name}", page), content) for name, content in inner])
    result = collected({"ann.zip": inner, f"bo/{folder}|?/{NOTEBOOK}": b"bo's"})
    assert result.code == 0, result.out
    assert submitted(course) == {
        f"ann/{LESSON}/{NOTEBOOK}": b"ann's",
        f"ann/{LESSON}/data/x.csv": b"1",
        f"bo/{LESSON}/{NOTEBOOK}": b"bo's",
    }


PEOPLE = [
    "Søren Kjær,soren",
    "Łukasz Żak,lukasz",
    "Анна Орлова,anna",
    "山田 太郎,taro",
    "José,jose",
]


@pytest.fixture
def people(course, autograder, tmp_path):
    (tmp_path / "people.csv").write_text("\n".join(["Name,SID", *PEOPLE]), "utf8")
    result = autograder("roster", str(tmp_path / "people.csv"), course=course)
    assert result.code == 0, result.out + result.err


@pytest.mark.parametrize(
    ("name", "page", "student"),
    [
        ("Søren Kjær", "cp850", "soren"),
        ("Søren Kjær", "cp1252", "soren"),
        ("Łukasz Żak", "cp852", "lukasz"),
        ("Łukasz Żak_17_assignsubmission_file", "cp1250", "lukasz"),
        ("Анна Орлова", "cp866", "anna"),
        ("山田 太郎", "cp932", "taro"),
        ("José", "utf8", "jose"),
    ],
)
def test_names_in_other_code_pages_are_the_rosters(course, collected, people, name, page, student):
    folders = (name, "Josa")
    result = collected([(OfDos(f"{folder}/{NOTEBOOK}", page), b"x") for folder in folders])
    assert "'Josa' isn't in the roster" in result.out
    assert submitted(course) == {f"{student}/{LESSON}/{NOTEBOOK}": b"x"}


def test_utf8_that_some_program_read_otherwise_is_the_rosters(course, collected, people):
    for page, name in (("cp1252", "Søren Kjær"), ("latin-1", "Łukasz Żak"), ("cp437", "José")):
        wrong = name.encode().decode(page)
        assert collected({f"{wrong}/{NOTEBOOK}": b"x"}).code == 0
    assert CourseFolder(course).students(LESSON) == ["jose", "lukasz", "soren"]


def test_a_name_that_code_pages_read_as_two_people_is_nobodys(
    course, collected, autograder, tmp_path
):
    (tmp_path / "people.csv").write_text("Name,SID\nøá,one\nЫа,other\n", "utf8")
    assert autograder("roster", str(tmp_path / "people.csv"), course=course).code == 0
    result = collected([(OfDos(f"øá/{NOTEBOOK}", "cp850"), b"x")])
    assert "'¢á' isn't in the roster" in result.out
    assert not (course / "submitted").exists()


def test_the_unicode_path_beside_a_name_counts(course, collected, people):
    """As WinZip and 7-Zip write it; not where another program has since renamed the file."""
    raw, true = b"S?ren Kj?r/" + NOTEBOOK.encode(), f"Søren Kjær/{NOTEBOOK}".encode()

    def field(name, checked=raw):
        body = struct.pack("<BL", 1, zlib.crc32(checked)) + name
        return struct.pack("<HH", 0x7075, len(body)) + body

    result = collected([(OfDos(raw.decode(), extra=field(true)), b"x")])
    assert submitted(course) == {f"soren/{LESSON}/{NOTEBOOK}": b"x"}, result.out
    for extra in (field(b"jose/x", b"other"), b"\x75\x70"):
        result = collected([(OfDos(raw.decode(), extra=extra), b"y")])
        assert "'S?ren Kj?r' isn't in the roster" in result.out
    evil = OfDos(raw.decode(), extra=field(b"../../evil"))
    assert "a .. in its path" in collected([(evil, b"evil")]).out


def test_a_long_name_that_is_never_written_is_no_obstacle(course, collected, autograder, tmp_path):
    long = "वेंकटनरसिंहराजुवारिपेट " * 4
    (tmp_path / "people.csv").write_text(f"Name,SID\n{long},venkat\n", "utf8")
    assert autograder("roster", str(tmp_path / "people.csv"), course=course).code == 0
    name = f"{long.strip()}_17_assignsubmission_file"
    assert len(name.encode()) > 255
    assert collected({f"{name}/{NOTEBOOK}": b"x"}).code == 0
    assert submitted(course) == {f"venkat/{LESSON}/{NOTEBOOK}": b"x"}


MORNING, EVENING = datetime(2026, 3, 2, 9, 30), datetime(2026, 3, 2, 21, 5)
BERLIN = ("--timezone", "Europe/Berlin")


@pytest.mark.parametrize("folders", [True, False])
def test_brightspace(course, collected, people, folders):
    handed = [
        (Handed("Søren Kjær", 12, {NOTEBOOK: b"first", "notes.txt": b"n"}), MORNING),
        (Handed("Søren Kjær", 12, {NOTEBOOK: b"second"}), EVENING),
        (Handed("José", 13, {f"{LESSON} - final.ipynb": notebook_with("a")}), MORNING),
        (Handed("Eve - Ann", 14, {NOTEBOOK: b"who is that?"}), MORNING),
    ]
    (course / "source" / LESSON / NOTEBOOK).write_bytes(notebook_with())
    members = brightspace(handed, folders=folders)
    result = collected(members)
    assert "'Eve - Ann' isn't in the roster" in result.out
    assert "index.html" not in result.out
    assert "skipped: the archive has a newer one" in result.out
    assert submitted(course)[f"soren/{LESSON}/{NOTEBOOK}"] == b"second"
    assert stamp(course, "soren") is None
    collected(members, *BERLIN)
    assert stamp(course, "soren") == "2026-03-02 20:05:00"
    # An earlier download doesn't take the place of a later one, nor without a time zone.
    collected(brightspace(handed[:1], folders=folders))
    assert submitted(course)[f"soren/{LESSON}/{NOTEBOOK}"] == b"second"


def test_brightspaces_namesakes_and_other_languages(course, collected):
    handed = [(Handed("Jane", number, {NOTEBOOK: b""}), MORNING) for number in (1, 2)]
    result = collected(brightspace(handed))
    assert "2 people in the archive are called 'Jane'" in result.out
    assert "as 'Jane_1'" in result.out
    names = ("9-8 - bo - 2 févr. 2026 930", "9-8 - bo - 3 févr. 2026 930")
    result = collected({f"{name}/{NOTEBOOK}": name.encode() for name in names})
    assert "there are 2 submissions by bo, and it's unknown which is the newest" in result.out
    assert not (course / "submitted").exists()


@pytest.mark.parametrize("attempt", ["attempt", "poging", "Versuch"])
def test_blackboard(course, collected, attempt):
    handed = [
        (Handed("jdoe", 0, {NOTEBOOK: b"first"}), MORNING),
        (Handed("jdoe", 0, {NOTEBOOK: b"second"}), EVENING),
        (Handed("bo", 0, {"work.zip": packed({f"x/{NOTEBOOK}": b"bo's"})}), MORNING),
        (Handed("cy", 0, {}, text="no time"), MORNING),
    ]
    result = collected(blackboard(handed, attempt=attempt), *BERLIN)
    assert result.code == 1
    assert "has the text 'Name: Jane (cy) Submission Field: no time Files:'" in result.out
    notebooks = {name: each for name, each in submitted(course).items() if name.endswith("ipynb")}
    assert notebooks == {f"bo/{LESSON}/{NOTEBOOK}": b"bo's", f"jdoe/{LESSON}/{NOTEBOOK}": b"second"}
    assert stamp(course, "bo") == "2026-03-02 08:30:00"


def test_blackboards_logins_with_underscores(course, collected, autograder, tmp_path):
    (tmp_path / "people.csv").write_text("Name,SID\nA,ann_lee\nB,lee\nC,s_li\nD,ng\n", "utf8")
    assert autograder("roster", str(tmp_path / "people.csv"), course=course).code == 0
    handed = [(Handed(name, 0, {NOTEBOOK: b""}), MORNING) for name in ("ann_lee", "s_li", "ng")]
    # One name alone doesn't show where the assignment's ends.
    result = collected(blackboard(handed[:1]))
    assert "'ps_1_ann_lee' may be by ann_lee or lee" in result.out
    stranger = Handed("bo_lee", 0, {NOTEBOOK: b"not of lee"})
    result = collected(blackboard([*handed, (stranger, MORNING)]))
    assert "'bo_lee' isn't in the roster" in result.out
    assert CourseFolder(course).students(LESSON) == ["ann_lee", "ng", "s_li"]
    (course / ROSTER_FILE).unlink()
    collected(blackboard([*handed, (stranger, MORNING)]))
    assert CourseFolder(course).students(LESSON) == ["ann_lee", "bo_lee", "ng", "s_li"]


def test_a_double_name_is_not_a_team_and_somebody_elses_name(course, collected, tmp_path):
    """Anna-Lena isn't in the roster, and Lena is."""
    (tmp_path / "people.csv").write_text(
        "Name,Username,Group\nLena Schmidt,lena,Team-A\nPaul Martin,paul,\n", "utf8"
    )
    update_roster(CourseFolder(course), [read_list(tmp_path / "people.csv")])
    names = ("Anna-Lena Schmidt", "Jean-Paul Martin", "Paul Martin", "Team-A-Lena Schmidt")
    handed = [Handed(name, n, {NOTEBOOK: name.encode()}) for n, name in enumerate(names)]
    result = collected(moodle(handed))
    assert "'Anna-Lena Schmidt' isn't in the roster" in result.out
    assert "'Jean-Paul Martin' isn't in the roster" in result.out
    assert submitted(course) == {
        f"lena/{LESSON}/{NOTEBOOK}": b"Team-A-Lena Schmidt",
        f"paul/{LESSON}/{NOTEBOOK}": b"Paul Martin",
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


CLASSROOM = {f"Jane Doe - {NOTEBOOK}": "jdoe", f"bo - {NOTEBOOK}": "bo"}
ILIAS = {
    f"Ex 3/Doe_Jane_jdoe_1/20260302093000_{NOTEBOOK}": "jdoe",
    f"Ex 3/Li_Bo_bo_2/x/{NOTEBOOK}": "bo",
}
NBGRADERS = {f"ps1_{name}_attempt_2026-03-02-09-30-00_{NOTEBOOK}": name for name in ("bo", "jdoe")}


@pytest.mark.parametrize(
    ("members", "pattern", "when"),
    [
        (CLASSROOM, r"(?P<student>.+) - (?P<file>[^/]+)", None),
        (
            ILIAS,
            r"[^/]+/[^/]*_(?P<student>[^_/]+)_\d+/((?P<time>\d{14})_)?(?P<file>.+)",
            "2026-03-02 08:30:00",
        ),
        (
            NBGRADERS,
            r".*_(?P<student>\w+)_attempt_(?P<time>[\d-]+)_(?P<file>.+)",
            "2026-03-02 08:30:00",
        ),
    ],
)
def test_any_other_platform_has_a_pattern(course, collected, tmp_path, members, pattern, when):
    names = tmp_path / "names.csv"
    names.write_text("name,student\nJane Doe,jdoe\n")
    packed_up = {name: student.encode() for name, student in members.items()}
    options = ("--pattern", pattern, "--names", str(names), *BERLIN)
    tried = collected(packed_up | {"read me": b""}, *options, "--dry-run")
    assert "read me: --pattern doesn't fit it" in tried.out
    assert "to be collected" in tried.out
    assert when is None or when[:16] in tried.out
    assert not (course / "submitted").exists()
    assert collected(packed_up, *options).code == 0
    assert {name.split("/")[0]: each for name, each in submitted(course).items()} == {
        "bo": b"bo",
        "jdoe": b"jdoe",
    }
    assert stamp(course, "jdoe") == when


def test_a_platforms_own_list_knows_better_than_names_and_names_than_files(
    course, collected, tmp_path
):
    """With the time zone alone, Moodle's files have times, and others' don't."""
    line = (12, "Jane Doe", "jdoe@x.org", "", "Monday, 2 March 2026, 9:05 PM")
    (tmp_path / "sheet.csv").write_bytes(worksheet([line]))
    (tmp_path / "names.csv").write_text("name,student\njdoe@x.org,jdoe\n")
    members = {f"{name}/20260302093000_{NOTEBOOK}": b"" for name in ("jdoe", "bo")}
    pattern = r"(?P<student>\w+)/(?P<time>\d+)_(?P<file>.+)"
    files = ("--times", str(tmp_path / "sheet.csv"), "--names", str(tmp_path / "names.csv"))
    assert collected(members, *files, "--pattern", pattern, *BERLIN).code == 0
    assert stamp(course, "jdoe") == "2026-03-02 20:05:00"
    assert stamp(course, "bo") == "2026-03-02 08:30:00"
    assert collected({f"cy/{NOTEBOOK}": b""}, *BERLIN).code == 0
    assert stamp(course, "cy") is None


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(?P<student>", "isn't a regular expression"),
        ("(?P<student>.+)", "must have the groups student and file"),
        (r"(?P<student_id>\w+)_(?P<file_id>\w+)", "it has file_id, student_id"),
        ("", "it has none with a name"),
    ],
)
def test_a_pattern_that_is_none(course, collected, pattern, reason):
    result = collected(dict.fromkeys(CLASSROOM, b""), "--pattern", pattern)
    assert result.code == 2
    assert reason in flat(result.err)
    assert "'(?P<student>[^/]+)/" in flat(result.err)


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


def test_of_names_that_differ_in_case_the_lessons_own_counts_or_the_answered_one(course, collected):
    (course / "source" / LESSON / NOTEBOOK).write_bytes(notebook_with("a", "b"))
    worked, part, other = notebook_with(*"ab"), notebook_with("a"), notebook_with(*"ab", text="1")
    capital = NOTEBOOK.replace("attention", "Attention")
    members = {f"ann/{NOTEBOOK}": part, f"ann/{capital}": worked}
    members |= {"bo.zip": packed({f"work/{capital}": part, f"work/{NOTEBOOK}": worked})}
    members |= {f"cy/{NOTEBOOK}": worked, f"cy/{capital}": other}
    result = collected(members)
    assert result.code == 0
    assert submitted(course) == {
        f"{who}/{LESSON}/{NOTEBOOK}": worked for who in ("ann", "bo", "cy")
    }
    assert f"{NOTEBOOK}: {capital} is graded instead, because it has more answers" in result.out
    assert f"{capital}: also has the lesson's tasks, but only {NOTEBOOK} is" in result.out
    assert f"{capital}: {NOTEBOOK} only differs in case, and is used" in result.out


def test_copies_of_one_notebook_are_one_persons(course, collected, people, tmp_path):
    (course / "source" / LESSON / NOTEBOOK).write_bytes(notebook_with("a", "b"))
    worked, part = (notebook_with(*ids, text="1") for ids in ("ab", "a"))
    members = {f"Work/{LESSON}-Copy1.ipynb": worked, f"Work/{NOTEBOOK}": part}
    members |= {f"Work/old/{NOTEBOOK}": notebook_with("a", "b", text="2")}
    assert "'Work' isn't in the roster" in collected(members).out
    (tmp_path / "names.csv").write_text("name,student\nWork,ada\n")
    assert collected(members, "--names", str(tmp_path / "names.csv")).code == 0
    assert submitted(course)[f"ada/{LESSON}/{NOTEBOOK}"] == worked


COLAB = "https://colab.research.google.com/drive/1AbC?usp=sharing&x=1"


@pytest.mark.parametrize(
    ("members", "said"),
    [
        (canvas([Handed("Doe, Jane", 12, link=COLAB)]), COLAB),
        (
            canvas([Handed("Doe, Jane", 12, late=True, text="<p>My&nbsp;work is late</p>")]),
            "My work",
        ),
        ({"jdoe/my link.url": f"[InternetShortcut]\r\nURL={COLAB}".encode()}, COLAB),
        ({"jdoe/link.txt": COLAB.encode()}, COLAB),
        (moodle([Handed("jdoe", 12, text=f'<p><a href="{COLAB}">here</a></p>')]), COLAB),
        ({"jdoe.zip": packed({"a.html": b"<b" * 40_000, "b.html": b"<p>Hello"})}, "'Hello'"),
    ],
)
def test_what_was_handed_in_in_place_of_a_notebook_is_said(course, collected, members, said):
    result = collected(members)
    assert result.code == 1
    assert "jdoe" in result.out or "doejane" in result.out
    assert f"there is no {NOTEBOOK}, only" in result.out
    assert flat(said) in result.out
    assert "nobody's" not in result.out
    assert not (course / "submitted").exists()


def test_a_link_is_not_nothing(course, collected, autograder, tmp_path):
    (tmp_path / "people.csv").write_text("Name,SID\nJane Doe,jdoe\n", "utf8")
    assert autograder("roster", str(tmp_path / "people.csv"), course=course).code == 0
    collected(canvas([Handed("Doe, Jane", 12, link=COLAB)]))
    missing = flat(autograder("roster", "--missing", LESSON, course=course).out)
    assert "1 of 1 with a submission that could not be collected: jdoe" in missing
    assert COLAB in missing


def encrypted(data):
    """Set the bit that says so in the archive's list and before the first member."""
    return data[:6] + b"\1" + data[7:].replace(b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0")


def claiming(data, size):
    """Change the unpacked size of every member in the archive's list."""
    result, at = bytearray(data), 0
    while (at := result.find(b"PK\1\2", at)) >= 0:
        result[at + 24 : at + 28] = struct.pack("<I", size)
        at += 4
    return bytes(result)


@pytest.mark.parametrize(
    ("inner", "reason"),
    [
        (b"no zip at all", "it isn't a zip archive"),
        (b"", "it isn't a zip archive but an empty file"),
        (packed({NOTEBOOK: b"x" * 99})[:-30], "only the beginning of one, because it was cut off"),
        (b"7z\xbc\xaf\x27\x1c\x00\x04", "it isn't a zip archive but a 7z archive"),
        (b"Rar!\x1a\x07\x01\x00", "it isn't a zip archive but a rar archive"),
        (b"\x1f\x8b\x08\x00", "it isn't a zip archive but a gzip file"),
        (b"\n<!DOCTYPE html>\n<title>Log in", "it isn't a zip archive but a web page"),
        (packed({"other.ipynb": b""}), f"there is no {NOTEBOOK}, only other.ipynb"),
        (packed([(NOTEBOOK, b"a"), (NOTEBOOK, b"b")]), "it's in the archive 2 times"),
        (packed([("a.ipynb", b"a"), ("A.ipynb", b"b")]), "differs from another one's only in case"),
        (packed([(f"a/{NOTEBOOK}", b"a"), (f"b/{NOTEBOOK}", b"b")]), "in several folders: a, b"),
        (encrypted(packed({NOTEBOOK: b"a"})), "encrypted"),
        (claiming(packed({NOTEBOOK: b"abc"}), 2), "Bad CRC-32"),
        (claiming(packed({NOTEBOOK: b"abc"}), 9), "it claims to have 9 bytes but has 3"),
        (claiming(packed({NOTEBOOK: bytes(MOST_BYTES // 900)}), MOST_BYTES), "200 times its size"),
        (packed({NOTEBOOK: bytes(LITTLE_BYTES + 1)}), "200 times its size"),
        (packed({"a.zip": packed({NOTEBOOK: b""})}), "a zip in a zip of the student's"),
        (packed({NOTEBOOK: b"", "é": b""}).replace("é".encode(), b"\xff\xff"), "marked as UTF-8"),
        (packed([("...zip", packed({NOTEBOOK: b""}))]), f"there is no {NOTEBOOK}"),
    ],
)
def test_a_zip_that_is_not_fit_costs_nobody_else_anything(course, collected, inner, reason):
    result = collected({"evil.zip": inner, f"bo/{NOTEBOOK}": b"bo's"})
    assert result.code == 1
    assert reason in result.out
    assert submitted(course) == {f"bo/{LESSON}/{NOTEBOOK}": b"bo's"}


def test_outputs_that_repeat_are_no_bomb(course, collected):
    """They pack well; a notebook that may be looked into is unpacked, however well."""
    (course / "source" / LESSON / NOTEBOOK).write_bytes(notebook_with("a"))
    notebook = nbformat.reads(notebook_with("a"), 4)
    text = "again\n" * 300_000
    notebook.cells[0].outputs = [nbformat.v4.new_output("stream", text=text)]
    content = nbformat.writes(notebook, split_lines=False).encode()
    assert collected({"ann.zip": packed({NOTEBOOK: content})}).code == 0
    assert submitted(course) == {f"ann/{LESSON}/{NOTEBOOK}": content}
    assert LITTLE_BYTES == MOST_NOTEBOOK_BYTES


def test_zips_named_like_paths_lead_nowhere(course, collected):
    inner = packed({NOTEBOOK: b"evil"})
    result = collected([("ann/...zip", inner), ("ann/b.zip", inner), (f"bo/{NOTEBOOK}", b"")])
    assert list(submitted(course)) == [f"bo/{LESSON}/{NOTEBOOK}"]
    assert "in several folders" in result.out


def test_other_methods_of_packing_are_not_unpacked(course, collected):
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        info = zipfile.ZipInfo(f"ann/{NOTEBOOK}", DOWNLOADED)
        info.compress_type = method
        assert "other than deflate" in collected([(info, b"x")]).out
    assert not (course / "submitted").exists()


def test_too_much_for_one_student(course, collected, monkeypatch):
    """The notebook is taken, and as much of the rest as there is room for."""
    for module in (archives, lesson_files):
        monkeypatch.setattr(module, "MOST_BYTES", 1_000, raising=False)
    monkeypatch.setattr(lesson_files, "_MOST_PACKED", 2_000)
    data = {"ann/a.csv": b"x" * 600, "ann/b.csv": b"y" * 700, "ann/c.csv": b"z" * 100}
    large = {f"cy/{NOTEBOOK}": b"x" * 1_001, "cy/small": b""}
    result = collected({f"ann/{NOTEBOOK}": b"x" * 250, **data, **large, f"bo/{NOTEBOOK}": b"bo's"})
    assert result.code == 1
    assert f"a student may hand in {megabytes(1_000)}" in result.out
    assert "1 file left out, the largest b.csv with 0.0 MB" in result.out
    taken = {f"ann/{LESSON}/{NOTEBOOK}", f"ann/{LESSON}/a.csv", f"ann/{LESSON}/c.csv"}
    assert set(submitted(course)) == {*taken, f"bo/{LESSON}/{NOTEBOOK}"}
    zips = {f"di/{n}.zip": packed({"a": random.Random(n).randbytes(1_200)}) for n in (1, 2)}
    assert "a student may hand in 10 of up to" in collected(zips).out
    zips = {f"di/{n}.zip": packed({"a": b""}) for n in range(11)}
    assert "11 zips" in collected(zips).out
    assert "di" not in CourseFolder(course).students(LESSON)


def test_too_many_files_of_one_student(course, collected):
    many = {f"data/{n}.txt": b"" for n in range(MOST_ARCHIVED_FILES + 3)}
    result = collected({"ann.zip": packed({NOTEBOOK: b"ann's", **many, "big.txt": b"1"})})
    assert result.code == 0
    assert "5 files left out, the largest big.txt" in result.out
    assert len(submitted(course)) == MOST_ARCHIVED_FILES
    assert submitted(course)[f"ann/{LESSON}/{NOTEBOOK}"] == b"ann's"


@pytest.mark.parametrize(
    "folder",
    [
        {".venv/pyvenv.cfg": b"", ".venv/lib/python3.13/site-packages/keras/api.py": b""},
        {"my env/pyvenv.cfg": b"", "my env/Scripts/python.exe": b"MZ"},
        {".git/objects/ab/cdef": b"", ".git/HEAD": b""},
        {"node_modules/x/index.js": b"", "node_modules/y/03-attention.ipynb": b"not this one"},
        {"env/Lib/Site-Packages/x.py": b"", "env/Lib/site-packages/y.py": b""},
    ],
)
def test_what_programs_keep_is_left_out(course, collected, folder):
    many = {f"{next(iter(folder))}-{n}": b"" for n in range(MOST_ARCHIVED_FILES)}
    work = {NOTEBOOK: b"ann's", "data/words.csv": b"w", **folder, **many}
    result = collected({"ann.zip": packed({f"work/{name}": each for name, each in work.items()})})
    assert result.code == 0, result.out
    assert "left out, a program's own folder with" in result.out
    assert submitted(course) == {
        f"ann/{LESSON}/{NOTEBOOK}": b"ann's",
        f"ann/{LESSON}/data/words.csv": b"w",
    }


def test_work_inside_an_environment_is_not_left_out(course, collected):
    collected({f"ann/env/{NOTEBOOK}": b"ann's", "ann/env/pyvenv.cfg": b""})
    assert submitted(course)[f"ann/{LESSON}/{NOTEBOOK}"] == b"ann's"


def test_a_huge_list_of_contents_is_not_even_read(course, collected, monkeypatch):
    monkeypatch.setattr(archives, "MOST_DIRECTORY", 70_000)  # zipfile looks for 64 KB of comment
    inner = packed({NOTEBOOK: b"", **{f"{n:0200}": b"" for n in range(400)}})
    result = collected({"evil.zip": inner, f"bo/{NOTEBOOK}": b"bo's"})
    assert "its list of contents is over" in result.out
    assert submitted(course) == {f"bo/{LESSON}/{NOTEBOOK}": b"bo's"}


def test_an_archive_that_is_none_keeps_no_other_back(course, autograder, tmp_path):
    (tmp_path / "none.zip").write_text("nothing")
    (tmp_path / "empty.zip").write_bytes(packed({}))
    (tmp_path / "ann.zip").write_bytes(packed({NOTEBOOK: b"ann's"}))
    paths = [str(tmp_path / f"{name}.zip") for name in ("none", "ann", "empty")]
    result = autograder("collect", LESSON, *paths, course=course)
    assert result.code == 1
    assert "it isn't a zip archive" in result.out
    assert "it's empty" in result.out
    assert submitted(course) == {f"ann/{LESSON}/{NOTEBOOK}": b"ann's"}


def test_files_in_nobodys_folder_are_told(course, collected):
    result = collected({f"bo/{NOTEBOOK}": b"bo's", "grades.csv": b"", "notes.txt": b""})
    assert result.code == 1
    assert f"grades.csv: in no student's folder: expected <student>/{NOTEBOOK}" in result.out


def test_nothing_is_collected_while_somebody_grades(course, autograder, tmp_path):
    (tmp_path / "ann.zip").write_bytes(packed({NOTEBOOK: b"ann's"}))
    with alone_at(course):
        result = autograder("collect", LESSON, str(tmp_path / "ann.zip"), course=course)
    assert result.code == 2
    assert "wait until it is done" in result.err


def alone_at(root):
    (root / STAGING).mkdir()
    return grading_lock(CourseFolder(root))


def test_what_a_killed_run_left_is_removed(course, collected):
    left = course / STAGING / ".collecting" / "0"
    left.mkdir(parents=True)
    (left / NOTEBOOK).write_text("half a noteb")
    assert collected({f"ann/{NOTEBOOK}": b"ann's"}).code == 0
    assert not left.parent.exists()


def test_a_disk_without_room_leaves_nothing_half_done(course, collected, monkeypatch):
    monkeypatch.setattr(archives.Member, "chunks", full_after("bo"))
    result = collected({f"ann/{NOTEBOOK}": b"ann's", f"bo/{NOTEBOOK}": b"bo's"})
    assert result.code == 2
    assert "No space left" in result.err
    assert submitted(course) == {f"ann/{LESSON}/{NOTEBOOK}": b"ann's"}


def test_what_cannot_be_remembered_is_told_and_comes_with_the_next_run(course, collected):
    obstacle = course / f".{COLLECTED_FILE}.unfinished"
    obstacle.mkdir()
    bo = canvas([Handed("Li, Bo", 13, {NOTEBOOK: b"bo's"}, late=True)])
    result = collected(bo)
    assert result.code == 2
    assert "The submissions are in place" in flat(result.err)
    assert set(submitted(course)) == {f"libo/{LESSON}/{NOTEBOOK}"}
    obstacle.rmdir()
    assert "already collected" in collected(bo).out
    assert late_without_time(CourseFolder(course), LESSON) == ["libo"]


def full_after(student):
    chunks = archives.Member.chunks

    def failing(member):
        yield from chunks(member)
        if member.path[0] == student:
            raise OSError(28, "No space left on device")

    return failing


def test_help_names_the_limits(course, autograder):
    page = " ".join(autograder("collect", "--help", course=course).out.split())
    assert f"{MOST_ARCHIVED_FILES:,} files and {megabytes(MOST_BYTES)}" in page


VALID = packed(
    {
        f"ann/{NOTEBOOK}": b"{}" * 50,
        "bo.zip": packed({f"attention-course/{LESSON}/{NOTEBOOK}": b"bo's", "../x": b""}),
        f"{MOODLE.format('cy', 3)}/{NOTEBOOK}": b"cy's",
        "ann/data/words.txt": b"w",
    }
)
PIECES = [b"../", b"/", b"\\", b"\0", b"\xff", b"PK\1\2", b"PK\3\4", b"PK\5\6", b".zip", b"~" * 9]


@example(seed=0, changes=0)
@given(seed=st.integers(0, 2**32), changes=st.integers(0, 9))
def test_mutated_archives_write_nowhere_else_and_never_raise(tmp_path_factory, seed, changes):
    rng = random.Random(seed)
    data = bytearray(VALID)
    for _ in range(changes):
        at = rng.randrange(len(data))
        piece = rng.choice([*PIECES, rng.randbytes(1), rng.randbytes(1), rng.randbytes(4)])
        keep = at if rng.random() < 0.1 else at + len(piece)
        data[at:keep] = piece
    folder = tmp_path_factory.mktemp("fuzz")
    root = folder / "course"
    (root / "source" / LESSON).mkdir(parents=True)
    (root / "source" / LESSON / NOTEBOOK).write_text("{}")
    (root / CONFIG).write_text("")
    (folder / "x.zip").write_bytes(data)
    rows = collect.collect(CourseFolder(root), LESSON, [folder / "x.zip"], Naming())
    assert rows
    names = {path.name for path in folder.iterdir()} | {path.name for path in root.iterdir()}
    assert names <= {"course", "x.zip", "source", "submitted", CONFIG, STAGING, COLLECTED_FILE}
    assert {path.name for path in (root / STAGING).iterdir()} == {".lock"}
    taken = {row.student for row in rows if row.taken}
    assert changes or taken == {"ann", "bo", "cy"}
    places = list((root / "submitted").glob("*/*")) if taken else []
    assert {(place.parent.name, place.name) for place in places} == {(s, LESSON) for s in taken}
    for place in places:
        assert (place / NOTEBOOK).is_file()
    shutil.rmtree(folder)


def test_from_the_handout_to_what_is_graded(tmp_path, autograder, monkeypatch):
    """Handed out, unpacked, answered, packed by Moodle, collected: the file that grading takes."""
    course = tmp_path / "course"
    shutil.copytree(REPOSITORY / "source" / LESSON, course / "source" / LESSON)
    write_configuration(course)
    monkeypatch.setattr(releasing, "stale", lambda course, lessons: [])  # takes seconds
    handed_out = autograder("handout", LESSON, "--into", str(tmp_path / "out"), course=REPOSITORY)
    assert handed_out.code == 0, handed_out.err
    home = tmp_path / "home"
    with zipfile.ZipFile(tmp_path / "out" / f"{LESSON}.zip") as archive:
        archive.extractall(home)
    path = home / "attention-course" / LESSON / NOTEBOOK
    notebook = nbformat.read(path, as_version=4)
    next(cell for cell in notebook.cells if is_solution(cell)).source += "\nanswer = 42"
    nbformat.write(notebook, path)
    back = {f"{MOODLE.format('ann', 7)}/{NOTEBOOK}": path.read_bytes()}
    (tmp_path / "moodle.zip").write_bytes(packed(back))
    result = autograder("collect", LESSON, str(tmp_path / "moodle.zip"), course=course)
    assert result.code == 0, result.out
    folder = CourseFolder(course)
    assert folder.students(LESSON) == ["ann"]
    assert (folder.submitted("ann", LESSON) / NOTEBOOK).read_bytes() == path.read_bytes()
    with folder.as_working_directory():
        converter = converter_of(folder, LESSON, force=False)
        converter.init_notebooks()  # as nbgrader finds them
    assert [list(map(Path, each)) for each in converter.assignments.values()] == [
        [folder.submitted("ann", LESSON) / NOTEBOOK]
    ]
    assert converter.needs_grading("ann")
