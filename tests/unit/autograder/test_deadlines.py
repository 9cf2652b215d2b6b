"""Due dates, extensions and late policies, also of a class that is graded already."""

import datetime
import json
import subprocess
import sys

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.course_folder import CONFIG, CourseFolder
from tests.support.archives import worksheet

# nbgrader's own queries
pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

LESSON = "ps1"
# By student, when it was handed in; cem's time nobody knows.
HANDED_IN = {
    "ada": "2026-01-10 11:59:00 UTC",
    "ben": "2026-01-10 12:10:00 UTC",
    "cem": None,
    "dan": "2026-01-12 13:00:00 UTC",
}
POINTS = {"ada": 8, "ben": 8, "cem": 8, "dan": 1}
DUE = "2026-01-10T13:00"
BERLIN = ("--timezone", "Europe/Berlin")  # 12:00 UTC


def write_course(root):
    """A course of nbgrader's own, without our execution and without our judge."""
    (root / CONFIG).write_text(
        "from autograder.late_penalty import LatePolicy\n"
        'c = get_config()\nc.CourseDirectory.course_id = "attention"\n'
        "c.AssignLatePenalties.plugin_class = LatePolicy\n"
    )
    path = root / "source" / LESSON / f"{LESSON}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(), path)


def fill(root):
    """What grading leaves, as nbgrader records it."""
    course = CourseFolder(root)
    with course.as_working_directory(), course.nbgrader.gradebook as gradebook:
        gradebook.add_assignment(LESSON)
        gradebook.add_notebook(LESSON, LESSON)
        gradebook.add_grade_cell("question", LESSON, LESSON, max_score=10, cell_type="code")
        for student, time in HANDED_IN.items():
            gradebook.add_student(student, first_name=student.title(), last_name="X")
            when = datetime.datetime.strptime(time, "%Y-%m-%d %H:%M:%S UTC") if time else None
            gradebook.add_submission(LESSON, student, timestamp=when)
            grade = gradebook.find_grade("question", LESSON, LESSON, student)
            grade.auto_score, grade.needs_manual_grade = POINTS[student], False
        gradebook.add_student("zoe", first_name="Zoë", last_name="Late")
        gradebook.db.commit()


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    root = tmp_path_factory.mktemp("filled")
    write_course(root)
    fill(root)
    return root / "gradebook.db"


@pytest.fixture
def root(tmp_path, filled):
    write_course(tmp_path)
    (tmp_path / "gradebook.db").write_bytes(filled.read_bytes())
    for student in HANDED_IN:
        path = tmp_path / "autograded" / student / LESSON / f"{LESSON}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(nbformat.v4.new_notebook(), path)
        (tmp_path / "submitted" / student / LESSON).mkdir(parents=True)
    return tmp_path


@pytest.fixture
def run(root, autograder):
    def run(*arguments, code=0):
        finished = autograder(*arguments, course=root)
        assert finished.code == code, finished.err
        return " ".join((finished.err if code else finished.out).split())

    return run


@pytest.fixture
def policy(root):
    def state(*lines):
        with (root / CONFIG).open("a") as file:
            file.write("".join(f"c.LatePolicy.{line}\n" for line in lines))

    return state


def totals(root):
    """What each student's grade is in nbgrader's gradebook, less the penalty."""
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "attention") as gradebook:
        submissions = gradebook.assignment_submissions(LESSON)
        return {s.student_id: s.score - s.late_submission_penalty for s in submissions}


def due(root):
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "attention") as gradebook:
        return gradebook.find_assignment(LESSON).duedate


def test_grading_shows_what_being_late_costs(root, run, policy):
    policy('penalty_method = "percent"', "percent_per_day = 25")
    run("deadline", LESSON, DUE, *BERLIN, "--apply")
    assert totals(root)["ben"] == 5.5
    told = run("grade", LESSON)
    assert "ben: 5.5 of 10 points, after a late penalty of 2.5" in told
    assert "│ ben │ 8 / 10 │ -2.5 │ 5.5 / 10 │" in told
    assert "│ ada │ 8 / 10 │ │ 8 / 10 │" in told


def hand_in(root, student, time):
    """Record another time of handing in."""
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "attention") as gradebook:
        gradebook.find_submission(LESSON, student).timestamp = datetime.datetime.fromisoformat(time)
        gradebook.db.commit()


