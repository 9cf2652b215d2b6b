"""Whose a submission is: people of one name, teams, blind marking, the roster."""

import shutil

import pytest

from autograder.course_folder import CourseFolder
from autograder.roster.csv_lists import read_list
from autograder.roster.roster import read_roster
from autograder.roster.update import update_roster
from tests.conftest import LESSON
from tests.support.archives import Handed, canvas, moodle, worksheet
from tests.support.collected import MOODLE, NOTEBOOK, stamp, submitted, times_file


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
