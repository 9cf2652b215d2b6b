"""From outputs to a verdict: which aspects hold, what was seen, which mistake explains it.

The student's own check and the judge both come through here; they differ in the inputs and in
where the expected outputs come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

import numpy as np

from selfcheck.comparing import same_outputs
from selfcheck.diagnosis import diagnose
from selfcheck.diagnosis.failures import Cause
from selfcheck.exercise import Aspect, Exercise, Expected, Failure, Observation
from selfcheck.texts import language, say

NOT_ANSWERED = "not answered"
"""The reason of a verdict on a task that was left as it was handed out."""

MIME = "application/vnd.notebook-autograder.verdict+json"
"""Under this type a verdict lies in the graded cell's outputs."""


@dataclass(frozen=True)
class Hint:
    """What leads a student to a mistake.

    Args:
        sentence: in English; it does not give the line away.
        section: of the lesson, to read again.
    """

    sentence: str
    section: int

    def __str__(self) -> str:
        pointer = say("See section {section}.", section=self.section)
        return f"{say(self.sentence)} {pointer}"


def told(hints: Sequence[Hint]) -> str:
    """What a student reads: of one mistake, or of two that were made at once."""
    if len(hints) == 1:
        return str(hints[0])
    first, second = hints
    # A section is named once.
    begin = say(first.sentence) if first.section == second.section else first
    return f"{say('Two mistakes at once.')} {begin} {second}"


