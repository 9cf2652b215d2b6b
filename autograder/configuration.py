"""What makes nbgrader grade with this autograder; a course's ``nbgrader_config.py`` calls it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import Preprocessor
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.preprocessors import (
    CheckCellMetadata,
    Execute,
    GetGrades,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)
from traitlets.config import Config, Configurable
from traitlets.config.loader import LazyConfigValue

from autograder.feedback.page import (
    TEMPLATES,
    FeedbackPage,
    GetTodaysGrades,
    HarmlessNotebook,
    HideHiddenTests,
    SumUp,
)
from autograder.feedback.sanitize_html import (
    clean_html,
    highlight_code,
    markdown2html,
    strip_files_prefix,
)
from autograder.gradebook.releases import RememberRelease
from autograder.gradebook.saving import SaveGrades
from autograder.grading.judging_step import JudgeResponses
from autograder.grading.nbgrader_adapter import AutogradeAdapter
from autograder.grading.plan import ExecuteSubmission
from autograder.late_penalty import LatePolicy
from autograder.nbgrader_exchange import CollectOwnFiles, ReleaseFeedback
from autograder.sanitize.metadata import CheckMetadata
from autograder.sanitize.repair import RepairSubmission

SECONDS = 300
"""Default limit of a cell in seconds: importing large libraries takes ten on a busy machine."""


def configure(c: Config) -> None:
    """Set what grading, feedback and the formgrader need.

    Settings that the configuration already has are kept: a plugin, a limit, the teacher's own
    exchange. If it lists preprocessors, ours are added to them.

    Args:
        c: the configuration, as ``get_config()`` gives it. What is set after this call counts.
    """
    _configure_releasing(c)
    _configure_grading(c)
    _configure_pages(c)


def _configure_releasing(c: Config) -> None:
    # If students hand in through nbgrader's exchange, only files that they own are collected.
    c.ExchangeFactory.setdefault("collect", CollectOwnFiles)
    c.ExchangeFactory.setdefault("release_feedback", ReleaseFeedback)

    # The gradebook remembers every version of a lesson.
    listed = _given(c, GenerateAssignment, "preprocessors")
    c.GenerateAssignment.preprocessors = [*listed, RememberRelease]


def _configure_grading(c: Config) -> None:
    # A submission first becomes a notebook that nbgrader can read.
    listed = _given(c, Autograde, "sanitize_preprocessors")
    # What these two do, it has done, and they ask the gradebook for every cell.
    done: dict[Any, Any] = {OverwriteCells: (), OverwriteKernelspec: ()}
    checked = {CheckCellMetadata: (CheckMetadata,)}
    c.Autograde.sanitize_preprocessors = [RepairSubmission, *_replaced(listed, done | checked)]

    # Execution gets a secret seed, the judge runs before the grades are saved, and manual grades
    # are kept.
    c.Autograde.autograde_preprocessors = _replaced(
        _given(c, Autograde, "autograde_preprocessors"),
        {
            Execute: (ExecuteSubmission, JudgeResponses),
            SaveAutoGrades: (SaveGrades,),
            **checked,
        },
    )

    # c.LatePolicy.penalty_method sets the late penalty: "none", "zero", or "percent" of the points
    # for each day. See docs/deadlines.md.
    c.AssignLatePenalties.setdefault("plugin_class", LatePolicy)

    # nbgrader's command and button grade as `autograder grade` does.
    c.Autograde.exporter_class = AutogradeAdapter

    # Set on the base class, so that c.ExecutePreprocessor and c.Execute take precedence.
    c.NotebookClient.setdefault("timeout", SECONDS)


def _configure_pages(c: Config) -> None:
    # No student's script runs in the formgrader's pages or in the feedback.
    c.HTMLExporter.sanitize_html = True
    c.HTMLExporter.filters = {
        **_given(c, HTMLExporter, "filters"),
        "clean_html": clean_html,
        "highlight_code": highlight_code,
        "markdown2html": markdown2html,
        "strip_files_prefix": strip_files_prefix,
    }
    c.HTMLExporter.preprocessors = [*_given(c, HTMLExporter, "preprocessors"), HarmlessNotebook]

    # The student's page begins with the total, and the reason for every lost point.
    c.GenerateFeedback.setdefault("exporter_class", FeedbackPage)
    # Points also change without grading again: by hand, or when a due date changes.
    c.GenerateFeedback.setdefault("force", True)
    c.FeedbackPage.template_name = "feedback_page"
    c.FeedbackPage.extra_template_basedirs = TEMPLATES
    c.FeedbackPage.preprocessors = [SumUp, HarmlessNotebook]

    # Lessons may have changed, and students do not read hidden tests.
    c.GenerateFeedback.preprocessors = _replaced(
        _given(c, GenerateFeedback, "preprocessors"),
        {GetGrades: (GetTodaysGrades, HideHiddenTests)},
    )


def _given(c: Config, kind: type[Configurable], trait: str) -> Any:
    """The list or dictionary that the configuration sets or adds to, or else nbgrader's own."""
    own = getattr(kind, trait).default()
    given = c[kind.__name__].get(trait, own)
    return given.get_value(own) if isinstance(given, LazyConfigValue) else given


def _replaced(
    listed: Iterable[type[Preprocessor]],
    ours: Mapping[type[Preprocessor], tuple[type[Preprocessor], ...]],
) -> list[type[Preprocessor]]:
    return [each for theirs in listed for each in ours.get(theirs, (theirs,))]
