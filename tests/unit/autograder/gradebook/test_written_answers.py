"""Written answers are reserved, marked and marked again; nobody gets somebody else's."""

import os
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import delete

from autograder.gradebook import written_answers
from autograder.gradebook.written_answers import (
    FIRST,
    REVIEW,
    SECOND,
    Mark,
    NotMarked,
    NotReserved,
    Shares,
    WrittenAnswers,
    WrittenMark,
)
from tests.support.written_answers import (
    GIVEN,
    LESSON,
    QUESTION,
    STUDENTS,
    enter_class,
    grades,
    mark_all,
    mark_in_formgrader,
    marked_by_many,
    wait_again,
)


@pytest.fixture
def url(tmp_path, monkeypatch):
    # nbgrader runs alembic by name.
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    enter_class(url)
    return url


@pytest.fixture
def answers(url):
    return WrittenAnswers(url, LESSON, 0.2)


def owner(answers, answer):
    """The student and the notebook."""
    return answers.owners(answer)[answer]


def test_a_mark_counts_in_nbgraders_own_columns(url, answers):
    reserved = answers.reserve_next(QUESTION, "ada")
    student, notebook = owner(answers, reserved.answer)
    assert notebook == "first"
    mark = Mark(("depth",), total=1.5, comment="Which root?")
    answers.save(QUESTION, reserved.answer, "ada", mark, 12.0)
    found = grades(url)
    assert found.pop(student) == (1.5, "Which root?", False)
    assert set(found.values()) == {(None, None, True)}
    assert answers.find(QUESTION, reserved.answer, "ada").mark == mark
    assert answers.comments(QUESTION, "ada") == [("Which root?", ("depth",))]
    progress = answers.progress(QUESTION, "ada")
    assert (progress.waiting, progress.marked, progress.mine, progress.seconds) == (29, 1, 1, 12.0)


def test_an_answer_that_was_shown_is_shown_again_until_it_is_marked(answers):
    reserved = answers.reserve_next(QUESTION, "ada")
    assert answers.reserve_next(QUESTION, "ada") == reserved
    assert answers.reserve_next(QUESTION, "ben").answer != reserved.answer


def test_nobody_can_mark_what_somebody_else_has(answers):
    reserved = answers.reserve_next(QUESTION, "ada")
    with pytest.raises(NotReserved):
        answers.save(QUESTION, reserved.answer, "ben", Mark(), 1.0)
    with pytest.raises(NotReserved):
        answers.find(QUESTION, reserved.answer, "ben")


def test_each_grader_has_an_order_of_their_own(url):
    first = [each.answer for each in mark_all(WrittenAnswers(url, LESSON, 0.0), "ada")]
    with Gradebook(url) as gradebook:
        gradebook.db.execute(delete(WrittenMark))
        gradebook.db.commit()
    wait_again(url)
    second = [each.answer for each in mark_all(WrittenAnswers(url, LESSON, 0.0), "ben")]
    assert sorted(first) == sorted(second)
    assert first != second


def test_answers_that_are_marked_together_have_a_mark_each(url, answers):
    other = answers.reserve_next(QUESTION, "ben").answer
    shown = answers.reserve_next(QUESTION, "ada")
    waiting = answers.waiting(QUESTION, "ada")
    assert len(waiting) == len(STUDENTS) - 1
    assert other not in waiting
    alike, *rest = sorted(waiting.keys() - {shown.answer})
    changed, _ = owner(answers, rest[0])
    wait_again(url, changed)  # hands in another text while the first one is on the screen
    also = {alike: waiting[alike], rest[0]: waiting[rest[0]], other: "0", shown.answer: "0"}
    assert answers.save(QUESTION, shown.answer, "ada", GIVEN, 12.0, also) == 1
    marked = {each.answer: each for each in answers.marked(QUESTION)}
    assert marked.keys() == {shown.answer, alike}
    assert {(each.grader, each.turn, each.seconds) for each in marked.values()} == {
        ("ada", FIRST, 6.0)
    }
    assert grades(url)[owner(answers, alike)[0]] == (1.0, "", False)
    assert answers.progress(QUESTION, "ada").waiting == len(STUDENTS) - 2
    answers.save(QUESTION, alike, "ada", Mark(total=0.0), 1.0)  # each can still be changed alone
    totals = {each.answer: each.mark.total for each in answers.marked(QUESTION)}
    assert totals == {shown.answer: 1.0, alike: 0.0}
    mine = answers.marked_by(QUESTION, "ada")
    assert mine.keys() == totals.keys()
    assert answers.marked_by(QUESTION, "ben") == {}
    again = Mark(("depth",), points=0.5, total=0.5)
    also = {alike: mine[alike]}
    assert answers.save(QUESTION, shown.answer, "ada", again, 1.0, also) == 1  # and together again
    assert {each.mark.total for each in answers.marked(QUESTION)} == {0.5}
    assert grades(url)[owner(answers, alike)[0]][0] == 0.5
    mark_in_formgrader(url, owner(answers, alike)[0], 2.0)
    assert answers.save(QUESTION, shown.answer, "ada", GIVEN, 1.0, also) == 0
    assert grades(url)[owner(answers, alike)[0]][0] == 2.0


