"""How written answers were marked: by whom, how fast, and how well people agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median

from autograder.cells import title
from autograder.gradebook.written_answers import FIRST, REVIEW, SECOND, Marked, WrittenAnswers
from autograder.marking.agreement import Agreement, agreement


@dataclass(frozen=True)
class GraderStatistics:
    """What one person marked.

    Args:
        name: under which they marked.
        count: how many marks, second ones and reviews included.
        mean: their mean points.
        seconds: their median time for an answer.
        agreement: with others, about the drawn answers that both marked.
    """

    name: str
    count: int
    mean: float
    seconds: float
    agreement: Agreement


@dataclass(frozen=True)
class Dispute:
    """An answer on which two people disagree, and which nobody has reviewed.

    Args:
        answer: the submitted notebook's id, as the formgrader's addresses have it.
        marks: the one that counts, and the second.
    """

    answer: str
    marks: tuple[Marked, Marked]


@dataclass(frozen=True)
class WrittenStatistics:
    """How the answers to one question were marked.

    Args:
        title: the question.
        graders: in the order of their names.
        agreement: about the answers that were drawn to be marked by two people, and were.
        disputes: those that differ most first.
    """

    title: str
    graders: tuple[GraderStatistics, ...]
    agreement: Agreement
    disputes: tuple[Dispute, ...]


def written_statistics(
    answers: WrittenAnswers, questions: Sequence[str]
) -> tuple[WrittenStatistics, ...]:
    """The statistics of those questions that somebody has begun to mark.

    Args:
        answers: a lesson's.
        questions: their grade_ids.
    """
    found = ((name, answers.marked(name)) for name in questions)
    return tuple(question_statistics(name, marked) for name, marked in found if marked)


def question_statistics(name: str, marked: Sequence[Marked]) -> WrittenStatistics:
    """The statistics of a question.

    Args:
        name: its grade_id.
        marked: all marks for its answers.
    """
    by_grader: dict[str, list[Marked]] = defaultdict(list)
    by_answer: dict[str, dict[int, Marked]] = defaultdict(dict)
    for each in marked:
        by_grader[each.grader].append(each)
        by_answer[each.answer][each.turn] = each
    twice = [
        Dispute(key, (each[FIRST], each[SECOND]))
        for key, each in by_answer.items()
        if FIRST in each and SECOND in each
    ]
    # What graders doubt isn't a sample of the class.
    drawn = [pair.marks for pair in twice if not pair.marks[0].mark.flagged]

    def agreed(of: str | None = None) -> Agreement:
        pairs = (pair for pair in drawn if of is None or of in {each.grader for each in pair})
        return agreement([[each.mark.total for each in pair] for pair in pairs])

    disputes = [
        pair for pair in twice if _difference(pair) and REVIEW not in by_answer[pair.answer]
    ]
    return WrittenStatistics(
        title(name),
        tuple(
            GraderStatistics(
                grader,
                len(own),
                mean(each.mark.total for each in own),
                median(each.seconds for each in own),
                agreed(grader),
            )
            for grader, own in sorted(by_grader.items())
        ),
        agreed(),
        tuple(sorted(disputes, key=_difference, reverse=True)),
    )


def _difference(dispute: Dispute) -> float:
    first, second = dispute.marks
    return abs(first.mark.total - second.mark.total)
