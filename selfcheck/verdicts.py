"""From outputs to a verdict: which aspects hold, what was seen, which mistake explains it.

The student's own check and the judge both come through here; they differ in the inputs and in
where the expected outputs come from.
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
from selfcheck.diagnosis.failures import Cause
from selfcheck.evidence import Seen
from selfcheck.exercise import NO_OUTPUTS, Aspect, Case, Exercise, Expected, Failure, Observation
from selfcheck.explaining import NOTHING_KNOWN, Known, Loss, explain
from selfcheck.texts import language, say

MOST_WITHOUT_WORK = 20
"""Percent that an answer earns at most of which nothing is right that takes a computation."""

LEAST_FOR_HALF = 40
"""Percent that an answer earns at least of which half is right, but for its form."""

NOT_ANSWERED = "not answered"
"""The reason of a verdict on a task that was left as it was handed out."""

MIME = "application/vnd.notebook-autograder.verdict+json"
"""Under this type a verdict lies in the graded cell's outputs."""


@dataclass(frozen=True)
class Finding:
    """How one aspect came out; ``seen`` is empty when it holds."""

    title: str
    percent: int
    passed: bool
    seen: str


@dataclass(frozen=True)
class Verdict:
    """What an answer is worth, and why.

    Args:
        exercise: its name.
        findings: one for each aspect; none when there was nothing to judge.
        mistakes: names of the known mistakes that explain the outputs.
        hints: what a student reads of them.
        losses: what each cause costs, where causes decide the points and not aspects.
        relation: where no known mistake explains them, the name of the fact that does.
        fact: that fact, in a sentence.
        reason: why there was nothing to judge, else "".
        least: percent that an answer earns that is right in at least half of what was asked, but
            for its form, and that no known mistake explains.
        most: percent that an answer earns that gives nothing right which takes a computation.
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
        """Share of the points of the aspects that hold."""
        return sum(finding.percent for finding in self.findings if finding.passed)

    @property
    def percent(self) -> int:
        """Share of the points: what the causes leave, and never less than the aspects that hold;
        where no cause explains them, the aspects that hold, within the bounds."""
        if not self.losses:
            return min(max(self.held, self.least), self.most)
        return max(self.held, 100 - sum(loss.percent for loss in self.losses))

    @property
    def by_cause(self) -> bool:
        """Whether causes decide the points: they cost less than the aspects that fail."""
        return bool(self.losses) and self.percent > self.held

    def losses_in_words(self, maximum: float) -> Iterator[str]:
        """What was lost and why, and what was not lost again.

        Args:
            maximum: the points to earn.
        """
        failed = [finding for finding in self.findings if not finding.passed]
        if not self.by_cause:
            for finding in failed:
                yield _minus(finding.percent, maximum, finding.title)
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
        titles = "; ".join(finding.title for finding in failed)
        yield say("Also failed because of this, at no further cost: {titles}.", titles=titles)

    @property
    def explanation(self) -> str:
        """Why points were lost, in one line: the known mistake, else what was seen first, and what
        is true of it."""
        if self.reason:
            return say(self.reason)
        if self.hints:
            return " ".join(self.hints)
        seen = next((finding.seen for finding in self.findings if not finding.passed), "")
        return f"{seen}. {self.fact}" if self.fact else seen

    def points(self, maximum: float) -> float:
        """The points earned out of ``maximum``."""
        return round(self.percent * maximum / 100, 6)

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
            lines += [(say("Failed:"), failed.title), (say("Seen:"), failed.seen)]
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
        # A hint stands where it says what was lost, if it does.
        priced = maximum is not None and (self.by_cause or self.percent != self.held)
        hints = () if priced and self.by_cause else self.hints
        for hint in (*hints, self.fact) if self.fact else hints:
            parts.append(f"<p><b>{say('Hint:')}</b> {in_html(hint)}</p>")
        if priced:
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
    """A sentence, in which names of code stand between backticks, as HTML."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _row(finding: Finding) -> str:
    cells = (
        in_html(finding.title),
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
    """Put what came back beside what was expected, by case name.

    Args:
        exercise: what was asked.
        seed: of the cases.
        answers: by case name, what came back.
        expected: by case name, what the solution gives.
    """
    return Seen(
        (case.name, _observed(exercise, case, expected[case.name], answers[case.name]))
        for case in exercise.drawn(seed)
    )


def _observed(
    exercise: Exercise, case: Case, expected: Expected, received: Mapping[str, Any] | Failure
) -> Observation:
    """The outputs that are asked for; a failure where one is missing that must be there."""
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
    return Observation(case, expected, asked, excused=missing & exercise.optional)


def _of_words(value: Any, expected: Any) -> Any:
    """An array of text came as a list; of an empty one, nothing told that it would hold text."""
    empty = isinstance(expected, list) and isinstance(value, np.ndarray) and not value.size
    return value.tolist() if empty else value


def evaluate(
    exercise: Exercise,
    seen: Seen,
    known: Known = NOTHING_KNOWN,
    causes: Sequence[Cause] = (),
) -> Verdict:
    """Compare an answer's outputs with the expected ones.

    Args:
        exercise: what was asked.
        seen: from ``observe``.
        known: the known mistakes, run on the same cases; none if left out.
        causes: of exceptions, looked at before those that any course can meet.

    Returns:
        A verdict with one finding for each aspect. An aspect that looks at several cases holds
        when it holds in each of them.
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
    """A verdict on an answer that nothing explains, with what it earns at least or at most."""
    wrong = seen.wrong - in_another_form(exercise, seen)
    right = (seen.computed & seen.work) - wrong
    # What methods that the notebook gives return is right in any answer.
    work = {(case, output) for case, output in seen.work if output not in exercise.optional}
    names = {output for _, output in work}
    asked = {
        (case, output)
        for case, one in seen.items()
        for output in names & one.expected.outputs.keys()
    }
    if right & work and 2 * len(right & work) >= len(work) and 2 * len(asked & wrong) <= len(asked):
        return replace(verdict, least=LEAST_FOR_HALF)
    if right or _some_aspect_takes_work(exercise, verdict, seen):
        return verdict
    return replace(verdict, most=MOST_WITHOUT_WORK)


def _some_aspect_takes_work(exercise: Exercise, verdict: Verdict, seen: Seen) -> bool:
    """Whether an aspect holds that would not hold for any numbers of one kind in the place of what
    was computed: proportions may be right where no number is."""
    if not seen.computed:
        return False
    idle = [_filled(seen, fill) for fill in (np.zeros_like, _equal_shares, _equal_parts)]
    return any(
        finding.passed and not any(_find(aspect, instead).passed for instead in idle)
        for aspect, finding in zip(exercise.aspects, verdict.findings, strict=True)
    )


def _filled(seen: Seen, fill: Callable[[np.ndarray], np.ndarray]) -> dict[str, Observation]:
    """What came back, with other numbers in all arrays that take a computation, and nothing in the
    place of everything else that takes one."""

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
    return np.sqrt(_equal_shares(array))


def _as_found(exercise: Exercise, seen: Mapping[str, Observation]) -> dict[str, Observation]:
    """The same, beginning with the case that the first failed aspect speaks of: what is true of
    another case would contradict it."""
    failed = (
        name for aspect in exercise.aspects for name in aspect.cases if aspect.examine(seen[name])
    )
    first = next(failed, None)
    return {first: seen[first], **seen} if first else dict(seen)


def examine(exercise: Exercise, seen: Mapping[str, Observation]) -> tuple[Finding, ...]:
    """How every aspect of an exercise comes out, without a word on why.

    Args:
        exercise: what was asked.
        seen: from ``observe``.
    """
    # Numbers that overflow are findings, not accidents.
    with np.errstate(all="ignore"):
        return tuple(_find(aspect, seen) for aspect in exercise.aspects)


def _find(aspect: Aspect, seen: Mapping[str, Observation]) -> Finding:
    texts = (aspect.examine(seen[name]) for name in aspect.cases)
    text = next(filter(None, texts), "")
    if len(text) > _LONGEST_FINDING:
        text = f"{text[:_LONGEST_FINDING]}..."
    return Finding(say(aspect.title), aspect.percent, not text, text)


def _all_failed(exercise: Exercise, text: str) -> tuple[Finding, ...]:
    return tuple(
        Finding(say(aspect.title), aspect.percent, False, text) for aspect in exercise.aspects
    )
