"""The class, read from lists as Canvas, Moodle and Gradescope export them."""

import datetime
import json
import shutil
from pathlib import Path

import pytest
from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy import event
from sqlalchemy.engine import Engine

from autograder import rename_student
from autograder.course_folder import CourseFolder
from autograder.roster.roster import ROSTER_FILE, Person, read_roster
from tests.conftest import flat, write_configuration
from tests.support.archives import worksheet

# nbgrader's own queries
pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

# As lib/gradebook_exporter.rb of Canvas writes it, with what an instructor may have it add: the
# byte order mark, a row for hidden assignments, several sections in one cell, the test student.
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Attention (77),Final Score
,,,,,Manual Posting,
    Points Possible,,,,,19.00,(read only)
"Doe, Jane",1001,S-17,jdoe,Lab A,12.00,63.2
"van den Berg_Smith, Zoë",1002,S-18,zoe@school.edu,Lab A and Lab B,,0.0
"Müller, Anna",1003,,amueller,Lab B,19.00,100.0
"Student, Test",1099,,3c1d1a0b5e6f708192a3b4c5d6e7f8091a2b3c4d,Lab A,,
"""

# grade/export of Moodle, its participants, and the worksheet of an assignment.
MOODLE_GRADES = """\
First name,Last name,ID number,Institution,Department,Email address,Attention (Real)
Jane,Doe,S-17,,,jane.doe@school.edu,12.00
Anna,Müller,S-19,,,anna@school.edu,-
"""
MOODLE_GERMAN = (
    "Vorname;Nachname;E-Mail-Adresse;Gruppen\nJörg;Groß;joerg@school.de;Gruppe 1, Gruppe 2\n"
)
WORKSHEET = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Last modified (submission)
Participant 501,Jane Doe,jane.doe@school.edu,Submitted for grading,,19.00,"Sunday, 1 November 2026"
Participant 502,Anna Müller,anna@school.edu,No submission,,19.00,-
"""
GRADESCOPE = """\
First Name,Last Name,SID,Email,Role,Section
Jane,Doe,S-17,jane.doe@school.edu,Student,Lab A
Ann,Teacher,,ann@school.edu,Instructor,
Tom,Aid,,tom@school.edu,TA,
"""


@pytest.fixture(scope="module")
def empty_gradebook(tmp_path_factory):
    """Made once: nbgrader starts a program for it."""
    root = tmp_path_factory.mktemp("empty")
    write_configuration(root)
    CourseFolder(root).nbgrader.gradebook.close()
    return root / "gradebook.db"


@pytest.fixture
def course(tmp_path, empty_gradebook):
    root = tmp_path / "course"
    root.mkdir()
    write_configuration(root)
    shutil.copy(empty_gradebook, root)
    return CourseFolder(root)


@pytest.fixture
def enrol(course, autograder, tmp_path):
    """Run the command on lists with these contents."""

    def run(*lists, options=(), encoding="utf-8"):
        paths = []
        for number, text in enumerate(lists):
            path = tmp_path / f"list{number}.csv"
            path.write_bytes(text.encode(encoding))
            paths.append(str(path))
        return autograder("roster", *paths, *options, course=course.root)

    return run


def people(course):
    """A fresh reading of the class."""
    return {person.student: person for person in read_roster(CourseFolder(course.root)).people}


def in_gradebook(course):
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}", "attention") as gradebook:
        return {
            each.id: (each.first_name, each.last_name, each.email, each.lms_user_id)
            for each in gradebook.students
        }


