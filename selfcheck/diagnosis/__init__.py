"""Relate wrong outputs to the right ones, if no known mistake explains them.

Every sentence here states a fact that was verified on the numbers, such as "twice the expected",
never a guess. It's about one case, the first wrong one of which there is such a fact, and names it:
what is only partly wrong there may be wrong everywhere in the next case.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from selfcheck.aspects import in_code, numbers
from selfcheck.diagnosis.arrays import Facts
from selfcheck.diagnosis.failures import SHAPES_DIFFER, ExceptionCause, of_failure
from selfcheck.diagnosis.relation import Relation, is_right
from selfcheck.diagnosis.words import of_words
from selfcheck.evidence import Outputs, Seen
from selfcheck.exercise import Case, Exercise, Failure, Observation
from selfcheck.texts import say

__all__ = ["Relation", "diagnose", "in_another_form"]

_CASES = 2
"""Maximum number of wrong cases in which to look for a fact: more would take too long."""


def diagnose(
    exercise: Exercise, seen: Mapping[str, Observation], causes: Sequence[ExceptionCause] = ()
) -> Relation | None:
    """Relate the outputs of a wrong case to the right ones.

    Args:
        exercise: names the axes.
        seen: observations by case name.
        causes: causes of exceptions, besides those that may occur in any course.

    Returns:
        The first fact that is true of the first wrong case, or else of the next, or None.
    """
    wrong = {name: _wrong(exercise, one) for name, one in seen.items()}
    cases = itertools.islice(filter(wrong.get, seen), _CASES)
    facts = (_of_case(exercise, seen[name], wrong[name], seen, causes) for name in cases)
    return next(filter(None, facts), None)


def _wrong(exercise: Exercise, observation: Observation) -> list[str]:
    """The outputs that are wrong, without what is measured; all of a call that failed."""
    return [
        name
        for name in observation.expected.outputs
        if isinstance(observation.received, Failure)
        or (name not in exercise.measured and not _holds(name, observation))
    ]


def _of_case(
    exercise: Exercise,
    observation: Observation,
    wrong: Sequence[str],
    seen: Mapping[str, Observation],
    causes: Sequence[ExceptionCause],
) -> Relation | None:
    if isinstance(observation.received, Failure):
        failure = observation.received
        return _left_out(observation, failure, seen) or _with_sizes(
            of_failure(failure, causes), exercise, observation.case, failure
        )
    if _is_none(observation, wrong[0]) and not all(
        isinstance(one.received, Failure) or _is_none(one, wrong[0])
        for one in seen.values()
        if wrong[0] in one.expected.outputs
    ):
        hint = say("None comes back for some inputs, but not for others.")
        return Relation("sometimes_nothing", hint)
    observation = _most_axes(wrong[0], observation, seen)
    facts = (_of_output(exercise, name, observation) for name in wrong)
    return _in_case(observation, _swapped(observation) or next(filter(None, facts), None))


def in_another_form(exercise: Exercise, seen: Seen) -> Outputs:
    """The wrong outputs that are right ones in a different form, the same in every case: rounded,
    with axes in a different order, or all multiplied by a number.

    Args:
        exercise: names the axes.
        seen: observations by case name.
    """
    wrong: dict[str, list[Observation]] = {}
    for case, output in seen.wrong:
        if output not in exercise.measured:
            wrong.setdefault(output, []).append(seen[case])

    def alike(output: str) -> bool:
        first, *others = wrong[output]
        form = _form(exercise, output, first)
        return form is not None and all(_form(exercise, output, other) == form for other in others)

    found = set(filter(alike, wrong))
    return frozenset((case, output) for case, output in seen.wrong if output in found)


def _form(
    exercise: Exercise, output: str, observation: Observation
) -> tuple[str, tuple[int, int] | None] | None:
    """The name of the fact by which an output is right in a different form, and where it is among
    others: a list of all that may be right would hold it somewhere."""
    if isinstance(observation.received, Failure) or output not in observation.received:
        return None
    facts = _swapped(observation), _of_output(exercise, output, observation)
    name = next((fact.name for fact in facts if fact and fact.complete), "")
    return (name, _place(output, observation)) if name else None


def _place(output: str, observation: Observation) -> tuple[int, int] | None:
    """At which place of a list or tuple an output is right, and the list's length."""
    value = observation.outputs[output]
    if not isinstance(value, list | tuple):
        return None
    right = (place for place, x in enumerate(value) if is_right(output, x, observation))
    return next(((place, len(value)) for place in right), None)