def test_only_first_marks_are_given_together(url):
    answers = WrittenAnswers(url, LESSON, 1.0)
    reserved = answers.reserve_next(QUESTION, "ada")
    answers.save(QUESTION, reserved.answer, "ada", GIVEN, 1.0)
    second = next(
        each
        for each in iter(lambda: answers.reserve_next(QUESTION, "ben", (SECOND,)), None)
        if each.turn == SECOND
    )
    also = answers.waiting(QUESTION, "ben")
    assert answers.save(QUESTION, second.answer, "ben", GIVEN, 1.0, also) == 0
    assert len(answers.marked(QUESTION)) == 2


def test_a_share_is_marked_by_those_who_are_named_for_it(url):
    named = {STUDENTS[0]: {"ben"}, STUDENTS[1]: {"ben", "cem"}}
    answers = WrittenAnswers(url, LESSON, 1.0, Shares(by_student=named))
    progress = answers.progress(QUESTION, "ada")
    assert (progress.waiting, progress.others) == (len(STUDENTS) - 2, 2)
    assert len(answers.waiting(QUESTION, "ada")) == len(STUDENTS) - 2
    assert len(mark_all(answers, "ada")) == len(STUDENTS) - 2
    cems = mark_all(answers, "cem")
    assert [each.turn for each in cems].count(FIRST) == 1
    assert answers.progress(QUESTION, "ada").again == 1  # a second mark is anybody's
    asked = WrittenAnswers(url, LESSON, 0.0, Shares(named, {QUESTION: {"dan"}}))
    assert len(mark_all(asked, "dan")) == 1
    assert answers.progress(QUESTION, "ben").waiting == 0


def test_a_share_is_marked_twice_by_somebody_else_who_sees_no_mark(url, answers):
    assert not any(each.turn == SECOND for each in mark_all(answers, "ada"))
    again = answers.progress(QUESTION, "ben").again
    assert 1 <= again <= 15
    assert answers.progress(QUESTION, "ada").again == 0
    counted = grades(url)
    blind = mark_all(answers, "ben", Mark((), points=0.0, total=0.0, comment="No."))
    assert len(blind) == again
    assert all(each.turn == SECOND and each.mark is None for each in blind)
    assert grades(url) == counted
    second = [each for each in answers.marked(QUESTION) if each.turn == SECOND]
    assert {each.answer for each in second} == {each.answer for each in blind}
    assert {(each.grader, each.mark.total) for each in second} == {("ben", 0.0)}


def test_a_flagged_answer_is_always_marked_a_second_time(url):
    answers = WrittenAnswers(url, LESSON, 0.0)
    reserved = answers.reserve_next(QUESTION, "ada")
    answers.save(QUESTION, reserved.answer, "ada", Mark(flagged=True), 1.0)
    mark_all(answers, "ada")
    assert answers.progress(QUESTION, "ben").flagged == 1
    (second,) = mark_all(answers, "ben")
    assert (second.answer, second.turn) == (reserved.answer, SECOND)


def test_what_the_formgrader_marked_waits_for_nobody(url, answers):
    with Gradebook(url) as gradebook:
        grade = gradebook.find_grade(QUESTION, "first", LESSON, STUDENTS[0])
        grade.manual_score, grade.needs_manual_grade = 2.0, False
        gradebook.db.commit()
    assert len(mark_all(answers, "ada")) == 29
    assert grades(url)[STUDENTS[0]][0] == 2.0


def test_another_answer_waits_again_and_nothing_about_the_earlier_one_is_taken_over(url):
    answers = WrittenAnswers(url, LESSON, 1.0)
    mark_all(answers, "ada")
    mark_all(answers, "ben", Mark(total=0.0, comment="No."))
    assert answers.enter_request(QUESTION, STUDENTS[0], "Please look again.")
    wait_again(url, STUDENTS[0])
    progress = answers.progress(QUESTION, "cem")
    assert (progress.waiting, progress.marked) == (1, len(STUDENTS) - 1)
    reserved = answers.reserve_next(QUESTION, "cem")
    assert (owner(answers, reserved.answer)[0], reserved.mark) == (STUDENTS[0], None)
    assert reserved.answer not in {each.answer for each in answers.marked(QUESTION)}
    answers.save(QUESTION, reserved.answer, "cem", GIVEN, 1.0)
    assert answers.progress(QUESTION, "dan").review == len(STUDENTS) - 1
    assert answers.enter_request(QUESTION, STUDENTS[0], "Please look again.")


