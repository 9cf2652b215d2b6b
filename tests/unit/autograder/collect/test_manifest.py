"""What is remembered of a collection: who is late, and what could not be taken."""

from autograder.collect.manifest import COLLECTED_FILE, late_without_time
from autograder.course_folder import CourseFolder
from autograder.roster.roster import read_roster
from tests.conftest import LESSON, flat
from tests.support.archives import Handed, canvas, canvas_submissions, moodle
from tests.support.collected import NOTEBOOK, stamp, submitted, times_file


def test_late_for_sure_but_nobody_knows_by_how_much(course, collected, tmp_path):
    """Canvas' LATE_ is shown and remembered, and never becomes a time."""
    people = [Handed("Li, Bo", 13, {NOTEBOOK: b"bo's"}, late=True)]
    people.append(Handed("Doe, Jane", 12, {NOTEBOOK: b"jane's"}))
    result = collected(canvas(people))
    assert "Late by an unknown time, so without a penalty: libo" in result.out
    assert "doejane" not in result.out.partition("Late by")[2]
    assert stamp(course, "libo") is None
    folder = CourseFolder(course)
    assert late_without_time(folder, LESSON) == ["libo"]
    # Once the time is known, lateness is worked out from it.
    rows = [{"user_id": 13, "submitted_at": "2026-03-02T08:30:00Z"}]
    times = times_file(tmp_path, canvas_submissions(rows), "s.json")
    result = collected(canvas(people), *times)
    assert "the submission time was added" in result.out
    assert stamp(course, "libo") == "2026-03-02 08:30:00"
    assert late_without_time(folder, LESSON) == []


def test_what_could_not_be_collected_is_not_nothing(course, listed, collected, autograder):
    listed("moodle")
    handed = [
        Handed("Sinéad O'Brien", 52, {NOTEBOOK: b"sinead's"}),
        Handed("Jane Doe", 54, {"essay.docx": b"jane3's"}),
    ]
    collected(moodle(handed))

    def missing():
        told = autograder("roster", "--missing", LESSON, course=course)
        return flat(told.out)

    people = len(read_roster(CourseFolder(course)).enrolled)
    reason = f"not collected: there is no {NOTEBOOK}, only essay.docx"
    assert reason in missing()
    assert f"{LESSON}: {people - 2} of {people} handed in nothing: " in missing()
    assert f"; 1 of {people} with a submission that could not be collected: jane3" in missing()
    # A dry run leaves no trace, and what is collected later counts.
    collected(moodle([Handed("Zoë van den Berg Smith", 51, {"a.txt": b""})]), "--dry-run")
    assert missing().count("not collected") == 1
    collected(moodle([Handed("Jane Doe", 54, {NOTEBOOK: b"jane3's"})]))
    assert "not collected" not in missing()
    # Nor does a later attempt that can't be taken undo an earlier one.
    collected(moodle(handed[1:]))
    assert "not collected" not in missing()


def test_a_student_with_a_new_id_is_still_late(course, listed, collected, autograder):
    listed("canvas")
    collected(canvas([Handed("Doe, Jane", 1002, {NOTEBOOK: b""}, late=True)]))
    assert autograder("rename-student", "jane2", "jdoe", course=course).code == 0
    assert late_without_time(CourseFolder(course), LESSON) == ["jdoe"]
    again = collected(canvas([Handed("Doe, Jane", 1002, {NOTEBOOK: b""}, late=True)]))
    assert "already collected" in again.out


def test_what_cannot_be_remembered_is_told_and_comes_with_the_next_run(course, collected):
    obstacle = course / f".{COLLECTED_FILE}.unfinished"
    obstacle.mkdir()
    bo = canvas([Handed("Li, Bo", 13, {NOTEBOOK: b"bo's"}, late=True)])
    result = collected(bo)
    assert result.code == 2
    assert "The submissions are in place" in flat(result.err)
    assert set(submitted(course)) == {f"libo/{LESSON}/{NOTEBOOK}"}
    obstacle.rmdir()
    assert "already collected" in collected(bo).out
    assert late_without_time(CourseFolder(course), LESSON) == ["libo"]
