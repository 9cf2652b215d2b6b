"""Watching a course: what arrives is graded once it is whole, and feedback goes out."""

import getpass
import json
import os
import shutil
import time
from datetime import UTC, datetime, timedelta

import pytest
from nbgrader.converters import GenerateFeedback
from nbgrader.utils import notebook_hash

from autograder.course_folder import CONFIG, CourseFolder
from autograder.errors import CourseError
from autograder.execution import executor
from autograder.execution.job import Outcome
from autograder.folder_lock import locked
from autograder.grading import watch
from autograder.grading.watch import Publish, Watcher
from tests.support.every_kind import LESSON, Released

ME = getpass.getuser()


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    return Released(tmp_path_factory.mktemp("released"))


@pytest.fixture
def course(released, tmp_path):
    """A course folder with an exchange beside it."""
    root = shutil.copytree(released.root, tmp_path / "course")
    (tmp_path / "exchange" / "attention" / "inbound").mkdir(parents=True)
    with (root / CONFIG).open("a") as file:
        file.write(f"c.Exchange.root = {str(tmp_path / 'exchange')!r}\n")
    return CourseFolder(root)


@pytest.fixture
def hand_in(course, released):
    """Put an answered notebook into somebody's folder."""

    def put(student, text="Because.", folder=None):
        notebook = released.answered()
        next(cell for cell in notebook.cells if cell.id == "essay").source = text
        folder = folder or course.submitted(student, LESSON)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{LESSON}.ipynb").write_text(json.dumps(notebook))
        return folder

    return put


def looking(course, **options):
    return Watcher(course, [LESSON], jobs=1, **options)


def graded(watcher):
    """Whose results a look gave."""
    return [event.row.student for event in watcher.look() if event.row]


def said(watcher):
    """What a look told of problems, and of feedback."""
    return [event.problem or event.published for event in watcher.look() if not event.row]


def test_what_arrives_is_graded_once_and_again_when_it_is_handed_in_again(
    course, hand_in, executed
):
    watcher = looking(course)
    assert graded(watcher) == []
    hand_in("ada")
    assert graded(watcher) == []  # it may still be changing
    assert graded(watcher) == ["ada"]
    hand_in("ben")
    assert graded(watcher) + graded(watcher) + graded(watcher) == ["ben"]
    hand_in("ada", "Therefore.")
    assert graded(watcher) + graded(watcher) == ["ada"]
    assert executed == ["ada", "ben", "ada"]
    # A new watcher finds nothing to do.
    other = looking(course)
    assert graded(other) + graded(other) == []


def test_what_the_gradebook_has_lost_is_graded_again_as_grade_does(course, hand_in, executed):
    hand_in("ada")
    watcher = looking(course)
    assert graded(watcher) + graded(watcher) == ["ada"]
    with course.nbgrader.gradebook as gradebook:
        gradebook.remove_submission(LESSON, "ada")
    other = looking(course)
    assert graded(other) + graded(other) == ["ada"]


def test_no_half_copy_is_graded(course, hand_in, executed):
    watcher = looking(course)
    folder = hand_in("ada")
    notebook = folder / f"{LESSON}.ipynb"
    content = notebook.read_bytes()
    for size in (0, 100, 1000):
        notebook.write_bytes(content[:size])
        assert graded(watcher) == []
    notebook.write_bytes(content)
    (folder / "data").mkdir()
    for size in (10, 20, 30):  # further down, too
        (folder / "data" / "table.csv").write_bytes(b"1" * size)
        assert graded(watcher) == []
    assert graded(watcher) == ["ada"]
    assert executed == ["ada"]


def test_a_folder_that_is_being_replaced_stops_nothing(course, hand_in, executed, monkeypatch):
    watcher = looking(course)
    hand_in("ada")
    hand_in("ben")
    graded(watcher)
    real = watch._all_files

    def gone(folder):
        if "ada" in folder.parts:
            raise FileNotFoundError(folder)
        return real(folder)

    with monkeypatch.context() as patch:
        patch.setattr(watch, "_all_files", gone)
        assert graded(watcher) == ["ben"]
    assert graded(watcher) + graded(watcher) == ["ada"]