@pytest.mark.parametrize("turn", [FIRST, SECOND])
def test_a_mark_for_an_answer_that_was_handed_in_again_is_refused(url, turn):
    answers = WrittenAnswers(url, LESSON, 1.0)
    if turn == SECOND:
        mark_all(answers, "ada")
    reserved = answers.reserve_next(QUESTION, "ben")
    assert reserved.turn == turn
    student, _ = owner(answers, reserved.answer)
    wait_again(url, student)
    with pytest.raises(NotReserved, match="handed in another answer"):
        answers.save(QUESTION, reserved.answer, "ben", GIVEN, 1.0)
    assert grades(url)[student][2]  # it waits


def test_points_that_were_given_in_the_formgrader_stay(url):
    answers = WrittenAnswers(url, LESSON, 1.0)
    reserved = answers.reserve_next(QUESTION, "ada")
    student, _ = owner(answers, reserved.answer)
    mark_in_formgrader(url, student, 2.0)
    with pytest.raises(NotReserved, match="in the formgrader"):
        answers.save(QUESTION, reserved.answer, "ada", GIVEN, 1.0)
    mark_all(answers, "ada")
    done = next(each for each in answers.marked(QUESTION) if each.answer != reserved.answer)
    other, _ = owner(answers, done.answer)
    mark_in_formgrader(url, other, 1.5)
    mark_all(answers, "ben", Mark(total=0.0))
    answers.change_total(QUESTION, done, 2.0)
    found = grades(url)
    assert (found[student][0], found[other][0]) == (2.0, 1.5)
    reviewed = {each.answer for each in reviews(answers, "cem")}
    assert reviewed.isdisjoint({reserved.answer, done.answer})


def test_an_answer_that_somebody_left_is_free_after_a_while(answers, monkeypatch):
    reserved = answers.reserve_next(QUESTION, "ada")
    now = written_answers._now
    monkeypatch.setattr(
        written_answers, "_now", lambda: now() + written_answers.RESERVED_FOR + timedelta(seconds=1)
    )
    assert reserved.answer in {each.answer for each in mark_all(answers, "ben")}
    with pytest.raises(NotReserved, match="Somebody else is marking this answer now"):
        answers.save(QUESTION, reserved.answer, "ada", Mark(), 1.0)


def test_six_graders_at_once_share_the_class(url):
    first, second = marked_by_many(url, "abcdef")
    assert len(set(first)) == len(first) == len(STUDENTS)
    assert 1 <= len(set(second)) == len(second)
    assert {score for score, _, waits in grades(url).values() if not waits} == {1.0}


def test_other_points_for_the_same_items_count(url, answers):
    first, second = (answers.reserve_next(QUESTION, grader) for grader in ("ada", "ben"))
    answers.save(QUESTION, first.answer, "ada", Mark(("depth",), total=1.0, comment="kept"), 1.0)
    answers.save(QUESTION, second.answer, "ben", Mark(("depth",), points=0.5, total=0.5), 1.0)
    marked = next(each for each in answers.marked(QUESTION) if each.grader == "ada")
    assert (marked.answer, marked.turn, marked.mark.points) == (first.answer, FIRST, None)
    answers.change_total(QUESTION, marked, 2.0)
    student, _ = owner(answers, first.answer)
    assert grades(url)[student] == (2.0, "kept", False)
    totals = {each.grader: each.mark.total for each in answers.marked(QUESTION)}
    assert totals == {"ada": 2.0, "ben": 0.5}


def review(answers, grader):
    return answers.reserve_next(QUESTION, grader, (REVIEW,))


def reviews(answers, grader, mark=GIVEN):
    """Review as long as there is something to review."""
    done = []
    while reserved := review(answers, grader):
        answers.save(QUESTION, reserved.answer, grader, mark, 1.0)
        done.append(reserved)
    return done


def test_a_disagreement_is_decided_by_another_than_the_first_and_counts(url):
    answers = WrittenAnswers(url, LESSON, 1.0)
    mark_all(answers, "ada")
    mark_all(answers, "ben", Mark((), total=0.0, comment="Nothing."))
    assert answers.progress(QUESTION, "cem").review == len(STUDENTS)
    assert review(answers, "ada") is None
    reserved = review(answers, "cem")
    assert (reserved.turn, reserved.mark, reserved.request) == (REVIEW, None, "")
    assert [mark.total for mark in reserved.earlier] == [1.0, 0.0]
    assert review(answers, "cem") == reserved
    decision = Mark(("depth",), points=0.5, total=0.5, comment="Half of it.")
    answers.save(QUESTION, reserved.answer, "cem", decision, 5.0)
    student, _ = owner(answers, reserved.answer)
    assert grades(url)[student] == (0.5, "Half of it.", False)
    answers.save(QUESTION, reserved.answer, "ada", Mark(total=2.0), 1.0)  # too late to count
    assert grades(url)[student] == (0.5, "Half of it.", False)
    assert answers.progress(QUESTION, "dan").review == len(STUDENTS) - 1


