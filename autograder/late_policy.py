"""What handing in late costs: nbgrader's plugin, which the course's configuration sets up."""

from __future__ import annotations

import math

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Enum, Float

DIGITS = 6
"""Of points, as verdicts round them."""

_DAY = 24 * 60 * 60


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

    most_percent = Float(
        100.0, min=0, max=100, help="How much of the points that can be earned lateness costs most."
    ).tag(config=True)

    grace_minutes = Float(
        0.0, min=0, help="Up to so many minutes behind the due date count as punctual."
    ).tag(config=True)

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
        days = math.ceil(total_seconds_late / _DAY)
        percent = min(self.most_percent, days * self.percent_per_day)
        return round(min(score, self._maximum(student_id) * percent / 100), DIGITS)

    @property
    def words(self) -> str:
        """The policy in a sentence."""
        if self.penalty_method == "none":
            return "Handing in late costs nothing."
        grace = f", {self.grace_minutes:g} minutes of grace" if self.grace_minutes else ""
        if self.penalty_method == "zero":
            return f"What is handed in late earns nothing{grace}."
        most = f", at most {self.most_percent:g} %" if self.most_percent < 100 else ""
        return (
            f"Each day that has begun costs {self.percent_per_day:g} % of the points{most}{grace}."
        )

    def _maximum(self, student: str) -> float:
        """What can be earned in the notebook that nbgrader is at."""
        at = self.parent  # nbgrader's preprocessor, which has the gradebook open
        submission = at.gradebook.find_submission_notebook(
            at.notebook_id, at.assignment_id, student
        )
        return submission.max_score
