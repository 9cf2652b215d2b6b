"""A course with a class, and the command that collects."""

import shutil

import pytest

from autograder.course_folder import STAGING, CourseFolder
from autograder.roster.csv_lists import read_list
from autograder.roster.roster import ROSTER_FILE
from autograder.roster.update import update_roster
from tests.conftest import CONFIG, LESSON, flat
from tests.support.archives import DOWNLOADED, packed
from tests.support.collected import NOTEBOOK


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


@pytest.fixture(scope="session")
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
