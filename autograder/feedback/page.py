"""Pages of graded notebooks, for students and for the formgrader, in which no student's code runs.

``nbgrader_config.py`` gives these preprocessors and filters to nbconvert's ``HTMLExporter``, with
which both ``nbgrader generate_feedback`` and the formgrader make their pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import nbformat
import nbgrader
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from nbgrader.api import Grade, Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearHiddenTests, GetGrades, NbGraderPreprocessor
from nbgrader.utils import is_grade
from traitlets import default

from autograder.cells import (
    grade_id,
    is_autograded,
    is_manually_graded,
    title,
)
from autograder.course_folder import CourseFolder
from autograder.declaration import DeclarationError, course_of
from autograder.errors import CourseError
from autograder.execution.notebook_client import missing_names
from autograder.execution.outputs import clean, execution_count
from autograder.feedback.sanitize_html import (
    AS_TEXT,
    CODE,
    HTML,
    MARKDOWN,
    PICTURE,
    TAGS,
    Limit,
    Rendered,
    as_text,
    highlight,
    without_places,
)
from autograder.gradebook.written_answers import Mark, marks_on
from autograder.grading.reasons import causes, in_words
from autograder.grading.results import verdicts_in
from autograder.rubrics import Rubric, read_rubrics
from selfcheck import verdicts
from selfcheck.texts import language, say

SHOWN = ("text/html", "text/markdown", "text/latex", "image/png", "image/jpeg", "text/plain")
"""The types of outputs that a page shows."""


class HarmlessNotebook(NbGraderPreprocessor):
    """Reduces a notebook to what its page shows, in types and sizes that templates expect.

    Metadata, which templates put into the page, is dropped except for nbgrader's, whose names are
    checked. The table of a verdict is created here from the verdict's data, so that HTML in a
    notebook can't pass for the judge's.
    """

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Prepare all cells and the student's name."""
        _load_translations(self)
        self._judged = verdicts_in(nb)
        nb.metadata = NotebookNode()
        self._left = {limit: limit.page for limit in (HTML, MARKDOWN, CODE)}
        for cell in nb.cells:
            self._prepare(cell)
        for key in ("student", "first_name", "last_name", "notebook_path"):
            if isinstance(resources.get(key), str):
                resources[key] = escape(resources[key])
        return nb, resources

    def _prepare(self, cell: NotebookNode) -> None:
        metadata = cell.metadata.get("nbgrader")
        name = metadata.get("grade_id") if isinstance(metadata, dict) else None
        named = isinstance(name, str) and re.fullmatch(r"[\w-]+", name)
        cell.metadata = nbformat.from_dict({"nbgrader": metadata} if named else {})
        if cell.cell_type == "code":
            cell.execution_count = execution_count(cell.get("execution_count"))
            judged = self._judged.get(grade_id(cell) or "")
            outputs = [_table(*judged)] if judged else self._prepare_outputs(cell.outputs)
            cell.outputs = nbformat.from_dict(outputs)
            if not self._fits(cell.source, CODE):
                cell.metadata[AS_TEXT] = True
        elif cell.cell_type == "raw":
            cell.source = as_text(cell.source)
        else:
            cell.attachments = pictures(cell.get("attachments"))
            if not self._fits(cell.source, MARKDOWN):
                cell.source = as_text(cell.source)

    def _prepare_outputs(self, outputs: list[Any]) -> list[dict[str, Any]]:
        prepared = clean(outputs)
        for output in prepared:
            for key in ("text", "evalue"):
                if key in output:
                    output[key] = without_places(output[key])
            if "traceback" in output:
                output["traceback"] = list(map(without_places, output["traceback"]))
            if "data" not in output:
                continue
            data = {
                mime: without_places(text) if mime.startswith("text/") else text
                for mime, text in output["data"].items()
                if mime in SHOWN
            }
            for mime, limit in (("text/html", HTML), ("text/markdown", MARKDOWN)):
                if mime in data and not self._fits(data[mime], limit):
                    data.setdefault("text/plain", f"[{len(data[mime]):,} characters of {mime}]")
                    del data[mime]
            output["data"] = data or {"text/plain": f"[{', '.join(output['data'])}]"}
            for mime in data:
                if mime.startswith("image/"):
                    about = output["metadata"].get(mime, {})
                    output["metadata"][mime] = {"alt": PICTURE} | about
        return prepared

    def _fits(self, text: str, limit: Limit) -> bool:
        """Whether a piece is rendered; it then counts towards the page's limit."""
        if len(text) > min(limit.piece, self._left[limit]):
            return False
        if limit is HTML and text.count("<") > TAGS:
            return False
        self._left[limit] -= len(text)
        return True


