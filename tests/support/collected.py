"""Archives that are collected, and what is then under ``submitted/``."""

import zipfile
from datetime import datetime

import nbformat

from autograder.course_folder import CourseFolder
from tests.conftest import LESSON
from tests.support.archives import moodle

NOTEBOOK = f"{LESSON}.ipynb"
MOODLE = "{}_{}_assignsubmission_file_"


def submitted(course):
    """Everything under submitted/, by path, but for the times."""
    root = course / "submitted"
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != "timestamp.txt"
    }


def stamp(course, student, lesson=LESSON):
    """What nbgrader reads as the time of handing in, or None."""
    path = course / "submitted" / student / lesson / "timestamp.txt"
    if not path.exists():
        return None
    parsed = CourseFolder(course).nbgrader.coursedir.get_existing_timestamp(str(path.parent))
    return parsed.isoformat(" ", "seconds")


def uploaded(people, times):
    """Moodle's archive, in which each person's files have the time of their upload."""
    return [
        (zipfile.ZipInfo(name, time), content)
        for person, time in zip(people, times, strict=True)
        for name, content in moodle([person]).items()
    ]


def times_file(tmp_path, content, name="times.csv"):
    path = tmp_path / name
    path.write_bytes(content)
    return ("--times", str(path))


def notebook_with(*ids, text=""):
    """A notebook's bytes, with nbgrader's cells of these ids."""
    notebook = nbformat.v4.new_notebook()
    for each in ids:
        cell = nbformat.v4.new_code_cell(text)
        cell.metadata["nbgrader"] = {"grade_id": each}
        notebook.cells.append(cell)
    return nbformat.writes(notebook).encode()


MORNING, EVENING = datetime(2026, 3, 2, 9, 30), datetime(2026, 3, 2, 21, 5)
BERLIN = ("--timezone", "Europe/Berlin")
CLASSROOM = {f"Jane Doe - {NOTEBOOK}": "jdoe", f"bo - {NOTEBOOK}": "bo"}
ILIAS = {
    f"Ex 3/Doe_Jane_jdoe_1/20260302093000_{NOTEBOOK}": "jdoe",
    f"Ex 3/Li_Bo_bo_2/x/{NOTEBOOK}": "bo",
}
