"""Late penalties: a plugin for nbgrader, set up by the course's configuration."""

from __future__ import annotations

from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Bunch, Enum, Float, TraitError, Unicode, validate

from autograder.datetimes import read_zone, span_on_clock
from autograder.errors import CourseError
from selfcheck.verdicts import POINT_DIGITS

_DAY = timedelta(days=1)


class LatePolicy(LateSubmissionPlugin):
    """The late policy that ``nbgrader_config.py`` sets."""

    penalty_method = Enum(
        ("none", "zero", "percent"),
        default_value="none",
        help="The penalty. none: nothing; zero: all points; percent: a percentage for each day or "
        "part of a day.",
    ).tag(config=True)

    percent_per_day = Float(
        10.0,
        min=0,
        max=100,
        help="Penalty for each day or part of a day, in percent of the maximum points.",
    ).tag(config=True)

    max_penalty_percent = Float(
        100.0, min=0, max=100, help="The largest late penalty, in percent of the maximum points."
    ).tag(config=True)

    grace_minutes = Float(
        0.0, min=0, help="Grace period after the due date, in minutes, without a penalty."
    ).tag(config=True)

    timezone = Unicode(
        "",
        help="The time zone in which days of lateness and extensions are counted, such as "
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
        """The penalty for one notebook; nbgrader calls this.

        Args:
            student_id: the student's id.
            score: the points that the notebook earned.
            total_seconds_late: seconds after the due date, including an extension.

        Returns:
            Points, or None if there is no penalty.
        """
        if self.penalty_method == "none" or total_seconds_late <= 60 * self.grace_minutes:
            return None
        if self.penalty_method == "zero":
            return score
        percent = min(self.max_penalty_percent, self._days_late(student_id) * self.percent_per_day)
        return round(min(score, self._maximum(student_id) * percent / 100), POINT_DIGITS)

    @property
    def words(self) -> str:
        """The policy in a sentence."""
        if self.penalty_method == "none":
            return "There is no late penalty."
        grace = (
            (f", with a grace period of {self.grace_minutes:g} minutes")
            if self.grace_minutes
            else ""
        )
        if self.penalty_method == "zero":
            return f"Late submissions earn nothing{grace}."
        most = f", at most {self.max_penalty_percent:g} %" if self.max_penalty_percent < 100 else ""
        return (
            f"Each day late, or part of one, costs {self.percent_per_day:g} % of the points"
            f"{most}{grace}."
        )

    def _days_late(self, student: str) -> int:
        """The number of days late, counting a day that has begun, on the course's clock."""
        at = self.parent
        submission = at.gradebook.find_submission(at.assignment_id, student)
        due, handed_in = (
            time.replace(tzinfo=UTC) for time in (submission.duedate, submission.timestamp)
        )
        # In an hour that the clock shows twice, it may show an earlier time than the due date.
        return max(1, -(-span_on_clock(due, handed_in, self.zone) // _DAY))

    def _maximum(self, student: str) -> float:
        """The maximum points of the notebook that nbgrader is grading."""
        at = self.parent  # nbgrader's preprocessor, which has the gradebook open
        submission = at.gradebook.find_submission_notebook(
            at.notebook_id, at.assignment_id, student
        )
        return submission.max_score