@pytest.mark.parametrize(
    ("zone", "due", "handed_in", "days"),
    [
        # Due Saturday at 20:00; the clocks go back in between, then forward.
        ("Europe/Berlin", "2026-10-24T20:00", "2026-10-25 18:30", 1),  # Sunday 19:30
        ("Europe/Berlin", "2026-10-24T20:00", "2026-10-25 19:30", 2),  # Sunday 20:30
        ("Europe/Berlin", "2027-03-27T20:00", "2027-03-28 18:30", 2),  # Sunday 20:30
        ("America/New_York", "2026-10-31T20:00", "2026-11-02 00:30", 1),  # Sunday 19:30
        ("Australia/Lord_Howe", "2026-04-04T20:00", "2026-04-05 09:15", 1),  # half an hour back
        # An hour that comes twice: due in the second 2:30, handed in at 3:00.
        ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25 02:00", 1),
        ("UTC", "2026-10-24T18:00", "2026-10-25 18:30", 2),
    ],
)
def test_days_are_counted_on_the_deadlines_own_clock(root, run, policy, zone, due, handed_in, days):
    policy('penalty_method = "percent"', "percent_per_day = 10", f'timezone = "{zone}"')
    hand_in(root, "ada", handed_in)
    run("deadline", LESSON, due, "--apply")
    assert totals(root)["ada"] == POINTS["ada"] - days


def test_extensions_end_at_the_same_hour(root, run, policy):
    policy('timezone = "Europe/Berlin"')
    run("deadline", LESSON, "2026-10-24T20:00")
    told = run("extend", LESSON, "ada", "1d")
    assert "ada has 1 d more: until Sun 2026-10-25 20:00 CET (19:00 UTC)" in told
    assert "ben has 1 d 12 h more: until Mon 2026-10-26 08:00" in run(
        "extend", LESSON, "ben", "36h"
    )
    told = run("extend", LESSON, "ada", "1w")
    assert "ada has 7 d more: until Sat 2026-10-31 20:00 CET" in told
    # Where nothing is changed in between, it is as long as before.
    told = run("deadline", LESSON, "2026-11-10T20:00")
    assert "ada has 7 d more: until Tue 2026-11-17 20:00 CET" in told
    told = run("deadline", LESSON, "2027-03-27T20:00")
    assert "ada has 7 d more: until Sat 2027-04-03 20:00 CEST" in told
    told = run("extend", LESSON, "zoe", "1d")
    assert "zoe has 1 d more: until Sun 2027-03-28 20:00 CEST (18:00 UTC)" in told


def test_a_time_zone_that_is_none_is_told_at_once(root, run, policy):
    policy('timezone = "Berlin"')
    assert "Unknown time zone 'Berlin'" in run("deadline", LESSON, code=2)


def test_a_date_without_a_policy_is_recorded_at_once(root, run):
    assert "no due date" in run("deadline", LESSON)
    told = run("deadline", LESSON, DUE, *BERLIN)
    assert "is due Sat 2026-01-10 13:00 CET (12:00 UTC)" in told
    assert "There is no late penalty." in told
    assert "No submission time, so treated as on time: cem" in told
    assert "Recorded. Nobody's points change." in told
    assert due(root) == datetime.datetime(2026, 1, 10, 12)
    assert totals(root) == POINTS
    run("deadline", LESSON, "--remove")
    assert due(root) is None


def test_a_date_that_costs_points_is_shown_before_it_is_recorded(root, run, policy):
    policy('penalty_method = "zero"')
    told = run("deadline", LESSON, DUE, *BERLIN)
    assert "│ ben │ 10 min │ 0 │ 8 │ 8 │ 0 │" in told
    assert "would be due" in told
    assert "Nothing was written; --apply records it." in told
    assert (due(root), totals(root)) == (None, POINTS)
    assert "Recorded." in run("deadline", LESSON, DUE, *BERLIN, "--apply")
    assert totals(root) == {"ada": 8, "ben": 0, "cem": 8, "dan": 0}


