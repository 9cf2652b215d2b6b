"""A course about something else, with the engine's wheels alone: no TensorFlow is installed there.

``tests/another_course`` goes all the way, and pages that begin a course are typed word for word.
"""

import csv
import json
import os
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from autograder.course_folder import CourseFolder
from autograder.simulate import FULL_MARKS, read_expected
from tests.conftest import REPOSITORY, needs_sandbox
from tests.installs.test_wheels import dist, engine, scratch  # noqa: F401 - fixtures
from tests.support.graded import verdicts_in
from tests.support.pages import blocks

pytestmark = [pytest.mark.timeout(3600)]

ANOTHER = REPOSITORY / "tests" / "another_course"
LESSON = "01-motion"
PAGES = ("your-own-course.md", "mistakes.md")
BLOCKS = [block for page in PAGES for block in blocks(page)]
END = re.compile(r"At the end of `([^`]+)`:")
NEW_FILE = re.compile(r"In the new file `([^`]+)`:")


class Teacher:
    """Somebody who types commands.

    Args:
        environment: where they are installed.
        folder: where to begin.
    """

    def __init__(self, environment, folder):
        self.environment, self.folder = environment, folder
        self.told = ""

    def type(self, text):
        """Type some lines; return what they printed."""
        path = f"{self.environment.bin}{os.pathsep}{os.environ['PATH']}"
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("COURSE_", "PYTHON"))}
        done = subprocess.run(
            ["bash", "-e", "-c", f"{text}\npwd > {self.folder}/.at"],
            cwd=self.folder,
            env=clean | {"PATH": path, "COLUMNS": "200"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.told = done.stdout
        assert done.returncode == 0, f"{text}\n{self.told}"
        at = self.folder / ".at"
        self.folder = Path(at.read_text().strip())
        at.unlink()
        return self.told


@pytest.fixture(scope="module")
def teacher(engine, scratch):  # noqa: F811
    """Somebody with the other course installed, and its class graded."""
    engine.install("pip")
    somebody = Teacher(engine, Path(shutil.copytree(ANOTHER, scratch / "mechanics")))
    somebody.type("python -m pip install -q --no-deps --no-build-isolation -e .")
    somebody.type(f"autograder release\nautograder simulate {LESSON}")
    somebody.type(f"autograder grade {LESSON}")
    return somebody


def graded(teacher, student):
    path = teacher.folder / "autograded" / student / LESSON / f"{LESSON}.ipynb"
    return {name.removeprefix("test_"): verdict for name, verdict in verdicts_in(path).items()}


def test_nothing_of_the_attention_course_is_there(engine, scratch):  # noqa: F811
    names = ["tensorflow", "keras", "course", "keys", "nltk"]
    probe = (
        "import importlib.util as u; import autograder.cli, selfcheck; "
        f"print([name for name in {names} if u.find_spec(name)])"
    )
    assert Teacher(engine, scratch).type(f'python -P -c "{probe}"').strip() == "[]"


@needs_sandbox
@pytest.mark.parametrize("path", sorted(ANOTHER.glob("tests/submissions/*/*.py")), ids=str)
def test_every_made_up_student_gets_what_the_file_states(teacher, path):
    expected = read_expected(path)
    for exercise, verdict in graded(teacher, path.stem).items():
        stated = expected.get(exercise, FULL_MARKS)
        assert stated.contradicted(verdict) == ""
        if stated.mistake:
            assert verdict.mistakes == (stated.mistake,)
        assert verdict.relation == stated.relation
        assert stated.reason in verdict.explanation


@needs_sandbox
def test_the_class_is_reported_exported_and_judged_again(teacher):
    assert "average speed" in teacher.type(f"autograder report {LESSON}")
    teacher.type("autograder export json\nautograder export canvas")
    told = json.loads((teacher.folder / "reports" / "json.json").read_text("utf8"))
    assert "Nothing falls upwards" in json.dumps(told)
    rows = list(csv.reader((teacher.folder / "reports" / "canvas.csv").open(encoding="utf8")))
    assert any("reference" in row for row in rows)
    key = teacher.folder / "mechanics_keys" / "motion" / "impact_speed.py"
    key.write_text(key.read_text("utf8").replace("twice as fast", "two times as fast"), "utf8")
    assert "1 with changed explanations" in teacher.type(f"autograder rejudge {LESSON} --apply")
    (verdict,) = (v for k, v in graded(teacher, "wrong_two_at_once").items() if "impact" in k)
    assert "two times as fast" in verdict.hints[0]
    teacher.type("autograder release")  # students' checks give the new hint, too


@needs_sandbox
def test_its_judge_is_never_wrong_either(teacher):
    teacher.type("autograder release --check\nautograder demo --all")
    assert re.search(r"0 of \d+ mutants passed", teacher.type("autograder audit"))


@needs_sandbox
def test_students_get_one_wheel_and_their_check_explains(teacher, scratch):  # noqa: F811
    teacher.type("autograder handout")
    unpacked = scratch / "unpacked"
    shutil.unpack_archive(teacher.folder / "handout" / f"{LESSON}.zip", unpacked)
    (wheel,) = unpacked.rglob("*.whl")
    student = type(teacher.environment)(scratch / "student")
    student.install(wheel)
    command = (
        'python -c "\n'
        "from mechanics import check\n"
        "try:\n"
        "    check('motion.falling_time', lambda heights, gravity: 2 * heights / gravity)\n"
        'except AssertionError as error: print(error)"'
    )
    somebody = Teacher(student, unpacked)
    assert "what undoes a square? See section 1." in somebody.type(command)
    told = somebody.type(f"COURSE_LANGUAGE=de {command}")
    assert "Was macht ein Quadrat rückgängig? Siehe Abschnitt 1." in told


def follow(page, environment, folder):
    """Do what a page says in an empty folder; return the teacher who did."""
    environment.install("pip")
    folder.mkdir()
    teacher = Teacher(environment, folder)
    for block in blocks(page):
        if block.language == "sh":
            teacher.type(block.text)
        elif block.language == "text":
            said = " ".join(re.sub("[│┃]", "│", teacher.told).split())
            for line in block.text.splitlines():
                parts = map(re.escape, " ".join(line.split()).split("..."))
                assert re.search(".*".join(parts), said), teacher.told
        elif found := END.fullmatch(block.lead.split(". ")[-1]):
            path = teacher.folder / found[1]
            path.write_text(path.read_text("utf8") + block.text, "utf8")
        else:
            found = NEW_FILE.fullmatch(block.lead)
            (teacher.folder / found[1]).write_text(block.text, "utf8")
    return teacher


def test_a_course_of_ones_own_is_begun_as_the_page_says(engine, scratch):  # noqa: F811
    teacher = follow("your-own-course.md", engine, scratch / "own")
    rows = csv.reader((teacher.folder / "reports" / "canvas.csv").open(encoding="utf8"))
    assert any("wrong_squared" in row for row in rows)


@needs_sandbox
def test_mistakes_that_nobody_foresaw_are_named_as_the_page_says(engine, scratch):  # noqa: F811
    teacher = follow("mistakes.md", engine, scratch / "mistakes")
    page = CourseFolder(teacher.folder).feedback("student12", "01-averages").read_text("utf8")
    assert "how often should a weight count?" in page
    page = CourseFolder(teacher.folder).feedback("student16", "01-averages").read_text("utf8")
    assert "once makes a mean of the sum" in page


def scores(folder):
    """What the gradebook says of everybody."""
    with closing(sqlite3.connect(folder / "gradebook.db")) as database:
        rows = database.execute(
            "SELECT base_cell.name, submitted_assignment.student_id, grade.auto_score FROM grade "
            "JOIN base_cell ON base_cell.id = grade.cell_id "
            "JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id "
            "JOIN submitted_assignment ON submitted_assignment.id = "
            "submitted_notebook.assignment_id WHERE grade.auto_score IS NOT NULL"
        )
        return {(cell, student): score for cell, student, score in rows}


@needs_sandbox
def test_a_course_of_nbgraders_own_is_graded_as_before(engine, scratch):  # noqa: F811
    """nbgrader's quickstart, then with what the page says in its configuration."""
    (scratch / "quick").mkdir()
    teacher = Teacher(engine, scratch / "quick")
    teacher.type("nbgrader quickstart quick\ncd quick\nnbgrader generate_assignment ps1 --create")
    course = scratch / "quick" / "quick"
    teacher.folder = course
    for student, folder in (("solved", "source"), ("left", "release")):
        shutil.copytree(course / folder / "ps1", course / "submitted" / student / "ps1")
    teacher.type("nbgrader autograde ps1")
    stock = scores(course)
    assert len(set(stock.values())) > 1
    page = blocks("grade-the-course-you-have.md")
    (block,) = (b for b in page if "configure(get_config())" in b.text)
    with (course / "nbgrader_config.py").open("a") as config:
        config.write(f"\n{block.text}")
    shutil.rmtree(course / "autograded")
    (course / "gradebook.db").unlink()
    teacher.type("nbgrader generate_assignment ps1 --create --force\nautograder grade ps1")
    assert scores(course) == stock
