"""The course that comes with the autograder: a teacher begins with a copy of it."""

import pytest

from autograder import installed_course
from autograder.course_folder import CONFIG, CourseFolder
from autograder.errors import CourseError
from tests.conftest import LESSON, REPOSITORY


def contents(folder):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".ipynb_checkpoints" not in path.parts
    }


def test_a_copy_is_a_course_folder_with_all_lessons(tmp_path, autograder):
    finished = autograder("copy-course", "new/course", course=tmp_path)
    assert finished.code == 0, finished.err
    made = tmp_path / "new" / "course"
    assert {path.name for path in made.iterdir()} == {CONFIG, "rubrics", "source"}
    assert (made / CONFIG).read_bytes() == (REPOSITORY / CONFIG).read_bytes()
    for folder in ("rubrics", "source"):
        assert contents(made / folder) == contents(REPOSITORY / folder)
    for lesson in CourseFolder(made).lessons():
        assert lesson in finished.out
    assert "autograder release" in finished.out


def test_nothing_is_copied_over_what_is_there(tmp_path, autograder):
    (tmp_path / "notes.txt").write_text("mine")
    finished = autograder("copy-course", ".", course=tmp_path)
    assert finished.code == 2
    assert "is not empty" in finished.err
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_outside_of_a_course_it_is_said_how_to_begin_one(tmp_path, autograder):
    finished = autograder("release", course=tmp_path)
    assert finished.code == 2
    assert "autograder copy-course" in finished.err


def test_the_demonstration_takes_this_course_or_else_the_bundled_one(tmp_path):
    assert installed_course.this_or_bundled(tmp_path).root == REPOSITORY
    made = installed_course.copy_course(tmp_path / "course")
    assert installed_course.this_or_bundled(made.root).root == made.root


def test_a_courses_own_simulated_students_come_first(tmp_path):
    made = installed_course.copy_course(tmp_path / "course")
    assert (
        installed_course.simulated_class(made, LESSON)
        == REPOSITORY / "tests" / "submissions" / LESSON
    )
    own = made.root / "tests" / "submissions" / LESSON
    own.mkdir(parents=True)
    assert installed_course.simulated_class(made, LESSON) == own
    with pytest.raises(CourseError, match=r"simulated students for 09-poetry.*09-poetry"):
        installed_course.simulated_class(made, "09-poetry")
