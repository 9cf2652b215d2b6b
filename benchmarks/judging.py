"""How long the judge takes for one response: a right one, and one that no known mistake explains.

    python benchmarks/judging.py > benchmarks/judging.md

The second is the slowest there can be: every known mistake and every pair of them is run on its
first case, and nothing fits. Each figure is the median over several seeds, in milliseconds of this
process's processor time; drawing the inputs and computing what is right count.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from course import COURSE
from selfcheck import Exercise, responses
from tests.support import taught
from tests.support.taught import judge

SEEDS = {"before": range(100, 109), "right": range(200, 209), "unexplained": range(300, 309)}
"""Others each time: what a seed draws is kept for a while."""

MOST = 1 / 8
"""Of a loop of ten million steps, that the slowest response may take: 30 ms where it takes 240."""


def handed_over(exercise: Exercise, seed: int, *, right: bool) -> dict[str, Any]:
    """A response whose arrays are right, or are right but for a factor and an offset."""
    another = type(exercise)()  # nothing that it draws is kept for the judge
    cases = {
        name: {"outputs": _encoded(expected.outputs, right=right)}
        for name, expected in taught.expected(another, seed).items()
    }
    return {"exercise": exercise.name, "cases": cases}


def _encoded(outputs: Mapping[str, Any], *, right: bool) -> dict[str, Any]:
    changed = {
        name: value * 1.37 + 0.11 if isinstance(value, np.ndarray) and not right else value
        for name, value in outputs.items()
    }
    return {name: responses.encode(value) for name, value in changed.items()}


def milliseconds(exercise: Exercise, what: str) -> float:
    """The median over the seeds."""
    measured = []
    for seed in SEEDS[what]:
        response = handed_over(exercise, seed, right=what == "right")
        started = time.process_time()
        judge(exercise.name, seed, response)
        measured.append(1000 * (time.process_time() - started))
    return statistics.median(measured)


def seconds_of_a_loop() -> float:
    """How fast this machine is now: the seconds of adding up ten million numbers in Python."""
    started = time.process_time()
    total = 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - started


def main() -> int:
    """Print the table; fail when a response takes longer than it may."""
    print("# What judging costs\n")
    print("Milliseconds of the processor for one response, the median of nine seeds.")
    print("`benchmarks/judging.py` says how each figure is measured.\n")
    print("| exercise | mistakes | pairs | right | unexplained |\n|---|---|---|---|---|")
    loops, slowest = [], 0.0
    for name in COURSE.names():
        exercise = COURSE.get(name)
        pairs = sum(1 for _ in taught.known(exercise, 0).pairs)
        milliseconds(exercise, "before")  # compiles every edited solution
        right = milliseconds(exercise, "right")
        wrong = milliseconds(exercise, "unexplained")
        slowest = max(slowest, right, wrong)
        loops.append(1000 * seconds_of_a_loop())
        known = len(taught.known_mistakes(exercise))
        print(f"| `{name}` | {known} | {pairs} | {right:.1f} | {wrong:.1f} |", flush=True)
    loop = statistics.median(loops)
    holds = slowest <= MOST * loop
    print(f"\nMachines differ: adding up ten million numbers in a Python loop took {loop:.0f} ms,")
    print("the median of once after each exercise. An eighth of that must suffice; the slowest")
    print(f"response took {slowest / loop:.3f} of it: {'yes' if holds else 'no'}.")
    return int(not holds)


if __name__ == "__main__":
    # Threads of NumPy's that wait for work would count as well.
    with threadpool_limits(1):
        sys.exit(main())