def test_who_hands_in_often_waits(course, hand_in, executed):
    watcher = looking(course, pause=10)
    hand_in("ada")
    assert graded(watcher) + graded(watcher) == ["ada"]
    hand_in("ada", "Therefore.")
    hand_in("ben")
    assert graded(watcher) + graded(watcher) + graded(watcher) == ["ben"]
    earlier = time.time() - 11 * 60
    os.utime(course.autograded("ada", LESSON), (earlier, earlier))
    assert graded(watcher) == ["ada"]


def test_a_refused_submission_is_told_each_time_and_tried_when_it_changes(
    course, hand_in, executed
):
    watcher = looking(course)
    folder = course.submitted("ada", LESSON)
    folder.mkdir(parents=True)
    (folder / "notes.txt").write_text("mine")
    rows = [event.row for _ in range(3) for event in watcher.look()]
    assert ["is missing" in row.problem for row in rows] == [True]
    (folder / "notes.txt").write_text("mine, too")
    rows = [event.row for _ in range(3) for event in watcher.look()]
    assert ["is missing" in row.problem for row in rows] == [True]
    hand_in("ada")
    assert graded(watcher) + graded(watcher) == ["ada"]
    assert executed == ["ada"]


def test_what_fails_on_our_side_is_tried_again_and_told_once(course, hand_in, monkeypatch):
    def fail(notebook, folder, plan):
        raise ZeroDivisionError("of the grader")

    monkeypatch.setattr(watch, "_RETRY", 0.0)
    watcher = looking(course)
    hand_in("ada")
    with monkeypatch.context() as patch:
        patch.setattr(executor, "execute", fail)
        rows = [event.row for _ in range(4) for event in watcher.look()]
    assert ["not graded: ZeroDivisionError" in row.problem for row in rows] == [True]
    outcome = Outcome({}, "", {"start": 1.0, "cells": 2.0, "cpu": 3.0})
    monkeypatch.setattr(executor, "execute", lambda *_: outcome)
    (event,) = watcher.look()
    assert (event.row.student, event.row.problem) == ("ada", "")


def test_it_waits_while_another_command_is_at_work(course, hand_in, executed):
    watcher = looking(course)
    hand_in("ada")
    assert said(watcher) == []
    with locked(course):
        assert said(watcher)[0].startswith("waiting: Another command is at work")
        assert said(watcher) == []
    assert graded(watcher) == ["ada"]
    publishing = looking(course, publish=Publish.now)
    with locked(course):
        assert said(publishing)[0].startswith("waiting: Another command is at work")
    assert said(publishing) == ["ada"]


def test_a_course_that_cannot_be_graded_says_so(course, hand_in, executed):
    (course.root / "gradebook.db").unlink()
    watcher = looking(CourseFolder(course.root))
    hand_in("ada")
    with pytest.raises(CourseError, match="does not know"):
        [*watcher.look(), *watcher.look()]


def test_a_backlog_does_not_keep_new_ones_waiting(course, hand_in, executed, monkeypatch):
    monkeypatch.setattr(watch, "_ROUND", 2)
    watcher = looking(course)
    for number in range(5):
        hand_in(f"s{number}")
    graded(watcher)
    looks = [graded(watcher) for _ in range(3)]
    assert [len(students) for students in looks] == [2, 2, 1]
    assert sorted(executed) == [f"s{number}" for number in range(5)]


# --- the exchange and feedback --------------------------------------------------------------------


@pytest.fixture
def submit(course, hand_in):
    """Hand in as ``nbgrader submit`` does, in its steps."""

    def go(stamp="2026-01-10 11:59:00 UTC", text="Because.", whole=True):
        inbound = course.root.parent / "exchange" / "attention" / "inbound"
        folder = inbound / f"{ME}+{LESSON}+{stamp}+c2VjcmV0"
        hand_in(ME, text, folder)
        if whole:
            (folder / "timestamp.txt").write_text(stamp)
            (folder / "submission_secret.txt").write_text("secret")
            folder.chmod(0o777)
        return folder

    return go


def page_in_exchange(course):
    name = notebook_hash(secret="secret", notebook_id=LESSON)
    return course.root.parent / "exchange" / "attention" / "feedback" / f"{name}.html"