def test_who_releases_other_points_hears_of_penalties_that_no_longer_fit(root, run, policy):
    policy('penalty_method = "zero"')
    run("deadline", LESSON, DUE, *BERLIN, "--apply")
    told = run("release", LESSON, "--drop-grades")  # the source has lost its only question
    assert "question: dropped" in told
    assert "late penalties don't match the due date, extensions and policy" in told
    assert f"ben, dan. To see and correct them: autograder deadline {LESSON}" in told
    run("deadline", LESSON, "--apply")
    assert "penalties" not in run("release", LESSON)


def test_percent_a_day_with_grace_and_at_most(root, run, policy):
    policy('penalty_method = "percent"', "percent_per_day = 25", "grace_minutes = 15")
    told = run("deadline", LESSON, DUE, *BERLIN, "--apply")
    assert (
        "Each day late, or part of one, costs 25 % of the points, with a grace period of 15 "
        "minutes."
    ) in told
    # Ben is within the grace. Dan is in his third day, and has one point to lose.
    assert totals(root) == {"ada": 8, "ben": 8, "cem": 8, "dan": 0}
    policy("grace_minutes = 0", "percent_per_day = 2", "max_penalty_percent = 5")
    told = run("deadline", LESSON)
    assert "│ ben │ 10 min │ 0 │ 0.2 │ 8 │ 7.8 │" in told
    assert "│ dan │ 2 d 1 h │ 1 │ 0.5 │ 0 │ 0.5 │" in told
    assert "--apply" in told
    run("deadline", LESSON, "--apply")
    assert totals(root) == pytest.approx({"ada": 8, "ben": 7.8, "cem": 8, "dan": 0.5})


def test_an_extension_gives_points_back_without_grading_again(root, run, policy):
    policy('penalty_method = "zero"')
    run("deadline", LESSON, DUE, *BERLIN, "--apply")
    told = run("extend", LESSON, "Dan X", "3d")
    assert "│ dan │ not late │ 1 │ 0 │ 0 │ 1 │" in told
    assert totals(root)["dan"] == 0
    run("extend", LESSON, "dan", "3d", "--apply")
    assert totals(root) == {"ada": 8, "ben": 0, "cem": 8, "dan": 1}
    # Who has handed in nothing yet.
    told = run("extend", LESSON, "zoe", "1d12h", *BERLIN)
    assert "zoe has 1 d 12 h more: until Mon 2026-01-12 01:00 CET (00:00 UTC)." in told
    assert "extensions of its due date (dan, zoe)" in run("deadline", LESSON, "--remove", code=2)
    run("extend", LESSON, "dan", "0", "--apply")
    assert totals(root)["dan"] == 0


def test_a_group_is_extended_at_once(root, run):
    groups = {"ada": {"groups": ["Red"]}, "ben": {"sections": ["Red"]}, "cem": {"groups": ["Blue"]}}
    (root / "roster.json").write_text(json.dumps(groups))
    run("deadline", LESSON, DUE, *BERLIN)
    told = run("extend", LESSON, "red", "1w")
    assert "ada has 7 d more" in told
    assert "ben has 7 d more" in told
    assert "cem has" not in told
    assert ("No student, group or section is called 'green'") in run(
        "extend", LESSON, "green", "1w", code=2
    )


def test_a_groups_extension_shortens_nobodys_longer_one(root, run):
    groups = {"ada": {"groups": ["Red"]}, "ben": {"groups": ["Red"]}, "zoe": {"groups": ["Red"]}}
    (root / "roster.json").write_text(json.dumps(groups))
    run("deadline", LESSON, DUE, *BERLIN)
    run("extend", LESSON, "ben", "1d")
    run("extend", LESSON, "zoe", "1d")  # who has handed in nothing
    told = run("extend", LESSON, "Red", "12h")
    assert "ada has 12 h more" in told
    for student in ("ben", "zoe"):
        assert f"{student} has 1 d more" in told
        assert f"{student} keeps 1 d, which is longer: name the student to shorten it" in told
    assert "ada keeps" not in told
    told = run("extend", LESSON, "Red", "2d")
    assert ("ben has 2 d more" in told, "keeps" in told) == (True, False)
    assert "ben has 6 h more" in run("extend", LESSON, "ben", "6h")
    assert "more: until" not in run("extend", LESSON, "Red", "0")


