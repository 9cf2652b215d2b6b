"""Publish a graded submission together with its grades: both, or neither.

The grades are in a transaction of the gradebook, which is committed when the new folder has taken
the earlier one's place. The publication is announced in a file first; a later run that finds the
file can tell from the gradebook's state whether the commit took place.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


def write_json_durably(path: Path, content: Mapping[str, Any]) -> None:
    """Write JSON completely, even after a power failure, or not at all."""
    unfinished = path.with_suffix(".unfinished")
    with unfinished.open("w", encoding="utf8") as file:
        file.write(json.dumps(content))  # json.dump() would take ten times as long
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def sibling(folder: Path, suffix: str) -> Path:
    """A file or folder of ours next to the one in which a submission is prepared."""
    return folder.with_name(f"{folder.name}.{suffix}")


@dataclass(frozen=True)
class Publication:
    """The publication of one submission.

    Args:
        folder: the folder in which it is prepared.
        published: its final folder.
    """

    folder: Path
    published: Path

    @property
    def pending(self) -> bool:
        """Whether it was announced, and neither finished nor undone."""
        return self._announced.exists()

    def begin(self, before: str, after: str) -> None:
        """Move the folder to its place, an earlier one out of the way.

        Args:
            before: the state of its grades in the gradebook.
            after: the one that they will have when they are committed, which comes next.
        """
        write_json_durably(self._announced, {"before": before, "after": after})
        if self.published.exists():
            self.published.rename(self._earlier)
        self.published.parent.mkdir(parents=True, exist_ok=True)
        self.folder.rename(self.published)

    def finish(self) -> None:
        """Clean up after a successful publication, and remove the announcement last."""
        if self._earlier.exists():
            shutil.rmtree(self._earlier)
        sibling(self.folder, "json").unlink(missing_ok=True)
        self._announced.unlink(missing_ok=True)

    def recover(self, state: Callable[[], str]) -> bool:
        """Finish what was committed; undo what wasn't, so that the earlier result holds.

        Args:
            state: returns the present state of its grades.

        Returns:
            Whether there was something to finish.
        """
        if not self.pending:
            return False
        states, now = json.loads(self._announced.read_text("utf8")), state()
        # The folder moves before the commit. Where both states are one, either folder fits it.
        if not self.folder.exists() and (now != states["before"] or now == states["after"]):
            self.finish()
            return True
        if not self.folder.exists():
            self.published.rename(self.folder)
        if self._earlier.exists():
            self._earlier.rename(self.published)
        self._announced.unlink()
        return False

    @property
    def _announced(self) -> Path:
        return sibling(self.folder, "publishing")

    @property
    def _earlier(self) -> Path:
        return sibling(self.folder, "before")
