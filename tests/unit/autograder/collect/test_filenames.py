"""What the names of files tell, on each platform: whose they are, and which is the newest."""

import shutil
from dataclasses import replace

import pytest

from autograder.course_folder import CourseFolder
from autograder.roster.roster import ROSTER_FILE
from tests.conftest import LESSON, flat
from tests.support.archives import (
    Handed,
    blackboard,
    brightspace,
    canvas,
    moodle,
    packed,
    uploaded_again,
)
from tests.support.collected import (
    BERLIN,
    CLASSROOM,
    EVENING,
    ILIAS,
    MOODLE,
    MORNING,
    NOTEBOOK,
    notebook_with,
    stamp,
    submitted,
)


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


def test_of_canvas_files_the_last_upload_counts_whatever_its_name(course, collected):
    """Canvas adds a number where a name is taken in a student's files, not where one is newer."""
    files = {uploaded_again(NOTEBOOK, 1): b"older", "words.txt": b"w", NOTEBOOK: b"newer"}
    result = collected(canvas([Handed("García, José", 2001, files)]))
    assert f"{LESSON}-1.ipynb: {NOTEBOOK} is a later version" in result.out
    assert submitted(course) == {
        f"garcíajosé/{LESSON}/{NOTEBOOK}": b"newer",
        f"garcíajosé/{LESSON}/words.txt": b"w",
    }


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


def test_a_space_that_does_not_break_is_a_space_in_a_file_of_names(course, collected, tmp_path):
    names = tmp_path / "names.csv"
    names.write_text("name,student\nJane\u00a0Doe,jane\n", "utf8")
    assert collected({f"Jane Doe/{NOTEBOOK}": b"hers"}, "--names", str(names)).code == 0
    assert CourseFolder(course).students(LESSON) == ["jane"]


def test_an_id_in_a_file_of_names_that_may_be_mistyped(course, listed, collected, tmp_path):
    listed("canvas")
    names = tmp_path / "names.csv"
    names.write_text("name,student\nJD,jane22\nSin,sinead\n", "utf8")
    members = {f"JD/{NOTEBOOK}": b"hers", f"Sin/{NOTEBOOK}": b"hers, too"}
    result = collected(members, "--names", str(names))
    assert (result.code, result.out.count("isn't in the roster")) == (0, 1)
    assert "jane22 isn't in the roster: is that a typing mistake in the file that" in result.out


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
