"""Export grades and feedback pages for one of Moodle's assignments."""

from __future__ import annotations

import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from autograder.collect.filenames import Platform
from autograder.collect.manifest import read_collected
from autograder.collect.matching import whom_lines_mean
from autograder.collect.timestamps import read_worksheet
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.exports.csv_files import feedback
from autograder.exports.grades import Grade, GradedLesson, read_grades
from autograder.exports.writing import Written, opened, save
from autograder.names import join_names
from autograder.roster.csv_lists import encoding_of
from autograder.roster.worksheet import Worksheet
from autograder.spreadsheets import defused


def fill_worksheet(
    course: CourseFolder, lesson: str, path: Path, to: Path | None = None
) -> Written:
    """Fill in an assignment's grading worksheet, for "Upload grading worksheet" in Moodle.

    Only the cells with the grade and the comments change, and only for students with a final grade
    that can be changed in Moodle.

    Args:
        course: the course folder.
        lesson: the lesson of this assignment.
        path: the path of the worksheet, as downloaded.
        to: the file; in ``reports/`` of the course folder, if left out.

    Raises:
        CourseError: when the file isn't a worksheet, the assignment has no points, the lesson isn't
            graded, or the file cannot be written.
    """
    worksheet = read_worksheet(path)
    most = worksheet.maximum
    if most is None:
        raise CourseError(
            f"{path}: the assignment is graded on a scale, but points are needed: choose "
            "them in Moodle (Grade > Type), and download the worksheet again."
        )
    grades = read_grades(course, [lesson])
    (graded,) = grades.lessons
    students = _students(course, lesson, worksheet, graded.grades)
    locked = worksheet.locked
    points = {
        number: (grade.total, "<br>".join(map(defused, feedback(grade))))
        for number, student in students.items()
        if (grade := graded.grades[student]).total is not None
        and grade.total <= most
        and number not in locked
    }
    filled = worksheet.filled(points).encode(encoding_of(path), "xmlcharrefreplace")
    warnings = (
        *grades.warnings,
        *_doubts(worksheet, graded, most, students),
    )
    return save(to or course.root / "reports" / f"{lesson}-worksheet.csv", filled, warnings)


def _students(
    course: CourseFolder, lesson: str, worksheet: Worksheet, grades: Mapping[str, Grade]
) -> dict[str, str]:
    """Match participants' numbers to students with submissions."""
    whom = whom_lines_mean(course, lesson, worksheet.lines)
    students = {}
    for line in worksheet.lines:
        there = [student for student in whom[line.number] if student in grades]
        # An anonymous team's line may mean any member, so their grades must be the same.
        if there and (line.names or len({grades[student].total for student in there}) == 1):
            students[line.number] = there[0]
    # Of two people with the same name, one of them unknown here, it's unclear who handed in.
    count = Counter(students.values()) if all(line.names for line in worksheet.lines) else {}
    return {number: student for number, student in students.items() if count.get(student, 1) == 1}


def _doubts(
    worksheet: Worksheet, graded: GradedLesson, most: float, students: Mapping[str, str]
) -> Iterator[str]:
    """Warnings for the teacher before the worksheet is uploaded.

    Args:
        worksheet: Moodle's.
        graded: the lesson.
        most: the points that Moodle takes.
        students: by a participant's number.
    """
    maximum, grades = graded.maximum, graded.grades
    if maximum != most:
        yield (
            f"The lesson has {maximum:g} points, but the assignment in Moodle {most:g}: set its "
            f"maximum grade to {maximum:g}, and download the worksheet again."
        )
    above = [name for name in students.values() if (grades[name].total or 0) > most]
    if above:
        yield f"Not filled in, because Moodle would skip grades above {most:g}: {join_names(above)}"
    final = {number: who for number, who in students.items() if grades[who].total is not None}
    yield from _exceptions(worksheet, final, above)
    absent = grades.keys() - set(students.values())
    if absent:
        yield f"Missing from the worksheet: {join_names(sorted(absent))}"
    unknown = [
        line.number
        for line in worksheet.lines
        if line.number not in students and line.submitted != "-" and not line.draft
    ]
    if unknown:
        yield f"Handed in on Moodle, but not collected here: participants {join_names(unknown)}"
    if not worksheet.has_comments:
        yield "The assignment has no feedback comments, so the reasons for points aren't in it."


