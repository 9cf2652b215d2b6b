"""A class whose answers to one question wait for people, in a gradebook of any kind."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

from nbgrader.api import Gradebook

from autograder.gradebook.saving import GradedAnswer
from autograder.gradebook.students import enter_submission
from autograder.gradebook.written_answers import FIRST, SECOND, Mark, WrittenAnswers

LESSON, QUESTION = "03", "why"
STUDENTS = [f"student-{number:02}" for number in range(30)]
GIVEN = Mark(("depth",), total=1.0)


def enter_class(url):
    """Enter the lesson and the class into a gradebook; everybody has answered."""
    with Gradebook(url) as gradebook:
        gradebook.add_assignment(LESSON)
        gradebook.add_notebook("first", LESSON)
        gradebook.add_grade_cell(QUESTION, "first", LESSON, max_score=2, cell_type="markdown")
        gradebook.add_solution_cell(QUESTION, "first", LESSON)
    for student in STUDENTS:
        enter_submission(url, LESSON, student, None, new_student=True)
    wait_again(url)


def wait_again(url, *student):
    """Let another answer wait for a person, as grading does: everybody's, or one student's."""
    with Gradebook(url) as gradebook:
        for each in student or STUDENTS:
            grade = gradebook.find_grade(QUESTION, "first", LESSON, each)
            grade.needs_manual_grade = True
            gradebook.db.merge(GradedAnswer(id=grade.id, fingerprint=uuid4().hex))
        gradebook.db.commit()


def mark_in_formgrader(url, student, points):
    """Give points as the formgrader does."""
    with Gradebook(url) as gradebook:
        grade = gradebook.find_grade(QUESTION, "first", LESSON, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.db.commit()


def mark_all(answers, grader, mark=GIVEN):
    """Mark as long as there are answers; gives what was marked."""
    done = []
    while reserved := answers.reserve_next(QUESTION, grader):
        answers.save(QUESTION, reserved.answer, grader, mark, 10.0)
        done.append(reserved)
    return done


def marked_by_many(url, graders):
    """Have people mark the class at the same time; gives what they marked the first and the second
    time."""
    with ThreadPoolExecutor(len(graders)) as threads:
        own = threads.map(lambda each: mark_all(WrittenAnswers(url, LESSON, 0.3), each), graders)
        done = [reserved for each in own for reserved in each]
    return [[each.answer for each in done if each.turn == turn] for turn in (FIRST, SECOND)]


def grades(url):
    """Points and comment by student, and who is still waited for."""
    found = {}
    with Gradebook(url) as gradebook:
        for student in STUDENTS:
            grade = gradebook.find_grade(QUESTION, "first", LESSON, student)
            comment = gradebook.find_comment(QUESTION, "first", LESSON, student)
            found[student] = grade.manual_score, comment.manual_comment, grade.needs_manual_grade
    return found
