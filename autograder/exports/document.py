"""Grades as JSON for programs: everything that is on a student's feedback page."""

from __future__ import annotations

import json
from dataclasses import asdict
from operator import attrgetter
from typing import Any

from autograder.cells import title
from autograder.exports.grades import Grade, Grades, rounded
from autograder.grading.results import Score


def document(grades: Grades) -> str:
    """A JSON object with ``lessons`` and ``students``; in ASCII, so that no terminal obeys it.

    A student has ``lessons`` by name. There ``total`` is null until it is final, and ``points`` of
    an exercise are null until a person has graded it; ``status`` says what is missing. Times are
    UTC. People who have left the class are in it, with ``has_left``.
    """
    content = {
        "lessons": [{"name": each.name, "maximum": each.maximum} for each in grades.lessons],
        "students": [
            {
                "id": student.student,
                "first_name": student.first_name,
                "last_name": student.last_name,
                "email": student.email,
                "lms_user_id": student.lms_user_id,
                "login": student.login,
                "sis_id": student.sis_id,
                "sections": student.sections,
                "groups": student.groups,
                "has_left": student.dropped,
                "lessons": {
                    lesson.name: _grade(lesson.grade(student), lesson.maximum)
                    for lesson in grades.lessons
                },
            }
            for student in sorted((*grades.students, *grades.left), key=attrgetter("student"))
        ],
    }
    return json.dumps(content, indent=1) + "\n"


def _grade(grade: Grade, maximum: float) -> dict[str, Any]:
    return {
        "status": grade.status.value,
        "total": None if grade.total is None else rounded(grade.total),
        "penalty": rounded(grade.penalty),
        "maximum": maximum,
        "handed_in": grade.handed_in.isoformat() + "Z" if grade.handed_in else None,
        "seconds_late": grade.seconds_late,
        "problem": grade.submission.row.problem if grade.submission else "",
        "exercises": [_exercise(grade, score) for score in grade.scores],
    }


def _exercise(grade: Grade, score: Score) -> dict[str, Any]:
    verdict = score.verdict
    return {
        "cell": score.cell,
        "title": title(score.cell),
        "points": None if not score.settled else rounded(score.points),
        "maximum": score.maximum,
        "aspects": [
            {"title": finding.title, "percent": finding.percent, "passed": finding.passed}
            for finding in (verdict.findings if verdict else ())
        ],
        "losses": [asdict(loss) for loss in verdict.losses] if verdict else [],
        "mistakes": verdict.mistakes if verdict else [],
        "hints": verdict.hints if verdict else [],
        "found": bool(verdict and verdict.found),
        "explanation": verdict.explanation if verdict else "",
        "comment": grade.comment(score),
    }
