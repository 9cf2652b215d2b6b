"""Pages of a submission full of scripts, in a browser: none runs, and the verdicts are there."""

import html
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbgrader.api import Gradebook
from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension

from autograder.cells import grade_id
from tests.conftest import CHROMIUM, NO_CHROMIUM, QUICK_LESSON, write_quick_course
from tests.support.scripts import STUDENT, make_hostile, ran

PUPIL = "pupil"
RUN_WITHOUT_CLEANING = {"mdscript", "mdimage", "mdlink", "mdsvg", "mddetails", "script", "image"}
RUN_WITHOUT_CLEANING |= {"link", "markdown", "javascript"}
WRONG = {
    "tokenize": "def tokenize(text):\n"
    "    text = text.replace('<br />', ' ')\n"
    "    return text.translate(str.maketrans('', '', string.punctuation)).split()",
    "stem": "def stem(tokens):\n    raise NotImplementedError",
    "lemmatize": "def lemmatize(tokens, pos):\n    return tokens",
}


def answer_wrongly(notebook):
    for cell in notebook.cells:
        cell.source = WRONG.get(grade_id(cell), cell.source)


def grade_by_hand(course):
    """A person comments, grades one written answer, decides about a function, and it came late."""
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        graded = gradebook.find_submission_notebook(QUICK_LESSON, QUICK_LESSON, PUPIL)
        graded.late_submission_penalty = 0.5
        grades = {grade.name: grade for grade in graded.grades}
        grades["test_lemmatize"].manual_score = 0.75
        grades["steps_that_lose"].manual_score = 1.5
        grades["steps_that_lose"].needs_manual_grade = False
        for comment in graded.comments:
            if comment.name in ("steps_that_lose", "tokenize"):
                comment.manual_comment = f"Look <b>again</b> at {comment.name}."
        gradebook.db.commit()


HARNESS = """<script>
for (const link of document.querySelectorAll("a[href^='javascript:']")) link.click();
const cell = document.querySelector(".course-verdict td");
if (cell) document.documentElement.dataset.cell = getComputedStyle(cell).paddingRight;
document.documentElement.dataset.own = "ran";
</script>"""


def opened(file, folder):
    """The document in a file when its scripts have run."""
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    options = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
    options += " --disable-background-networking --disable-component-update --dump-dom"
    profile = f"--user-data-dir={folder / 'profile'}"
    shown = subprocess.run(
        [CHROMIUM, *options.split(), profile, "--virtual-time-budget=5000", file.as_uri()],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    return BeautifulSoup(shown.stdout, "html.parser")


def in_a_browser(page, folder):
    """The page as it is when its scripts have run, and the names of a student's that did."""
    file = folder / "page.html"
    file.write_text(page.replace("</body>", f"{HARNESS}</body>"), "utf8")
    document = opened(file, folder)
    traces = {key[5:] for key in document.html.attrs if key.startswith("data-")}
    assert "own" in traces
    return document, traces - {"own", "cell"}


def beyond_the_edge(page, folder, width):
    """How many pixels of a page are hidden to the right where it has so many: browsers' windows
    have at least 500, frames in them any number."""
    script = "const root = document.documentElement;"
    script += "parent.postMessage(root.scrollWidth - root.clientWidth, '*')"
    (folder / "page.html").write_text(page.replace("</body>", f"<script>{script}</script></body>"))
    frame = folder / "frame.html"
    frame.write_text(
        "<script>onmessage = (e) => document.documentElement.dataset.hidden = e.data</script>"
        f"<iframe src='page.html' style='border: 0; width: {width}px'></iframe>"
    )
    return int(opened(frame, folder).html["data-hidden"])


def loads_from_elsewhere(document):
    """What a page loads from other machines."""
    attributes = {"script": "src", "img": "src", "link": "href", "iframe": "src"}
    found = {
        element.get(attributes[element.name], "") for element in document.find_all([*attributes])
    }
    return {url for url in found if re.match(r"(https?:)?//", url)}


MATHJAX = HTMLExporter().mathjax_url


def run_nbgrader(course, *arguments):
    subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=course.root,
        check=True,
        capture_output=True,
    )


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A course in which a hostile submission was graded."""
    root = tmp_path_factory.mktemp("course")
    course = write_quick_course(root, [STUDENT, PUPIL])
    for student, change in ((STUDENT, make_hostile), (PUPIL, answer_wrongly)):
        submitted = root / "submitted" / student / QUICK_LESSON / f"{QUICK_LESSON}.ipynb"
        notebook = nbformat.read(submitted, as_version=4)
        change(notebook)
        nbformat.write(notebook, submitted)
    subprocess.run(
        [Path(sys.executable).with_name("autograder"), "grade", QUICK_LESSON],
        cwd=root,
        check=True,
        capture_output=True,
    )
    grade_by_hand(course)
    run_nbgrader(course, "generate_feedback", QUICK_LESSON)
    return course


UNCLEAN = """
for option in ("sanitize_html", "filters", "preprocessors"):
    del c.HTMLExporter[option]
