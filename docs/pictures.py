"""Render the pictures of README and docs/ from a course made for them: ``make pictures``.

Everything is real: a kernel runs what a student wrote, a simulated class is graded, and Chromium
photographs the pages that come out. The pictures of lessons come from the cells that draw them.
"""

from __future__ import annotations

import base64
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL

import nbformat
from nbclient import NotebookClient
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from autograder.audit.questions import LessonQuestions
from autograder.cells import is_manually_graded
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.grading.batch import grade
from autograder.kernels import sandbox
from autograder.release.generate import copy_of, release
from autograder.reports.report import write_report
from autograder.simulate import REFERENCE, UNANSWERED, read_answers, simulate

ROOT = Path(__file__).parents[1]
PICTURES = Path(__file__).with_suffix("")
LESSON = "03-attention"
EXERCISES = ("average_attention", "scaled_dot_product_attention", "multi_head_self_attention")
STUDENT = "amara"
"""Whose check and whose feedback page are shown."""

CLASS: Mapping[str, tuple[str, str, str, float, float]] = {
    STUDENT: ("", "softmax_axis", "masks", 2, 1),
    "anouk": ("", "", "", 2, 1),
    "benno": ("", "", "heads_reshaped", 1.5, 1),
    "chidi": ("", "", "", 1, 0.5),
    "dalia": ("", "no_mask_in_call", "", 1.5, 1),
    "edgar": ("heads_reshaped", "softmax_axis", "heads_reshaped", 1, 0),
    "farah": ("", "", "masks", 2, 1),
    "goran": ("", "masks", "masks", 1.5, 1),
    "hanna": ("", "", "", 2, 1),
    "idris": ("", "mask_signs", "", 1, 1),
    "jelena": ("", "", "static_batch", 2, 1),
    "kofi": ("order_of_steps", "softmax_axis", "three_axes", 1, 1),
    "lena": ("", "", "", 0.5, 0),
    "mateo": ("no_scaling", "no_scaling", "heads_reshaped", 1, 0),
    "nadia": ("", "masks", "biases", 2, 1),
    "oskar": ("softmax_axis", "keys_for_values", UNANSWERED, 0.5, 0),
    "priya": ("", "", "", 1.5, 1),
    "quinn": ("", "softmax_axis", "tutorial_masks", 1, 1),
    "rosa": ("", "barely_hidden", "", 2, 1),
    "sven": ("no_scaling", "masks", "shapes", 1.5, 0.5),
    "tomoko": ("", "", "masks", 2, 1),
    "umar": ("fixed_axes", UNANSWERED, UNANSWERED, 0, 0),
    "vera": ("", "", "masks", 2, 0.5),
    "yusuf": ("", "no_scaling", "heads_reshaped", 1.5, 1),
}
"""Invented students: for each exercise the mistake of ``tests/submissions`` they make, none where
they answer rightly; and the points for each of their answers in words."""

_ENVIRONMENT = {
    "COURSE_BUDGET": "smoke",
    "COURSE_LANGUAGE": "en",
    "COURSE_SOURCE": "sample",
    "TF_CPP_MIN_LOG_LEVEL": "3",
}
_BROWSERS = ("chromium", "chromium-browser")
_OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND"
_SCALE = 2
_FIGURES = {"bbox_inches": "tight", "dpi": 72 * _SCALE}
_COLOURS = 256  # as many as a PNG's palette holds
_WORDS = """parts => parts.flatMap(part => [
    part.innerText, ...Array.from(part.querySelectorAll("img"), image => image.alt)
])"""


@dataclass(frozen=True)
class Picture:
    """A picture and what can be read in it.

    Args:
        png: the file's content.
        text: in words; of images their alternative texts.
    """

    png: bytes
    text: str


# --- a course ------------------------------------------------------------------------------------


