"""A class of any size, as a learning platform lists it and packs what it handed in."""

import csv
import io
import itertools
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nbformat

from autograder.audit import questions
from autograder.cells import is_manually_graded
from autograder.course_folder import CourseFolder
from autograder.release.generate import release
from autograder.simulate import FULL_MARKS, read_expected, simulate
from tests.conftest import QUICK_LESSON, REPOSITORY, write_configuration
from tests.support.archives import (
    Handed,
    canvas,
    canvas_submissions,
    moodle,
    packed,
    uploaded_again,
    worksheet,
)
from tests.support.submitted import worth

LESSON = QUICK_LESSON
NOTEBOOK = f"{LESSON}.ipynb"
ANSWERS = REPOSITORY / "tests" / "submissions" / LESSON
FIRST = ("Zoë", "Sinéad", "小龙", "Jörg", "Ana María", "Nguyễn Thị", "D'Arcy", "Mary-Ann", "Ολγα")
LAST = ("van den Berg_Smith", "O'Brien", "李", "Müller-Groß", "de la Cruz", "Ng", "Đỗ", "St. John")
DUE = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
HABITS = (
    *("plain", "late", "renamed", "again", "browser copy", "handout zip", "unanswered"),
    *("nothing", "plain", "late, nobody knows when"),
)
"""How people hand in; the n-th student has the n-th habit, round and round."""


@dataclass(frozen=True)
class Student:
    """One of the class.

    Args:
        number: from 1.
        first, last: name.
        habit: how the student hands in.
        answers: which of the answers in ``tests/submissions``.
        earned: points for them.
    """

    number: int
    first: str
    last: str
    habit: str
    answers: str
    earned: float

    @property
    def login(self) -> str:
        """Also the student id that ``autograder roster`` gives."""
        return f"s{self.number:04}"

    @property
    def email(self) -> str:
        return f"{self.login}@school.edu"

    @property
    def user(self) -> int:
        """Canvas' number."""
        return 10_000 + self.number

    @property
    def participant(self) -> int:
        """Moodle's number in this assignment."""
        return 52_000 - 7 * self.number

    @property
    def full_name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def sortable_name(self) -> str:
        return f"{self.last}, {self.first}"

    @property
    def time(self) -> datetime:
        """When the last attempt was handed in."""
        late = timedelta(hours=30) if self.habit.startswith("late") else timedelta()
        return DUE - timedelta(minutes=self.number) + late


