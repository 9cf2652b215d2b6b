"""English offline: the small WordNet beside the full one, the stop words, what an import costs."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from course import COURSE
from course.data import language

REPOSITORY = Path(__file__).parents[4]
PLACES = (os.environ.get("COURSE_DATA", ""), REPOSITORY.parent / "shared" / "datasets")
DATA = next((Path(p) for p in PLACES if p and Path(p, "nltk_data", "corpora").is_dir()), None)
needs_data = pytest.mark.skipif(
    DATA is None,
    reason="reads all of NLTK's data: COURSE_DATA=<folder with nltk_data> make test",
)

LOOK_UP = """
import json, sys
from course.data import language
words = json.load(sys.stdin)
lemmatizer = language.lemmatizer()
lemmas = [[lemmatizer.lemmatize(word, pos) for pos in "nvar"] for word in words]
first = [[lemmatizer.morphy(word, pos) for pos in "nvar"] for word in words]
stop = sorted(language.stopwords())
print(json.dumps({"lemmas": lemmas, "first": first, "stop": stop, "line": language.describe()}))
"""


def run(code, tmp_path, course_data=None, stdin=""):
    """Run code in a process that finds no data of NLTK's but those in ``course_data``."""
    environment = {k: v for k, v in os.environ.items() if k not in ("COURSE_DATA", "NLTK_DATA")}
    environment["HOME"] = str(tmp_path)
    if course_data is not None:
        environment["COURSE_DATA"] = str(course_data)
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=REPOSITORY,
        env=environment,
        input=stdin,
    )


def looked_up(words, tmp_path, course_data=None):
    import json

    done = run(LOOK_UP, tmp_path, course_data, json.dumps(words))
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def words_of_the_cases(function):
    exercise = COURSE.get(f"preprocessing.{function}")
    drawn = {
        w for seed in range(200) for case in exercise.cases(seed) for w in case.inputs["tokens"]
    }
    assert len(drawn) > 60
    return sorted(drawn)


def words_of_the_small_wordnet():
    folder = REPOSITORY / "course" / "data" / "nltk_data" / "corpora" / "wordnet"
    lines = [line for file in folder.iterdir() for line in file.read_text("utf8").splitlines()]
    return sorted({line.split()[0] for line in lines if not line.startswith(" ")})


def test_the_small_wordnet_is_used_where_nltk_finds_none(tmp_path):
    small = looked_up(["mice", "went", "better", "blorbs"], tmp_path)
    assert small["lemmas"] == [
        ["mouse", "mice", "mice", "mice"],
        ["went", "go", "went", "went"],
        ["better", "better", "good", "well"],
        ["blorbs"] * 4,
    ]
    assert small["line"].startswith("WordNet: the course's small one. Stop words: the course's")
    assert {"not", "no", "nor", "the"} <= set(small["stop"])
    assert "" not in small["stop"]


@needs_data
def test_the_small_wordnet_agrees_with_the_full_one(tmp_path):
    # As any part of speech, so that known mistakes are known with either of them.
    # Some look words up before they stem them.
    cases = {*words_of_the_cases("lemmatize"), *words_of_the_cases("stem")}
    words = sorted({*cases, *words_of_the_small_wordnet()})
    small, full = looked_up(words, tmp_path), looked_up(words, tmp_path, DATA)
    assert full["line"].startswith("WordNet: the full one. Stop words: NLTK's")
    disagreements = [
        (word, ours, theirs)
        for word, ours, theirs in zip(words, small["lemmas"], full["lemmas"], strict=True)
        if ours != theirs
    ]
    assert disagreements == []


@needs_data
def test_the_small_wordnet_has_all_words_of_the_cases_that_the_full_one_has(tmp_path):
    words = words_of_the_cases("lemmatize")
    small, full = looked_up(words, tmp_path), looked_up(words, tmp_path, DATA)
    pairs = zip(words, small["first"], full["first"], strict=True)
    assert [found for found in pairs if found[1] != found[2]] == []


@needs_data
def test_the_courses_stop_words_are_mostly_nltks(tmp_path):
    ours = set(looked_up([], tmp_path)["stop"])
    theirs = set(looked_up([], tmp_path, DATA)["stop"])
    assert {"not", "no", "nor"} <= ours & theirs
    assert len(ours & theirs) > 0.7 * len(ours)


def test_a_folder_without_data_or_with_a_broken_archive_is_passed_over(tmp_path):
    corpora = tmp_path / "data" / "nltk_data" / "corpora"
    corpora.mkdir(parents=True)
    corpora.parent.chmod(0o755)
    (corpora / "wordnet.zip").write_bytes(b"no archive")
    with zipfile.ZipFile(corpora / "stopwords.zip", "w") as archive:
        archive.writestr("stopwords/dutch", "de\nhet\n")
    small = looked_up(["mice"], tmp_path, tmp_path / "data")
    assert small["lemmas"][0][0] == "mouse"
    assert small["line"].startswith("WordNet: the course's small one. Stop words: the course's")


def test_a_lemmatizer_of_nltks_own_making_works_as_well(tmp_path):
    code = (
        "from course.data import language; language.lemmatizer(); "
        "from nltk.stem import WordNetLemmatizer; "
        "print(WordNetLemmatizer().lemmatize('wolves'), WordNetLemmatizer().morphy('ran', 'v'))"
    )
    done = run(code, tmp_path)
    assert (done.stdout, done.stderr) == ("wolf run\n", "")


def test_importing_it_costs_nothing(tmp_path):
    code = "import course.data.language, sys; sys.exit('nltk' in sys.modules)"
    done = run(code, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_small_wordnet_is_small():
    folder = REPOSITORY / "course" / "data" / "nltk_data"
    assert sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) < 100_000


def test_lemmas_and_stop_words_in_this_process():
    assert language.lemmatizer().lemmatize("children", "n") == "child"
    assert isinstance(language.stopwords(), frozenset)
    assert "\n" not in language.describe()