def grade_a_class(root: Path) -> CourseFolder:
    """Make a course in which ``CLASS`` was graded, down to feedback pages and a report.

    Args:
        root: an empty folder for the course.

    Raises:
        CourseError: when a step fails.
    """
    course = copy_of(CourseFolder(ROOT), root)
    released = release(course, LESSON).path
    answers = root / "answers"
    answers.mkdir()
    for student, work in CLASS.items():
        mistakes = dict(zip(EXERCISES, work[: len(EXERCISES)], strict=True))
        (answers / f"{student}.py").write_text(_answers(released, mistakes), "utf8")
    simulate(course, LESSON, answers)
    for student in (REFERENCE, UNANSWERED):
        shutil.rmtree(course.submitted(student, LESSON))
    confinement = "none" if sandbox.problem() else "bubblewrap"
    for row in grade(course, LESSON, list(CLASS), sandbox=confinement):
        if row.problem:
            raise CourseError(f"{row.student} was not graded: {row.problem}")
        print(f"  {row.student}", flush=True)
    _grade_words(course)
    if log := course.run("generate_feedback", LESSON):
        raise CourseError(f"nbgrader could not write the feedback:\n{log}")
    write_report(course, LESSON, root / "reports")
    return course


def _answers(released: Path, mistakes: Mapping[str, str]) -> str:
    """A simulated student's file, of the answers that are wrong or missing, by exercise."""
    unanswered = {cell.id: cell.source for cell in nbformat.read(released, as_version=4).cells}
    folder = ROOT / "tests" / "submissions" / LESSON
    right = LessonQuestions.read(CourseFolder(ROOT), LESSON).right
    cells = []
    for exercise, mistake in mistakes.items():
        if mistake == UNANSWERED:
            cells.append((exercise, unanswered[exercise]))
        elif mistake:
            wrong = read_answers(folder / f"wrong_{mistake}.py", right)
            cells.append((exercise, wrong.cells[exercise]))
    return "\n\n".join(f'# %% grade_id="{name}"\n{source}' for name, source in cells)


def _grade_words(course: CourseFolder) -> None:
    """What a person does in the formgrader: points for the answers in words."""
    lesson = nbformat.read(course.source(LESSON), as_version=4)
    written = [cell.id for cell in lesson.cells if is_manually_graded(cell)]
    nbgrader = course.nbgrader
    with Gradebook(nbgrader.coursedir.db_url, nbgrader.course_id) as gradebook:
        for student, work in CLASS.items():
            for cell, points in zip(written, work[len(EXERCISES) :], strict=True):
                graded = gradebook.find_grade(cell, LESSON, LESSON, student)
                graded.manual_score, graded.needs_manual_grade = points, False
        gradebook.db.commit()


# --- notebooks -----------------------------------------------------------------------------------


def executed(notebook: Path, cells: Sequence[str], folder: Path) -> NotebookNode:
    """Execute some cells of a notebook.

    Args:
        notebook: the file.
        cells: their ids; the one that sets the kernel up comes first.
        folder: in which the kernel runs.

    Returns:
        A notebook of these cells, whose figures are as sharp as a photograph.
    """
    made = nbformat.read(notebook, as_version=4)
    by_id = {cell.id: cell for cell in made.cells}
    made.cells = [by_id[name] for name in cells]
    made.cells[0].source += f"\n%config InlineBackend.print_figure_kwargs = {_FIGURES}"
    client = NotebookClient(
        made, timeout=None, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute(env=os.environ | _ENVIRONMENT, stdout=DEVNULL, stderr=DEVNULL)
    return made


def figure(lesson: str, cells: Sequence[str], folder: Path) -> Picture:
    """The figure that the last of a solved lesson's cells draws.

    Args:
        lesson: the lesson.
        cells: the ids of that cell and of those it needs.
        folder: in which the kernel runs.
    """
    notebook = executed(CourseFolder(ROOT).source(lesson), cells, folder)
    (drawn,) = [output for output in notebook.cells[-1].outputs if "image/png" in output.data]
    png = base64.b64decode(drawn.data["image/png"])
    return Picture(_small(png), drawn.metadata["image/png"]["alt"])


def heat_map(folder: Path) -> Picture:
    """Attention with padding, masked and not."""
    cells = ["setup", "dictionary-by-hand", "who-looks-ask", "dictionary-picture"]
    return figure(LESSON, [*cells, "scaled_dot_product_attention", "masks-picture"], folder)


def warm_up(folder: Path) -> Picture:
    """The learning rate of every step."""
    return figure("04-transformer-encoder", ["setup", "warmup_schedule", "warmup-plot"], folder)


# --- photographs ---------------------------------------------------------------------------------


@contextmanager
def browser() -> Iterator[Browser]:
    """A Chromium that reaches no other machine.

    Raises:
        CourseError: when there is none.
    """
    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if path is None:
        raise CourseError("There is no Chromium to photograph pages with: apt install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", _OFFLINE])
        yield chromium
        chromium.close()


