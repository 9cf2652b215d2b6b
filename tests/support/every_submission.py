"""A gradebook with every kind of submission, and the lists that the formgrader asks it for."""

from datetime import datetime, timedelta

from nbgrader.api import Gradebook, TaskCell

COURSE = "attention"
LESSON, OTHER, UNRELEASED = "words", "sums", "unreleased"
NOTEBOOKS = ("first", "second")
DUE = datetime(2026, 3, 2, 12)
STUDENTS = {
    "graded": (2.0, 1.5, 3.0),
    "waits_for_the_text": (2.0, None, 3.0),
    "waits_for_the_task": (2.0, 1.5, None),
    "failed_the_test": (0.0, 1.5, 3.0),
    "partly": (0.5, 0.0, 0.0),
    "nothing_graded": (None, None, None),
}
"""The points in each notebook for its test, its text and its task, by student."""


def enter_class(url, copies=1):
    """Fill an empty gradebook; each student is there so many times."""
    with Gradebook(url, COURSE) as gradebook:
        for lesson in (LESSON, OTHER):
            gradebook.add_assignment(lesson, duedate=DUE, course_id=COURSE)
            for notebook in NOTEBOOKS:
                gradebook.add_notebook(notebook, lesson)
                where = {"notebook": notebook, "assignment": lesson}
                gradebook.add_grade_cell("test", max_score=2, cell_type="code", **where)
                gradebook.add_grade_cell("text", max_score=2, cell_type="markdown", **where)
                gradebook.add_task_cell("task", max_score=3, cell_type="markdown", **where)
                gradebook.add_solution_cell("text", **where)
        gradebook.add_notebook("ungraded", LESSON)
        for number in range(copies):
            _enter(gradebook, number)
        gradebook.db.commit()


def _enter(gradebook, number):
    for student, points in STUDENTS.items():
        # Some have no name, and some have the same.
        named = {} if student == "partly" else {"first_name": "Jane", "last_name": "Doe"}
        gradebook.add_student(f"{student}{number}", email=f"{student}@school.edu", **named)
        _hand_in(gradebook, LESSON, f"{student}{number}", points)
    gradebook.add_student(f"absent{number}", first_name="Ann", last_name="Roe")
    gradebook.add_student(f"both{number}", lms_user_id=f"{number}")
    for lesson in (LESSON, OTHER):
        _hand_in(gradebook, lesson, f"both{number}", STUDENTS["graded"])
    special = gradebook.add_student(f"special{number}").id
    late = _hand_in(gradebook, LESSON, special, STUDENTS["graded"], timestamp=DUE + timedelta(1, 5))
    late.extension = timedelta(hours=1)
    first, second, _ = sorted(late.notebooks, key=lambda one: one.name)
    first.late_submission_penalty, first.flagged = 1.5, True
    second.grades[0].extra_credit = 0.25
    second.grades[0].manual_score = 1.0
    (task,) = (one for one in first.grades if isinstance(one.cell, TaskCell))
    task.extra_credit = 0.5
    unknown_time = gradebook.add_student(f"no_time{number}").id
    _hand_in(gradebook, LESSON, unknown_time, STUDENTS["graded"], timestamp=None)
    lacks = gradebook.add_student(f"lacks_a_notebook{number}").id
    _hand_in(gradebook, LESSON, lacks, STUDENTS["graded"])
    gradebook.remove_submission_notebook("second", LESSON, lacks)


def _hand_in(gradebook, lesson, student, points, timestamp=DUE - timedelta(hours=2)):
    submission = gradebook.add_submission(lesson, student, timestamp=timestamp)
    test, text, task = points
    for notebook in submission.notebooks:
        for grade in notebook.grades:
            if grade.name == "test":
                grade.auto_score, grade.needs_manual_grade = test, test is None
            else:
                grade.manual_score = text if grade.name == "text" else task
                grade.needs_manual_grade = grade.manual_score is None
    return submission


def lists(gradebook):
    """Every list of the formgrader that a gradebook makes, in an order of its own."""
    found = {"students": gradebook.student_dicts()}
    for lesson in (LESSON, OTHER, UNRELEASED):
        found[lesson] = gradebook.submission_dicts(lesson)
        for notebook in (*NOTEBOOKS, "ungraded"):
            found[lesson, notebook] = gradebook.notebook_submission_dicts(notebook, lesson)
            found[lesson, notebook, "entries"] = [
                {
                    "id": one.id,
                    "name": one.name,
                    "student": one.student.id,
                    "failed": one.failed_tests,
                }
                for one in gradebook.notebook_submissions(notebook, lesson)
            ]
    return {name: sorted(rows, key=lambda row: row["id"]) for name, rows in found.items()}