def test_canvas_list_fills_the_gradebook_and_the_roster(course, enrol):
    finished = enrol(CANVAS, encoding="utf-8-sig")
    assert finished.code == 0, finished.err
    assert "3 people: 3 new" in finished.out
    assert "list0.csv, line 7: Canvas' test student" in finished.out
    # What the formgrader shows.
    assert in_gradebook(course) == {
        "jdoe": ("Jane", "Doe", None, "1001"),
        "zoe": ("Zoë", "van den Berg_Smith", None, "1002"),
        "amueller": ("Anna", "Müller", None, "1003"),
    }
    known = people(course)
    assert known["jdoe"].sis_id == "S-17"
    assert known["zoe"].login == "zoe@school.edu"
    assert known["zoe"].sections == ("Lab A", "Lab B")
    roster = read_roster(course)
    assert [each.student for each in roster.group("Lab B")] == ["amueller", "zoe"]
    # As Canvas names the files of an archive.
    assert [each.student for each in roster.find("vandenberg_smithzoë", "1002")] == ["zoe"]


def test_a_list_of_any_length_is_entered_at_once(course, enrol):
    commits = []

    def remember(connection):
        commits.append(connection)

    event.listen(Engine, "commit", remember)
    counts = []
    for size in (3, 40):
        lines = "".join(f'"Doe, Jane {n}",{1000 + n},{n},d{n},A\n' for n in range(size))
        commits.clear()
        finished = enrol(f"Student,ID,SIS User ID,SIS Login ID,Section\n{lines}")
        assert finished.code == 0, finished.err
        counts.append(len(commits))
    event.remove(Engine, "commit", remember)
    assert len(in_gradebook(course)) == 40
    assert counts[0] == counts[1] > 0


def test_canvas_list_with_first_and_last_names_apart(course, enrol):
    """As lib/gradebook_exporter.rb writes it with show_student_first_last_name."""
    lines = CANVAS.replace("Student,ID", "LastName,FirstName,ID").splitlines()
    lines[1:3] = [",,,,,,Manual Posting,", "    Points Possible,,,,,,19.00,(read only)"]
    apart = "\n".join(
        [*lines[:3], *(line.replace('"', "").replace(", ", ",") for line in lines[3:])]
    )
    finished = enrol(apart)
    assert finished.code == 0, finished.out
    assert "3 people: 3 new" in finished.out
    assert "list0.csv, line 7: Canvas' test student" in finished.out
    assert people(course)["zoe"].sortable_name == "van den Berg_Smith, Zoë"


def test_lists_of_several_platforms_add_up_to_one_class(course, enrol):
    finished = enrol(CANVAS, MOODLE_GRADES)
    told = " ".join(finished.out.split())
    assert (finished.code, "4 people: 4 new" in told) == (0, True)  # two are called Anna Müller
    finished = enrol(CANVAS, GRADESCOPE, options=["--partial"])
    assert finished.code == 0
    assert "Instructor, not a student" in finished.out
    assert "TA, not a student" in finished.out
    jane = people(course)["jdoe"]
    assert (jane.email, jane.login, jane.lms_user_id) == ("jane.doe@school.edu", "jdoe", "1001")
    enrol(WORKSHEET, options=["--partial"])
    jane = people(course)["jdoe"]
    assert jane.participants == ("501",)
    assert [each.student for each in read_roster(course).find("Participant", "501")] == []
    assert [each.student for each in read_roster(course).find("", "501")] == ["jdoe"]


def test_gradescopes_sections_do_not_replace_the_platforms(course, enrol):
    enrol(CANVAS)
    others = GRADESCOPE.replace("Lab A", "2026 Deep Learning")
    others += "Anna,Müller,,amueller@school.edu,Student,Gradescope\n"
    finished = enrol(others, options=["--partial"])
    assert (finished.code, "sections" in finished.out) == (0, False)
    assert people(course)["jdoe"].sections == ("Lab A",)
    assert people(course)["jdoe"].email == "jane.doe@school.edu"
    enrol(CANVAS.replace("jdoe,Lab A", "jdoe,Lab B"), others, options=["--partial"])
    assert people(course)["jdoe"].sections == ("Lab B",)
    # Where Gradescope's list is all there is, its sections are news.
    new = "Kim,New,S-9,kim@school.edu,Student,"
    for section in ("One", "Two"):
        enrol(GRADESCOPE + f"{new}{section}\n", options=["--partial"])
        assert people(course)["kim"].sections == (section,)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings_separators_and_german_names_of_columns(course, enrol, encoding):
    assert enrol(MOODLE_GERMAN, encoding=encoding).code == 0
    person = Person(*("joerg", "Jörg", "Groß", "joerg@school.de"), groups=("Gruppe 1", "Gruppe 2"))
    assert people(course) == {"joerg": person}
    for separator in "\t:":
        text = MOODLE_GERMAN.replace(";", separator)
        assert "1 unchanged" in enrol(f"sep={separator}\r\n{text}", encoding=encoding).out


