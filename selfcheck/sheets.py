"""Answer sheets: what the published inputs must give, and what known mistakes give. Never code.

``autograder release`` writes one JSON file for each exercise; nothing else does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from selfcheck.comparing import Sketch
from selfcheck.exercise import Exercise, Expected
from selfcheck.verdicts import Hint, Mistake

DIGITS = 7
"""Significant decimal digits: what float32 can tell apart, and the same text on every machine."""

PUBLISHED_SEED = 2017
"""Of the published inputs. The autograder draws other seeds."""


def load(
    folder: Path, exercise: Exercise
) -> tuple[dict[str, Expected], list[Mistake], list[Mistake]]:
    """Read an exercise's answer sheet.

    Args:
        folder: with a course's answer sheets.
        exercise: the exercise.

    Returns:
        What is expected by case name, the known mistakes, and every two of them at once.
    """
    sheet = json.loads((folder / f"{exercise.name}.json").read_text("utf8"))
    expected = {
        case: Expected(_read_outputs(entry["outputs"]), entry["tolerance"])
        for case, entry in sheet["expected"].items()
    }

    def outputs(entry: Mapping[str, Any]) -> dict[str, dict[str, Any] | None]:
        # What a mistake gets right is not written twice.
        return {
            case: None if wrong is None else {**expected[case].outputs, **_read_outputs(wrong)}
            for case, wrong in entry["outputs"].items()
        }

    hints = {x["name"]: Hint(x["hint"], x["section"]) for x in sheet["mistakes"]}
    mistakes = [Mistake(x["name"], (hints[x["name"]],), outputs(x)) for x in sheet["mistakes"]]
    pairs = [
        Mistake(x["name"], tuple(map(hints.get, x["name"].split(" and "))), outputs(x))
        for x in sheet["pairs"]
    ]
    return expected, mistakes, pairs


def dump(
    expected: Mapping[str, Expected], mistakes: Sequence[Mistake], pairs: Sequence[Mistake]
) -> str:
    """Write an answer sheet as JSON text, byte for byte the same on every machine.

    Args:
        expected: what is expected by case name.
        mistakes: known mistakes, with only those outputs that differ from the expected ones.
        pairs: every two of them at once, likewise.
    """
    sheet = {
        "expected": {
            case: {
                "tolerance": {name: float(f"{size:.1e}") for name, size in entry.tolerance.items()},
                "outputs": _write_outputs(entry.outputs),
            }
            for case, entry in expected.items()
        },
        "mistakes": [
            {
                "name": mistake.name,
                "hint": mistake.hints[0].sentence,
                "section": mistake.hints[0].section,
                "outputs": _write_cases(mistake),
            }
            for mistake in mistakes
        ],
        "pairs": [{"name": pair.name, "outputs": _write_cases(pair)} for pair in pairs],
    }
    return json.dumps(sheet, ensure_ascii=False, separators=(",", ":")) + "\n"


def _write_cases(mistake: Mistake) -> dict[str, Any]:
    return {
        case: None if outputs is None else _write_outputs(outputs)
        for case, outputs in mistake.outputs.items()
    }


def _write_outputs(outputs: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays as their shape and their numbers or sums, text and lists as they are."""
    return {name: _write_output(value) for name, value in outputs.items()}


def _write_output(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "values": [_write(x) for x in value.ravel()]}
    if isinstance(value, Sketch):
        return {"shape": list(value.shape), "sketch": [_write(x) for x in value.numbers]}
    return value


def _read_outputs(outputs: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _read_output(entry) for name, entry in outputs.items()}


def _read_output(entry: Any) -> Any:
    if not isinstance(entry, dict):
        return entry
    if "sketch" in entry:
        return Sketch(tuple(entry["shape"]), tuple(entry["sketch"]))
    return np.array([float(x) for x in entry["values"]], np.float64).reshape(entry["shape"])


def _write(number: float) -> float | str:
    """A JSON number, or "nan", "inf" and "-inf", which JSON lacks."""
    if not np.isfinite(number):
        return str(float(number))
    rounded = float(f"{number:.{DIGITS}g}")
    # What float64 cannot tell from 0 differs between machines.
    return 0.0 if abs(rounded) < 1e-12 else rounded