def _in_case(observation: Observation, relation: Relation | None) -> Relation | None:
    """A fact together with its case; that nothing came back is true of all cases."""
    if not relation or not relation.hint or relation.name == "nothing_returned":
        return relation
    case = say(observation.case.name)
    hint = say("In the case “{case}”, {fact}", case=case, fact=relation.hint)
    return replace(relation, hint=hint)


def _with_sizes(
    relation: Relation | None, exercise: Exercise, case: Case, failure: Failure
) -> Relation | None:
    """Shapes that don't fit, with the names of the sizes in the exception's message."""
    if relation is None or relation.hint != say(SHAPES_DIFFER):
        return relation
    names: dict[int, list[str]] = {}
    for name, size in exercise.sizes(case).items():
        names.setdefault(size, []).append(name)
    in_message = dict.fromkeys(map(int, re.findall(r"\d+", failure.message)))
    told = [f"{names[size][0]} = {size}" for size in in_message if len(names.get(size, ())) == 1]
    if not told:
        return relation
    return replace(relation, hint=f"{relation.hint} {say('Here {sizes}.', sizes=', '.join(told))}")


def _most_axes(output: str, first: Observation, seen: Mapping[str, Observation]) -> Observation:
    """If an output of the first wrong case has a wrong shape: the wrong case in which the right
    shape has the most axes larger than 1, because the others don't show which axis is missing."""

    def wrong_shape(observation: Observation) -> bool:
        expected = observation.expected.outputs.get(output)
        if isinstance(observation.received, Failure) or not isinstance(expected, np.ndarray):
            return False
        value = numbers(observation.received.get(output))
        return value is not None and value.shape != expected.shape

    def axes(observation: Observation) -> int:
        return sum(size != 1 for size in observation.expected.outputs[output].shape)

    return max(filter(wrong_shape, seen.values()), key=axes) if wrong_shape(first) else first


def _left_out(
    failed: Observation, failure: Failure, seen: Mapping[str, Observation]
) -> Relation | None:
    """An optional input without which calls fail."""
    if not re.search(r"\bNone(Type)?\b", failure.message):
        return None
    failing = {name for name, one in seen.items() if isinstance(one.received, Failure)}
    for name, value in failed.case.inputs.items():
        without = {case for case, one in seen.items() if one.case.inputs.get(name, 0) is None}
        if value is None and without == failing != seen.keys():
            hint = say(
                "Only calls that leave out {name} fail, and it's None then: what should happen "
                "without it?",
                name=in_code(name),
            )
            return Relation("left_out", hint)
    return None


def _is_none(observation: Observation, output: str) -> bool:
    received = observation.received
    return not isinstance(received, Failure) and received.get(output, 0) is None


def _holds(output: str, observation: Observation) -> bool:
    received = observation.outputs
    return output not in received or is_right(output, received[output], observation)


def _swapped(observation: Observation) -> Relation | None:
    """Two outputs that are swapped."""
    received, expected = observation.outputs, observation.expected.outputs
    for first, second in itertools.combinations(expected, 2):
        if not {first, second} <= received.keys():
            continue
        crossed = (first, second), (second, first)
        if all(
            is_right(right, received[place], observation) for place, right in crossed
        ) and not _holds(first, observation):
            hint = say(
                "{first} and {second} are right, but swapped.",
                first=in_code(first),
                second=in_code(second),
            )
            return Relation("swapped_outputs", hint, complete=True)
    return None


def _of_output(exercise: Exercise, output: str, observation: Observation) -> Relation | None:
    value, expected = observation.outputs[output], observation.expected.outputs[output]
    if value is None:
        if any(other is not None for other in observation.outputs.values()):
            hint = say(
                "{output} is missing: compare what the last line returns with the task.",
                output=in_code(output),
            )
            return Relation("output_missing", hint)
        hint = say("Nothing was returned: does the last line return the result?")
        return Relation("nothing_returned", hint)
    if not isinstance(expected, np.ndarray):
        return of_words(output, value, expected)
    if _place(output, observation):
        hint = say(
            "{output} is right, but was returned together with something else: return it alone.",
            output=in_code(output),
        )
        return Relation("not_alone", hint, complete=True)
    value = numbers(value)
    if value is None:
        return None
    if value.shape != expected.shape:
        return Facts(exercise, output, observation, value, expected).of_shape()
    # If any finite number is right, there is nothing to compare.
    value = np.where(observation.free(output) & np.isfinite(value), expected, value)
    return Facts(exercise, output, observation, value, expected).of_numbers()