c.FeedbackPage.preprocessors = [SumUp]
"""


@pytest.fixture(scope="module")
def unclean(graded, tmp_path_factory):
    """The same course, configured without what makes pages harmless."""
    root = tmp_path_factory.mktemp("unclean") / "course"
    shutil.copytree(graded.root, root)
    with (root / "nbgrader_config.py").open("a", encoding="utf8") as config:
        config.write(UNCLEAN)
    return type(graded)(root)


def feedback_page(course, student=STUDENT):
    page = course.root / "feedback" / student / QUICK_LESSON / f"{QUICK_LESSON}.html"
    return page.read_text("utf8")


def formgrader_page(course, monkeypatch, **resources):
    """What the formgrader's handler writes for a submission."""
    monkeypatch.chdir(course.root)
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(course.root))
    formgrader = FormgradeExtension()
    formgrader.root_dir = str(course.root)
    formgrader.initialize([])
    exporter = HTMLExporter(config=formgrader.config)
    autograded = course.root / "autograded" / STUDENT / QUICK_LESSON / f"{QUICK_LESSON}.ipynb"
    names = {"last_name": None, "first_name": None, "student": STUDENT}
    names |= {"assignment_id": QUICK_LESSON, "notebook_id": QUICK_LESSON, "base_url": ""}
    names |= {"submission_id": "1", "index": 0, "total": 1, "notebook_path": "x"}
    return exporter.from_filename(str(autograded), resources=names | resources)[0]


def verdicts_on(document):
    return [" ".join(table.get_text(" ").split()) for table in document.select(".course-verdict")]


def assert_verdicts_are_shown(document):
    verdicts = verdicts_on(document)
    assert len(verdicts) == len(document.select(".course-judged > .course-verdict")) == 9
    assert all("of" in text and "✓ yes" in text for text in verdicts)
    assert "preprocessing.find_emails — 2 of 2 points" in verdicts[0]
    size = float(document.html["data-cell"].removesuffix("px"))
    assert size > 5  # what Verdict.to_html asks for is still there


def test_feedback_shows_verdicts_and_runs_no_script(graded, tmp_path):
    document, traces = in_a_browser(feedback_page(graded), tmp_path)
    assert traces == set()
    assert document.title.string == QUICK_LESSON
    assert_verdicts_are_shown(document)
    assert loads_from_elsewhere(document) == {MATHJAX}


def test_without_cleaning_the_same_scripts_do_run_in_feedback(unclean, tmp_path):
    run_nbgrader(unclean, "generate_feedback", QUICK_LESSON, "--student", STUDENT, "--force")
    document, traces = in_a_browser(feedback_page(unclean), tmp_path)
    assert traces >= RUN_WITHOUT_CLEANING
    assert document.title.string == "forged"


HOSTILE_NAME = f"<img src=x onerror={html.escape(ran('student'))}>"


def test_the_formgrader_shows_verdicts_and_runs_no_script(graded, tmp_path, monkeypatch):
    page = formgrader_page(graded, monkeypatch, student=HOSTILE_NAME)
    document, traces = in_a_browser(page, tmp_path)
    assert traces == set()
    assert_verdicts_are_shown(document)
    assert loads_from_elsewhere(document) == {MATHJAX}


