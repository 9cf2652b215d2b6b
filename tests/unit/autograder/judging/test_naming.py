"""A change of a solution that becomes a known mistake: its entry, the checks, the key's file."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.errors import CourseError
from autograder.judging import naming
from autograder.judging.candidates import candidates
from autograder.judging.keys import IDEA, PART, SLIP, Key, key_file, key_of
from autograder.judging.naming import Entry
from course import COURSE

NAME = "preprocessing.tf_idf"
KEY = key_of(COURSE, NAME)
FOUND = {str(each.said): each for each in candidates(KEY)}
SQUARED = FOUND["`weights` was squared"]
LONG = "What is squared isn't what the task asks for: " * 5 + "is it?"


def entry(found=SQUARED, name="squared", hint="Why is it squared?", cost=None):
    return naming.entry_of(KEY, found, name, hint, cost)


def test_an_entry_is_what_a_key_gets():
    (old, new) = entry().changes
    assert entry() == Entry("squared", "Why is it squared?", (old, new), SQUARED.cost)
    key = Key(KEY.exercise, KEY.solution)
    exec(str(entry(hint=f"  {LONG}\n", cost=PART)), {"KEY": key, "PART": PART})
    (made,) = key.mistakes
    assert made.hints[0].sentence == LONG
    assert (made.name, made.costs) == ("squared", (PART,))
    assert old in ast.unparse(ast.parse(Path(key_file(COURSE, NAME)).read_text("utf8")))


@pytest.mark.parametrize(
    ("hint", "written"),
    [
        ("It is squared", "It is squared."),
        ("It is `x`", "It is `x`."),
        ("It is (squared)", "It is (squared)."),
        ("Why?", "Why?"),
        ('"Why?"', '"Why?"'),
        ("Not this one!", "Not this one!"),
        ("No.", "No."),
    ],
)
def test_a_hint_ends_as_a_sentence_does(hint, written):
    assert entry(hint=hint).hint == written


@pytest.mark.parametrize(
    "text", ["", "a\n    b", '"in quotes"', "'both' \"kinds\"", "\\d\t", LONG, "x" * 200, "  a  "]
)
def test_every_text_is_written_as_it_is(text):
    written = str(Entry("name", text, (text, text), IDEA))
    (statement,) = ast.parse(written).body
    assert [ast.literal_eval(each) for each in statement.value.args] == ["name", text, text, text]


WRONG = {
    "a name that is none": ({"name": "not a name"}, "'not a name' can't be a mistake's name"),
    "a keyword": ({"name": "lambda"}, "'lambda' can't be a mistake's name"),
    "a name that is taken": (
        {"name": KEY.mistakes[0].name},
        f"two known mistakes are called '{KEY.mistakes[0].name}'",
    ),
    "the name that says that there is none": ({"name": "none"}, "'none' can't be a mistake's"),
    "a name of Python's own": ({"name": "__doc__"}, "'__doc__' can't be a mistake's name"),
    "a hidden name": ({"name": "_squared"}, "'_squared' can't be a mistake's name"),
    "the key's name": ({"name": "KEY"}, "'KEY' can't be a mistake's name"),
    "the solution's name": ({"name": "tf_idf"}, "'tf_idf' can't be a mistake's name"),
    "no hint": ({"hint": " "}, "the hint is empty"),
    "a change that a key knows": (
        {"found": FOUND["`sqrt` was left out in `lengths`"]},
        "a verdict on its results names 'root_missing'",
    ),
    "a change that costs nothing": (
        {"found": FOUND["`unit_rows` was applied twice"]},
        "the known mistake 'squared' loses nothing",
    ),
}


@pytest.mark.parametrize(("given", "says"), WRONG.values(), ids=WRONG)
def test_what_would_be_no_good_mistake_is_refused(given, says):
    before = list(KEY.mistakes)
    with pytest.raises(CourseError, match="Nothing was written") as refused:
        entry(**given)
    assert says in str(refused.value)
    assert before == KEY.mistakes


@pytest.fixture
def file(tmp_path):
    """A copy of a key of this course."""
    return Path(shutil.copy(key_file(COURSE, NAME), tmp_path / "tf_idf.py"))


def test_it_is_written_below_the_others_as_people_write_them(file):
    before = file.read_text("utf8")
    naming.add(file, entry(hint=LONG, cost=PART))
    after = file.read_text("utf8")
    assert after.replace(f"{entry(hint=LONG, cost=PART)}\n", "") == before
    assert after.index("INPUT_CLASSES = ") > after.index('"squared"')
    ruff = Path(sys.executable).with_name("ruff")
    checked = subprocess.run([ruff, "format", "--check", "--diff", file], capture_output=True)
    assert checked.returncode == 0, checked.stdout.decode()


def test_line_ends_stay_as_they_are(file):
    other = Path(shutil.copy(file, file.with_stem("other")))
    other.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    for each in (file, other):
        naming.add(each, entry())
    assert other.read_bytes() == file.read_bytes().replace(b"\n", b"\r\n")


@pytest.mark.parametrize(
    ("imports", "cost", "after"),
    [
        ("Key", SLIP, "SLIP, Key"),
        ("Key", IDEA, "Key"),
        ("(\n    PART,\n    Key,\n)", SLIP, "PART, SLIP, Key"),
        ("Key as K", PART, "PART, Key as K"),
    ],
)
def test_a_cost_is_imported_where_it_is_missing(tmp_path, imports, cost, after):
    file = tmp_path / "key.py"
    file.write_text(f"from autograder.judging.keys import {imports}\n\nKEY = Key(...)")
    made = Entry("squared", "Why?", ("a", "b"), cost)
    naming.add(file, made)
    line = f"from autograder.judging.keys import {after}"
    assert file.read_text() == f"{line}\n\nKEY = Key(...)\n{made}\n"


def test_what_is_not_the_teachers_is_left_alone_and_the_entry_shown(file, tmp_path):
    installed = tmp_path / "site-packages" / file.name
    installed.parent.mkdir()
    shutil.copy(file, installed)
    other = tmp_path / "key.py"
    other.write_text("import autograder.judging.keys as keys\n")
    file.chmod(0o444)
    for path in (installed, other, file):
        before = path.read_text("utf8")
        with pytest.raises(CourseError) as refused:
            naming.add(path, entry())
        assert str(entry()) in str(refused.value)
        assert path.read_text("utf8") == before