@pytest.mark.parametrize(
    ("identifier", "told", "until", "zone"),
    [
        ("Participant ", "Extension granted until: {}", "Monday, 12 January 2026, 11:59 PM", ""),
        ("Teilnehmer/in", "Verlängertes Abgabeende bis: {}", "Montag, 12. Januar 2026, 23:59", ""),
        ("참가자", "{} 까지 연장되었습니다.", "월요일, 12 1월 2026, 11:59 PM", ""),
        ("参与人", "延期到：{}", "2026年1月12日 星期一 23:59", ""),
        (
            "Partaidea",
            "Epearen luzapena eman da {} arte",
            "astelehena, 2026(e)ko urtarrilaren 12(e)an, 23:59(e)tan",
            "",
        ),
        ("Uczestnik", "Przedłużono do: {}", "poniedziałek, 12 stycznia 2026, 22:59", "UTC"),
        ("משתתף ", "הארכה עד: {}", "יום שני, 12 ינואר 2026, 23:59", ""),
        ("Peserta", "Perpanjangan hingga: {}", "Senin, 12 Januari 2026, 23:59", ""),
    ],
)
def test_moodles_extensions_are_ours_in_any_language(root, run, identifier, told, until, zone):
    """The status column has them, and the time that somebody is overdue besides."""
    run("deadline", LESSON, DUE, *BERLIN)
    overdue = f"No - Overdue: 21 hours 32 mins - {told.format(until)} -  - "
    rows = [
        (31, "Dan X", "", "", "-", overdue),
        (32, "Zoë Late", "", "", "-", "No - Overdue: 7 days 21 hours -  - "),
        (33, "Jo Nobody", "", "", "-", overdue),
    ]
    sheet = root / "worksheet.csv"
    sheet.write_bytes(worksheet(rows, identifier=identifier))
    zone = ("--timezone", zone) if zone else BERLIN
    said = run("extend", LESSON, "--worksheet", str(sheet), *zone)
    assert "dan has 2 d 10 h 59 min more: until Mon 2026-01-12" in said
    assert "zoe has" not in said
    assert "'Jo Nobody' has an extension in Moodle, but isn't in the roster" in said
    # The same again changes nothing, and where names are hidden, the number is the student.
    sheet.write_bytes(worksheet(rows[2:], identifier=identifier, blind=True))
    said = run("extend", LESSON, "--worksheet", str(sheet), *zone)
    assert "participant-33 has 2 d 10 h 59 min more" in said
    assert "dan has 2 d 10 h 59 min more" in said


def test_moodles_extension_ends_when_moodle_says(root, run, policy):
    """Also where the clocks change in between."""
    policy('timezone = "Europe/Berlin"')
    run("deadline", LESSON, "2026-10-24T20:00")
    until = "Extension granted until: Sunday, 25 October 2026, 8:00 PM - "
    (root / "worksheet.csv").write_bytes(worksheet([(31, "Dan X", "", "", "-", until)]))
    told = run("extend", LESSON, "--worksheet", str(root / "worksheet.csv"), *BERLIN)
    assert "dan has 1 d more: until Sun 2026-10-25 20:00 CET (19:00 UTC)" in told


def test_an_extension_whose_date_is_not_understood_is_told(root, run):
    until = "Extension granted until: 12.01.26 23:59 - "
    (root / "worksheet.csv").write_bytes(worksheet([(31, "Dan X", "", "", "-", until)]))
    run("deadline", LESSON, "2026-01-10T23:59", *BERLIN)
    told = run("extend", LESSON, "--worksheet", str(root / "worksheet.csv"), *BERLIN)
    assert "1 time not understood, such as 'Extension granted until: 12.01.26 23:59'" in told


def test_a_worksheet_or_a_student(root, run):
    sheet = root / "worksheet.csv"
    until = "Extension granted until: Monday, 12 January 2026, 11:59 PM - "
    sheet.write_bytes(worksheet([(31, "Dan X", "", "", "-", until)]))
    options = ("--worksheet", str(sheet))
    assert "has no due date: set one first" in run("extend", LESSON, *options, code=2)
    run("deadline", LESSON, DUE, *BERLIN)
    assert "--timezone Europe/Berlin" in run("extend", LESSON, *options, code=2)
    for wrong in ((), ("dan",), ("dan", "1d", *options), ("dan", *options)):
        assert "Name a student or a group" in run("extend", LESSON, *wrong, code=2)
    sheet.write_text("name,grade\n")
    assert "isn't Moodle's grading worksheet" in run("extend", LESSON, *options, code=2)
    sheet.write_bytes(worksheet([(31, "Dan X", "", "", "2026-01-10 12:00")]))
    assert "more: until" not in run("extend", LESSON, *options)


