"""What judging a class again changed, and how it is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.cells import title
from autograder.wording import listed

_NAMED = 3  # students in a row that many share


@dataclass(frozen=True)
class Change:
    """What becomes of one graded cell.

    Args:
        cell: its grade_id; ``notebook/grade_id`` where a lesson has several notebooks.
        before: the judge's points in the gradebook.
        after: those that take their place.
        before_maximum: what could be earned when it was graded.
        maximum: what can be earned today.
        manual: points that a person gave instead of the judge, or None; they stay.
        why: what is different, line by line, without characters that could steer a terminal.
    """

    cell: str
    before: float
    after: float
    before_maximum: float
    maximum: float
    manual: float | None
    why: str

    @property
    def regrades(self) -> bool:
        """Whether the judge gives other points."""
        return self.before != self.after


@dataclass(frozen=True)
class Rejudged:
    """How one submission came out.

    Args:
        student: the submission's folder name.
        changes: in the notebooks' order; a cell that stays as it is has none.
        before: points of all cells that count, late penalties aside.
        after: the same, with the changes.
        problem: why it was not judged again, else "".
    """

    student: str
    changes: tuple[Change, ...] = ()
    before: float = 0.0
    after: float = 0.0
    problem: str = ""

    @property
    def regraded(self) -> bool:
        """Whether the judge gives other points in any of its cells."""
        return any(change.regrades for change in self.changes)


@dataclass(frozen=True)
class Summary:
    """How a class came out.

    Args:
        rows: one for each submission.
    """

    rows: Sequence[Rejudged]

    @property
    def problems(self) -> int:
        """How many could not be judged again."""
        return sum(bool(row.problem) for row in self.rows)

    @property
    def changes(self) -> bool:
        """Whether anything changes."""
        return any(row.changes for row in self.rows)

    def tables(self) -> list[tuple[str, Sequence[str], list[Sequence[str]]]]:
        """What there is to show: tables by title, columns and rows of text; some have no rows.

        A change that many have in common and that costs nobody anything is one row.
        """
        regraded: list[Sequence[str]] = []
        alike: dict[tuple[str, str], list[str]] = defaultdict(list)
        for row in self.rows:
            for change in row.changes:
                exercise = title(change.cell)
                if change.regrades:
                    before = f"{change.before:g} / {change.before_maximum:g}"
                    after = f"{change.after:g} / {change.maximum:g}"
                    regraded.append((row.student, exercise, before, after, change.why))
                else:
                    alike[exercise, change.why].append(row.student)
        others = [(listed(students, _NAMED), *change) for change, students in alike.items()]
        problems = [(row.student, row.problem) for row in self.rows if row.problem]
        return [
            ("Other points", ("Student", "Exercise", "Before", "After", "Why"), regraded),
            ("The same points, other explanations", ("Students", "Exercise", "What"), others),
            ("Not judged again", ("Student", "Why"), problems),
        ]

    @property
    def sentence(self) -> str:
        """The counts, and the mean of all points before and after; without penalties, which a
        judge knows nothing of."""
        judged = [row for row in self.rows if not row.problem]
        regraded = sum(row.regraded for row in judged)
        hints = sum(bool(row.changes) for row in judged) - regraded
        parts = [
            f"{len(self.rows)} submissions: {regraded} with other points, "
            f"{hints} with other explanations only"
        ]
        if self.problems:
            parts.append(f"{self.problems} not judged again")
        if judged:
            before = sum(row.before for row in judged) / len(judged)
            after = sum(row.after for row in judged) / len(judged)
            parts.append(
                f"mean {round(before, 2):g} points before, {round(after, 2):g} after, penalties "
                "not taken off"
            )
        return f"{'; '.join(parts)}."
