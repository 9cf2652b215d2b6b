"""Gradescope's export, with its list of who handed what in."""

import shutil
from datetime import UTC, datetime

import pytest

from autograder.course_folder import CourseFolder
from tests.conftest import LESSON
from tests.support.archives import Exported, gradescope
from tests.support.collected import NOTEBOOK, stamp, submitted


def test_gradescopes_export(course, collected):
    noon = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
    jane, bo = ("Jane Doe", "jdoe", "jane@school.org"), ("Bo Li", "", "bo@school.org")
    handed = [
        Exported(100, (jane,), {NOTEBOOK: b"jane's", "data/words.csv": b"w"}, noon),
        Exported(101, (bo, ("Di Ng", "dng", "")), {NOTEBOOK: b"of two"}, noon),
        Exported(102, (("Cy", "cy", ""),), {NOTEBOOK: b"cy's"}),
        Exported(103, (), {NOTEBOOK: b"nobody's"}, noon),
    ]
    result = collected(gradescope(handed), name="export.zip")
    assert result.code == 1
    assert "Gradescope lists no submitter" in result.out
    assert submitted(course) == {
        f"bo@school.org/{LESSON}/{NOTEBOOK}": b"of two",
        f"cy/{LESSON}/{NOTEBOOK}": b"cy's",
        f"dng/{LESSON}/{NOTEBOOK}": b"of two",
        f"jdoe/{LESSON}/{NOTEBOOK}": b"jane's",
        f"jdoe/{LESSON}/data/words.csv": b"w",
    }
    assert stamp(course, "jdoe") == stamp(course, "dng") == "2026-03-02 12:00:00"
    assert stamp(course, "cy") is None
    # Submissions are numbered as they come: a later one is newer, also without a time.
    again = [Exported(99, (("Cy", "cy", ""),), {NOTEBOOK: b"earlier"})]
    assert "the one collected before is newer" in collected(gradescope(again)).out
    again = [Exported(999, (("Cy", "cy", ""),), {NOTEBOOK: b"later"})]
    collected(gradescope(again))
    assert submitted(course)[f"cy/{LESSON}/{NOTEBOOK}"] == b"later"


def test_gradescopes_namesakes_are_told_apart(course, collected, autograder, tmp_path):
    rows = ["John,Smith,100,js1@uni.edu", "John,Smith,101,js2@uni.edu", "Ann,Lee,7,ann@uni.edu"]
    (tmp_path / "class.csv").write_text("\n".join(["First Name,Last Name,SID,Email", *rows]))
    assert autograder("roster", str(tmp_path / "class.csv"), course=course).code == 0
    one, two = ("John Smith", "100", "js1@uni.edu"), ("John Smith", "101", "js2@uni.edu")
    handed = [
        Exported(303, (one,), {NOTEBOOK: b"one's"}),
        Exported(305, (("John Smith", "101", ""),), {NOTEBOOK: b"two's"}),
        Exported(306, (("John Smith", "", "ann@uni.edu"),), {NOTEBOOK: b"ann's"}),
        Exported(307, (("John Smith", "", "other@uni.edu"),), {NOTEBOOK: b"whose?"}),
        Exported(308, (("Ann Lee", "7", "js1@uni.edu"),), {NOTEBOOK: b"whose?"}),
    ]
    result = collected(gradescope(handed))
    assert result.code == 1
    assert submitted(course) == {
        f"ann/{LESSON}/{NOTEBOOK}": b"ann's",
        f"js1/{LESSON}/{NOTEBOOK}": b"one's",
        f"js2/{LESSON}/{NOTEBOOK}": b"two's",
    }
    assert "matched to ann by ann@uni.edu, although 'John Smith' is js1 or js2 in" in result.out
    assert result.out.count("matched to") == 1
    assert "'John Smith' may be js1 and js2" in result.out
    assert "'Ann Lee' may be ann and js1" in result.out
    shutil.rmtree(course / "submitted")
    together = [Exported(400, (one, two), {NOTEBOOK: b"of both"})]
    result = collected(gradescope(together))
    assert (result.code, "matched to" in result.out) == (0, False)
    assert CourseFolder(course).students(LESSON) == ["js1", "js2"]
    renamed = [Exported(401, (("Ann Lee", "", "lee@home.org"),), {NOTEBOOK: b"of Ann"})]
    told = collected(gradescope(renamed)).out
    assert "matched to ann only by the name: the roster doesn't have lee@home.org" in told


