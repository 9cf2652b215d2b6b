"""Answer sheets: the expected outputs for the published inputs, and those of known mistakes.

They contain no code. Only ``autograder release`` writes them, one JSON file per exercise.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from selfcheck.equality import Digest, Sketch
from selfcheck.exercise import Exercise, Expected
from selfcheck.explaining import TOGETHER, EvaluatedMistake, EvaluatedMistakes, Hint, StoredMistakes

DIGITS = 7
"""Significant decimal digits: float32's precision, and the same text on every machine."""

_DIGITS_OF_SUMS = 6

_RIGHT = 0
"""A placeholder for an output that a mistake gets right."""

PUBLISHED_SEED = 2017
"""The seed of the published inputs. The autograder uses different seeds."""


def load(folder: Path, exercise: Exercise) -> tuple[dict[str, Expected], EvaluatedMistakes]:
    """Read an exercise's answer sheet.

    Args:
        folder: the folder of a course's answer sheets.
        exercise: the exercise.

    Returns:
        The expected outputs by case name, and the known mistakes.
    """
    sheet = json.loads((folder / f"{exercise.name}.json").read_text("utf8"))
    expected = {
        case: Expected(
            _read_outputs(entry["outputs"]), entry["tolerance"], frozenset(entry.get("fixed", ()))
        )
        for case, entry in sheet["expected"].items()
    }
    names = [x["name"] for x in sheet["mistakes"]]
    hints = {
        x["name"]: Hint(x["hint"], x.get("section", exercise.section)) for x in sheet["mistakes"]
    }

    def mistake(entry: Mapping[str, Any]) -> EvaluatedMistake:
        found = {
            case: _read_short(written, expected[case].outputs)
            for case, written in zip(expected, entry["outputs"], strict=True)
            if written != _RIGHT
        }
        outputs = {case: x and _whole(x, expected[case].outputs) for case, x in found.items()}
        wrong = frozenset(
            (case, output)
            for case, outputs in found.items()
            for output in (["", *expected[case].outputs] if outputs is None else outputs)
        )
        made = [names[place] for place in entry["made"]] if "made" in entry else [entry["name"]]
        explained = tuple(map(hints.__getitem__, made))
        return EvaluatedMistake(
            TOGETHER.join(made), explained, outputs, wrong, entry.get("failure", "")
        )

    return expected, StoredMistakes(*(list(map(mistake, sheet[x])) for x in ("mistakes", "pairs")))


def dump(
    exercise: Exercise,
    expected: Mapping[str, Expected],
    mistakes: Iterable[EvaluatedMistake],
    pairs: Iterable[EvaluatedMistake],
) -> str:
    """Write an answer sheet as JSON text, byte for byte the same on every machine.

    Args:
        exercise: the exercise.
        expected: the expected outputs by case name.
        mistakes: known mistakes, with only those outputs that differ from the expected ones.
        pairs: all pairs of them, likewise.
    """
    mistakes = list(mistakes)
    places = {mistake.name: place for place, mistake in enumerate(mistakes)}
    sheet = {
        "expected": {
            case: {
                "tolerance": {name: float(f"{size:.1e}") for name, size in entry.tolerance.items()},
                "outputs": _write_outputs(entry.outputs),
            }
            | ({"fixed": sorted(entry.fixed)} if entry.fixed else {})
            for case, entry in expected.items()
        },
        "mistakes": [
            {
                "name": mistake.name,
                "hint": mistake.hints[0].sentence,
                **_elsewhere(mistake.hints[0].section, exercise),
                **_write_mistake(mistake, expected),
            }
            for mistake in mistakes
        ],
        "pairs": [
            {"made": [places[name] for name in pair.name.split(TOGETHER)]}
            | _write_mistake(pair, expected)
            for pair in pairs
        ],
    }
    return json.dumps(sheet, ensure_ascii=False, separators=(",", ":")) + "\n"


def _whole(wrong: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    """A case's outputs, some of them wrong, or None if they are missing."""
    return {name: value for name, value in {**right, **wrong}.items() if value is not None}


def _elsewhere(section: int, exercise: Exercise) -> dict[str, int]:
    """The section that explains a mistake, if it isn't the exercise's own."""
    return {} if section == exercise.section else {"section": section}


def _write_mistake(mistake: EvaluatedMistake, expected: Mapping[str, Expected]) -> dict[str, Any]:
    outputs = [
        _write_short(mistake.outputs[case], entry.outputs) if case in mistake.outputs else _RIGHT
        for case, entry in expected.items()
    ]
    failure = {"failure": mistake.failure} if mistake.failure else {}
    return {"outputs": outputs} | failure


def _write_outputs(outputs: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays as their shape and numbers; text and lists unchanged."""
    return {
        name: {"shape": list(value.shape), "values": [_write(x) for x in value.ravel()]}
        if isinstance(value, np.ndarray)
        else value
        for name, value in outputs.items()
    }


def _read_outputs(outputs: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: np.array([float(x) for x in entry["values"]], np.float64).reshape(entry["shape"])
        if isinstance(entry, dict)
        else entry
        for name, entry in outputs.items()
    }


def _write_short(
    outputs: Mapping[str, Sketch | Digest | None] | None, right: Mapping[str, Any]
) -> list[Any] | None:
    """One entry per right output, or None for a failure: sketches as their numbers, with their
    shape if it isn't the right one; a digest unchanged; None for a missing output. There are tens
    of thousands of them, so names are left out."""
    if outputs is None:
        return None
    if not outputs.keys() <= right.keys():
        raise ValueError(f"unexpected outputs: {sorted(outputs.keys() - right.keys())}")
    return [
        _write_one_short(outputs[name], value) if name in outputs else _RIGHT
        for name, value in right.items()
    ]


def _write_one_short(value: Sketch | Digest | None, right: Any) -> Any:
    if not isinstance(value, Sketch):
        return value and value.text
    written = [_write(x, _DIGITS_OF_SUMS) for x in value.numbers]
    if value.shape == _shape(right):
        return written
    return {"shape": list(value.shape), "sketch": written}


def _read_short(written: list[Any] | None, right: Mapping[str, Any]) -> dict[str, Any] | None:
    if written is None:
        return None
    return {
        name: _read_one_short(entry, value)
        for (name, value), entry in zip(right.items(), written, strict=True)
        if entry != _RIGHT
    }


def _read_one_short(entry: Any, right: Any) -> Sketch | Digest | None:
    if entry is None:
        return None
    if isinstance(entry, str):
        return Digest(entry)
    if isinstance(entry, list):
        return Sketch(_shape(right), tuple(entry))
    return Sketch(tuple(entry["shape"]), tuple(entry["sketch"]))


def _shape(right: Any) -> tuple[int, ...]:
    return getattr(right, "shape", ())


def _write(number: float, digits: int = DIGITS) -> float | str:
    """A JSON number, integers without a point, or "nan", "inf" and "-inf", which JSON lacks."""
    if not np.isfinite(number):
        return str(float(number))
    rounded = float(f"{number:.{digits}g}")
    # Rounding errors near 0 in float64 differ between machines.
    rounded = 0.0 if abs(rounded) < 1e-12 else rounded
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded
