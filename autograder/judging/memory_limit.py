"""A limit on the memory of our own code that may ask for too much, such as an edited solution."""

from __future__ import annotations

import contextlib
import re
import resource
from collections.abc import Iterator
from pathlib import Path

_STATUS = Path("/proc/self/status")


@contextlib.contextmanager
def memory_limit(more: int) -> Iterator[None]:
    """Raise MemoryError when the ``with`` block takes much more memory than is in use now.

    Args:
        more: how much, in bytes.
    """
    text = _STATUS.read_text("ascii") if _STATUS.exists() else ""
    found = re.search(r"^VmData:\s*(\d+)", text, re.MULTILINE)
    if not found:  # another system than Linux, or a sandbox that does not say
        yield
        return
    in_use = 1024 * int(found[1])
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = in_use + more if soft == resource.RLIM_INFINITY else min(in_use + more, soft)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