def _load_translations(preprocessor: NbGraderPreprocessor) -> None:
    """Find the course, as its translations come with it: a record has its own words for aspects."""
    with suppress(DeclarationError, ImportError):
        course_of(preprocessor)


def _table(verdict: verdicts.Verdict, maximum: float) -> dict[str, Any]:
    """A verdict as an output, in a frame that a student's HTML can't have."""
    table = without_places(verdict.to_html(maximum))
    frame = "border: 2px solid #23527c; background: #f3f8fc; padding: 0.5em 1em"
    data = {"text/html": Rendered(f'<div class="course-judged" style="{frame}">{table}</div>')}
    return {"output_type": "display_data", "data": data, "metadata": {}}


def pictures(attachments: Any) -> dict[str, dict[str, str]]:
    """The pictures that are attached to a cell, whatever else may be."""
    if not isinstance(attachments, dict):
        return {}
    return {
        name: {
            mime: content
            for mime in ("image/png", "image/jpeg")
            if isinstance(content := bundle.get(mime), str)
        }
        for name, bundle in attachments.items()
        if isinstance(bundle, dict)
    }


class GetTodaysGrades(GetGrades):
    """Like nbgrader's, but treats a cell that the lesson has dropped as an ordinary one: nbgrader
    would create no page for its notebook, and remove the existing one."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Put a cell's points and comment into its metadata, if the gradebook knows it."""
        try:
            return super().preprocess_cell(cell, resources, cell_index)
        except MissingEntry:
            if is_grade(cell) and cell.cell_type == "code":
                cell.outputs = []  # the verdict, and points that do not count
            del cell.metadata["nbgrader"]
            return cell, resources


class HideHiddenTests(ClearHiddenTests):
    """Removes hidden tests from what a student reads, including tracebacks."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Remove the regions from graded cells."""
        for cell in filter(is_autograded, nb.cells):
            if self.begin_test_delimeter in cell.source:
                self._hide(cell)
        return nb, resources

    def _hide(self, cell: NotebookNode) -> None:
        try:
            self._remove_hidden_test_region(cell)
        except RuntimeError:  # a region without an end
            cell.source = cell.source.partition(self.begin_test_delimeter)[0]
        for output in cell.outputs:
            if output.output_type == "error":
                output.traceback = [f"{output.ename}: {output.evalue}"]


