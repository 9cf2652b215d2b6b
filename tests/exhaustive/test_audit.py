"""The audit must notice a judge that is wrong, and mutants must be mutants."""

import re
import resource
import shutil

import nbformat
import numpy as np
import pytest
import yaml

from autograder.audit import audit, mutants, mutation_testing, questions, runner
from autograder.audit.reliability import read_reliability
from autograder.audit.report import Audit, AuditSummary
from autograder.audit.runner import run_and_judge
from autograder.cells import grade_id, graded_exercise, is_solution
from autograder.course_folder import CourseFolder
from autograder.installed_course import simulated_class
from autograder.judging import memory_limit, proof
from autograder.judging.keys import key_of
from autograder.simulate import read_class
from course import COURSE
from selfcheck.verdicts import NOT_ANSWERED
from tests.conftest import QUICK_LESSON, REPOSITORY

# Mutants divide by 0.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

CELL = '''def attend(query, key, value, mask=None):
    """Given to students.

    Args:
        mask: 1 where something is.
    """
    ### BEGIN SOLUTION
    logits = query @ key.transpose() / root(key.shape[-1])
    if mask is not None:
        logits = where(mask, logits, -1e9)
    weights = softmax(logits, axis=-1)
    ### END SOLUTION
    return weights @ value, weights
'''


RIGHT_ANSWER = """def count(texts, words, start=0):
    found = list(texts)
    both = found + words
    for text in both:
        start = add(text, start)
    return both.astype(float32)
"""


@pytest.fixture(scope="module")
def changed():
    """By name, the mutants in an answer between marks and in one without."""
    return {
        mutant.name: mutant for cell in (CELL, RIGHT_ANSWER) for mutant in mutants.mutants(cell)
    }


@pytest.mark.parametrize(
    ("operator", "after"),
    [
        ("drop transpose", "logits = query @ key / root(key.shape[-1])"),
        ("drop scale", "logits = query @ key.transpose()"),
        ("swap operands", "logits = key.transpose() @ query / root(key.shape[-1])"),
        ("drop mask", "logits = logits"),
        ("swap operands", "logits = where(mask, -1000000000.0, logits)"),
        ("change axis", "weights = softmax(logits, axis=-2)"),
        ("other function", "weights = sigmoid(logits, axis=-1)"),
        ("drop statement", ""),
        ("drop call", "found = texts"),
        ("drop call", "return both"),
        ("stale variable", "for text in found:"),
        ("other argument", "found = list(words)"),
        ("early return", "return both.astype(float32)"),
        ("drop default", "def count(texts, words, start):"),
        ("change argument", "found += words; both = found"),
        ("swap operands", "start = add(start, text)"),
        ("other type", "return both.astype(int32)"),
    ],
)
def test_mutants_are_what_their_operator_says(changed, operator, after):
    made = [mutant for mutant in changed.values() if mutant.operator == operator]
    found = [mutant for mutant in made if mutant.name.endswith(f" -> {after or 'nothing'}")]
    assert found
    for mutant in found:
        compile(mutant.source, "mutant", "exec")
        assert all(line in mutant.source for line in after.split("; "))


def test_what_is_given_to_students_has_no_mutants():
    for mutant in mutants.mutants(CELL):
        assert "Given to students" in mutant.source
        assert "return (weights @ value, weights)" in mutant.source
        assert "def attend(query, key, value, mask=None)" in mutant.source
        assert 8 <= mutant.line <= 11


def test_no_two_mutants_are_the_same():
    for cell in (CELL, RIGHT_ANSWER):
        made = mutants.mutants(cell)
        assert len(made) == len({mutant.source for mutant in made})


@pytest.fixture(autouse=True)
def no_more_seeds(monkeypatch):
    """Two seeds show what is tested here; a real audit takes more, for a while."""
    monkeypatch.setattr(runner, "_SECONDS", {False: 0, True: 0})
    monkeypatch.setattr(proof, "MISTAKE_SEEDS", range(2))


def question(lesson, cell):
    return next(question for question in lesson.questions if question.cell == cell)


@pytest.fixture
def course(tmp_path):
    """A course folder with one lesson and its answers."""
    for part in ("source", "tests/submissions"):
        shutil.copytree(REPOSITORY / part / QUICK_LESSON, tmp_path / part / QUICK_LESSON)
    (tmp_path / "nbgrader_config.py").write_text((REPOSITORY / "nbgrader_config.py").read_text())
    return CourseFolder(tmp_path)