def photograph(
    chromium: Browser, page: Path, parts: str, *, width: int, margin: int = 12
) -> Picture:
    """Photograph parts of a page and what lies between them.

    Args:
        chromium: the browser.
        page: an HTML file.
        parts: a CSS selector.
        width: of the window, in CSS pixels.
        margin: around the parts, in CSS pixels.
    """
    window = {"width": width, "height": 1000}
    context = chromium.new_context(viewport=window, device_scale_factor=_SCALE)
    tab = context.new_page()
    tab.goto(page.as_uri())
    found = tab.locator(parts)
    boxes = [box for part in found.all() if (box := part.bounding_box())]
    left = max(min(box["x"] for box in boxes) - margin, 0)
    top = max(min(box["y"] for box in boxes) - margin, 0)
    right = min(max(box["x"] + box["width"] for box in boxes) + margin, width)
    bottom = max(box["y"] + box["height"] for box in boxes) + margin
    clip = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    png = tab.screenshot(clip=clip, full_page=True)
    text = " ".join(" ".join(found.evaluate_all(_WORDS)).split())
    context.close()
    return Picture(_small(png), text)


def check_panel(chromium: Browser, course: CourseFolder) -> Picture:
    """What a student sees in the notebook after a check of a wrong answer.

    The answer stays out of the picture: it is one slip away from the solution.
    """
    exercise = EXERCISES[1]
    submitted = course.submitted(STUDENT, LESSON) / f"{LESSON}.ipynb"
    notebook = executed(submitted, ["setup", exercise, f"test_{exercise}"], course.root)
    del notebook.cells[:-1]
    # The error at the end says in text what the panel above it says.
    outputs = notebook.cells[-1].outputs
    notebook.cells[-1].outputs = [each for each in outputs if each.output_type != "error"]
    page = course.root / "check.html"
    page.write_text(HTMLExporter(template_name="lab").from_notebook_node(notebook)[0], "utf8")
    return photograph(chromium, page, ".jp-InputArea, .jp-OutputArea-output", width=860)


def feedback(chromium: Browser, course: CourseFolder) -> Picture:
    """The top of a student's page, on a phone."""
    page = course.feedback(STUDENT, LESSON)
    parts = "body > .container > .panel > .panel-heading"
    return photograph(chromium, page, parts, width=400, margin=0)


def class_report(chromium: Browser, course: CourseFolder) -> Picture:
    """The top of the class report."""
    page = course.root / "reports" / f"{LESSON}.html"
    parts = "h1, .facts, .pictures, h2:first-of-type + .scroll"
    return photograph(chromium, page, parts, width=960)


def _small(png: bytes) -> bytes:
    """The same picture in fewer colours."""
    made = io.BytesIO()
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    # One round of k-means keeps colour bars smooth.
    reduced = picture.quantize(_COLOURS, kmeans=1, dither=Image.Dither.NONE)
    reduced.save(made, "PNG", optimize=True)
    return made.getvalue()


def render(folder: Path) -> Iterator[tuple[str, Picture]]:
    """Make all pictures, each with its name.

    Args:
        folder: an empty one to work in.

    Raises:
        CourseError: when a step fails, or there is no Chromium.
    """
    with browser() as chromium:
        yield "heat-map", heat_map(folder)
        yield "warm-up", warm_up(folder)
        root = folder / "course"
        root.mkdir()
        print(f"Grading {len(CLASS)} simulated students", flush=True)
        course = grade_a_class(root)
        yield "check-panel", check_panel(chromium, course)
        yield "feedback", feedback(chromium, course)
        yield "class-report", class_report(chromium, course)


def main() -> None:
    """Render all pictures into ``docs/pictures``."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pictures-") as folder:
        for name, picture in render(Path(folder)):
            path = PICTURES / f"{name}.png"
            path.write_bytes(picture.png)
            print(f"{path.relative_to(ROOT)}: {len(picture.png) / 1000:.0f} kB", flush=True)


if __name__ == "__main__":
    try:
        main()
    except CourseError as error:
        sys.exit(str(error))
