"""What handing in late costs: nbgrader's plugin, which the course's configuration sets up."""

from __future__ import annotations

from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Bunch, Enum, Float, TraitError, Unicode, validate

from autograder.datetimes import read_zone, span_on_clock
from autograder.errors import CourseError

DIGITS = 6
"""Of points, as verdicts round them."""

_DAY = timedelta(days=1)


class LatePolicy(LateSubmissionPlugin):
    """What handing in late costs, as ``nbgrader_config.py`` states it."""

    penalty_method = Enum(
        ("none", "zero", "percent"),
        default_value="none",
        help="none: nothing; zero: all points; percent: points for each day that has begun.",
    ).tag(config=True)

    percent_per_day = Float(
        10.0, min=0, max=100, help="How much of the points that can be earned a day costs."
    ).tag(config=True)

    max_penalty_percent = Float(
        100.0, min=0, max=100, help="How much of the points that can be earned lateness costs most."
    ).tag(config=True)

    grace_minutes = Float(
        0.0, min=0, help="Up to so many minutes behind the due date count as punctual."
    ).tag(config=True)

    timezone = Unicode(
        "",
        help="The time zone on whose clock days of lateness and extensions are counted, such as "
        "Europe/Berlin; empty: this machine's.",
    ).tag(config=True)

    @validate("timezone")
    def _known_zone(self, proposal: Bunch) -> str:
        try:
            read_zone(proposal["value"] or None)
        except CourseError as error:
            raise TraitError(str(error)) from None
        return proposal["value"]

    @property
    def zone(self) -> ZoneInfo | None:
        """The time zone of due dates; None is this machine's."""
        return read_zone(self.timezone or None)

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """The penalty for one notebook, as nbgrader asks for it.

        Args:
            student_id: whose.
            score: what the notebook earned.
            total_seconds_late: behind the due date, an extension counted.

        Returns:
            Points, or None where there is no penalty.
        """
        if self.penalty_method == "none" or total_seconds_late <= 60 * self.grace_minutes:
            return None
        if self.penalty_method == "zero":
            return score
        percent = min(self.max_penalty_percent, self._days_late(student_id) * self.percent_per_day)
        return round(min(score, self._maximum(student_id) * percent / 100), DIGITS)

    @property
    def words(self) -> str:
        """The policy in a sentence."""
        if self.penalty_method == "none":
            return "Handing in late costs nothing."
        grace = f", {self.grace_minutes:g} minutes of grace" if self.grace_minutes else ""
        if self.penalty_method == "zero":
            return f"What is handed in late earns nothing{grace}."
        most = f", at most {self.max_penalty_percent:g} %" if self.max_penalty_percent < 100 else ""
        return (
            f"Each day that has begun costs {self.percent_per_day:g} % of the points{most}{grace}."
        )

    def _days_late(self, student: str) -> int:
        """How many days have begun behind the due date, on its own clock."""
        at = self.parent
        submission = at.gradebook.find_submission(at.assignment_id, student)
        due, handed_in = (
            time.replace(tzinfo=UTC) for time in (submission.duedate, submission.timestamp)
        )
        # In an hour that the clock shows twice it may show less than at the due date.
        return max(1, -(-span_on_clock(due, handed_in, self.zone) // _DAY))

    def _maximum(self, student: str) -> float:
        """What can be earned in the notebook that nbgrader is at."""
        at = self.parent  # nbgrader's preprocessor, which has the gradebook open
        submission = at.gradebook.find_submission_notebook(
            at.notebook_id, at.assignment_id, student
        )
        return submission.max_score