@pytest.mark.parametrize("identifier", ["Participante", "شریک", "参与人", "Hallgató "])
def test_a_worksheet_is_a_list_of_the_class_in_any_language(course, enrol, identifier):
    rows = [
        (51, "Zoë van den Berg", "zoe@school.edu", "Team_A", "20.11.2026 23:59"),
        (52, "李 小龙", "li@school.edu", "", "-"),
    ]
    _, *lines = worksheet(rows, identifier=identifier).decode("utf-8-sig").splitlines()
    text = "\n".join([",".join("ABCDEFGHIJK"), *lines, ""])
    assert enrol(text).code == 0
    assert "2 unchanged" in enrol(f"sep=,\r\n{text}").out
    assert people(course) == {
        "zoe": Person(
            *("zoe", "Zoë", "van den Berg", "zoe@school.edu"),
            participants=("51",),
            groups=("Team_A",),
        ),
        "li": Person("li", "李", "小龙", "li@school.edu", participants=("52",)),
    }
    blind = worksheet(rows, identifier=identifier, blind=True).decode("utf-8-sig")
    result = enrol(blind)
    assert (result.code, "has no names" in " ".join(result.err.split())) == (2, True)


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("Doe, Jane", "Jane", "Doe"),
        ("van den Berg, Zoë", "Zoë", "van den Berg"),
        ("John Smith, Jr.", "John", "Smith, Jr."),
    ],
)
def test_a_full_name_may_begin_with_the_last_name(course, enrol, name, first, last):
    enrol(f'Name,Email\n"{name}",me@school.edu\n')
    person = people(course)["me"]
    assert (person.first_name, person.last_name) == (first, last)


def test_what_changed_is_shown_before_it_is_written(course, enrol):
    enrol(CANVAS)
    before = people(course)
    married = CANVAS.replace("Doe, Jane", "Roe, Jane").replace("Lab A,12", "Lab B,12")
    without_anna = "".join(line for line in married.splitlines(True) if "Anna" not in line)
    without_anna = without_anna.replace("Lab A and Lab B", "Lab A")
    finished = enrol(without_anna, options=["--dry-run"])
    shown = " ".join(finished.out.split())
    assert "last name: Doe -> Roe" in shown
    assert "sections: Lab A -> Lab B" in shown
    assert "amueller │ Anna Müller │ │ no longer in the list" in shown
    assert "0 new, 2 changed, 0 unchanged, 1 no longer in the list" in shown
    assert people(course) == before
    enrol(without_anna)
    after = people(course)
    assert after["jdoe"].last_name == "Roe"
    assert after["amueller"].dropped
    assert after["amueller"].last_name == "Müller"
    assert "is back in the list" in enrol(CANVAS).out
    assert not people(course)["amueller"].dropped


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (
            '"Other, Jim",1002,s2,ANN,A',
            "it has the login of list0.csv, line 2, but a different platform's id and SIS id",
        ),
        (
            '"Other, Jim",1002,s1,jim,A',
            "it has the SIS id of list0.csv, line 2, but a different platform's id and login",
        ),
    ],
)
def test_two_people_of_a_list_never_become_one(course, enrol, second, why):
    head = "Student,ID,SIS User ID,SIS Login ID,Section"
    finished = enrol("\n".join([head, '"Smith, Ann",1001,s1,ann,A', second]))
    assert finished.code == 1
    assert f"line 3: {why}. Correct the list." in " ".join(finished.out.split())
    (person,) = people(course).values()
    assert (person.student, person.last_name, person.lms_user_id) == ("ann", "Smith", "1001")


