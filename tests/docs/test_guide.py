"""The commands of the guide and its pages, typed in a copy of the checkout.

They run in the order of the page, line by line as it has them, but for what `as_typed` says.
"""

import os
import re
import subprocess

import nbformat
import pytest
from nbgrader.utils import get_username

from autograder.cells import grade_id
from autograder.course_folder import CONFIG
from tests.browser.answers import COURSE, RIGHT, UNANSWERED, WRONG
from tests.conftest import LESSON, QUICK_LESSON, copy_checkout, write_configuration
from tests.support.archives import Handed, canvas, canvas_submissions, moodle, packed, worksheet
from tests.support.commands import BIN
from tests.support.pages import blocks

pytestmark = [pytest.mark.timeout(1800)]

PAGES = ("guide.md", "deadlines.md", "roster.md", "gradebook.md")
BLOCKS = [
    block
    for page in PAGES
    for block in blocks(page)
    if not block.reason
    and (block.language == "sh" or (block.page, block.language) == ("deadlines.md", "python"))
]
NOTEBOOK = f"{QUICK_LESSON}.ipynb"
ACCOUNT = get_username()
"""The student who uses the exchange."""


def as_typed(text):
    """A block for the lesson whose kernels start in a second, not ten.

    Some of the class aren't in the exchange: the guide says what to add for those who are.
    """
    text = text.replace(LESSON, QUICK_LESSON)
    release = f"nbgrader release_feedback {QUICK_LESSON}"
    return text.replace(release, f"{release} --student {ACCOUNT}")


class Instructor:
    """Somebody who types what the pages say.

    Args:
        folder: for a copy of the checkout, a home, an exchange and a student's work.
    """

    def __init__(self, folder):
        self.checkout, self.exchange = folder / "checkout", folder / "exchange"
        self.work, self._home = folder / "work", folder / "home"
        self.told = ""
        copy_checkout(self.checkout)
        write_configuration(self.checkout)
        for path in (self.exchange, self.work, self._home):
            path.mkdir()
        self.exchange.chmod(0o777)
        # What the site of an exchange configures for everybody.
        config = f"c = get_config()\nc.Exchange.root = {str(self.exchange)!r}\n"
        (self._home / "nbgrader_config.py").write_text(config)

    def type(self, text, folder=None):
        """Type some lines; return what they printed."""
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("COURSE_", "PYTEST_", "JUPYTER", "NBGRADER"))
        }
        more = {
            "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
            "JUPYTER_CONFIG_DIR": str(self._home),
            "HOME": str(self._home),
            "COLUMNS": "200",
        }
        done = subprocess.run(
            ["bash", "-e", "-c", text],
            cwd=folder or self.checkout,
            env=clean | more,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}"
        return done.stdout

    def follow(self, block):
        """Type a block, or add it to the configuration."""
        if block.language == "python":
            with (self.checkout / CONFIG).open("a", encoding="utf8") as config:
                config.write(block.text)
        else:
            self.told += self.type(as_typed(block.text))

    def hand_in(self):
        """What students and platforms do between releasing and collecting."""
        self.type(f"nbgrader fetch_assignment {QUICK_LESSON} --course {COURSE}", self.work)
        path = self.work / QUICK_LESSON / NOTEBOOK
        answered = answers(path)
        path.write_bytes(answered[0])
        self.type(f"nbgrader submit {QUICK_LESSON} --course {COURSE}", self.work)
        people = [
            (Handed("Jane Doe", 11, {NOTEBOOK: answered[0]}), "Doe, Jane", 101),
            (Handed("Kim Roe", 12, {NOTEBOOK: answered[1]}), "Roe, Kim", 102),
        ]
        on_canvas = [Handed(name, user, person.files) for person, name, user in people]
        (self.checkout / "moodle.zip").write_bytes(packed(moodle(person for person, *_ in people)))
        (self.checkout / "canvas.zip").write_bytes(packed(canvas(on_canvas)))
        for name, member in (
            ("class.zip", f"Jane Doe - {NOTEBOOK}"),
            ("exercise-3.zip", f"Exercise 3/Doe_Jane_jdoe_123/20260302093000_{NOTEBOOK}"),
        ):
            (self.checkout / name).write_bytes(packed({member: answered[0]}))
        times = [
            {"user_id": user, "submitted_at": "2026-11-22T07:15:00Z", "attempt": 1}
            for *_, user in people
        ]
        (self.checkout / "submissions.json").write_bytes(canvas_submissions(times))

    def download_class(self):
        """The lists of students, as Canvas and Moodle give them for download."""
        lines = [
            "Student,ID,SIS User ID,SIS Login ID,Section",
            '"Doe, Jane",101,S-1,jdoe,Lab A',
            '"Roe, Kim",102,S-2,kroe,Lab A',
            f'"Exchange, Ann",103,S-3,{ACCOUNT},Lab B',
        ]
        for name in ("grades.csv", "canvas.csv"):
            (self.checkout / name).write_text("\n".join(lines) + "\n", "utf8")
        when = "Sunday, 22 November 2026, 8:15 AM"
        rows = [
            (11, "Jane Doe", "jdoe@example.org", "", when),
            (12, "Kim Roe", "kroe@example.org", "", when),
        ]
        (self.checkout / "worksheet.csv").write_bytes(worksheet(rows))


def answers(path):
    """A notebook with a right answer, and one with a wrong one as well."""
    notebook = nbformat.read(path, as_version=4)
    made = []
    for name, line in (("find_emails", RIGHT), ("one_hot", WRONG)):
        (cell,) = (cell for cell in notebook.cells if grade_id(cell) == name)
        cell.source = cell.source.replace(UNANSWERED, line)
        made.append(nbformat.writes(notebook).encode())
    return made


@pytest.fixture(scope="module")
def instructor(tmp_path_factory):
    """Somebody who has typed everything, in the order of the pages."""
    instructor = Instructor(tmp_path_factory.mktemp("guide"))
    instructor.download_class()
    for block in BLOCKS:
        if "collect" in block.text and not (instructor.checkout / "moodle.zip").exists():
            instructor.hand_in()
        instructor.follow(block)
    return instructor


def test_students_of_archives_and_of_the_exchange_were_graded(instructor):
    for student in ("jdoe", "kroe", ACCOUNT):
        assert re.search(rf"{student}: [\d.]+ of 20 points", instructor.told), instructor.told


def test_grades_are_exported_and_feedback_is_in_the_exchange(instructor):
    exported = (instructor.checkout / "reports" / "canvas.csv").read_text("utf8")
    assert "Doe, Jane" in exported
    assert [*(instructor.exchange / COURSE / "feedback").iterdir()]


def test_the_student_was_renamed(instructor):
    assert (instructor.checkout / "submitted" / "jane.roe" / QUICK_LESSON / NOTEBOOK).is_file()
