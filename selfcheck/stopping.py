"""Calls that don't come to an end, which a notebook would wait for until its memory is full."""

from __future__ import annotations

import _thread
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from selfcheck.texts import say

LONGEST = 30
"""Seconds that a call may compute: the longest of ours take a few."""

_PERIOD = 0.5
"""So often, in seconds, it's looked how long a call has computed."""


class Stopped(Exception):
    """A call computed for too long."""


@contextmanager
def stopped_in_time(longest: float) -> Iterator[None]:
    """Interrupt what computes for longer, as the stop button of a notebook does.

    Only Python code of the main thread can be interrupted. What waits isn't counted, nor what
    others on a busy computer do.

    Args:
        longest: seconds of the processor.

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
    if unheard:  # shells have what they start in the background ignore interruptions
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
            # It came to its end just as it was interrupted: the interruption is still to come.
            with suppress(KeyboardInterrupt):
                time.sleep(_PERIOD)
        if unheard:
            signal.signal(signal.SIGINT, before)
    if late.is_set():
        raise Stopped(say("stopped after {seconds} seconds of computing", seconds=f"{longest:g}"))