def test_a_list_without_most_of_the_class_is_refused_until_the_teacher_says_so(course, enrol):
    head = "First name,Last name,Email address\n"
    listed = head + "".join(f"Jo,Number {n},jo{n}@school.edu\n" for n in range(8))
    enrol(listed)
    others = head + "".join(f"Ed,Number {n},ed{n}@school.edu\n" for n in range(8))
    for text in (head, others):
        before = (course.root / "roster.json").read_bytes()
        finished = enrol(text)
        assert finished.code == 2
        said = " ".join(finished.err.split())
        assert "8 of the 8 people in the class are missing from the list" in said
        assert (course.root / "roster.json").read_bytes() == before
        assert len(people(course)) == 8
    assert enrol(others, options=["--partial"]).code == 0
    some = "".join(others.splitlines(True)[:-5])
    assert "5 no longer in the list" in enrol(some + listed.removeprefix(head)).out
    assert "11 no longer in the list" in enrol(head, options=["--replace"]).out


def test_zeros_that_a_spreadsheet_has_cut_off_an_id_stay(course, enrol):
    head = "Student;ID;SIS User ID;SIS Login ID;Section\n"
    enrol(head + '"Smith, Ann";1001;00457;ann;A\n')
    finished = enrol(head + '"Smith, Ann";1001;457;ann;A\n')
    assert finished.code == 1
    assert "the SIS id 00457 has lost its leading zeros" in " ".join(finished.out.split())
    assert people(course)["ann"].sis_id == "00457"


@pytest.mark.parametrize(
    "cell",
    ["5,01E+02", "5.01E+05", "1E+13", "501,0", "5-Jan", "05.Jan", "03. Dez", "12-mai", "Jan-05"],
)
def test_an_id_that_a_spreadsheet_took_for_a_number_is_nobodys(course, enrol, cell):
    head = "Vorname;Nachname;ID-Nummer\n"
    names = [("Ann", "Lee"), ("Bo", "Li"), ("Cy", "Lo"), ("Di", "Lu")]
    enrol(head + "".join(f"{first};{last};50{n}\n" for n, (first, last) in enumerate(names)))
    finished = enrol(head + f"Ann;Lee;500\nBo;Li;{cell}\n", options=["--partial"])
    told = flat(finished.out)
    assert finished.code == 1
    assert (
        f"list0.csv, line 3: a spreadsheet took an id for a number or a date and wrote '{cell}'"
        in told
    )
    assert "format the column as text" in told
    assert sorted(people(course)) == ["500", "501", "502", "503"]
    # If all of them are, nobody has left.
    finished = enrol(head + "".join(f"{first};{last};{cell}\n" for first, last in names))
    assert (finished.code, flat(finished.out).count("took an id for a number")) == (1, 4)
    assert not any(person.dropped for person in people(course).values())


@pytest.mark.parametrize(
    "text",
    [
        "Student,ID,Section\n'Doe, Jane',1001,A\n'Student, Test',1099,A\n",
        "Student,ID,SIS Login ID,Section\n'Doe, Jane',1001,,A\n'Student, Test',1099,,A\n",
        "Student Name,Student ID,Student SIS ID,Email\nJane Doe,1001,S,\nTest Student,1099,,\n",
    ],
)
def test_canvas_test_student_is_none_in_lists_without_logins(course, enrol, text):
    finished = enrol(text.replace("'", '"'))
    assert "line 3: Canvas' test student" in finished.out
    assert [person.full_name for person in people(course).values()] == ["Jane Doe"]
    enrol("Student,ID,SIS Login ID,Section\n'Student, Test',7,tstudent,\n".replace("'", '"'))
    assert people(course)["tstudent"].full_name == "Test Student"


