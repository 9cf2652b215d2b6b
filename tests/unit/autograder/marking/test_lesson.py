"""A mark reaches the feedback page, the report and the exports, and follows its rubric."""

import json
import math
import shutil

import nbformat
import pytest
from bs4 import BeautifulSoup

from autograder.cells import grade_id
from autograder.course_folder import CONFIG, CourseFolder
from autograder.errors import CourseError
from autograder.execution import executor
from autograder.execution.job import Outcome
from autograder.gradebook.written_answers import NotReserved
from autograder.grading import batch
from autograder.marking.lesson import LessonMarking
from autograder.roster.roster import ROSTER_FILE
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import flat, write_quick_course
from tests.support.pages import block

BLOCKS = [block("marking.md", "Several graders", "python")]
QUESTION, UNRATED = "fitting_on_the_test", "steps_that_lose"
STUDENTS = ["ada", "ben", "cem"]
RUBRIC = f"""
[{QUESTION}.items.vocabulary]
points = 1
text = "Names what the vocabulary holds."

[{QUESTION}.items.unseen]
points = 1
text = "Tomorrow's articles are unseen."

[[{QUESTION}.examples]]
items = ["unseen"]
text = "Tomorrow's articles are *different*."
why = "Nothing about words."
"""
SAID = {"items": ["unseen"], "points": None, "comment": "Which?", "flagged": False}
SAID |= {"seconds": 30, "also": {}}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class that is graded but for what people mark."""
    made = write_quick_course(tmp_path_factory.mktemp("marking"), STUDENTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(executor, "execute", lambda *_: Outcome({}, "", {}))
        assert not any(row.problem for row in batch.grade(made, LESSON, STUDENTS))
    return made.root


@pytest.fixture
def course(graded, tmp_path):
    folder = CourseFolder(shutil.copytree(graded, tmp_path / "course"))
    (folder.root / "rubrics").mkdir()
    write_rubric(folder, RUBRIC)
    return folder


def write_rubric(course, text):
    (course.root / "rubrics" / f"{LESSON}.toml").write_text(text, "utf8")


def mark_next(course, said=SAID, grader="grace", question=QUESTION):
    marking = LessonMarking(course, LESSON)
    asked = marking.questions[question]
    answer = marking.next(asked, grader)["answer"]
    return marking.save(asked, grader, answer, said)


def feedback(course, student):
    assert course.run("generate_feedback", LESSON, force=True) is None
    page = BeautifulSoup(course.feedback(student, LESSON).read_text("utf8"), "html.parser")
    return " ".join(page.get_text().split())


def marked_student(course):
    """Whose answer was marked, from what the gradebook exports."""
    with course.as_working_directory(), course.nbgrader.gradebook as gradebook:
        for student in STUDENTS:
            grade = gradebook.find_grade(QUESTION, LESSON, LESSON, student)
            if grade.manual_score is not None:
                return student, grade.manual_score
    return None


def configure(course, text):
    """The course with more settings."""
    with (course.root / CONFIG).open("a", encoding="utf8") as file:
        file.write(text)
    return CourseFolder(course.root)


def hand_in(course, texts):
    """Let students hand in other answers, and grade them."""
    for student, text in texts.items():
        path = course.submitted(student, LESSON) / f"{LESSON}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        next(cell for cell in notebook.cells if grade_id(cell) == QUESTION).source = text
        nbformat.write(notebook, path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(executor, "execute", lambda *_: Outcome({}, "", {}))
        assert not any(row.problem for row in batch.grade(course, LESSON, list(texts)))


def test_alike_answers_get_the_same_mark_if_nobody_has_them(course):
    said = "The *vocabulary* holds words of the test articles, which tomorrow's articles lack."
    hand_in(course, {"ada": said, "ben": said.replace("lack", "have"), "cem": f"{said} :-)"})
    marking = LessonMarking(course, LESSON)
    asked = marking.questions[QUESTION]
    given = marking.next(asked, "grace")
    alike = marking.alike(asked, "grace", given["answer"])["alike"]
    assert len(alike) == 2
    assert all("<em>vocabulary</em>" in each["text"] for each in alike)
    other = marking.next(asked, "heidi")["answer"]
    (left,) = marking.alike(asked, "grace", given["answer"])["alike"]
    assert other not in left["versions"]
    with pytest.raises(NotReserved):
        marking.alike(asked, "heidi", given["answer"])
    also = {answer: version for each in alike for answer, version in each["versions"].items()}
    saved = marking.save(asked, "grace", given["answer"], SAID | {"also": also})
    assert (saved["others"], saved["progress"]["waiting"]) == (1, 1)
    hand_in(course, {"ada": f"{said} Again.", "ben": f"{said} Again.", "cem": f"{said} Again."})
    given = marking.next(asked, "grace")
    (equal,) = marking.alike(asked, "grace", given["answer"])["alike"]
    assert "Again." in equal["text"]
    assert len(equal["versions"]) == 2


def test_a_graded_notebook_that_is_gone_hides_no_other_answer(course):
    said = "The *vocabulary* holds words of the test articles, which tomorrow's articles lack."
    hand_in(course, {"ada": said, "ben": f"{said} Yes.", "cem": f"{said} No."})
    marking = LessonMarking(course, LESSON)
    asked = marking.questions[QUESTION]
    given = marking.next(asked, "grace")["answer"]
    ((shown, _),) = marking._answers.owners(given).values()
    gone = next(student for student in STUDENTS if student != shown)
    course.autograded(gone, LESSON).unlink()
    assert len(marking.alike(asked, "grace", given)["alike"]) == 1
    marking.save(asked, "grace", given, SAID)
    assert len(marking.mine(asked, "grace")["marks"]) == 1


def test_the_page_gets_questions_with_rubrics_and_no_names(course):
    questions = {
        each["name"]: each for each in LessonMarking(course, LESSON).described("grace")["questions"]
    }
    rated = questions[QUESTION]
    assert [item["points"] for item in rated["items"]] == [1.0, 1.0]
    (example,) = rated["examples"]
    assert (example["points"], "<em>different</em>" in example["text"]) == (1.0, True)
    assert "document\nfrequencies" in rated["solution"]
    assert "TfidfVectorizer" in rated["text"]
    assert (rated["progress"]["waiting"], questions[UNRATED]["items"]) == (3, [])
    shown = LessonMarking(course, LESSON)
    answer = shown.next(shown.questions[QUESTION], "grace")
    assert not any(student in json.dumps([rated, answer]) for student in STUDENTS)


def test_students_read_each_item_with_what_they_got_for_it(course):
    assert mark_next(course)["marked"]["total"] == 1.0
    student, points = marked_student(course)
    assert points == 1.0
    page = feedback(course, student)
    assert "0 of 1: Names what the vocabulary holds." in page
    assert "1 of 1: Tomorrow's articles are unseen." in page
    assert "Comment: Which?" in page
    others = (feedback(course, other) for other in STUDENTS if other != student)
    assert not any("Names what" in page for page in others)


def test_points_that_were_typed_say_nothing_about_items(course):
    mark_next(course, SAID | {"points": 0.5})
    student, points = marked_student(course)
    assert points == 0.5
    page = feedback(course, student)
    assert "Names what" not in page
    assert "Comment: Which?" in page


def test_marks_follow_a_changed_rubric_once_somebody_says_so(course, autograder):
    mark_next(course)
    write_rubric(
        course,
        RUBRIC.replace("points = 1", "points = 0.5", 1).replace("points = 1\n", "points = 1.5\n"),
    )
    finished = autograder("mark", LESSON, "--recount", course=course.root)
    (line,) = (line for line in finished.out.splitlines() if "fitting on the test" in line)
    assert line.replace("│", " ").split()[-4:] == ["1", "1", "+0.5", "+0.5"]
    assert "Nothing was written" in finished.out
    assert marked_student(course)[1] == 1.0
    finished = autograder("mark", LESSON, "--recount", "--apply", course=course.root)
    assert "Recorded. Earlier feedback pages are out of date" in flat(finished.out)
    assert marked_student(course)[1] == 1.5
    finished = autograder("mark", LESSON, "--recount", course=course.root)
    assert "Nothing changes." in finished.out


def test_the_report_says_who_marked_and_how_well_people_agree(course, autograder):
    course = configure(course, "c.WrittenMarking.twice = 1.0")
    marking = LessonMarking(course, LESSON)
    asked = marking.questions[QUESTION]
    for points in (1.0, 2.0, 0.0):
        mark_next(course, SAID | {"points": points})
    for _ in STUDENTS:
        answer = marking.next(asked, "dana")
        assert (answer["turn"], answer["marked"]) == ("second", None)
        first = marking._answers.find(QUESTION, answer["answer"], "grace").mark.total
        second = 0.5 if first == 1.0 else first
        marking.save(asked, "dana", answer["answer"], SAID | {"points": second})
    assert marking.next(asked, "grace") == {"answer": None}
    assert autograder("report", LESSON, course=course.root).code == 0
    page = (course.root / "reports" / f"{LESSON}.html").read_text("utf8")
    text = " ".join(BeautifulSoup(page, "html.parser").get_text(" ").split())
    assert "Drawn to be marked by two people: 3 answers. Krippendorff's alpha is 0.95" in text
    assert "dana 3 0.83 30 3 0.95 grace 3 1.00 30 3 0.95" in text
    described = LessonMarking(course, LESSON).described("dana")["questions"]
    (shown,) = (each["agreement"] for each in described if each["name"] == QUESTION)
    assert (shown["twice"], shown["mine"]["twice"]) == (3, 3)
    assert round(shown["alpha"], 2) == round(shown["mine"]["alpha"], 2) == 0.95
    assert shown["interval"][0] <= shown["alpha"] <= shown["interval"][1]
    assert "Answers on which two people disagree: 1" in text
    assert "grace 1 dana 0.5" in text


def test_requests_come_from_a_list_and_their_outcome_reaches_the_student(course, autograder):
    mark_next(course)
    student, _ = marked_student(course)
    other = next(name for name in STUDENTS if name != student)
    file = course.root / "requests.csv"
    file.write_text(
        "Name;Student;Question;Request\n"
        f'X;{student};Fitting on the test;"I named the words,\nsee line 2."\n'
        f"X;{other};{QUESTION};Why?\nX;{student};colours;Why?\nX;{student};{QUESTION};\n",
        "cp1252",
    )
    finished = autograder("mark", LESSON, "--requests", str(file), course=course.root)
    assert finished.code == 1
    out = flat(finished.out)
    assert "Requests entered: 1, known before: 0" in out
    assert f"line 4: Nobody has marked an answer of {other}" in out
    assert "line 5: 01-text-preprocessing asks no question called 'colours'" in out
    assert f"line 6: {student} gives no reason" in out
    marking = LessonMarking(course, LESSON)
    asked = marking.questions[QUESTION]
    assert marking.next(asked, "grace", review=True) == {"answer": None}
    shown = marking.next(asked, "dana", review=True)
    assert (shown["turn"], shown["request"]) == ("review", "I named the words,\nsee line 2.")
    assert [mark["total"] for mark in shown["earlier"]] == [1.0]
    said = SAID | {"items": ["vocabulary", "unseen"], "comment": "You did."}
    marking.save(asked, "dana", shown["answer"], said)
    assert marked_student(course) == (student, 2.0)
    page = feedback(course, student)
    assert "1 of 1: Names what the vocabulary holds." in page
    assert "Comment: You did." in page
    file.write_text("student,question\n", "utf8")
    finished = autograder("mark", LESSON, "--requests", str(file), course=course.root)
    assert "no line that names the columns student, question and request" in flat(finished.err)


@pytest.mark.parametrize(("share", "again"), [("1.0", 3), ("0.0", 0)])
def test_the_share_that_is_marked_twice_is_the_teachers(course, share, again):
    course = configure(course, f"c.WrittenMarking.twice = {share}")
    for _ in STUDENTS:
        mark_next(course)
    described = LessonMarking(course, LESSON).described("dana")["questions"]
    assert {each["name"]: each["progress"]["again"] for each in described}[QUESTION] == again


def test_sections_and_questions_are_shared_as_the_settings_say(course, autograder):
    configured = configure(course, BLOCKS[0].text.replace("why_it_sinks", QUESTION))
    finished = autograder("mark", LESSON, "--no-browser", course=course.root)
    assert finished.code == 2
    assert (
        "Nobody in the class is in 'Tutorial 1', which c.WrittenMarking.sections gives to ada"
        in flat(finished.err)
    )
    sections = {"ada": "Tutorial 1", "ben": "Tutorial 2", "cem": "tutorial 3"}
    roster = {student: {"sections": [section]} for student, section in sections.items()}
    (course.root / ROSTER_FILE).write_text(json.dumps(roster), "utf8")
    marking = LessonMarking(configured, LESSON)

    def waiting(grader):
        described = marking.described(grader)["questions"]
        return {each["name"]: each["progress"]["waiting"] for each in described}

    assert waiting("ada") == {QUESTION: 2, UNRATED: 2}  # as a grader: Tutorials 1 and 3
    assert waiting("ben") == {QUESTION: 1, UNRATED: 1}
    assert waiting("eve") == {QUESTION: 3, UNRATED: 0}
    assert waiting("dan") == {QUESTION: 0, UNRATED: 0}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (None, "something else than a mark"),
        ({}, "something else than a mark"),
        (SAID | {"items": ["invented"]}, "The rubric has changed"),
        (SAID | {"items": 3}, "something else than a mark"),
        (SAID | {"points": 2.5}, "Give 0 to 2 points"),
        (SAID | {"points": -1}, "Give 0 to 2 points"),
        (SAID | {"points": math.nan}, "Give 0 to 2 points"),
        (SAID | {"points": "one"}, "something else than a mark"),
        (SAID | {"comment": "x" * 10_001}, "A comment may have 10,000 characters"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words_and_changes_nothing(course, said, why):
    with pytest.raises(CourseError, match=why):
        mark_next(course, said)
    assert marked_student(course) is None


def test_odd_times_count_as_none_or_an_hour(course):
    for seconds in (-1, math.inf, 1e9):
        mark_next(course, SAID | {"seconds": seconds})
    progress = LessonMarking(course, LESSON).described("grace")["questions"]
    assert {each["name"]: each["progress"]["seconds"] for each in progress}[QUESTION] == 0.0


def test_a_lesson_without_grades_or_with_a_wrong_rubric_says_what_to_do(course, autograder):
    finished = autograder("mark", "02-nothing", course=course.root)
    assert (finished.code, "No lesson '02-nothing'" in flat(finished.err)) == (2, True)
    finished = autograder("mark", LESSON, "--apply", course=course.root)
    assert (finished.code, "--apply needs --recount" in flat(finished.err)) == (2, True)
    write_rubric(course, RUBRIC.replace("points = 1", "points = 3", 1))
    finished = autograder("mark", LESSON, "--recount", course=course.root)
    assert "is worth 2 points, but the items of its rubric in rubrics/ add up to 4" in flat(
        finished.err
    )
    finished = autograder("release", LESSON, "--check", course=course.root)
    assert "items of its rubric in rubrics/ add up to 4" in flat(finished.err + finished.out)
    write_rubric(course, RUBRIC)
    (course.root / "gradebook.db").unlink()
    finished = autograder("mark", LESSON, "--recount", course=course.root)
    assert f"run `autograder grade {LESSON}` first" in flat(finished.err)


def test_two_questions_of_one_name_are_told_apart_by_nobody(course):
    (source,) = (course.folder("source") / LESSON).glob("*.ipynb")
    shutil.copy(source, source.with_name("second.ipynb"))
    with pytest.raises(CourseError, match="and second both have a question called steps_that_lose"):
        LessonMarking(course, LESSON)