TEMPLATES = [
    str(Path(__file__).parent / "templates"),
    str(Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"),
]
"""The folders of the template ``feedback_page`` and of nbgrader's, which it extends."""


class FeedbackPage(HTMLExporter):
    """The feedback page for a student."""

    @default("template_paths")
    def _template_paths(self, prune: bool = True, root_dirs: Any = None) -> list[str]:
        # Templates can be named by their folders.
        return [*super()._template_paths(prune, root_dirs), *TEMPLATES]

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Create the page. ``HTMLExporter`` would parse all of it again to describe pictures, which
        takes longer than creating it; here, pictures have descriptions already."""
        self.register_filter("highlight_code", self.filters.get("highlight_code", highlight))
        return super(HTMLExporter, self).from_notebook_node(
            nb, self._init_resources(resources), **kw
        )


@dataclass(frozen=True)
class _Line:
    """A line of the summary, for one cell.

    Args:
        cell: its grade_id.
        title: its name for people.
        earned: the points and the maximum, in words.
        lost: whether points were lost.
        reasons: sentences, as HTML.
    """

    cell: str
    title: str
    earned: str
    lost: bool
    reasons: tuple[str, ...]


class SumUp(NbGraderPreprocessor):
    """Provides the points, and the reasons for lost ones, to the template ``feedback_page``.

    It reads the verdicts, and so must run before ``HarmlessNotebook``.
    """

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Read the gradebook and the verdicts; the notebook stays as it is."""
        _load_translations(self)
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            graded = gradebook.find_submission_notebook(
                names["notebook"], names["assignment"], names["student"]
            )
            penalty = graded.late_submission_penalty or 0.0
            said = {one.name: one.manual_comment for one in graded.comments}
            marks = marks_on(gradebook.db, graded.id)
            rubrics = _rubrics(self, names["assignment"]) if marks else {}
            grades = {grade.name: grade for grade in graded.grades}
            cells = {name: cell for cell in nb.cells if (name := grade_id(cell) or "") in grades}
            judged = {name: verdict for name, (verdict, _) in verdicts_in(nb).items()}
            pending = sum(one.max_score for one in graded.grades if one.needs_manual_grade)
            resources["course_scores"] = {
                "language": language(),
                "total": say(
                    "{earned} of {points} points",
                    earned=f"{graded.score - penalty:g}",
                    points=f"{graded.max_score:g}",
                ),
                "penalty": penalty
                and say(
                    "{points} points were taken off for handing in late.", points=f"{penalty:g}"
                ),
                "pending": pending
                and say(
                    "{points} of them are still to be graded by hand.",
                    points=f"{pending:g}",
                ),
                "scores": [
                    _line(
                        cell,
                        grades[name],
                        judged.get(name),
                        said,
                        tuple(_items(grades[name], marks.get(name), rubrics.get(name))),
                        nb,
                    )
                    for name, cell in cells.items()
                ],
            }
        return nb, resources


def _line(
    cell: NotebookNode,
    grade: Grade,
    verdict: verdicts.Verdict | None,
    said: Mapping[str, str],
    items: tuple[str, ...],
    notebook: NotebookNode,
) -> _Line:
    # A manual comment on a function is at the answer cell, not at the test.
    answer = grade.name.removeprefix("test_")
    comment = (say("Comment: {text}", text=said[answer]),) if said.get(answer) else ()
    reasons = () if grade.needs_manual_grade else tuple(_reasons(cell, grade, verdict, notebook))
    return _Line(
        cell=grade.name,
        title=title(grade.name),
        earned=_earned(grade),
        lost=grade.score < grade.max_score and not grade.needs_manual_grade,
        reasons=tuple(verdicts.in_html(without_places(each)) for each in reasons + items + comment),
    )


def _rubrics(preprocessor: NbGraderPreprocessor, lesson: str) -> Mapping[str, Rubric]:
    """The lesson's rubrics; none where they can't be read: the marker is told, not the student."""
    root = Path(CourseDirectory(parent=preprocessor).root)
    with suppress(CourseError):
        return read_rubrics(CourseFolder(root, preprocessor.config), lesson)
    return {}


def _items(grade: Grade, mark: Mark | None, rubric: Rubric | None) -> Iterator[str]:
    """What the answer got for each item of its rubric, unless somebody decided otherwise."""
    if not (mark and rubric) or mark.points is not None or grade.needs_manual_grade:
        return
    if not grade.manual_score == mark.total == rubric.total(mark.items):
        return  # given in the formgrader since, or by another rubric
    for item in rubric.items:
        earned = item.points if item.name in mark.items else 0.0
        points = say("{earned} of {points}", earned=f"{earned:g}", points=f"{item.points:g}")
        yield f"{points}: {item.text}"


def _earned(grade: Grade) -> str:
    most = f"{grade.max_score:g}"
    if grade.needs_manual_grade:
        return say("not graded yet, up to {points}", points=most)
    return say("{earned} of {points}", earned=f"{grade.score:g}", points=most)


def _reasons(
    cell: NotebookNode, grade: Grade, verdict: verdicts.Verdict | None, notebook: NotebookNode
) -> Iterator[str]:
    """Why points were lost: the likely cause, then what each aspect that does not hold costs."""
    if verdict is None:
        # nbgrader itself gives 0 to a missing written answer.
        if is_manually_graded(cell) and grade.auto_score == 0 and grade.manual_score is None:
            yield _sentence(say(verdicts.NOT_ANSWERED))
        if is_autograded(cell) and grade.manual_score is None:
            for error in (output for output in cell.outputs if output.output_type == "error"):
                yield say("The test stopped with {error}", error=in_words(error))
                yield from causes(missing_names(error["evalue"]), notebook)
            if any(output.get("name") == "stderr" for output in cell.outputs):
                yield say("The test wrote to stderr, perhaps a warning: nothing is given for that.")
        return
    if grade.manual_score is not None or grade.extra_credit:
        yield say("A person looked at this and decided.")
    elif verdict.percent < 100:
        if verdict.explanation and not verdict.by_cause:
            yield _sentence(verdict.explanation)
        if not verdict.reason:
            yield from verdict.losses_in_words(grade.max_score)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
