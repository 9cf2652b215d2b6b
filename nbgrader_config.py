"""nbgrader's configuration for this course; `nbgrader` and `autograder` read it alike."""

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

from autograder.deadlines import LatePolicy
from autograder.exchange.inbound import CollectOwnFiles, ReleaseFeedback
from autograder.grading.feedback import (
    TEMPLATES,
    FeedbackPage,
    GetTodaysGrades,
    HarmlessNotebook,
    HideHiddenTests,
    SumUp,
    clean_html,
    highlight_code,
    markdown2html,
    strip_files_prefix,
)
from autograder.grading.memory import RememberRelease, SaveGrades
from autograder.grading.preprocessors import (
    AutogradedNotebook,
    ExecuteSubmission,
    JudgeResponses,
)
from autograder.grading.repair import RepairSubmission

c = get_config()  # noqa: F821 - traitlets provides it

c.CourseDirectory.course_id = "attention"

# Where students hand in through nbgrader's exchange: only what is theirs is collected.
c.ExchangeFactory.collect = CollectOwnFiles
c.ExchangeFactory.release_feedback = ReleaseFeedback

# nbgrader's own list, and the gradebook remembers every version of a lesson.
c.GenerateAssignment.preprocessors = [*GenerateAssignment.preprocessors.default(), RememberRelease]

# nbgrader's own list, but that a submission first becomes a notebook that nbgrader can read.
c.Autograde.sanitize_preprocessors = [
    RepairSubmission,
    ClearOutput,
    DeduplicateIds,
    OverwriteKernelspec,
    OverwriteCells,
    CheckCellMetadata,
]

# nbgrader's own list, but that execution carries a secret seed, a judge speaks before the grades
# are saved, and what a person graded stays graded.
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

# What handing in late costs is up to c.LatePolicy.penalty_method: "none", "zero", or "percent" of
# the points for each day. See docs/deadlines.md.
c.AssignLatePenalties.plugin_class = LatePolicy

# What would fail for every submission is found before nbgrader removes the first result.
c.Autograde.exporter_class = AutogradedNotebook

# Seconds of one cell. Importing TensorFlow takes ten of them on a busy machine.
c.Execute.timeout = 300

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
c.GenerateFeedback.force = True  # points also change without a new grading, by hand or by a date
c.FeedbackPage.template_name = "verdicts"
c.FeedbackPage.extra_template_basedirs = TEMPLATES
c.FeedbackPage.preprocessors = [SumUp, HarmlessNotebook]

# nbgrader's own list, but that lessons may have changed, and students do not read hidden tests.
c.GenerateFeedback.preprocessors = [
    GetTodaysGrades,
    HideHiddenTests,
    CSSHTMLHeaderPreprocessor,
]
