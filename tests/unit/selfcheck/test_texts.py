"""Every text that a student reads, in the student's language."""

import importlib
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from string import Formatter

import numpy as np
import pytest
from babel.messages.pofile import read_po
from nbformat.v4 import new_code_cell, new_notebook
from traitlets.config import Config

import course
from autograder.declaration import find_course
from autograder.feedback.page import HarmlessNotebook
from autograder.judging.judge import judge as judge_of
from autograder.record import CellResult, Judgement, NotebookResult
from autograder.release import translations
from autograder.simulate import Stated
from course import COURSE
from selfcheck import Failure, Untransferable, responses, texts
from selfcheck.checks import CheckFailed
from selfcheck.verdicts import Finding, Verdict, evaluate, observe
from tests.conftest import REPOSITORY, responded
from tests.support import taught
from tests.support.taught import judge

SEED = 5
NAME = "attention.average_attention"
HINT = "Every time step got the same weight: you didn't use the context."
ANOTHER = REPOSITORY / "tests" / "another_course"
CATALOGUES = [Path(texts.__file__).with_name("de.po"), ANOTHER / "mechanics" / "texts" / "de.po"]


def mean(hidden, context):
    return np.array(hidden).mean(axis=1)


def placeholders(sentence):
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_every_sentence_is_translated_with_its_values(path):
    with path.open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    assert messages
    for message in messages:
        assert message.string and not message.fuzzy, message.id
        if "{" in message.id:
            assert placeholders(message.string) == placeholders(message.id), message.string
        ends = re.compile(r"[.?:]?$")
        assert ends.search(message.id)[0] == ends.search(message.string)[0], message.string


def test_a_course_without_a_catalogue_has_its_own_sentences_in_english(monkeypatch):
    monkeypatch.setenv(texts.VARIABLE, "de")
    with pytest.raises(CheckFailed) as failure:
        course.check(NAME, mean)
    said = str(failure.value)
    assert "2 von 4 Aspekten" in said
    assert "erwartet" in said
    assert f"{HINT} Siehe Abschnitt 1" in said
    assert "expected" not in said


def test_a_verdict_says_which_language_it_is_in(monkeypatch):
    monkeypatch.setenv(texts.VARIABLE, "de")
    handed = responded(NAME, mean, SEED)
    page = judge(NAME, SEED, handed).to_html(10)
    assert "lang='de'" in page
    assert "Punkte:" in page
    assert "6 von 10 Punkten" in page


def test_the_language_changes_no_points(monkeypatch):
    handed = responded(NAME, mean, SEED)
    english = judge(NAME, SEED, handed)
    monkeypatch.setenv(texts.VARIABLE, "de")
    german = judge(NAME, SEED, handed)
    assert (german.percent, german.mistakes) == (english.percent, english.mistakes)
    assert english.hints == (f"{HINT} See section 1.",)
    assert german.hints == (f"{HINT} Siehe Abschnitt 1.",)


def test_a_language_that_is_not_there_is_refused_with_those_that_are(monkeypatch):
    monkeypatch.setenv(texts.VARIABLE, "tlh")
    with pytest.raises(
        texts.UnknownLanguage,
        match=r"'tlh', but the available languages are: de, "
        r"en",
    ):
        course.check(NAME, mean)


def test_a_value_is_no_sentence():
    told = texts.say(
        "{output} is {value}, expected {expected}", output="{a}", value="{}", expected=""
    )
    assert told == "{a} is {}, expected "


CHANGES = {
    "twice": lambda x: 2 * x,
    "one more": lambda x: x + 1,
    "another number": lambda x: np.where(np.arange(x.size).reshape(x.shape) == 0, x + 0.3, x),
    "not a number": lambda x: np.where(np.arange(x.size).reshape(x.shape) == 0, np.nan, x),
    "infinite": lambda x: x + np.inf,
    "negative": lambda x: -x,
    "moved": lambda x: np.roll(x, 1, axis=0),
    "axes moved": np.transpose,
    "summed": lambda x: x.sum(axis=0),
    "axis too many": lambda x: x[None],
    "flat": np.ravel,
    "one row too many": lambda x: np.concatenate([x, x]),
}
WORDS = {
    "None": lambda x: None,
    "a list": lambda x: [x, x],
    "text": lambda x: "text",
    "empty": lambda x: [],
    "a class": lambda x: Untransferable("Thing"),
    "a set": lambda x: Untransferable("set"),
    "less": lambda x: x[1:] if isinstance(x, list | str) else [],
    "more": lambda x: x + x[:1] if isinstance(x, list | str) else [],
    "reversed": lambda x: x[::-1] if isinstance(x, list | str) else [],
    "capitals": lambda x: [str(y).upper() for y in x] if isinstance(x, list) else str(x).upper(),
}