@pytest.mark.parametrize(
    "start",
    [b"PK\x03\x04\x14\x00\x06\x00\x08\x00[Content_Types].xml", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"],
)
def test_an_excel_workbook_is_called_what_it_is(course, autograder, tmp_path, start):
    workbook = tmp_path / "list.csv"
    workbook.write_bytes(start)
    finished = autograder("roster", str(workbook), course=course.root)
    assert finished.code == 2
    assert "or an Excel workbook: save it as CSV" in flat(finished.err)


def test_part_of_a_class_says_nothing_of_the_others(course, enrol):
    enrol(CANVAS)
    only_jane = "".join(line for line in CANVAS.splitlines(True) if "Zoë" not in line)
    assert "0 no longer in the list" in enrol(only_jane, options=["--partial"]).out
    assert not people(course)["zoe"].dropped


def test_lines_that_fit_nobody_are_told_by_number_and_the_others_are_taken(course, enrol):
    rows = [
        ["Full name", "Email address", "Username"],
        ["Jane Doe", "jane@a.org", ""],
        ["Jane Doe", "jane@b.org", ""],
        ["Nobody", "", ""],
        ["Cem Two", "cem@a.org", "ben"],
        ["Ben One", "ben@a.org", "ben"],
        ["", "", ""],
        ["Long", f"{'x' * 200}@a.org", ""],
    ]
    text = "\n".join(",".join(row) for row in rows)
    finished = enrol(text)
    assert finished.code == 1
    told = " ".join(finished.out.split())
    assert "line 3: the student id would be jane, but Jane Doe has it" in told
    assert (
        "line 4: Nobody has no login, e-mail address or id from which to make a student id" in told
    )
    assert "line 8:" in told
    assert "line 6: it has the login of list0.csv, line 5, but a different e-mail" in told
    assert "4 lines skipped" in told
    assert sorted(people(course)) == ["ben", "jane"]
    other = "First name,Surname,Email address,ID number\nDee,Three,dee@a.org,S-4\nEd,Four,,ed\n"
    told = " ".join(enrol(other, options=["--id", "email", "--partial"]).out.split())
    assert "line 3: Ed Four has nothing from which --id email could make an id" in told
    assert "dee" in people(course)


def test_nobody_leaves_by_a_list_in_which_their_line_was_not_taken(course, enrol):
    head = "Full name,Email address,Username\n"
    lines = [f"{name} Doe{name},{name}@a.org,{name}\n" for name in ("ann", "ben", "cem", "dee")]
    enrol(head + "".join(lines))
    lines[1:3] = [f"Ben B. Doeben,{'x' * 200}@a.org,\n", "C. Other,dee@a.org,ann\n"]
    finished = enrol(head + "".join(lines[:3]))
    told = flat(finished.out)
    assert finished.code == 1
    assert told.count("Skipped: ") == 2
    assert "because a skipped line may be theirs: ben, dee" in told
    assert {student for student, person in people(course).items() if person.dropped} == {"cem"}
    assert enrol(head + lines[0] + lines[3]).code == 0
    assert people(course)["ben"].dropped


def test_ids_of_letters_and_digits_are_no_participants(course, enrol):
    """Moodle's German worksheet calls its column ID, and so may any list."""
    enrol("Name,ID,Email\nAnn Lee,student1,ann@a.org\nBo Li,student2,bo@a.org\n")
    ann = people(course)["ann"]
    assert (ann.lms_user_id, ann.participants) == ("student1", ())


def test_a_submission_that_was_there_first_keeps_its_name(course, enrol):
    (course.root / "submitted" / "S-17" / "03-attention").mkdir(parents=True)
    enrol(CANVAS)
    assert people(course)["S-17"].full_name == "Jane Doe"
    # The default of a login does not move it.
    assert "jdoe" not in people(course)
    finished = enrol(CANVAS, options=["--id", "login"])
    assert "3 unchanged" in finished.out


def test_who_was_collected_before_there_was_a_list_is_not_lost(course, enrol, autograder):
    """Without a list, the names in archives are the ids."""
    for name in ("doejane", "zoe@school.edu", "leeann"):
        (course.root / "submitted" / name / "03-attention").mkdir(parents=True)
    lees = '"Lee, Ann",1007,,alee,,,\n"Lee, Ann",1008,,alee2,,,\n'
    finished = enrol(CANVAS + lees)
    assert "jdoe may have handed in under another id" in finished.out
    assert "autograder rename-student doejane jdoe" in finished.out
    assert "autograder rename-student zoe@school.edu zoe" in finished.out
    assert "leeann alee" not in finished.out  # which Ann?
    assert autograder("rename-student", "doejane", "jdoe", course=course.root).code == 0
    assert "rename-student doejane" not in enrol(CANVAS + lees).out
    assert (course.root / "submitted" / "jdoe" / "03-attention").is_dir()


def test_a_new_login_offers_the_command_that_renames(course, enrol):
    enrol(CANVAS)
    finished = enrol(CANVAS.replace("jdoe", "jane.roe"))
    assert "autograder rename-student jdoe jane.roe" in finished.out
    assert "jdoe" in people(course)
    assert people(course)["jdoe"].login == "jane.roe"


def test_two_people_in_one_line_and_a_file_that_is_no_list(course, enrol):
    enrol(CANVAS)
    mixed = 'Student,ID,SIS Login ID,Section\n"Doe, Jane",1001,amueller,\n'
    finished = enrol(mixed, options=["--partial"])
    assert finished.code == 1
    assert "line 2: its fields belong to different people: amueller and jdoe" in finished.out
    finished = enrol("a,b\n1,2\n")
    assert finished.code == 2
    assert "'a,b'" in finished.err
    assert enrol("").code == 2


def test_the_class_is_shown_and_a_broken_file_is_told(course, enrol, autograder, empty_gradebook):
    (course.root / "gradebook.db").unlink()
    finished = autograder("roster", course=course.root)
    assert (finished.code, "autograder roster FILE" in finished.err) == (2, True)
    assert not (course.root / "gradebook.db").exists()
    shutil.copy(empty_gradebook, course.root)
    enrol(CANVAS)
    shown = autograder("roster", course=course.root).out
    assert "Zoë van den Berg_Smith" in shown
    assert "3 in the class, 0 have left" in shown
    (course.root / ROSTER_FILE).write_text("{ no JSON")
    finished = autograder("roster", course=course.root)
    assert (finished.code, ROSTER_FILE in finished.err) == (2, True)


def test_nothing_of_a_list_steers_a_terminal_or_leaves_the_course_folder(course, enrol):
    hostile = "Full name,Email address,Username\nEve \x1b[2J,eve@a.org,../../eve\n"
    finished = enrol(hostile)
    assert "\x1b[2J" not in finished.out
    assert sorted(people(course)) == ["eve"]  # from the e-mail address
    content = json.loads((course.root / ROSTER_FILE).read_text("utf8"))
    assert list(content) == ["eve"]


def write_everything(root, student):
    """What is kept of a student: files in every folder, and a graded submission."""
    for folder in ("submitted", "autograded", "feedback", ".autograder"):
        path = root / folder / student / "ps1" / "ps1.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(folder)
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "attention") as gradebook:
        gradebook.add_assignment("ps1")
        gradebook.add_notebook("ps1", "ps1")
        gradebook.add_grade_cell("question", "ps1", "ps1", max_score=3, cell_type="code")
        gradebook.update_or_create_student(student)
        gradebook.add_submission("ps1", student, extension=datetime.timedelta(days=1))
        gradebook.find_grade("question", "ps1", "ps1", student).auto_score = 2
        gradebook.db.commit()