def test_reviews_begin_where_two_people_differ_most(url):
    answers = WrittenAnswers(url, LESSON, 1.0)
    mark_all(answers, "ada")
    totals = iter(range(len(STUDENTS)))
    while reserved := answers.reserve_next(QUESTION, "ben"):
        answers.save(QUESTION, reserved.answer, "ben", Mark(total=next(totals) / 20), 1.0)
    marks = [each.earlier[1].total for each in reviews(answers, "cem")]
    differences = [abs(1.0 - total) for total in marks]
    assert differences == sorted(differences, reverse=True)
    assert len(differences) == len(STUDENTS) - 1  # one of them is 1.0


def test_the_second_may_review_and_that_counts(url):
    answers = WrittenAnswers(url, LESSON, 1.0)
    mark_all(answers, "ada")
    mark_all(answers, "ben", Mark(total=0.0))
    opened = review(answers, "ben")
    assert answers.progress(QUESTION, "ben").review == len(STUDENTS)  # what is open is his
    assert answers.progress(QUESTION, "cem").review == len(STUDENTS) - 1
    done = reviews(answers, "ben", Mark(total=0.5))
    assert opened.answer == done[0].answer
    assert {each.answer for each in done} == {each.answer for each in answers.marked(QUESTION)}
    assert {points for points, _, _ in grades(url).values()} == {0.5}
    second = {each.mark.total for each in answers.marked(QUESTION) if each.turn == SECOND}
    assert second == {0.0}


def test_comments_that_would_tell_the_first_mark_are_not_offered(url):
    answers = WrittenAnswers(url, LESSON, 1.0)
    mark_all(answers, "ada", Mark(comment="Wrong."))
    assert answers.comments(QUESTION, "ada") == [("Wrong.", ())]
    assert answers.comments(QUESTION, "ben") == []


def test_two_who_agree_need_no_review(url):
    answers = WrittenAnswers(url, LESSON, 1.0)
    mark_all(answers, "ada")
    mark_all(answers, "ben")
    assert answers.progress(QUESTION, "cem").review == 0


def test_a_students_request_is_put_before_another_person_once(url, answers):
    with pytest.raises(NotMarked, match="Nobody has marked an answer of student-00 to why"):
        answers.enter_request(QUESTION, STUDENTS[0], "Too early.")
    mark_all(answers, "ada")
    assert answers.enter_request(QUESTION, STUDENTS[0], "I did name the depth.")
    assert not answers.enter_request(QUESTION, STUDENTS[0], "I did name the depth.")
    assert review(answers, "ada") is None
    reserved = review(answers, "ben")
    assert owner(answers, reserved.answer)[0] == STUDENTS[0]
    assert (reserved.request, len(reserved.earlier)) == ("I did name the depth.", 1)
    answers.save(QUESTION, reserved.answer, "ben", Mark(total=2.0, comment="True."), 5.0)
    assert grades(url)[STUDENTS[0]] == (2.0, "True.", False)
    assert review(answers, "cem") is None
    assert answers.enter_request(QUESTION, STUDENTS[0], "Still not enough.")
    again = review(answers, "cem")
    assert (again.request, again.mark) == ("Still not enough.", None)
    assert [mark.total for mark in again.earlier] == [2.0, 1.0]  # the one that counts first
    assert grades(url)[STUDENTS[0]][0] == 2.0  # until it is decided
    answers.save(QUESTION, again.answer, "cem", Mark(total=1.5), 5.0)
    assert grades(url)[STUDENTS[0]][0] == 1.5


def test_what_was_decided_about_another_answer_counts_no_longer(url):
    answers = WrittenAnswers(url, LESSON, 1.0)
    mark_all(answers, "ada")
    mark_all(answers, "ben", Mark(total=0.0))
    answered = review(answers, "cem").answer
    answers.save(QUESTION, answered, "cem", Mark(total=2.0), 5.0)
    student, _ = owner(answers, answered)
    wait_again(url, student)
    assert answers.reserve_next(QUESTION, "dan", (FIRST,)).answer == answered
    answers.save(QUESTION, answered, "dan", Mark(total=1.5), 5.0)
    assert grades(url)[student][0] == 1.5
