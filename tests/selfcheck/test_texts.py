"""Every text that a student reads, in the student's language."""

import re
from pathlib import Path
from string import Formatter

import numpy as np
import pytest
from babel.messages.pofile import read_po

import course
from course import COURSE
from selfcheck import Failure, Untransferable, texts
from selfcheck.checks import CheckFailed
from selfcheck.verdicts import evaluate, observe
from tests import taught
from tests.conftest import responded
from tests.taught import judge

SEED = 5
NAME = "attention.average_attention"
TRANSLATED = [language for language in texts.languages() if language != texts.ENGLISH]


def mean(hidden, context):
    return np.array(hidden).mean(axis=1)


def catalogue(language):
    messages = []
    for folder in (Path(texts.__file__).parent, COURSE.folder / "texts"):
        with (folder / f"{language}.po").open("rb") as file:
            messages += [message for message in read_po(file) if message.id]
    return messages


def placeholders(sentence):
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated_with_its_values(language):
    for message in catalogue(language):
        assert message.string and not message.fuzzy, message.id
        if "{" in message.id:
            assert placeholders(message.string) == placeholders(message.id), message.string
        ends = re.compile(r"[.?:]?$")
        assert ends.search(message.id)[0] == ends.search(message.string)[0], message.string


def test_a_check_speaks_german(monkeypatch):
    monkeypatch.setenv(texts.VARIABLE, "de")
    with pytest.raises(CheckFailed) as failure:
        course.check(NAME, mean)
    said = str(failure.value)
    assert "2 von 4 Aspekten" in said
    assert "erwartet" in said
    assert "Abschnitt 1" in said
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
    assert german.hints != english.hints


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
        told = [finding.title for finding in verdict.findings]
        told += [finding.seen for finding in verdict.findings if finding.seen]
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
