"""Check that an exercise and its key fit together, independently of any student."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.judging import solutions
from autograder.judging.keys import Key, KnownMistake
from autograder.judging.marking import BY_CAUSE
from autograder.judging.mistakes import ComputedMistakes, OutputsByCase
from selfcheck import Case, Failure, Observation
from selfcheck.evidence import Outputs, wrong_outputs
from selfcheck.exercise import axis_names
from selfcheck.sheets import PUBLISHED_SEED
from selfcheck.verdicts import examine, observe

MISTAKE_SEEDS = range(40)
"""The seeds of inputs on which every known mistake must cost the same points."""


def problems(key: Key) -> Iterator[str]:
    """The problems that a teacher has to fix before anybody is judged by this key.

    Each would cost students points through no fault of theirs: shares that don't sum to 100, an
    aspect that looks at a missing case, a solution with differently named outputs.
    """
    exercise = key.exercise
    if type(exercise.section) is not int:
        yield f"its section is {exercise.section!r}: write a whole number"
        return
    shares = sum(aspect.percent for aspect in exercise.aspects)
    if shares != 100:
        yield f"the aspects share {shares} % of the points, not 100 %"
    for aspect in exercise.aspects:
        if aspect.percent <= 0:
            yield f"the share of the aspect {aspect.title!r} is {aspect.percent} %"
        if isinstance(aspect.cases, str):
            yield f"the aspect {aspect.title!r} takes a tuple of cases: ({aspect.cases!r},)"
            return
    try:
        cases = solutions.cases(exercise, PUBLISHED_SEED)
        again = exercise.cases(PUBLISHED_SEED)
    except Exception as error:
        yield f"cases() stops with {_said(error)}"
        return
    if not _alike(exercise.drawn(PUBLISHED_SEED), again):
        yield (
            "cases() gives different inputs when it's called again with the same seed: all "
            "randomness "
            "must come from that seed"
        )
        return
    has_inputs = any(case.inputs for case in cases.values())
    if has_inputs and _alike(again, exercise.cases(PUBLISHED_SEED + 1)):
        yield "cases() gives the same inputs for every seed: students could hard-code the outputs"
    drawn = list(cases)
    for aspect in exercise.aspects:
        for name in set(aspect.cases) - set(drawn):
            yield f"the aspect {aspect.title!r} looks at a case {name!r}; there are: {drawn}"
    problems = [
        (name, problem) for name, case in cases.items() for problem in _problems_of_case(key, case)
    ]
    for case_name, problem in problems:
        yield f"in the case {case_name!r} {problem}"
    if problems:
        return
    given = {
        name for case in cases.values() for name in solutions.outputs(key.solution, case.inputs)
    }
    if missing := exercise.axes.keys() - given:
        yield f"the exercise's axes name {_listed(missing)}, which the solution never gives"


def _problems_of_case(key: Key, case: Case) -> Iterator[str]:
    exercise = key.exercise
    before = copy.deepcopy(dict(case.inputs))
    try:
        outputs = solutions.outputs(key.solution, case.inputs)
    except Exception as error:
        yield f"the solution stops with {_said(error)}"
        return
    if changed := _changed(before, case.inputs):
        yield f"the solution changes its input {changed}: it must work on a copy"
        return
    if not _same(solutions.outputs(key.solution, case.inputs), outputs):
        yield "the solution gives different outputs when it is called again: use no random numbers"
        return
    if not outputs.keys() <= exercise.axes.keys():
        given, asked = _listed(set(outputs)), _listed(set(exercise.axes))
        yield f"the solution gives {given}, but the exercise's axes name {asked}"
        return
    try:
        sizes = exercise.sizes(case)
    except KeyError as error:
        there = _listed(set(case.inputs))
        yield f"input_axes names an unknown input {error}; there are: {there}"
        return
    except Exception as error:
        yield f"input_axes doesn't fit the inputs: {_said(error)}"
        return
    for name in sorted(outputs):
        if _lacks_numbers(outputs[name], case.free.get(name, False)):
            yield (
                f"the solution's {name} is NaN or infinite in places, and every answer must be "
                "finite: draw other inputs"
            )
    for name, axes in exercise.axes.items():
        if name not in outputs:
            continue
        if axes and not isinstance(outputs[name], np.ndarray):
            kind = type(outputs[name]).__name__
            yield f"the solution gives {name} as a {kind}, but axes says that it is an array"
            continue
        shape = getattr(outputs[name], "shape", ())
        if not axes and shape:
            yield f"{name} has the shape {shape}, but axes doesn't name its axes"
            continue
        if axes and len(shape) not in (len(axes), len(axes) - 1):
            yield f"{name} has the shape {shape}, but axes calls its axes {axes}"
            continue
        for axis, size in zip(axis_names(axes, len(shape)), shape, strict=False):
            if sizes.get(axis, size) != size:
                yield (
                    f"axes calls an axis of {name} {axis!r}, whose size is {size}, but among the "
                    f"inputs {axis!r} is {sizes[axis]}"
                )


def _lacks_numbers(value: Any, free: np.ndarray | bool) -> bool:
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        return False
    return not (np.isfinite(value) | free).all()


def _alike(cases: Sequence[Case], others: Sequence[Case]) -> bool:
    return len(cases) == len(others) and all(
        case.name == other.name and _same(dict(case.inputs), dict(other.inputs))
        for case, other in zip(cases, others, strict=True)
    )


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """The first input that has changed, or ""."""
    return next((name for name in before if not _same({"": before[name]}, {"": after[name]})), "")


def _same(values: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
    try:
        np.testing.assert_equal(others, values)
    except (AssertionError, ValueError):
        return False
    return True


def mistake_problems(key: Key, seeds: Sequence[int] = (PUBLISHED_SEED,)) -> Iterator[str]:
    """The problems that a teacher has to fix in the known mistakes of a key.

    A known mistake has to cost points, and the same points for all inputs. If it fails on every
    input, every crash would get its hint. Two may give the same outputs (students then read both
    hints), but not by the same edits or under the same name.

    Args:
        key: the exercise's key.
        seeds: the seeds of the inputs.
    """
    known = [one.name for one in key.mistakes]
    for name in sorted({name for name in known if known.count(name) > 1}):
        yield f"two known mistakes are called {name!r}"
    if stopped := list(_stopped(key, seeds[0])):
        yield from stopped
        return
    for made in key.mistakes:
        yield from _misworded(made)
    runs = {seed: list(_runs(key, seed)) for seed in seeds}
    for number, made in enumerate(key.mistakes):
        yield from _changing(made, {seed: runs[seed][number] for seed in seeds})
        for other in key.mistakes[:number]:
            if made.edits and other.edits == made.edits:
                yield f"the known mistakes {other.name!r} and {made.name!r} are the same change"


def _misworded(made: KnownMistake) -> Iterator[str]:
    if not all(hint.sentence.strip() for hint in made.hints):
        yield f"the known mistake {made.name!r} has no hint"
    try:
        re.compile(made.failure)
    except re.error as error:
        yield f"the known mistake {made.name!r}: failure={made.failure!r} isn't valid: {error}"
    if any(re.search(r"\bsection \d", hint.sentence, re.IGNORECASE) for hint in made.hints):
        yield (
            f"the hint of {made.name!r} names a section, but one is added automatically: "
            "leave it out, or set a different one with section="
        )


def _changing(made: KnownMistake, runs: Mapping[int, _Run]) -> Iterator[str]:
    """The problems of a known mistake on the inputs of some seeds."""
    name = made.name
    for seed, run in runs.items():
        if run.unlike_published:
            (case, output), *_ = sorted(run.unlike_published)
            yield (
                f"the known mistake {name!r} shows in {output or 'a failure'} of the case "
                f"{case!r} with some inputs only: compare the seed {seed} with {PUBLISHED_SEED}"
            )
    failed = next(iter(runs.values())).failed
    if made.failure and not any(failed):
        yield (
            f"the known mistake {name!r} states how an answer fails with it "
            f"(failure={made.failure!r}), but never fails"
        )
    if not made.failure and all(failed):
        yield (
            f"the known mistake {name!r} fails with an exception on every input, as any broken "
            "answer does: every crash would get its hint"
        )
    if len({run.computes for run in runs.values()}) > 1:
        yield (
            f"the known mistake {name!r} gives one value everywhere, or its inputs, on the inputs "
            "of some seeds only: what it costs would depend on the inputs"
        )
    lost: dict[tuple[str, ...], int] = {}
    for seed, run in runs.items():
        lost.setdefault(run.lost, seed)
    if () in lost:
        yield f"the known mistake {name!r} loses nothing on inputs of the seed {lost[()]}"
    elif len(lost) > 1:
        (some, one), (others, two), *_ = lost.items()
        yield (
            f"what the known mistake {name!r} costs depends on the inputs: with the seed {one} "
            f"it fails {_quoted(some)}; with the seed {two}, {_quoted(others)} (the inputs don't "
            "always tell it from a right answer: change the exercise's cases())"
        )


def _stopped(key: Key, seed: int) -> Iterator[str]:
    """Known mistakes that fail differently from a student's answer with shapes that don't fit."""
    cases = solutions.cases(key.exercise, seed)
    for mistake in key.mistakes:
        try:
            outputs = OutputsByCase(mistake, cases)
            for case in outputs:
                before = copy.deepcopy(dict(cases[case].inputs))
                outputs[case]
                if changed := _changed(before, cases[case].inputs):
                    yield (
                        f"the known mistake {mistake.name!r} changes its input {changed}, which "
                        "other mistakes also get: it must work on a copy"
                    )
                    return
        except Exception as error:
            yield f"the known mistake {mistake.name!r} stops with {_said(error.__cause__ or error)}"


@dataclass(frozen=True)
class _Run:
    """A known mistake on the inputs of a seed.

    Args:
        lost: the titles of the aspects that fail, as with a student's answer.
        failed: for each case, whether there are no outputs.
        computes: whether some output takes a computation.
        unlike_published: outputs that are wrong here and right on the published inputs, or vice
            versa, each with its case.
    """

    lost: tuple[str, ...]
    failed: tuple[bool, ...]
    computes: bool
    unlike_published: Outputs


def _runs(key: Key, seed: int) -> Iterator[_Run]:
    """The effects of each known mistake on the inputs of a seed."""
    exercise = key.exercise
    cases = solutions.cases(exercise, seed)
    expected = solutions.expected(exercise, key.solution, seed)
    for mistake in ComputedMistakes(key, seed, BY_CAUSE).single:
        received = {
            case: Failure("ValueError", "") if outputs is None else outputs
            for case, outputs in mistake.outputs.items()
        }
        seen = observe(exercise, seed, received, expected)
        findings = examine(exercise, seen)
        wrong = frozenset(
            (name, output)
            for name, case in cases.items()
            for output in wrong_outputs(
                Observation(case, expected[name], {}), mistake.outputs[name]
            )
        )
        yield _Run(
            tuple(finding.title for finding in findings if not finding.passed),
            tuple(outputs is None for outputs in mistake.outputs.values()),
            seen.takes_work,
            wrong ^ mistake.wrong,
        )


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _quoted(titles: Sequence[str]) -> str:
    return " and ".join(map(repr, titles))


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"