def changed(value, change):
    if isinstance(value, np.ndarray) and change in CHANGES and value.ndim:
        return CHANGES[change](value)
    return WORDS[change](value) if change in WORDS else value


@pytest.mark.parametrize("name", COURSE.names())
def test_nothing_is_said_past_the_catalogues(name, monkeypatch):
    """In a language that puts every sentence in brackets, nothing stands outside of them."""

    class Brackets:
        def get(self, sentence, _):
            return f"⟦{sentence}⟧"

    monkeypatch.setattr(texts, "_translations", lambda language: Brackets())
    exercise = COURSE.get(name)
    expected = taught.expected(exercise, SEED)
    for change in (*CHANGES, *WORDS):
        received = {
            case: {output: changed(value, change) for output, value in right.outputs.items()}
            for case, right in expected.items()
        }
        verdict = evaluate(exercise, observe(exercise, SEED, received, expected))
        told = [finding.seen for finding in verdict.findings if finding.seen]
        for text in filter(None, (*told, verdict.fact)):
            assert text.startswith("⟦"), text
            assert text.endswith(("⟧", "...")), text
        page = verdict.to_html(10)
        while (left := re.sub("⟦[^⟦⟧]*⟧", "", page)) != page:
            page = left
        words = set(re.findall("[a-z]{3,}", re.sub(r"<[^>]*>|&\w+;", " ", page)))
        assert words <= set(re.findall("[a-z]+", name)), page


def test_a_failure_is_told_in_the_language_too(monkeypatch):
    monkeypatch.setenv(texts.VARIABLE, "de")
    exercise = COURSE.get(NAME)
    expected = taught.expected(exercise, SEED)
    failed = dict.fromkeys(expected, Failure("IndexError", "list index out of range", 3))
    verdict = evaluate(exercise, observe(exercise, SEED, failed, expected))
    assert "Zeile 3 der Zelle" in verdict.findings[0].seen
    assert verdict.fact and not re.search(r"\bthe\b", verdict.fact)


# ---- a course that has a catalogue ----

QUESTION = "This is the square of the time: what undoes a square?"


def forget():
    """What is remembered of a course and of what it says."""
    for module in [name for name in sys.modules if name.partition(".")[0].startswith("mechanics")]:
        del sys.modules[module]
    for remembered in (find_course, texts.languages, texts._translations):
        remembered.cache_clear()


@pytest.fixture
def mechanics(tmp_path, monkeypatch, autograder):
    """Another course, released: its folder."""
    folder = Path(shutil.copytree(ANOTHER, tmp_path / "mechanics"))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(texts, "_folders", texts._folders.copy())
    assert autograder("release", course=folder).code == 0
    yield folder
    forget()


def squared(heights, gravity):
    return 2 * heights / gravity


def said_of_mechanics():
    """What a student's check says of a wrong answer, and the hint of the verdict on it."""
    taught_here = importlib.import_module("mechanics").COURSE
    exercise = taught_here.get("motion.falling_time")
    with pytest.raises(CheckFailed) as failure:
        taught_here.check(exercise.name, squared)
    handed = responses.respond(exercise, squared, exercise.cases(SEED))
    (hint,) = judge_of(taught_here, exercise.name, SEED, handed).hints
    return str(failure.value), hint


