"""From outputs to a verdict: which aspects passed, what was seen, and which mistake explains it.

Both the student's own check and the judge use this module; they differ in the inputs and in the
origin of the expected outputs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from typing import Any

import numpy as np

from selfcheck.aspects import absent, numbers
from selfcheck.diagnosis import diagnose, in_another_form
from selfcheck.diagnosis.failures import ExceptionCause
from selfcheck.evidence import Seen
from selfcheck.exercise import NO_OUTPUTS, Aspect, Case, Exercise, Expected, Failure, Observation
from selfcheck.explaining import NOTHING_KNOWN, EvaluatedMistakes, Loss, explain
from selfcheck.texts import language, say

MOST_WITHOUT_WORK = 20
"""Maximum percentage for an answer in which less than a quarter of the outputs that take a
computation are right."""

LEAST_FOR_HALF = 40
"""Minimum percentage for an answer of which at least half is right, apart from its form."""

POINT_DIGITS = 6
"""Decimal places of points: nothing here is more exact."""

NOT_ANSWERED = "not answered"
"""The reason in a verdict on an untouched task."""

MIME = "application/vnd.notebook-autograder.verdict+json"
"""The MIME type of a verdict in a cell's outputs: earlier versions wrote it there. A kernel's is
dropped."""


@dataclass(frozen=True)
class Finding:
    """The result of one aspect. Its title is the course's own, and translated where it's shown;
    ``seen`` is empty if it passed."""

    title: str
    percent: int
    passed: bool
    seen: str


@dataclass(frozen=True)
class Verdict:
    """The worth of an answer, and the reasons.

    Args:
        exercise: its name.
        findings: one per aspect; empty if there was nothing to judge.
        mistakes: names of the known mistakes that explain the outputs.
        hints: the hints on them.
        losses: what each cause costs, if causes and not aspects decide the points.
        relation: the name of the fact that explains the outputs, if no known mistake does.
        fact: that fact, in a sentence.
        reason: why there was nothing to judge, else "".
        least: the minimum percentage for an answer that is right in at least half of what was
            asked, apart from its form, and that no known mistake explains.
        most: the maximum percentage for an answer in which less than a quarter of the outputs that
            take a computation are right.
    """

    exercise: str
    findings: tuple[Finding, ...] = ()
    mistakes: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    losses: tuple[Loss, ...] = ()
    relation: str = ""
    fact: str = ""
    reason: str = ""
    least: int = 0
    most: int = 100

    @property
    def held(self) -> int:
        """The percentage of the points for the aspects that passed."""
        return sum(finding.percent for finding in self.findings if finding.passed)

    @property
    def percent(self) -> int:
        """The percentage of the points: what the causes leave, but never less than the aspects that
        passed; if no cause explains the outputs, the aspects that passed, within the bounds."""
        if not self.losses:
            return min(max(self.held, self.least), self.most)
        return max(self.held, 100 - sum(loss.percent for loss in self.losses))

    @property
    def by_cause(self) -> bool:
        """Whether causes decide the points: they cost less than the aspects that fail."""
        return bool(self.losses) and self.percent > self.held

    @property
    def is_unexplained(self) -> bool:
        """Whether it's wrong, and no known mistake explains it, be it one that an earlier answer
        has paid for."""
        return self.held < 100 and not (self.reason or self.mistakes or self.losses)

    def losses_in_words(self, maximum: float) -> Iterator[str]:
        """The lost points with the reasons, and those that weren't taken off again.

        Args:
            maximum: the points to earn.
        """
        failed = [finding for finding in self.findings if not finding.passed]
        if not self.by_cause:
            for finding in failed:
                yield _minus(finding.percent, maximum, say(finding.title))
            if self.percent > self.held:
                yield say(
                    "At least half of what was asked is right, or is the right result in another "
                    "form, so {percent} % of the points stay.",
                    percent=self.percent,
                )
            elif self.percent < self.held:
                yield say(
                    "Nothing that takes a computation is right, so at most {percent} % of the "
                    "points are earned.",
                    percent=self.percent,
                )
            return
        for loss in self.losses:
            if loss.earlier:
                yield say(
                    "Not taken off again: this mistake was made in {exercise}, and counted there. "
                    "Given that, the rest is judged.",
                    exercise=loss.earlier,
                )
            else:
                yield _minus(loss.percent, maximum, loss.hint)
        titles = "; ".join(say(finding.title) for finding in failed)
        yield say("Also failed because of this, at no further cost: {titles}.", titles=titles)

    @property
    def explanation(self) -> str:
        """Why points were lost, in one line: the known mistake, else what was seen first, with a
        fact about it."""
        if self.reason:
            return say(self.reason)
        if self.hints:
            return " ".join(self.hints)
        seen = next((finding.seen for finding in self.findings if not finding.passed), "")
        return f"{seen}. {self.fact}" if self.fact else seen

    def points(self, maximum: float) -> float:
        """The points earned out of ``maximum``."""
        return round(self.percent * maximum / 100, POINT_DIGITS)

    def to_json(self) -> dict[str, Any]:
        """The verdict as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Verdict:
        """Read what ``to_json`` wrote."""
        findings = tuple(Finding(**finding) for finding in content["findings"])
        losses = tuple(Loss(**loss) for loss in content.get("losses", ()))
        return cls(
            exercise=content["exercise"],
            findings=findings,
            mistakes=tuple(content["mistakes"]),
            hints=tuple(content["hints"]),
            losses=losses,
            relation=content["relation"],
            fact=content["fact"],
            reason=content["reason"],
            least=content.get("least", 0),
            most=content.get("most", 100),
        )

    def to_text(self) -> str:
        """The verdict for a terminal: the first aspect that fails, and the likely cause."""
        held = sum(finding.passed for finding in self.findings)
        if self.reason:
            return f"{self.exercise}: {say(self.reason)}."
        summed = say("{held} of {total} aspects passed.", held=held, total=len(self.findings))
        begin = f"{self.exercise}: {summed}"
        lines: list[tuple[str, str]] = []
        failed = next((finding for finding in self.findings if not finding.passed), None)
        if failed:
            lines += [(say("Failed:"), say(failed.title)), (say("Seen:"), failed.seen)]
        lines += [(say("Likely cause:"), hint) for hint in self.hints]
        lines += [(say("Also:"), self.fact)] if self.fact else []
        width = max((len(head) for head, _ in lines), default=0)
        return "\n".join([begin, *(f"  {head:{width}} {text}" for head, text in lines)])

    def to_html(self, maximum: float | None = None) -> str:
        """The verdict as a small table; a student's text in it is escaped.

        Args:
            maximum: the points to earn; None shows no points.
        """
        head = f"<b>{escape(self.exercise)}</b>"
        if maximum is not None:
            earned = f"{self.points(maximum):g}"
            head += " &mdash; " + say(
                "{earned} of {points} points", earned=earned, points=f"{maximum:g}"
            )
        parts = [f"<p>{head}</p>"]
        if self.reason:
            parts.append(f"<p>{in_html(say(self.reason))}</p>")
        # A hint is shown with the lost points, if it explains them.
        priced = maximum is not None and (self.by_cause or self.percent != self.held)
        hints = () if priced and self.by_cause else self.hints
        for hint in (*hints, self.fact) if self.fact else hints:
            parts.append(f"<p><b>{say('Hint:')}</b> {in_html(hint)}</p>")
        if priced and maximum is not None:
            items = "".join(f"<li>{in_html(one)}</li>" for one in self.losses_in_words(maximum))
            parts.append(f"<p><b>{say('Points:')}</b></p><ul>{items}</ul>")
        if self.findings:
            columns = (say("Aspect"), say("Passed"), say("Share"), say("What was seen"))
            head = "".join(_cell(title, "th") for title in columns)
            rows = "".join(_row(finding) for finding in self.findings)
            parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")
        return f"<div class='course-verdict' lang='{language()}'>{''.join(parts)}</div>"