def audited(course, cell):
    lesson = questions.LessonQuestions.read(course, QUICK_LESSON)
    return audit.audit_one(course.root, QUICK_LESSON, question(lesson, cell))


def answers_to(course, cell):
    """How many right and wrong ones the files hold."""
    lesson = questions.LessonQuestions.read(course, QUICK_LESSON)
    answers = list(read_class(lesson.answers, lesson.right))
    right = sum(cell in each.cells and not each.expected for each in answers)
    wrong = sum(cell in each.expected.keys() & each.cells.keys() for each in answers)
    assert right > 1 < wrong
    return right, wrong


def test_where_the_judge_is_right_there_are_no_problems(course):
    found = audited(course, "tf_idf")
    assert found.problems == []
    assert (found.right, found.wrong) == answers_to(course, "tf_idf")
    # Of the solution alone there are about sixty.
    assert found.mutants > 150
    assert found.largest_right < 1 < found.smallest_wrong


RIGHT = (
    "def remove_stopwords(tokens, stopwords):\n    return [t for t in tokens if t not in stopwords]"
)


def write(course, name, stated, source):
    folder = course.root / "tests" / "submissions" / QUICK_LESSON
    header = {"expected": {"remove_stopwords": stated}} if stated else {}
    lines = [f"# {line}" for line in ["---", *yaml.safe_dump(header).splitlines(), "---"]]
    cell = f'# %% grade_id="remove_stopwords"\n{source}\n'
    (folder / name).write_text("\n".join([*lines, "", cell]))


def test_a_wrong_answer_that_is_accepted_is_a_problem(course):
    stated = {"fails": "everything", "mistake": "repetitions_lost"}
    write(course, "wrong_but_right.py", stated, RIGHT)
    found = audited(course, "remove_stopwords")
    assert found.problems == ["wrong, but accepted: wrong_but_right"]
    assert "wrong_but_right: " in found.unnamed


@pytest.mark.parametrize("value", ["[]", "0", "None"])
def test_a_wrong_answer_that_is_empty_counts_as_well(course, value):
    stated = {"fails": "everything", "mistake": "none"}
    write(course, "wrong_empty.py", stated, f"remove_stopwords = {value}")
    before = answers_to(course, "remove_stopwords")[1]
    found = audited(course, "remove_stopwords")
    assert found.wrong == before
    assert found.problems == []


def test_without_a_word_on_the_memory_in_use_there_is_no_limit(tmp_path, monkeypatch):
    """Some sandboxes have a /proc that leaves it out."""
    monkeypatch.setattr(memory_limit, "_STATUS", tmp_path / "status")
    for text in (None, "Name:\tpython\n"):
        if text:
            memory_limit._STATUS.write_text(text)
        before = resource.getrlimit(resource.RLIMIT_DATA)
        with memory_limit.memory_limit(runner.MORE_MEMORY):
            assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_a_right_answer_that_is_rejected_is_a_problem(course):
    write(course, "right_but_wrong.py", {}, RIGHT.replace("not in", "in"))
    problems = audited(course, "remove_stopwords").problems
    # Mutants that make it right pass, too.
    (problem,) = (each for each in problems if not each.startswith("a mutant that passes: "))
    assert problem.startswith("right, but rejected: right_but_wrong, seed 3: ")


def test_a_right_answer_that_can_not_be_run_is_a_problem(course):
    write(course, "right_but_broken.py", {}, "def remove_stopwords(tokens, stopwords:\n    pass")
    (problem,) = audited(course, "remove_stopwords").problems
    assert problem.startswith("right, but rejected: right_but_broken: <")
    assert "SyntaxError" in problem


def test_no_answer_in_a_file_is_run_twice_on_the_same_inputs(course, monkeypatch):
    """Also if others are judged on top of it."""
    lesson, others = audit._read(course.root, QUICK_LESSON)
    (answers,) = (each for each in others if "tf_idf" in each.expected.keys() - each.cells.keys())
    ran = []

    def run(course, name, obj, seed):
        ran.append((name, seed))
        return respond(course, name, obj, seed)

    respond = runner.run
    for module in (audit, runner):
        monkeypatch.setattr(module, "run", run)
    audit._part(lesson, others, lesson.questions, answers.student, every_mutant=False)
    assert "preprocessing.tf_idf" in {name for name, _ in ran}
    assert len(ran) == len(set(ran)) > 1