def _exceptions(
    worksheet: Worksheet, final: Mapping[str, str], above: Sequence[str]
) -> Iterator[str]:
    """Students whose final grades Moodle would skip, or who have no submission in Moodle.

    Args:
        worksheet: Moodle's.
        final: students with a grade, by a participant's number.
        above: those with more points than Moodle takes.
    """
    locked, absent = worksheet.locked, worksheet.without_submission
    if kept := [name for number, name in final.items() if number in locked]:
        yield (
            "Not filled in, because Moodle would skip grades that can't be changed (they are "
            "locked or "
            f"overridden in its gradebook): {join_names(kept)}"
        )
    withdrawn = [
        name for number, name in final.items() if number in absent - locked and name not in above
    ]
    if withdrawn:
        yield (
            "Filled in, although Moodle has no submission from them: did they withdraw it? "
            f"{join_names(withdrawn)}"
        )


def pack_feedback(course: CourseFolder, lesson: str, to: Path | None = None) -> Written:
    """Put everybody's feedback pages into one archive, for "Upload feedback files in a zip".

    Moodle identifies a page's owner by the number in its folder: the participant's, or the team's.

    Source: https://github.com/moodle/moodle/blob/main/mod/assign/feedback/file/importziplib.php

    Args:
        course: the course folder.
        lesson: the lesson of the assignment.
        to: the file; in ``reports/`` of the course folder, if left out.

    Raises:
        CourseError: when there is no page, or the file cannot be written.
    """
    graded = {path.parent.name for path in course.folder("autograded").glob(f"*/{lesson}/")}
    pages = {
        student: sorted(course.feedback(student, lesson).parent.glob("*.html"))
        for student in sorted(graded.union(course.students(lesson)))
    }
    if not any(pages.values()):
        raise CourseError(f"There are no pages yet: run `nbgrader generate_feedback {lesson}`.")
    collected = read_collected(course, lesson)
    numbered = defaultdict(list)
    for student in filter(pages.get, pages):
        entry = collected.get(student)
        number = entry.number if entry and entry.platform == Platform.moodle else ""
        numbered[number].append(student)
    alone = numbered.pop("", [])
    unlike = _unlike(course, lesson, [team for team in numbered.values() if len(team) > 1])
    path = to or course.root / "reports" / f"{lesson}-feedback.zip"
    with opened(path) as file, zipfile.ZipFile(file, "w") as archive:
        for number, (student, *_) in numbered.items():
            folder = f"{student.replace('_', '-')}_{number}_assignfeedback_file_"
            for page in () if student in unlike else pages[student]:
                info = zipfile.ZipInfo(f"{folder}/{page.name}")
                # The quickest level makes a fifth of a page; the best would take twice as long.
                archive.writestr(info, page.read_bytes(), zipfile.ZIP_DEFLATED, compresslevel=1)
    old = [
        student
        for student, theirs in pages.items()
        if not theirs or _is_stale(course, student, lesson, theirs)
    ]
    kinds = {
        f"No page, or one from before the last grading (nbgrader generate_feedback {lesson})": old,
        "Moodle's number isn't known (collect Moodle's archive again, or send the pages)": alone,
        "A team with different points, so each member needs their own page": unlike,
    }
    warnings = tuple(f"{why}: {join_names(who)}" for why, who in kinds.items() if who)
    return Written(path, warnings)


def _unlike(course: CourseFolder, lesson: str, teams: Sequence[Sequence[str]]) -> list[str]:
    """The members of teams whose points differ."""
    if not teams:  # reading the grades of a large class takes as long as packing its pages
        return []
    (graded,) = read_grades(course, [lesson]).lessons
    totals = {student: grade.total for student, grade in graded.grades.items()}
    apart = [team for team in teams if len({totals.get(each) for each in team}) > 1]
    return [student for team in apart for student in team]


def _is_stale(course: CourseFolder, student: str, lesson: str, pages: Sequence[Path]) -> bool:
    """Whether a student was graded again after the pages were made."""
    graded = course.autograded(student, lesson)
    return graded.is_file() and any(page.stat().st_mtime < graded.stat().st_mtime for page in pages)