_LONGEST_FINDING = 600


def _minus(percent: int, maximum: float, why: str) -> str:
    return f"\N{MINUS SIGN}{percent * maximum / 100:g}: {why}"


def in_html(text: str) -> str:
    """Convert a sentence with code in backticks to HTML."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _row(finding: Finding) -> str:
    cells = (
        in_html(say(finding.title)),
        f"&#10003;&nbsp;{say('yes')}" if finding.passed else f"&#10007;&nbsp;{say('no')}",
        f"{finding.percent}&nbsp;%",
        in_html(finding.seen),
    )
    return f"<tr>{''.join(_cell(text) for text in cells)}</tr>"


def _cell(html: str, tag: str = "td") -> str:
    # Inline: the feedback page and JupyterLab bring different style sheets for tables.
    return f"<{tag} style='padding:2px 1em 2px 0;text-align:left;vertical-align:top'>{html}</{tag}>"


def observe(
    exercise: Exercise,
    seed: int,
    answers: Mapping[str, Mapping[str, Any] | Failure],
    expected: Mapping[str, Expected],
) -> Seen:
    """Combine the received and the expected outputs, by case name.

    Args:
        exercise: the exercise.
        seed: the seed of the cases.
        answers: the received outputs by case name.
        expected: the solution's outputs by case name.
    """
    return Seen(
        (case.name, _observed(exercise, case, expected[case.name], answers[case.name]))
        for case in exercise.drawn(seed)
    )


def _observed(
    exercise: Exercise, case: Case, expected: Expected, received: Mapping[str, Any] | Failure
) -> Observation:
    """The outputs that are asked for; a failure if a required one is missing."""
    if isinstance(received, Failure):
        return Observation(case, expected, received)
    missing = expected.outputs.keys() - received.keys()
    if needed := missing - exercise.optional - exercise.conditional:
        return Observation(case, expected, Failure(NO_OUTPUTS, absent(min(needed))))
    asked = {
        name: _of_words(received[name], right)
        for name, right in expected.outputs.items()
        if name in received
    }
    return Observation(case, expected, asked, excused=frozenset(missing & exercise.optional))


def _of_words(value: Any, expected: Any) -> Any:
    """Convert a list to an array of text; an empty list doesn't show that it's for text."""
    empty = isinstance(value, np.ndarray) and value.shape == (0,)
    return [] if empty and isinstance(expected, list) else value


def evaluate(
    exercise: Exercise,
    seen: Seen,
    known: EvaluatedMistakes = NOTHING_KNOWN,
    causes: Sequence[ExceptionCause] = (),
) -> Verdict:
    """Compare an answer's outputs with the expected ones.

    Args:
        exercise: the exercise.
        seen: the result of ``observe``.
        known: the known mistakes, run on the same cases; none if left out.
        causes: causes of exceptions, tried before those that may occur in any course.

    Returns:
        A verdict with one finding per aspect. An aspect that checks several cases passes if it
        passes in each of them.
    """
    answers = [observation.received for observation in seen.values()]
    failures = [answer for answer in answers if isinstance(answer, Failure)]
    if failures and len(failures) == len(answers) and failures[0].unanswered:
        return Verdict(exercise.name, _all_failed(exercise, str(failures[0])), reason=NOT_ANSWERED)
    verdict = Verdict(exercise.name, examine(exercise, seen))
    if verdict.held == 100:
        return verdict
    with np.errstate(all="ignore"):
        explanation = explain(seen, known)
        if not (explanation and explanation.full):
            verdict = _bounded(exercise, verdict, seen)
        if explanation:
            made = explanation.mistake
            return replace(
                verdict,
                mistakes=(made.name,) if made.name else (),
                hints=(made.hint,) if made.hint else (),
                losses=made.losses() if explanation.full else (),
            )
        if relation := diagnose(exercise, _as_found(exercise, seen), causes):
            return replace(verdict, relation=relation.name, fact=relation.hint)
    return verdict


def _bounded(exercise: Exercise, verdict: Verdict, seen: Seen) -> Verdict:
    """A verdict on an unexplained answer, with the minimum or maximum that it earns."""
    wrong = seen.wrong - in_another_form(exercise, seen)
    right = (seen.computed & seen.work) - wrong
    # The results of methods that the notebook provides are right in any answer.
    work = {(case, output) for case, output in seen.work if output not in exercise.optional}
    names = {output for _, output in work}
    asked = {
        (case, output)
        for case, one in seen.items()
        for output in names & one.expected.outputs.keys()
    }
    if right & work and 2 * len(right & work) >= len(work) and 2 * len(asked & wrong) <= len(asked):
        return replace(verdict, least=LEAST_FOR_HALF)
    # A few outputs may be guessed, where there are few that they can be.
    if 4 * len(right) >= len(seen.work) > 0 or _some_aspect_takes_work(exercise, verdict, seen):
        return verdict
    return replace(verdict, most=MOST_WITHOUT_WORK)


def _some_aspect_takes_work(exercise: Exercise, verdict: Verdict, seen: Seen) -> bool:
    """Whether an aspect passes on wrong outputs that would fail if the computed ones were replaced
    with other numbers of the same kind: proportions may be right even if no number is."""
    if not seen.computed:
        return False
    wrong = {case for case, _ in seen.wrong}
    idle = [_filled(seen, fill) for fill in (np.zeros_like, _equal_shares, _equal_parts)]
    return any(
        finding.passed
        and not wrong.isdisjoint(aspect.cases)
        and not any(_find(aspect, instead).passed for instead in idle)
        for aspect, finding in zip(exercise.aspects, verdict.findings, strict=True)
    )


def _filled(seen: Seen, fill: Callable[[np.ndarray], np.ndarray]) -> dict[str, Observation]:
    """The observation with different numbers in all arrays that take a computation, and empty lists
    in place of all other outputs that take one."""

    def instead(name: str, observation: Observation) -> Observation:
        if isinstance(observation.received, Failure):
            return observation
        other = {
            output: value
            if (name, output) not in seen.computed
            else []
            if (array := numbers(value)) is None
            else fill(array)
            for output, value in observation.received.items()
        }
        return replace(observation, received=other)

    return {name: instead(name, observation) for name, observation in seen.items()}


def _equal_shares(array: np.ndarray) -> np.ndarray:
    """Numbers whose sum along the last axis is 1."""
    return np.full(array.shape, 1 / (array.shape[-1] if array.ndim and array.size else 1))


def _equal_parts(array: np.ndarray) -> np.ndarray:
    """Numbers whose squares' sum along the last axis is 1."""
    return np.asarray(np.sqrt(_equal_shares(array)))