def test_without_cleaning_the_same_scripts_do_run_in_the_formgrader(unclean, tmp_path, monkeypatch):
    page = formgrader_page(unclean, monkeypatch, student=HOSTILE_NAME)
    _, traces = in_a_browser(page, tmp_path)
    assert traces >= RUN_WITHOUT_CLEANING | {"student"}


def test_feedback_shows_what_students_wrote_as_text_and_no_hidden_test(graded):
    page = feedback_page(graded)
    text = BeautifulSoup(page, "html.parser").get_text()
    assert f"<script>{ran('raw')}</script>" in text
    assert f"<script>{ran('evalue')}</script>" in text
    assert 'check("preprocessing.find_emails", find_emails)' in text
    assert "HIDDEN TESTS" not in page
    assert not re.search(r"\bgrade\(", text)


def summary(document):
    """By exercise, what the page's first lines say of it: points, then sentences."""
    return {
        line.a.string: [
            " ".join(text.get_text().split()) for text in line.select(".course-points, p")
        ]
        for line in document.select(".course-scores li")
    }


def test_feedback_begins_with_the_total_and_every_lost_point_has_its_reason(graded):
    document = BeautifulSoup(feedback_page(graded, PUPIL), "html.parser")
    graded_by_hand = 1.5
    right = 2 + 1 + 2 + 1 + 2 + 4  # all functions but tokenize, stem and lemmatize
    tokenize = next(text for text in verdicts_on(document) if "preprocessing.tokenize" in text)
    some = float(re.search(r"([\d.]+) of 2 points", tokenize)[1])
    assert 0 < some < 2
    total = right + some + 0.75 + graded_by_hand - 0.5
    assert document.select_one(".course-total").string == f"{total:g} of 20 points"
    head = document.select_one(".panel-heading").get_text()
    assert "2 of them are still to be graded by hand" in head
    assert "0.5 points were taken off for handing in late" in head
    lines = summary(document)
    assert lines["find emails"] == ["2 of 2"]
    assert lines["stem"] == ["0 of 1", "Not answered"]
    assert lines["lemmatize"] == ["0.75 of 1", "A person looked at this and decided."]
    assert lines["fitting on the test"] == ["not graded yet, up to 2"]
    by_hand = ["1.5 of 2", "Comment: Look <b>again</b> at steps_that_lose."]
    assert lines["steps that lose"] == by_hand
    points, hint, *lost, comment = lines["tokenize"]
    assert points == f"{some:g} of 2"
    assert comment == "Comment: Look <b>again</b> at tokenize."
    assert hint == "You didn't convert the text to lower case. See section 2."
    costs = [float(text.partition(":")[0].replace("\N{MINUS SIGN}", "-")) for text in lost]
    assert sum(costs) == pytest.approx(some - 2)
    for name in ("stem", "tokenize"):
        (link,) = [line.a for line in document.select(".course-line") if line.a.string == name]
        assert document.find("a", attrs={"name": link["href"].removeprefix("#")})


def test_feedback_is_german_around_the_hints(graded, tmp_path, monkeypatch, autograder):
    root = tmp_path / "german"
    shutil.copytree(graded.root, root)
    monkeypatch.setenv("COURSE_LANGUAGE", "de")
    german = type(graded)(root)
    rejudged = autograder("rejudge", QUICK_LESSON, "--apply", course=root)
    said = " ".join(rejudged.out.split())
    assert "now: You didn't convert the text to lower case. Siehe Abschnitt 2." in said
    german.run("generate_feedback", QUICK_LESSON, force=True)
    document = BeautifulSoup(feedback_page(german, PUPIL), "html.parser")
    assert document.select_one(".course-total").string.endswith(" von 20 Punkten")
    lines = summary(document)
    assert lines["stem"] == ["0 von 1", "Nicht beantwortet"]
    assert lines["tokenize"][1].endswith("Siehe Abschnitt 2.")
    assert {one["lang"] for one in document.select(".course-verdict")} == {"de"}


@pytest.mark.parametrize("width", [400, 1200])
def test_feedback_fits_a_phone_and_a_desk(graded, tmp_path, width):
    page = feedback_page(graded, PUPIL)
    assert 'name="viewport"' in page
    assert beyond_the_edge(page, tmp_path, width) == 0