def test_a_course_with_a_catalogue_speaks_the_language(mechanics, monkeypatch):
    monkeypatch.setenv(texts.VARIABLE, "de")
    told, hint = said_of_mechanics()
    assert hint == (
        "Das ist das Quadrat der Zeit: Was macht ein Quadrat rückgängig? Siehe Abschnitt 1."
    )
    assert hint in told
    assert "die Zeiten stimmen" in told
    assert not re.search(r"\b(the|time|expected)\b", told)


def test_a_record_has_the_same_aspects_in_every_language(mechanics, monkeypatch):
    monkeypatch.setenv(texts.VARIABLE, "de")
    taught_here = importlib.import_module("mechanics").COURSE
    exercise = taught_here.get("motion.falling_time")
    handed = responses.respond(exercise, squared, exercise.cases(SEED))
    verdict = judge_of(taught_here, exercise.name, SEED, handed)
    recorded = [finding["title"] for finding in verdict.to_json()["findings"]]
    assert recorded == [aspect.title for aspect in exercise.aspects]
    assert Stated.read({"fails": ["the times are right"]}).contradicted(verdict) == ""
    aspects_decide = replace(verdict, losses=())
    for said in (verdict.to_text(), verdict.to_html(), *aspects_decide.losses_in_words(10)):
        assert "die Zeiten stimmen" in said and "the times" not in said, said


def test_a_page_is_in_the_language_though_nothing_else_asked_for_the_course(mechanics, monkeypatch):
    monkeypatch.setenv(texts.VARIABLE, "de")
    finding = Finding("the times are right", 100, False, "")
    verdict = Verdict("motion.falling_time", (finding,))
    marks = {"grade_id": "test", "grade": True, "solution": False, "locked": True, "points": 1}
    cell = new_code_cell("", metadata={"nbgrader": marks | {"schema_version": 3, "task": False}})
    notebook = new_notebook(cells=[cell])
    judged = Judgement(verdict.exercise, verdict, SEED)
    NotebookResult((CellResult("test", 1.0, judged=judged),)).write(notebook)
    forget()
    texts._folders[1:] = []
    config = Config(CourseDeclaration={"package": "mechanics"})
    shown, _ = HarmlessNotebook(config=config).preprocess(notebook, {})
    assert "die Zeiten stimmen" in shown.cells[0].outputs[0].data["text/html"]


def test_an_empty_catalogue_gets_all_sentences_of_the_course(mechanics, monkeypatch):
    catalogue = mechanics / "mechanics" / "texts" / "fr.po"
    catalogue.touch()
    files = translations.expected_files(importlib.import_module("mechanics").COURSE)
    german = catalogue.with_name("de.po")
    assert files[german] == german.read_text("utf8")
    assert files.keys() == {CATALOGUES[0], german, catalogue}
    assert files[catalogue].count('msgid "') == files[german].count('msgid "')
    assert f'msgid "{QUESTION}"\nmsgstr ""\n' in files[catalogue]
    french = files[catalogue].replace(
        f'msgid "{QUESTION}"\nmsgstr ""', f'msgid "{QUESTION}"\nmsgstr "Et la racine ?"'
    )
    catalogue.write_text(french, "utf8")
    texts.languages.cache_clear()
    monkeypatch.setenv(texts.VARIABLE, "fr")
    told, hint = said_of_mechanics()
    assert hint == "Et la racine ? See section 1."
    assert "the times are right" in told


def test_a_hint_that_changed_is_english_until_it_is_translated_again(mechanics, monkeypatch):
    key = mechanics / "mechanics_keys" / "motion" / "falling_time.py"
    now = QUESTION.replace("what undoes", "and what undoes")
    key.write_text(key.read_text("utf8").replace(QUESTION, now), "utf8")
    forget()
    monkeypatch.chdir(mechanics)
    with pytest.raises(SystemExit, match=r"Out of date: .*mechanics/texts/de\.po"):
        translations.main(check=True)
    catalogue = mechanics / "mechanics" / "texts" / "de.po"
    files = translations.expected_files(importlib.import_module("mechanics").COURSE)
    catalogue.write_text(files[catalogue], "utf8")
    translations.main(check=True)
    monkeypatch.setenv(texts.VARIABLE, "de")
    assert said_of_mechanics()[1] == f"{now} Siehe Abschnitt 1."