class Classroom:
    """A released lesson without written answers, and a class that hands it in.

    Args:
        root: an empty folder.
        size: how many there are in the class.
    """

    def __init__(self, root: Path, size: int) -> None:
        write_configuration(root)
        source = root / "source" / LESSON / NOTEBOOK
        source.parent.mkdir(parents=True)
        notebook = nbformat.read(REPOSITORY / "source" / LESSON / NOTEBOOK, as_version=4)
        notebook.cells = [cell for cell in notebook.cells if not is_manually_graded(cell)]
        nbformat.write(notebook, source)
        self.course = CourseFolder(root)
        release(self.course, LESSON)
        self._notebooks = self._answered()
        asked = questions.LessonQuestions.read(self.course, LESSON).questions
        self.maximum = sum(question.points for question in asked)
        self._earned = {"unanswered": 0.0, "reference": self.maximum}
        for path in ANSWERS.glob("*.py"):
            expected = read_expected(path)
            self._earned[path.stem] = sum(
                worth(expected.get(each.cell, FULL_MARKS), each.exercise, each.points)
                for each in asked
            )
        self.students = [self._student(number) for number in range(1, size + 1)]

    def _answered(self) -> Mapping[str, bytes]:
        """The notebooks that students hand in, by the answers in them."""
        names = simulate(self.course, LESSON, ANSWERS)
        found = {n: (self.course.submitted(n, LESSON) / NOTEBOOK).read_bytes() for n in names}
        shutil.rmtree(self.course.root / "submitted")
        return found

    def _student(self, number: int) -> Student:
        names = list(itertools.product(LAST, FIRST))
        last, first = names[(number * 11) % len(names)]
        if number in (2, 5):  # namesakes
            last, first = "Doe", "Jane"
        elif number > len(names):
            last = f"{last} {number}"
        habit = HABITS[number % len(HABITS)]
        answers = sorted(self._earned)[number % len(self._earned)]
        answers = "unanswered" if habit == "unanswered" else answers
        return Student(number, first, last, habit, answers, self._earned[answers])

    @property
    def handed_in(self) -> list[Student]:
        """Everybody who handed something in."""
        return [student for student in self.students if student.habit != "nothing"]

    @property
    def teams(self) -> list[list[Student]]:
        """Who hands in together on Moodle."""
        return [self.students[-4:-2], self.students[-2:]]

    def expected(self, *, groups: bool) -> Mapping[str, float | None]:
        """What everybody earns, None of who handed in nothing; with or without the groups."""
        points = {
            each.login: None if each.habit == "nothing" else each.earned for each in self.students
        }
        if groups:
            points |= {each.login: team[0].earned for team in self.teams for each in team}
        return points

    def files(self, student: Student, attempt: int) -> Mapping[str, bytes]:
        """What a student uploads."""
        notebook = self._notebooks["unanswered" if attempt == 1 else student.answers]
        match student.habit:
            case "renamed":
                return {f"{LESSON}_final_{student.first}.ipynb": notebook, "notes.txt": b"notes"}
            case "again":
                return {uploaded_again(NOTEBOOK, attempt - 1): notebook}
            case "browser copy":
                return {f"{LESSON} (1).ipynb": notebook}
            case "handout zip":
                return {"work.zip": packed({f"attention-course/{LESSON}/{NOTEBOOK}": notebook})}
        return {NOTEBOOK: notebook}

    def write_canvas(self, folder: Path) -> tuple[Path, Sequence[Path], Path]:
        """Write Canvas' list of the class, two downloads, and the times of the second.

        In the second there is also somebody who isn't in the list.
        """
        header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Final Score"]
        rows = [["    Points Possible", "", "", "", "", "(read only)"]]
        rows += [
            [each.sortable_name, each.user, f"S-{each.number}", each.login, "Lab A", ""]
            for each in self.students
        ]
        roster = _table(folder / "canvas-gradebook.csv", [header, *rows])
        early = [self._canvas(each, 1) for each in self.handed_in if each.habit == "again"]
        last = [self._canvas(each, 2) for each in self.handed_in]
        last.append(Handed("Stranger, A", 99, {NOTEBOOK: b"{}"}))
        downloads = [folder / "canvas-early.zip", folder / "canvas.zip"]
        downloads[0].write_bytes(packed(canvas(early, first_upload=100)))
        downloads[1].write_bytes(packed(canvas(last, first_upload=90_000)))
        times = folder / "submissions.json"
        times.write_bytes(
            canvas_submissions(
                {
                    "user_id": each.user,
                    "attempt": 2 if each.habit == "again" else 1,
                    "submitted_at": f"{each.time:%Y-%m-%dT%H:%M:%SZ}",
                }
                for each in self.handed_in
                if each.habit != "late, nobody knows when"
            )
        )
        return roster, downloads, times

    def _canvas(self, student: Student, attempt: int) -> Handed:
        late = student.habit.startswith("late")
        return Handed(student.sortable_name, student.user, self.files(student, attempt), late)

    def write_moodle(self, folder: Path) -> tuple[Path, Sequence[Path], Sequence[Path]]:
        """Write Moodle's participants, two downloads and their worksheets: the second is of another
        assignment, to which the last four hand in as two groups."""
        rows = [[each.first, each.last, f"S-{each.number}", each.email] for each in self.students]
        header = ["First name", "Last name", "ID number", "Email address"]
        roster = _table(folder / "participants.csv", [header, *rows])
        alone = self.students[:-4]
        teams = dict(zip(("Team_Ω", "Team 2 / B"), self.teams, strict=True))
        single = [
            Handed(each.full_name, each.participant, self.files(each, 2), text="<p>Done.</p>")
            for each in alone
            if each.habit != "nothing"
        ]
        groups = [
            Handed(name, number, {NOTEBOOK: self._notebooks[members[0].answers]})
            for number, (name, members) in enumerate(teams.items(), 7)
        ]
        downloads = [folder / "moodle.zip", folder / "moodle-groups.zip"]
        downloads[0].write_bytes(packed(moodle(single)))
        downloads[1].write_bytes(packed(moodle(groups, folders=False)))
        sheets = [folder / "worksheet.csv", folder / "worksheet-groups.csv"]
        sheets[0].write_bytes(worksheet([self._row(each, each.participant, "") for each in alone]))
        sheets[1].write_bytes(
            worksheet(
                [
                    self._row(each, 60_000 + each.number, name, members[0].time)
                    for name, members in teams.items()
                    for each in members
                ]
            )
        )
        return roster, downloads, sheets

    def _row(self, student: Student, participant: int, group: str, time: datetime | None = None):
        # As userdate() writes it, in a profile an hour east of Greenwich.
        local = (time or student.time) + timedelta(hours=1)
        unknown = time is None and student.habit == "nothing"
        when = "-" if unknown else f"{local:%A, %-d %B %Y, %-I:%M %p}"
        return (participant, student.full_name, student.email, group, when)


def _table(path: Path, rows: Sequence[Sequence[object]]) -> Path:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    path.write_text("\ufeff" + text.getvalue(), "utf8", newline="")
    return path


def by_login(path: Path, platform: str) -> dict[str, dict[str, str]]:
    """The rows of exported grades. Moodle's lists say nobody's login: it is in the address."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    column = "SIS Login ID" if platform == "canvas" else "Email address"
    # One row is of the maxima.
    return {row[column].partition("@")[0]: row for row in rows if row[column]}