def test_what_is_handed_in_through_the_exchange_is_graded_when_it_is_whole(
    course, submit, executed
):
    watcher = looking(course)
    folder = submit(whole=False)
    assert graded(watcher) + graded(watcher) + graded(watcher) == []
    assert not course.submitted(ME, LESSON).exists()
    submit()
    assert graded(watcher) + graded(watcher) == [ME]
    submit("2026-01-11 11:59:00 UTC", "Therefore.")
    assert graded(watcher) + graded(watcher) == [ME]
    # What another program left without nbgrader's permissions is taken after a minute.
    folder = submit("2026-01-12 11:59:00 UTC", "At last.")
    folder.chmod(0o755)
    assert graded(watcher) + graded(watcher) == []
    earlier = time.time() - 61
    os.utime(folder, (earlier, earlier))
    assert graded(watcher) + graded(watcher) == [ME]


def test_feedback_is_published_at_once(course, submit, hand_in, executed):
    watcher = looking(course, publish=Publish.now)
    submit()
    hand_in("ada")
    assert said(watcher) == []
    assert sorted(said(watcher)) == sorted(["ada", ME])
    assert "Because." in page_in_exchange(course).read_text("utf8")
    assert course.feedback("ada", LESSON).is_file()
    assert said(watcher) + said(looking(course, publish=Publish.now)) == []
    submit("2026-01-11 11:59:00 UTC", "Therefore.")
    assert said(watcher) + said(watcher) == [ME]
    assert "Therefore." in page_in_exchange(course).read_text("utf8")


def test_feedback_waits_for_the_due_date_and_for_an_extension(course, hand_in, executed):
    watcher = looking(course, publish=Publish.due)
    hand_in("ada")
    hand_in("ben")
    assert said(watcher) == []
    (problem,) = said(watcher) + said(watcher)
    assert problem.startswith("no due date, so no feedback")

    def set_due(due):
        with course.nbgrader.gradebook as gradebook:
            assignment = gradebook.find_assignment(LESSON)
            assignment.duedate = due.replace(tzinfo=None)
            gradebook.update_or_create_submission(LESSON, "ben", extension=timedelta(hours=2))
            gradebook.db.commit()

    now = datetime.now(UTC)
    set_due(now + timedelta(hours=1))
    assert said(watcher) == []
    set_due(now - timedelta(hours=1))
    assert said(watcher) == ["ada"]
    set_due(now - timedelta(hours=3))
    assert said(watcher) == ["ben"]
    assert said(watcher) == []


def test_without_being_told_so_nothing_is_published(course, submit, executed):
    watcher = looking(course)
    submit()
    assert said(watcher) + said(watcher) == []
    assert not course.folder("feedback").exists()


def test_feedback_that_cannot_be_made_is_told_once(course, hand_in, executed, monkeypatch):
    watcher = looking(course, publish=Publish.now)
    hand_in("ada")
    assert said(watcher) == []
    with monkeypatch.context() as patch:
        patch.setattr(CourseFolder, "run", lambda *_, **__: "one\nno template")
        assert said(watcher) == ["ada: no feedback was published: no template"]
        assert said(watcher) == []


def test_an_interrupt_is_not_taken_for_a_failure(course, hand_in, executed, monkeypatch):
    def interrupted(self):
        raise KeyboardInterrupt

    watcher = looking(course, publish=Publish.now)
    hand_in("ada")
    assert said(watcher) == []
    monkeypatch.setattr(GenerateFeedback, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        said(watcher)
    monkeypatch.undo()
    assert said(looking(course, publish=Publish.now)) == ["ada"]


def test_an_exchange_that_is_not_there_is_told_once(course, hand_in, executed):
    shutil.rmtree(course.root.parent / "exchange")
    watcher = looking(course)
    hand_in("ada")
    (problem,) = said(watcher)
    assert problem.startswith("nothing comes from nbgrader's exchange")
    assert "\n" not in problem
    assert graded(watcher) == ["ada"]


def test_a_submission_in_another_name_is_told_once(course, submit, executed):
    folder = submit()
    folder.rename(folder.with_name(folder.name.replace(ME, "somebody")))
    watcher = looking(course)
    (problem,) = said(watcher)
    assert "Not collected" in problem and "belongs to" in problem
    assert said(watcher) == []