def kept(root, student):
    """What there is of a student: folders, points, extension, and the entry in the roster."""
    folders = sorted(path.parent.name for path in root.glob(f"*/{student}/ps1/ps1.ipynb"))
    roster = json.loads((root / ROSTER_FILE).read_text("utf8")).get(student)
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "attention") as gradebook:
        try:
            submission = gradebook.find_submission("ps1", student)
        except MissingEntry:
            return len(folders), None, roster
        name = submission.student.last_name
        return len(folders), (submission.score, submission.extension.days, name), roster


@pytest.fixture
def graded(course, enrol):
    """A class of which jane has handed in, been graded, and got another login."""
    enrol(CANVAS)
    write_everything(course.root, "jdoe")
    enrol(CANVAS.replace("jdoe", "jane.roe"))
    return course


def test_renaming_a_student_moves_everything(graded, autograder):
    before = kept(graded.root, "jdoe")
    assert before[:2] == (4, (2, 1, "Doe"))
    collected = {"ps1": {"jdoe": {"source": "canvas.zip", "late": True}, "zoe": {"source": "x"}}}
    (graded.root / "collected.json").write_text(json.dumps(collected))
    finished = autograder("rename-student", "jdoe", "jane.roe", course=graded.root)
    assert finished.code == 0, finished.err
    assert "jdoe is jane.roe now, with 1 submission in the gradebook" in finished.out
    assert kept(graded.root, "jane.roe") == before
    assert kept(graded.root, "jdoe") == (0, None, None)
    assert sorted(in_gradebook(graded)) == ["amueller", "jane.roe", "zoe"]
    assert sorted(people(graded)) == ["amueller", "jane.roe", "zoe"]
    collected = json.loads((graded.root / "collected.json").read_text())["ps1"]
    assert (sorted(collected), collected["jane.roe"]["late"]) == (["jane.roe", "zoe"], True)