def test_a_name_that_is_nearly_somebodys(run):
    told = run("extend", LESSON, "late", "1d", code=2)
    assert "No student, group or section is called 'late'" in told
    assert "Did you mean zoe (Zoë Late)?" in told


def test_exports_and_reports_say_whose_penalty_or_time_is_not_known(root, run, policy):
    run("deadline", LESSON, DUE, *BERLIN)
    policy('penalty_method = "zero"')
    for command in (("export", "canvas"), ("report", LESSON)):
        told = run(*command)
        assert "late penalties don't match the due date" in told
        assert "ben, dan" in told
        assert f"autograder deadline {LESSON}" in told
        assert "no submission time, so treated as on time and without a penalty: cem" in told
    assert "Lateness: no submission time" in (root / "reports" / f"{LESSON}.html").read_text("utf8")
    run("deadline", LESSON, "--apply")
    assert "late penalties" not in run("export", "canvas")
    # As collecting an archive of Canvas' leaves it.
    late = {LESSON: {"cem": {"source": "canvas.zip", "late": True}}}
    (root / "collected.json").write_text(json.dumps(late))
    assert "calls them late but doesn't say by how much" in run("export", "canvas")
    assert "The platform calls these late, by an unknown time: cem." in run("deadline", LESSON)


def test_nbgrader_takes_off_the_same_points(root, run, policy):
    policy('penalty_method = "percent"', "percent_per_day = 5")
    run("deadline", LESSON, DUE, *BERLIN, "--apply")
    expected = totals(root)
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "attention") as gradebook:
        for submission in gradebook.assignment_submissions(LESSON):
            for notebook in submission.notebooks:
                notebook.late_submission_penalty = None
        gradebook.db.commit()
    script = (
        "from nbgrader.apps import NbGrader\n"
        "from nbgrader.preprocessors import AssignLatePenalties\n"
        "from nbformat.v4 import new_notebook\n"
        "app = NbGrader(); app.initialize([])\n"
        f"for student in {list(HANDED_IN)}:\n"
        f"    names = dict(student=student, assignment='{LESSON}', notebook='{LESSON}')\n"
        f"    names['db_url'] = 'sqlite:///{root / 'gradebook.db'}'\n"
        "    AssignLatePenalties(parent=app).preprocess(new_notebook(), {'nbgrader': names})\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=root, check=True, capture_output=True)
    assert totals(root) == expected
    assert expected["ben"] == 7.5


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("deadline", LESSON, "tomorrow"), "'tomorrow' isn't a date"),
        (("deadline", LESSON, "2026-03-29T02:30", *BERLIN), "clocks skip it"),
        (("deadline", LESSON, DUE, "--timezone", "Berlin"), "Unknown time zone 'Berlin'"),
        (("deadline", LESSON, DUE, "--remove"), "but not both"),
        (("extend", LESSON, "ada", "3 days"), "'3 days' isn't a duration"),
        (("extend", LESSON, "ada", "3d"), "has no due date: set one first"),
        (("deadline", "ps2"), "did you mean ps1?"),
    ],
)
def test_what_cannot_be_meant_is_told(run, arguments, told):
    assert told in run(*arguments, code=2)


def test_a_date_is_the_end_of_its_day_and_an_hour_shown_twice_the_later(root, run):
    run("deadline", LESSON, "2026-07-01", *BERLIN)
    assert due(root) == datetime.datetime(2026, 7, 1, 21, 59)
    run("deadline", LESSON, "2026-10-25T02:30", *BERLIN)
    assert due(root) == datetime.datetime(2026, 10, 25, 1, 30)
    run("deadline", LESSON, "2026-07-01T12:00-05:00")
    assert due(root) == datetime.datetime(2026, 7, 1, 17)
