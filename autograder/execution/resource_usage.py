"""Resource usage of a kernel and all that it starts, as counted by the system.

A grader checks it five times a second, even with hundreds of processes that leave it little time:
``pathlib`` and ``psutil`` would take three times as long.
"""

# ruff: noqa: PTH123, PTH208

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MAPPINGS = 500_000
"""Maximum number of memory mappings of a kernel and all that it starts: the system needs some 200
bytes for each, which it doesn't count anywhere."""

WATCHES = 100_000
"""Maximum number of epoll watches of a kernel and all that it starts. The system needs some 200
bytes for each, which it doesn't count anywhere, and allows an account some millions."""

SESSIONS = 8
"""Maximum number of sessions of a kernel and all that it starts. Linux may give every session as
much CPU time as the whole grader (``sched_autogroup_enabled``), however many processes it has."""

_PIPE = 64 * 1024
"""Maximum number of bytes in a pipe."""

_TICKS = os.sysconf("SC_CLK_TCK")
_BESIDE = re.compile(r"^(?:VmPTE|VmSwap|HugetlbPages):\s*(\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Usage:
    """Resource usage of a process and all its descendants.

    Args:
        cpu: CPU seconds so far.
        processes: the current number of processes and threads.
        resident: the current memory in bytes; shared memory is counted for each process.
        hidden: bytes of the system's own memory that they take or can make it take: page tables,
            swapped and huge pages, and the capacity of their sockets and pipes.
        files: the current number of open files, including sockets and pipes.
        watches: the number of epoll watches; counted until there are too many.
        sessions: the current number of sessions of their processes.
        living: the system's folders about the living processes, one each.
        unseen: the processes at which this account may not look, or not at everything. What it
            can't read counts nothing above.
    """

    cpu: float
    processes: int
    resident: int
    hidden: int
    files: int
    watches: int
    sessions: int
    living: tuple[str, ...]
    unseen: tuple[str, ...]

    def proportional(self) -> int:
        """Memory in bytes; what n processes share is counted as an n-th for each."""
        total = 0
        for process in self.living:
            with suppress(OSError):
                lines = _read(f"{process}/smaps_rollup").splitlines()
                total += sum(1024 * int(x.split()[1]) for x in lines if x.startswith("Pss:"))
        return total

    def mappings(self) -> int:
        """The number of their memory mappings; counted until there are too many."""
        total = 0
        for process in self.living:
            with suppress(OSError), open(f"{process}/maps", "rb") as file:
                total += sum(1 for _ in file)
            if total > MAPPINGS:
                break
        return total


def usage(pid: int) -> Usage:
    """Read the usage of a process and all its descendants."""
    cpu, processes, resident, files, watches = 0.0, 0, 0, 0, 0
    living: list[str] = []
    unseen: list[str] = []
    sessions = set()
    hidden = _in_sockets(pid)
    waiting = [pid]
    while waiting:
        number = waiting.pop()
        process = f"/proc/{number}"
        try:
            used, session = _times(number)
            cpu += used
            threads = _threads(number)
            processes += len(threads)
            waiting += _children(threads)
            # All threads share memory and files, but the system tells nothing about an ended one,
            # even if it's the first one, which gives the process its id.
            process, pages = next(((t, n) for t in threads if (n := _pages(t))), (process, 0))
            if not pages:
                continue
            living.append(process)
            sessions.add(session)
            resident += pages * mmap.PAGESIZE
            hidden += _beside(process)
            opened = os.listdir(f"{process}/fd")
            files += len(opened)
            hidden += len(opened) * _PIPE
            if watches <= WATCHES:
                watches += _watches(process, opened)
        except PermissionError:
            if not _has_ended(process):
                unseen.append(process)
        except OSError:
            continue  # it has ended
    return Usage(
        cpu,
        processes,
        resident,
        hidden,
        files,
        watches,
        len(sessions),
        tuple(living),
        tuple(unseen),
    )


def processor_time(pid: int) -> float:
    """CPU seconds that a process and all its descendants have used so far."""
    cpu, waiting = 0.0, [pid]
    while waiting:
        number = waiting.pop()
        with suppress(OSError):  # it has ended
            cpu += _times(number)[0]
            waiting += _children(_threads(number))
    return cpu


def _times(number: int) -> tuple[float, str]:
    """A process's CPU seconds, with those of the children that it waited for; and its session."""
    # From the process' state on.
    fields = _read(f"/proc/{number}/stat").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / _TICKS, fields[3]


def _threads(number: int) -> list[str]:
    """The system's folders about a process's threads."""
    tasks = f"/proc/{number}/task"
    return [f"{tasks}/{task}" for task in os.listdir(tasks)]


def _children(threads: Iterable[str]) -> list[int]:
    return [int(pid) for thread in threads for pid in _read(f"{thread}/children").split()]


def _read(path: str) -> str:
    with open(path, encoding="ascii", errors="replace") as file:
        return file.read()


def _pages(thread: str) -> int:
    """The current memory of a thread's process in pages; 0 if the thread has ended.

    Raises:
        PermissionError: when this account may not look.
    """
    try:
        size, resident, *_ = map(int, _read(f"{thread}/statm").split())
    except PermissionError:
        raise
    except OSError:
        return 0
    return max(resident, 1) if size else 0


def _has_ended(process: str) -> bool:
    """Whether a process is known to have ended: one may be where this account may not look."""
    try:
        return not _pages(process)
    except PermissionError:
        return False


def _watches(process: str, opened: Iterable[str]) -> int:
    """The number of watches in a process's open files; counted until there are too many."""
    total, readlink, folder = 0, os.readlink, f"{process}/fd/"
    for number in opened:
        try:
            if readlink(folder + number) != "anon_inode:[eventpoll]":
                continue
            with open(f"{process}/fdinfo/{number}", "rb") as file:
                for line in file:
                    total += line.startswith(b"tfd:")
                    if total > WATCHES:
                        return total
        except OSError:
            continue  # it has been closed
    return total


def _beside(process: str) -> int:
    """Bytes that a process needs in addition to its resident memory."""
    return 1024 * sum(map(int, _BESIDE.findall(_read(f"{process}/status"))))


def _in_sockets(pid: int) -> int:
    """The capacity in bytes of the sockets in a process's network. Sent data stays there until the
    connection is accepted, even if no process has the socket open."""
    with suppress(OSError):
        network = Path(f"/proc/{pid}/ns/net").readlink()
        if network != Path("/proc/self/ns/net").readlink():  # else they are everybody's
            used = Path(f"/proc/{pid}/net/sockstat").read_text().split()[2]
            # What waits in one, and its options.
            limits = ("wmem_default", "optmem_max")
            each = [int(Path(f"/proc/sys/net/core/{limit}").read_text()) for limit in limits]
            return int(used) * sum(each)
    return 0