@dataclass(frozen=True)
class Mistake:
    """A known-wrong answer to an exercise, by its outputs.

    Args:
        name: in snake case, such as ``"no_scaling"``.
        hints: one; two where two mistakes were made at once.
        outputs: by case name, its outputs by name, an array perhaps by its sketch; None where it
            fails with an exception.
    """

    name: str
    hints: tuple[Hint, ...]
    outputs: Mapping[str, Mapping[str, Any] | None]

    @property
    def hint(self) -> str:
        """What a student reads."""
        return told(self.hints)


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
        hints: their hints.
        relation: where no known mistake explains them, the name of the fact that does.
        fact: that fact, in a sentence.
        reason: why there was nothing to judge, else "".
    """

    exercise: str
    findings: tuple[Finding, ...] = ()
    mistakes: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    relation: str = ""
    fact: str = ""
    reason: str = ""

    @property
    def percent(self) -> int:
        """Share of the points: the sum over the aspects that hold."""
        return sum(finding.percent for finding in self.findings if finding.passed)

    @property
    def explanation(self) -> str:
        """Why points were lost, in one line: the known mistake, else what was seen first, and what
        is true of it."""
        if self.reason:
            return say(self.reason)
        if self.hints:
            return f" {say('Or:')} ".join(self.hints)
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
        return cls(
            exercise=content["exercise"],
            findings=findings,
            mistakes=tuple(content["mistakes"]),
            hints=tuple(content["hints"]),
            relation=content["relation"],
            fact=content["fact"],
            reason=content["reason"],
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
            parts.append(f"<p>{escape(say(self.reason))}</p>")
        hints = (*self.hints, self.fact) if self.fact else self.hints
        parts += [f"<p><b>{say('Hint:')}</b> {escape(hint)}</p>" for hint in hints]
        if self.findings:
            columns = (say("Aspect"), say("Passed"), say("Share"), say("What was seen"))
            head = "".join(_cell(title, "th") for title in columns)
            rows = "".join(_row(finding) for finding in self.findings)
            parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")
        return f"<div class='course-verdict' lang='{language()}'>{''.join(parts)}</div>"


_LONGEST_FINDING = 600


def _row(finding: Finding) -> str:
    cells = (
        escape(finding.title),
        f"&#10003;&nbsp;{say('yes')}" if finding.passed else f"&#10007;&nbsp;{say('no')}",
        f"{finding.percent}&nbsp;%",
        escape(finding.seen),
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
) -> dict[str, Observation]:
    """Put what came back beside what was expected, by case name.

    Args:
        exercise: what was asked.
        seed: of the cases.
        answers: by case name, what came back.
        expected: by case name, what the solution gives.
    """
    return {
        case.name: Observation(case, expected[case.name], answers[case.name])
        for case in exercise.drawn(seed)
    }


def reach(
    exercise: Exercise,
    seen: Mapping[str, Observation],
    mistakes: Sequence[Mistake],
    pairs: Iterable[Mistake] = (),
    causes: Sequence[Cause] = (),
) -> Verdict:
    """Compare an answer's outputs with the expected ones.

    Args:
        exercise: what was asked.
        seen: from ``observe``.
        mistakes: the known-wrong answers, run on the same cases.
        pairs: every two of them at once; looked at only where no single one explains the outputs.
        causes: of exceptions, looked at before those that any course can meet.

    Returns:
        A verdict with one finding for each aspect. An aspect that looks at several cases holds
        when it holds in each of them.
    """
    answers = [observation.received for observation in seen.values()]
    failures = [answer for answer in answers if isinstance(answer, Failure)]
    if failures and len(failures) == len(answers) and failures[0].unanswered:
        return Verdict(exercise.name, _all_failed(exercise, str(failures[0])), reason=NOT_ANSWERED)
    # Numbers that overflow are findings, not accidents.
    with np.errstate(all="ignore"):
        findings = [_find(aspect, seen) for aspect in exercise.aspects]
        wrong = not all(finding.passed for finding in findings)
        made = _explain(seen, mistakes, pairs) if wrong else ()
        relation = diagnose(exercise, seen, causes) if wrong and not made else None
    return Verdict(
        exercise.name,
        tuple(findings),
        mistakes=tuple(mistake.name for mistake in made),
        hints=tuple(dict.fromkeys(mistake.hint for mistake in made)),
        relation=relation.name if relation else "",
        fact=relation.hint if relation else "",
    )


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


def _explain(
    seen: Mapping[str, Observation], mistakes: Sequence[Mistake], pairs: Iterable[Mistake]
) -> tuple[Mistake, ...]:
    """The mistakes whose outputs equal the received ones in every case, else two at once that do
    so; if there is none, those that do so in the first case that came out wrong, and in half of
    all cases."""
    quickest = _quickest_first(seen)
    for known in (mistakes, pairs):
        everywhere = tuple(mistake for mistake in known if _equals(mistake, quickest))
        if everywhere:
            return everywhere
    for name, observation in seen.items():
        if isinstance(observation.received, Failure):
            return ()  # that two fail there says little: each has its own reason
        if not same_outputs(observation.expected.outputs, observation):
            return tuple(
                mistake
                for mistake in mistakes
                if _equals(mistake, {name: observation}) and _fits_most(mistake, seen)
            )
    return ()


def _quickest_first(seen: Mapping[str, Observation]) -> dict[str, Observation]:
    """Cases in the order in which most mistakes are ruled out soonest: those that came out wrong
    before the others, and small inputs before large ones."""

    def cost(name: str) -> tuple[bool, int]:
        observation = seen[name]
        right = same_outputs(observation.expected.outputs, observation)
        return right, sum(getattr(value, "size", 1) for value in observation.case.inputs.values())

    return {name: seen[name] for name in sorted(seen, key=cost)}


def _equals(mistake: Mistake, seen: Mapping[str, Observation]) -> bool:
    """Whether a mistake's outputs are the received ones in all of the given cases it speaks of,
    and wrong in at least one of them."""
    spoken = {name: seen[name] for name in seen if name in mistake.outputs}
    if not all(
        same_outputs(mistake.outputs[name], observation) for name, observation in spoken.items()
    ):
        return False
    return any(not same_outputs(obs.expected.outputs, obs) for obs in spoken.values())


def _fits_most(mistake: Mistake, seen: Mapping[str, Observation]) -> bool:
    """Whether a mistake's outputs are the received ones in at least half of the cases."""
    fitting = [
        same_outputs(mistake.outputs[name], seen[name]) for name in seen if name in mistake.outputs
    ]
    return 2 * sum(fitting) >= len(fitting)