def _as_found(exercise: Exercise, seen: Mapping[str, Observation]) -> dict[str, Observation]:
    """The same, beginning with the case of the first failed aspect: a fact about a different case
    would contradict it."""
    failed = (
        name for aspect in exercise.aspects for name in aspect.cases if aspect.examine(seen[name])
    )
    first = next(failed, None)
    return {first: seen[first], **seen} if first else dict(seen)


def examine(exercise: Exercise, seen: Mapping[str, Observation]) -> tuple[Finding, ...]:
    """The results of all aspects of an exercise, without explanations.

    Args:
        exercise: the exercise.
        seen: the result of ``observe``.
    """
    # Overflows are findings, not errors.
    with np.errstate(all="ignore"):
        return tuple(_find(aspect, seen) for aspect in exercise.aspects)


def _find(aspect: Aspect, seen: Mapping[str, Observation]) -> Finding:
    texts = (aspect.examine(seen[name]) for name in aspect.cases)
    text = next(filter(None, texts), "")
    if len(text) > _LONGEST_FINDING:
        text = f"{text[:_LONGEST_FINDING]}..."
    return Finding(aspect.title, aspect.percent, not text, text)


def _all_failed(exercise: Exercise, text: str) -> tuple[Finding, ...]:
    return tuple(Finding(aspect.title, aspect.percent, False, text) for aspect in exercise.aspects)
