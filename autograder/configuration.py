"""What makes nbgrader grade with this autograder; a course's ``nbgrader_config.py`` calls it."""

from __future__ import annotations

from nbconvert.preprocessors import ClearMetadataPreprocessor, CSSHTMLHeaderPreprocessor
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    DeduplicateIds,
    IgnorePattern,
    LimitOutput,
    OverwriteCells,
    OverwriteKernelspec,
)
from traitlets.config import Config

from autograder.exchange.inbound import CollectOwnFiles, ReleaseFeedback
from autograder.grading.cleaning import (
    clean_html,
    highlight_code,
    markdown2html,
    strip_files_prefix,
)
from autograder.grading.feedback import (
    TEMPLATES,
    FeedbackPage,
    GetTodaysGrades,
    HarmlessNotebook,
    HideHiddenTests,
    SumUp,
)
from autograder.grading.memory import RememberRelease, SaveGrades
from autograder.grading.preprocessors import (
    AutogradedNotebook,
    ExecuteSubmission,
    JudgeResponses,
)
from autograder.grading.repair import RepairSubmission
from autograder.late_policy import LatePolicy

SECONDS = 300
"""Of one cell, if the configuration says nothing else: large libraries take ten of them to import
on a busy machine."""


def configure(c: Config) -> None:
    """Set what grading, feedback and the formgrader need.

    Args:
        c: the configuration, as ``get_config()`` gives it. What is set after this call counts.
    """
    _configure_releasing(c)
    _configure_grading(c)
    _configure_pages(c)


def _configure_releasing(c: Config) -> None:
    # Where students hand in through nbgrader's exchange: only what is theirs is collected.
    c.ExchangeFactory.collect = CollectOwnFiles
    c.ExchangeFactory.release_feedback = ReleaseFeedback

    # nbgrader's own list, and the gradebook remembers every version of a lesson.
    c.GenerateAssignment.preprocessors = [
        *GenerateAssignment.preprocessors.default(),
        RememberRelease,
    ]


def _configure_grading(c: Config) -> None:
    # nbgrader's own list, but that a submission first becomes a notebook that nbgrader can read.
    c.Autograde.sanitize_preprocessors = [
        RepairSubmission,
        ClearOutput,
        DeduplicateIds,
        OverwriteKernelspec,
        OverwriteCells,
        CheckCellMetadata,
    ]

    # nbgrader's own list, but that execution carries a secret seed, a judge speaks before the
    # grades are saved, and what a person graded stays graded.
    c.Autograde.autograde_preprocessors = [
        ExecuteSubmission,
        JudgeResponses,
        IgnorePattern,
        ClearMetadataPreprocessor,
        LimitOutput,
        SaveGrades,
        AssignLatePenalties,
        CheckCellMetadata,
    ]

    # What handing in late costs is up to c.LatePolicy.penalty_method: "none", "zero", or "percent"
    # of the points for each day. See docs/deadlines.md.
    c.AssignLatePenalties.plugin_class = LatePolicy

    # What would fail for every submission is found before nbgrader removes the first result.
    c.Autograde.exporter_class = AutogradedNotebook

    c.Execute.timeout = SECONDS


def _configure_pages(c: Config) -> None:
    # No script of a student's runs in the pages of the formgrader and of the feedback.
    c.HTMLExporter.sanitize_html = True
    c.HTMLExporter.filters = {
        "clean_html": clean_html,
        "highlight_code": highlight_code,
        "markdown2html": markdown2html,
        "strip_files_prefix": strip_files_prefix,
    }
    c.HTMLExporter.preprocessors = [HarmlessNotebook]

    # The student's page begins with the total, and the reason for every lost point.
    c.GenerateFeedback.exporter_class = FeedbackPage
    # Points also change without a new grading, by hand or by a date.
    c.GenerateFeedback.force = True
    c.FeedbackPage.template_name = "verdicts"
    c.FeedbackPage.extra_template_basedirs = TEMPLATES
    c.FeedbackPage.preprocessors = [SumUp, HarmlessNotebook]

    # nbgrader's own list, but that lessons may have changed, and students do not read hidden tests.
    c.GenerateFeedback.preprocessors = [
        GetTodaysGrades,
        HideHiddenTests,
        CSSHTMLHeaderPreprocessor,
    ]