def test_other_aspects_than_stated_and_another_hint_are_told(course):
    fails = ["repeated tokens are treated alike", "the inputs are not changed"]
    stated = {"fails": fails, "mistake": "repetitions_lost"}
    write(course, "wrong_too.py", stated, RIGHT.replace("not in", "in"))
    found = audited(course, "remove_stopwords")
    problem, misled = found.problems
    assert misled.startswith("a false hint: wrong_too: ")
    assert problem.startswith("not as stated: wrong_too: fails as well: ")
    assert problem.endswith("; holds: 'the inputs are not changed'")
    assert any(each.startswith("wrong_too: ") for each in found.unnamed)


def test_a_mutant_that_passes_and_one_that_is_no_more_there_are_problems(course):
    path = course.root / "tests" / "submissions" / QUICK_LESSON / questions.EQUIVALENT
    (passing,) = yaml.safe_load(path.read_text("utf8"))["label_encode"]
    no_more = {"drop scale: a -> b": "There is no such line."}
    path.write_text(yaml.safe_dump({"label_encode": no_more}))
    mutant, outdated = audited(course, "label_encode").problems
    assert mutant.startswith("a mutant that passes: ")
    assert mutant.endswith(passing)
    assert outdated == "no such mutant, or it does not pass: drop scale: a -> b"


def test_a_key_may_ask_for_a_sample_of_mutants(course, monkeypatch):
    lesson, others = audit._read(course.root, QUICK_LESSON)
    asked = question(lesson, "tokenize")

    def mutants_judged(every_mutant):
        (found,) = audit._part(lesson, others, [asked], "right_plain_python", every_mutant)
        return found.mutants

    every = mutants_judged(every_mutant=False)
    monkeypatch.setattr(key_of(COURSE, asked.exercise), "mutant_sample", 3)
    assert every // 3 <= mutants_judged(every_mutant=False) <= every // 3 + 1
    assert mutants_judged(every_mutant=True) == every > 3


@pytest.mark.parametrize(
    ("limit", "endless"),
    [("PROCESSOR_LIMIT", "while True:\n        pass"), ("_TIME_LIMIT", "time.sleep(1000)")],
)
def test_an_answer_that_never_ends_is_named(course, monkeypatch, limit, endless):
    monkeypatch.setattr(runner, limit, 1)
    source = f"import time\n\ndef remove_stopwords(tokens, stopwords):\n    {endless}"
    write(course, "right_but_endless.py", {}, source)
    lesson = questions.LessonQuestions.read(course, QUICK_LESSON)
    found = Audit(question(lesson, "remove_stopwords"))
    (answers,) = (
        each
        for each in read_class(lesson.answers, lesson.right)
        if each.student == "right_but_endless"
    )
    audit._judge_right(lesson, answers, found)
    (said,) = found.rejected
    assert said.startswith("right_but_endless: it takes more than 60 seconds of CPU time")


def test_a_mutant_that_never_ends_does_not_pass(course):
    lesson = questions.LessonQuestions.read(course, QUICK_LESSON)
    asked = question(lesson, "remove_stopwords")
    source = "def remove_stopwords(tokens, stopwords):\n    while True:\n        pass"
    endless = mutants.Mutant("other", 1, "", source)
    assert mutation_testing.judge_mutant(lesson, asked, lesson.right, endless, seconds=1) == (
        None,
        "",
    )


def test_a_mutant_whose_points_depend_on_the_inputs_is_a_problem(course):
    lesson = questions.LessonQuestions.read(course, QUICK_LESSON)
    asked = question(lesson, "remove_stopwords")
    source = (
        "seen = []\n\n"
        "def remove_stopwords(tokens, stopwords):\n"
        "    seen.append(len(seen))\n"
        "    return [t for t in tokens if t not in stopwords or len(seen) > 8]"
    )
    mutant = mutants.Mutant("other", 1, "", source)
    verdict, by_seed = mutation_testing.judge_mutant(
        lesson, asked, lesson.right, mutant, seconds=60
    )
    assert by_seed.startswith(f"{verdict.percent} % on the first seed, ")


