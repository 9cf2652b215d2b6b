"""A class as Moodle and Canvas write it: roster, collect, grade, export, through the command."""

import json

import pytest

from autograder.collect.manifest import late_without_time
from tests.conftest import flat, needs_sandbox
from tests.support.classroom import HABITS, LESSON, Classroom, by_login

SIZE = 20


@pytest.fixture
def classroom(tmp_path):
    root = tmp_path / "course"
    root.mkdir()
    return Classroom(root, SIZE)


def exported(classroom, autograder, system):
    """The rows of the exported grades by student id."""
    root = classroom.course.root
    assert autograder("export", system, course=root).code == 0
    return by_login(root / "reports" / f"{system}.csv", system)


@needs_sandbox
def test_a_class_on_canvas(classroom, autograder, tmp_path):
    root = classroom.course.root
    roster, (early, last), times = classroom.write_canvas(tmp_path)
    assert autograder("roster", str(roster), course=root).code == 0
    first = autograder("collect", LESSON, str(early), course=root)
    assert first.code == 0, first.out
    assert f"{SIZE // len(HABITS)} collected, 0 unchanged, 0 refused." in first.out
    result = autograder("collect", LESSON, str(last), "--times", str(times), course=root)
    assert result.code == 1
    assert "'strangera' isn't in the roster" in flat(result.out)
    assert f"{len(classroom.handed_in)} collected, 0 unchanged, 1 refused." in result.out
    handed_in = {student.login: student for student in classroom.handed_in}
    assert classroom.course.students(LESSON) == sorted(handed_in)
    nobody_knows = [s for s in handed_in if handed_in[s].habit == "late, nobody knows when"]
    assert late_without_time(classroom.course, LESSON) == nobody_knows
    graded = autograder("grade", LESSON, course=root)
    assert graded.code == 0, graded.out
    rows = exported(classroom, autograder, "canvas")
    for student in classroom.handed_in:
        row = rows[student.login]
        assert row["Student"] == student.sortable_name
        assert (row["ID"], row["SIS User ID"]) == (str(student.user), f"S-{student.number}")
    points = {s: each for s, each in classroom.expected(groups=False).items() if each is not None}
    assert {s: float(row[LESSON]) for s, row in rows.items()} == pytest.approx(points)
    check_times(classroom, autograder, dict.fromkeys(nobody_knows))


@needs_sandbox
def test_a_class_on_moodle(classroom, autograder, tmp_path):
    root = classroom.course.root
    roster, downloads, sheets = classroom.write_moodle(tmp_path)
    assert autograder("roster", str(roster), course=root).code == 0
    times = [option for sheet in sheets for option in ("--times", str(sheet))]
    options = (*map(str, downloads), *times, "--timezone", "Etc/GMT-1")
    result = autograder("collect", LESSON, *options, course=root)
    assert result.code == 0, result.out
    graded = autograder("grade", LESSON, course=root)
    assert graded.code == 0, graded.out
    rows = exported(classroom, autograder, "moodle")
    expected = classroom.expected(groups=True)
    for student in classroom.students:
        if expected[student.login] is not None:
            row = rows[student.login]
            assert (row["First name"], row["Last name"]) == (student.first, student.last)
            assert row["ID number"] == f"S-{student.number}"
    graded = {student: points for student, points in expected.items() if points is not None}
    assert {s: float(row[LESSON]) for s, row in rows.items()} == pytest.approx(graded)
    back = {}
    for sheet in sheets:
        command = ("export", "moodle", LESSON, "--worksheet", str(sheet), "--to", str(sheet))
        assert autograder(*command, course=root).code == 0
        lines = by_login(sheet, "moodle")
        back |= {s: float(row["Grade"]) for s, row in lines.items() if row["Grade"]}
    at_most = {student: points for student, points in graded.items() if points <= 19}
    assert back == pytest.approx(at_most)
    together = {each.login: team[0].time for team in classroom.teams for each in team}
    check_times(classroom, autograder, together)


def check_times(classroom, autograder, differing):
    """The gradebook knows when each student handed in, or that nobody does."""
    root = classroom.course.root
    assert autograder("export", "json", course=root).code == 0
    document = json.loads((root / "reports" / "json.json").read_text())
    known = {each["id"]: each["lessons"][LESSON]["handed_in"] for each in document["students"]}
    for student in classroom.students:
        own = student.time if student.habit != "nothing" else None
        time = differing.get(student.login, own)
        assert known[student.login] == (time and f"{time:%Y-%m-%dT%H:%M:%S}Z"), student
