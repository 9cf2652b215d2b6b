"""Stop calls that don't end: otherwise, a notebook would wait until its memory is full."""

from __future__ import annotations

import _thread
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from selfcheck.texts import say

TIME_LIMIT = 30
"""CPU seconds that a call may take: the longest of ours take a few."""

_PERIOD = 0.5
"""The poll interval for a call's CPU time, in seconds."""


class Stopped(Exception):
    """A call computed for too long."""


@contextmanager
def stopped_in_time(longest: float) -> Iterator[None]:
    """Interrupt code that computes for longer, as a notebook's stop button does.

    Only Python code in the main thread can be interrupted. Waiting and other processes on a busy
    computer don't count.

    Args:
        longest: CPU seconds.

    Raises:
        Stopped: when it was interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    over, lock, late = threading.Event(), threading.Lock(), threading.Event()
    until = time.process_time() + longest

    def watch() -> None:
        while not over.wait(_PERIOD):
            with lock:
                if not over.is_set() and time.process_time() > until:
                    late.set()
                    _thread.interrupt_main()
                    return

    watcher = threading.Thread(target=watch, daemon=True)
    before = signal.getsignal(signal.SIGINT)
    unheard = before in (signal.SIG_IGN, signal.SIG_DFL)
    if unheard:  # shells make background processes ignore interrupts
        signal.signal(signal.SIGINT, signal.default_int_handler)
    watcher.start()
    interrupted = False
    try:
        yield
    except KeyboardInterrupt:
        interrupted = True
        if not late.is_set():
            raise
    finally:
        with lock:
            over.set()
        if late.is_set() and not interrupted:
            # It ended just as it was interrupted: the interrupt is still pending.
            with suppress(KeyboardInterrupt):
                time.sleep(_PERIOD)
        if unheard:
            signal.signal(signal.SIGINT, before)
    if late.is_set():
        raise Stopped(say("stopped after {seconds} seconds of computing", seconds=f"{longest:g}"))