def only(course, asked):
    """Leave one question in the lesson."""
    path = course.source(QUICK_LESSON)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [
        cell for cell in notebook.cells if graded_exercise(cell) in (None, f"preprocessing.{asked}")
    ]
    nbformat.write(notebook, path)


def test_the_command_fails_when_the_judge_is_wrong_once(course, autograder):
    only(course, "remove_stopwords")
    right, wrong = answers_to(course, "remove_stopwords")
    stated = {"fails": "everything", "mistake": "repetitions_lost"}
    write(course, "wrong_but_right.py", stated, RIGHT)
    finished = autograder("audit", QUICK_LESSON, "--jobs", "1", course=course.root)
    assert "preprocessing.remove_stopwords" in finished.out
    problem = "preprocessing.remove_stopwords: wrong, but accepted: wrong_but_right"
    assert problem in finished.out.splitlines()
    said = f"1 of {wrong + 1} wrong answers accepted, 0 of {right} right answers rejected, 0 of "
    assert finished.out.splitlines()[-1].startswith(said)
    assert finished.code == 1


def test_the_page_of_results_quotes_an_audit_of_the_answers_and_mutants_that_there_are():
    course = CourseFolder(REPOSITORY)
    wrong = right = mutants_made = 0
    for lesson in (questions.LessonQuestions.read(course, name) for name in course.lessons()):
        cells = {question.cell for question in lesson.questions}
        solved = {audit.OWN: lesson.right}
        for answers in read_class(lesson.answers, lesson.right):
            if answers.student.startswith("right_"):
                solved[answers.student] = answers.cells
                continue
            own = cells & answers.expected.keys() & answers.cells.keys()
            stated = [answers.expected[cell] for cell in own]
            # An answer under another name never reaches the judge.
            wrong += sum("NameError" not in one.reason for one in stated)
        for asked in lesson.questions:
            step = key_of(COURSE, asked.exercise).mutant_sample
            mutants_made += sum(
                len(mutation_testing.one_in(step, student, answers[asked.cell]))
                for student, answers in solved.items()
                if asked.cell in answers
            )
        right += sum(len(cells & each.keys()) for each in solved.values()) - len(cells)
    page = (REPOSITORY / "docs" / "results.md").read_text("utf8")
    quoted = " ".join(page.replace("\n>", "").split())
    assert f"0 of {wrong} wrong answers accepted, 0 of {right} right answers rejected, " in quoted
    killed, listed = re.search(r"0 of (\d+) mutants passed \((\d+) more ", quoted).groups()
    assert int(killed) + int(listed) == mutants_made
    kept = (read_reliability(simulated_class(course, name)) for name in course.lessons())
    judged = sum(each.judged for lesson in kept for each in lesson.values())
    assert judged == wrong + right + int(killed)


def test_too_few_hints_that_name_the_cause_are_a_failure(course):
    found = Audit(question(questions.LessonQuestions.read(course, QUICK_LESSON), "stem"), wrong=20)
    found.named = 19
    assert AuditSummary.of(COURSE, [found]).holds
    found.named = 18
    assert not AuditSummary.of(COURSE, [found]).holds
    assert "; 90.0 % of the wrong answers got the hint" in AuditSummary.of(COURSE, [found]).sentence


def test_an_answer_whose_outputs_are_too_large_to_read_is_judged():
    huge = [["x" * 9_000] * 100] * 10
    found = run_and_judge(
        COURSE, "documents.overlapping_chunks", lambda tokens, size, overlap: huge, 3
    )
    assert (found.verdict.percent, found.error) == (0, np.inf)
    assert "more than 4,000,000 bytes" in found.verdict.explanation


@pytest.mark.parametrize("name", CourseFolder(REPOSITORY).lessons())
def test_every_answer_that_was_left_as_handed_out_is_called_so(name):
    course = CourseFolder(REPOSITORY)
    lesson = questions.LessonQuestions.read(course, name)
    released = nbformat.read(course.release(name), as_version=4)
    stubs = {grade_id(cell): cell.source for cell in released.cells if is_solution(cell)}
    names = lesson.names("unanswered", {cell: stubs[cell] for cell in lesson.right})
    for question in lesson.questions:
        verdict = run_and_judge(COURSE, question.exercise, names[question.object], 3).verdict
        assert verdict.reason == NOT_ANSWERED, question
