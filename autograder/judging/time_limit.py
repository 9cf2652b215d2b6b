"""Judge a notebook's responses, each within a time limit, whatever it contains."""

from __future__ import annotations

import ctypes
import math
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Protocol

from autograder.judging.judge import Asked, judge_in_order
from autograder.judging.keys import Key, KnownMistake
from autograder.judging.marking import BY_CAUSE, Marking
from autograder.judging.search import search
from selfcheck import Course
from selfcheck.texts import say
from selfcheck.verdicts import Verdict

LIMIT = 10.0
"""CPU seconds for judging one response: an honest one takes less than a tenth of a second."""

_PERIOD = 0.2
"""The poll interval for a response's CPU time, in seconds."""

_ATTEMPTS = 2
"""Number of interruptions after which a response counts as slow: at the first one, the judge may
still have been computing something of its own."""


class _TimeLimitExceeded(BaseException):
    """A response takes too long. It isn't an ``Exception``, because the judge would catch it."""


def judge_in_time(
    course: Course, asked: Iterable[Asked], marking: Marking = BY_CAUSE
) -> list[Verdict]:
    """Judge a notebook's responses, as ``judge_in_order`` does, and search for mistakes that nobody
    foresaw in those that no known mistake explains.

    A response that takes too long to judge earns nothing, and its verdict says why. The others are
    judged as if it couldn't be read.

    Args:
        course: the course of the exercises.
        asked: in the notebook's order.
        marking: how verdicts become points.

    Raises:
        TimeoutError: when the judge takes too long even without a response.
        Exception: see ``judge_in_order``.
    """
    asked = list(asked)
    interrupted: Counter[int] = Counter()
    found: dict[int, KnownMistake | None] = {}
    at = 0

    def one_by_one(begin: _Begin) -> Iterator[Asked]:
        nonlocal at
        for at, one in enumerate(asked):
            begin()
            yield replace(one, response=None) if interrupted[at] == _ATTEMPTS else one

    def searched(key: Key, seed: int, response: Any) -> KnownMistake | None:
        if at not in found:
            begin(at_work=False)  # a search has limits of its own
            found[at] = search(key, seed, response)
            begin()
        return found[at]

    while True:
        try:
            with _limited() as begin:
                verdicts = judge_in_order(course, one_by_one(begin), marking, searched)
            break
        except _TimeLimitExceeded:
            interrupted[at] += 1
            if interrupted[at] > _ATTEMPTS:
                name = asked[at].name
                raise TimeoutError(f"judging {name} takes more than {LIMIT:g} seconds") from None
    for position, count in interrupted.items():
        if count == _ATTEMPTS:
            reason = say(
                "unreadable response: judging it takes more than {seconds} seconds",
                seconds=f"{LIMIT:g}",
            )
            verdicts[position] = Verdict(asked[position].name, reason=reason)
    return verdicts


class _Begin(Protocol):
    """Restarts the count, or stops it while the judge isn't at work on a response."""

    def __call__(self, at_work: bool = True) -> None: ...


@contextmanager
def _limited() -> Iterator[_Begin]:
    """Interrupt this thread when it computes for longer than the limit.

    Returns:
        A function that restarts the count.

    Raises:
        _TimeLimitExceeded: when it was interrupted.
    """
    thread = ctypes.c_ulong(threading.get_ident())
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    lock, over = threading.Lock(), threading.Event()
    since = time.process_time()
    on_its_way = False

    def begin(at_work: bool = True) -> None:
        nonlocal since
        since = time.process_time() if at_work else math.inf

    def watch() -> None:
        nonlocal on_its_way
        while not over.wait(_PERIOD):
            with lock:
                if not over.is_set() and time.process_time() - since > LIMIT:
                    on_its_way = True
                    raise_in(thread, ctypes.py_object(_TimeLimitExceeded))
                    return

    threading.Thread(target=watch, daemon=True, name="judge's time").start()
    try:
        yield begin
    except _TimeLimitExceeded:
        on_its_way = False
        raise
    finally:
        try:
            with lock:
                over.set()
            # An interrupt that arrives when all is done ends here. Cancelling it would make the
            # interpreter check for it before every instruction, and hang under a profiler.
            while on_its_way:
                pass
        except _TimeLimitExceeded:
            over.set()
