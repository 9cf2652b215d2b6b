"""When something was handed in: worksheets, lists, and the times in archives."""

import re
import shutil
import struct
import zipfile
from dataclasses import replace
from datetime import UTC
from pathlib import Path

import pytest

from autograder.collect.timestamps import read_times, read_worksheet
from autograder.course_folder import CourseFolder
from autograder.roster.csv_lists import read_text
from autograder.roster.worksheet import Worksheet
from tests.conftest import LESSON, flat
from tests.support.archives import DOWNLOADED, Handed, canvas, canvas_submissions, moodle, worksheet
from tests.support.collected import BERLIN, NOTEBOOK, stamp, times_file, uploaded


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