def test_gradescopes_list_with_rubys_own_times(course, collected):
    metadata = b"""\
submission_301:
  :submitters:
  - :name: Ann Lee
    :sid: ann
    :email: !ruby/string:ActiveSupport::SafeBuffer ann@uni.edu
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: 2026-11-10 10:00:00.123456000 Z
    zone: &1 !ruby/object:ActiveSupport::TimeZone
      name: America/Los_Angeles
    time: 2026-11-10 02:00:00.123456000 Z
  :history:
  - !ruby/array:Array [1]
"""
    members = {"e/submission_metadata.yml": metadata, f"e/submission_301/{NOTEBOOK}": b"ann's"}
    assert collected(members).code == 0
    assert stamp(course, "ann") == "2026-11-10 10:00:00"


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("!binary QW5uIEzDqWU=", "ann"),
        ("!!binary |-\n      QW5uIEzDqWU=", "ann"),
        ("!binary 'not base64'", ""),
        ("!!binary [x]", ""),
        ("!something:else 2026", ""),
        ("2026-13-45", ""),
        ("!!int one", ""),
        ("!!int [1]", ""),
        ("!!bool perhaps", ""),
        ("!!timestamp noon", ""),
        ("!!python/object/apply:os.system ['true']", ""),
        ("!ruby/object:OpenStruct {a: b}", ""),
    ],
)
def test_an_odd_name_in_gradescopes_list_costs_nobody_else(
    course, collected, autograder, tmp_path, name, student
):
    (tmp_path / "people.csv").write_text("Name,SID\nAnn Lée,ann\nBo,bo\n", "utf8")
    assert autograder("roster", str(tmp_path / "people.csv"), course=course).code == 0
    lists = ("1:\n  :submitters:\n  - :name: " + name, "2:\n  :submitters:\n  - :name: Bo\n")
    metadata = "\n".join(f"submission_{each}" for each in lists).encode()
    members = {"e/submission_metadata.yml": metadata}
    members |= {f"e/submission_{number}/{NOTEBOOK}": b"" for number in (1, 2)}
    result = collected(members)
    assert "Traceback" not in result.err
    assert CourseFolder(course).students(LESSON) == sorted(filter(None, ["bo", student]))
    assert result.code == (not student)


def test_gradescopes_export_without_its_list(course, collected):
    for root in ("assignment_77_export/", ""):
        members = {f"{root}submission_{n}/{NOTEBOOK}": b"" for n in (1, 2)}
        result = collected(members)
        assert result.code == 1
        assert "submission_metadata.yml is missing" in result.out
    assert not (course / "submitted").exists()


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        (b"a: [", "submission_metadata.yml isn't YAML"),
        (b"- 1", "lists no submissions"),
        (b"!!python/object/apply:os.system ['true']", "lists no submissions"),
        (b"!python/object/apply:os.system ['true']", "lists no submissions"),
        (b"submission_1: 3", "these have no owner"),
        (b"submission_1: {':submitters': 3, ':created_at': noon}", "Gradescope lists no submitter"),
        (b"a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]", "these have no owner"),
    ],
)
def test_a_gradescope_list_that_is_none(course, collected, metadata, reason):
    members = {"e/submission_metadata.yml": metadata, f"e/submission_1/{NOTEBOOK}": b""}
    result = collected(members)
    assert result.code == 1
    assert reason in result.out
    assert not (course / "submitted").exists()