class Killed(BaseException):
    """The end of a process."""


@pytest.mark.parametrize("step", range(7))
def test_a_renaming_that_was_killed_completes_and_nobody_grades_before(
    graded, autograder, monkeypatch, step
):
    before, left = kept(graded.root, "jdoe"), [step]

    def dying(real):
        def call(*arguments, **options):
            if left[0] == 0:
                raise Killed
            left[0] -= 1
            return real(*arguments, **options)

        return call

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", dying(Path.rename))
        patch.setattr(
            rename_student, "_rename_in_gradebook", dying(rename_student._rename_in_gradebook)
        )
        patch.setattr(rename_student, "_rename_in_roster", dying(rename_student._rename_in_roster))
        patch.setattr(Path, "unlink", dying(Path.unlink))
        with pytest.raises(Killed):
            autograder("rename-student", "jdoe", "jane.roe", course=graded.root)
    command = "autograder rename-student jdoe jane.roe"
    for other in (("roster", str(graded.root / "list0.csv")), ("rename-student", "zoe", "zo")):
        (graded.root / "list0.csv").write_text(CANVAS)
        finished = autograder(*other, course=graded.root)
        assert (finished.code, command in " ".join(finished.err.split())) == (2, True)
    finished = autograder("rename-student", "jdoe", "jane.roe", course=graded.root)
    assert finished.code == 0, finished.err
    assert kept(graded.root, "jane.roe") == before
    assert kept(graded.root, "jdoe") == (0, None, None)


def test_nobody_is_renamed_into_somebody_elses_work(graded, autograder):
    def refused(old, new):
        finished = autograder("rename-student", old, new, course=graded.root)
        assert finished.code == 2
        return " ".join(finished.err.split())

    (graded.root / "submitted" / "zoe").mkdir()
    assert "zoe already has work (submitted/zoe)" in refused("jdoe", "zoe")
    assert "grades in the gradebook" in refused("amueller", "jdoe")
    assert "did you mean jdoe?" in refused("jdo", "x")
    assert "'../x' isn't a student id" in refused("jdoe", "../x")
    assert "already has that id" in refused("zoe", "zoe")
    # An entry from a list, without any work, is the same person's.
    assert autograder("rename-student", "jdoe", "amueller", course=graded.root).code == 0
    assert kept(graded.root, "amueller")[:2] == (4, (2, 1, "Müller"))
