"""nbgrader's autograding in parts: prepare, (execute elsewhere), judge and record, publish.

What nbgrader does in one go for one submission after another is cut in two where the notebook is
executed. Its own preprocessors do the work on both sides of the cut, as its configuration lists
them. Until all is recorded, a submission's files lie in a folder apart, ``STAGING``, and what its
execution gave lies beside them: a run that was killed goes on from there.
"""

from __future__ import annotations

import glob
import hashlib
import itertools
import json
import os
import shutil
import stat
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.preprocessors import Preprocessor
from nbconvert.writers import FilesWriter
from nbformat import NotebookNode
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.preprocessors import Execute

from autograder.course_folder import STAGING
from autograder.grading.execution import Outcome, Plan
from autograder.grading.preprocessors import plan_for, take

MOST_FILES = 10_000
"""A submission may have so many; a sandbox has no room for more."""


class Refused(Exception):
    """A submission that is not graded; the message says why, to the instructor."""


@dataclass(frozen=True)
class Sheet:
    """One notebook of a submission, sanitized.

    Args:
        notebook: before its execution; then with the outputs.
        resources: nbgrader's.
        plan: how to execute it.
        remaining: nbgrader's preprocessors that follow the execution.
    """

    notebook: NotebookNode
    resources: ResourcesDict
    plan: Plan
    remaining: Sequence[Preprocessor]


@dataclass(frozen=True)
class Prepared:
    """A submission that is ready to be executed.

    Args:
        student: whose.
        folder: the kernels' working directory.
        sheets: one for each notebook.
        outcomes: of an earlier run that was interrupted; then nothing is executed.
        seconds: what preparing it took.
    """

    student: str
    folder: Path
    sheets: tuple[Sheet, ...]
    outcomes: tuple[Outcome, ...] = ()
    seconds: float = 0.0


class _Copying(BaseConverter):
    """Copies a submission's other files as nbgrader does, but in a time that grows with their
    number, and regular files with printable names alone: a link may lead to anybody's, and a pipe
    may never end."""

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """Copy what is to be beside the notebooks."""
        source = Path(self._format_source(assignment_id, student_id))
        target = Path(self._format_dest(assignment_id, student_id))
        ignored = [*self.coursedir.ignore, "*.ipynb"]
        for root, folders, files in os.walk(source):
            # As nbgrader matches names, and pathlib does not: * means no hidden file.
            matches = (glob.glob(pattern, root_dir=root) for pattern in ignored)  # noqa: PTH207
            beside = set(itertools.chain.from_iterable(matches))
            beside |= {name for name in (*folders, *files) if not name.isprintable()}
            folders[:] = [name for name in folders if name not in beside]
            for path in (Path(root) / name for name in files if name not in beside):
                if stat.S_ISREG(path.lstat().st_mode):
                    copied = target / path.relative_to(source)
                    copied.parent.mkdir(parents=True, exist_ok=True)
                    copied.unlink(missing_ok=True)
                    shutil.copy(path, copied)


class StagedAutograde(Autograde, _Copying):
    """nbgrader's converter for one lesson, whose steps are called one by one.

    Args:
        coursedir: nbgrader's course directory, with ``assignment_id`` set.
        parent: carries the configuration.
    """

    def __init__(self, coursedir: Any, parent: Any) -> None:
        super().__init__(coursedir=coursedir, parent=parent)
        self.writer = FilesWriter(parent=self, config=self.config)
        self.exporter = self.exporter_class(parent=self, config=self.config)
        self._plain = NotebookExporter(config=self.config)
        self._lesson = coursedir.assignment_id
        self._step = STAGING

    @property
    def _output_directory(self) -> str:
        return self._step

    def is_due(self, student: str) -> bool:
        """Whether there is no grade yet, or a later submission than the one that was graded.

        Raises:
            Refused: when nbgrader could not even look at it.
        """
        graded = self._published(student)
        source = self._folders(student)[0]
        _check_files(source)
        try:
            handed_in = self.coursedir.get_existing_timestamp(str(source))
        except OSError:
            raise
        except (Exception, SystemExit):  # nbgrader stops at a time that it cannot read
            raise Refused("timestamp.txt holds no time") from None
        if self.force or not graded.exists():
            return True
        before = self.coursedir.get_existing_timestamp(str(graded))
        return bool(handed_in and before and handed_in > before)

    def prepare(self, student: str) -> Prepared:
        """Copy a submission's files, sanitize its notebooks, plan their execution.

        Raises:
            Refused: when its notebook is none.
            nbgrader.converters.base.NbGraderException: when it has no notebook of the lesson.
            Exception: when nbgrader's preprocessors refuse it.
        """
        started = time.perf_counter()
        source, folder = self._folders(student)
        self.coursedir.student_id = student
        journal = self._read_journal(student) if folder.is_dir() else None
        if journal:
            self.notebooks = [str(source / name) for name in journal["notebooks"]]
        else:
            self.discard(student)
            found = sorted(source.glob("*.ipynb"))
            for path in found:
                if not stat.S_ISREG(path.lstat().st_mode):  # reading a pipe would never end
                    raise Refused(f"{path.name} is no file, but a link, a pipe or a folder")
            if not found:
                raise NbGraderException(f"There is no notebook in {source}.")
            self.notebooks = list(map(str, found))
            self.run_pre_convert_hook()
            folder.mkdir(parents=True)
            self.init_assignment(self._lesson, student)
        sheets = tuple(self._sanitized(path, folder) for path in self.notebooks)
        outcomes: tuple[Outcome, ...] = ()
        if journal:
            for sheet, variables in zip(sheets, journal["variables"], strict=True):
                sheet.plan.variables.update(variables)
            outcomes = tuple(map(Outcome.from_json, journal["outcomes"]))
        return Prepared(student, folder, sheets, outcomes, time.perf_counter() - started)

    def keep(self, prepared: Prepared, outcomes: Sequence[Outcome]) -> None:
        """Put what the execution gave on the disk, so that nothing executes it again."""
        journal = {
            "digest": self._digest(prepared.student),
            "notebooks": [f"{sheet.resources['unique_key']}.ipynb" for sheet in prepared.sheets],
            "variables": [dict(sheet.plan.variables) for sheet in prepared.sheets],
            "outcomes": [outcome.to_json() for outcome in outcomes],
        }
        path = self._journal(prepared.student)
        unfinished = path.with_suffix(".unfinished")
        with unfinished.open("w", encoding="utf8") as file:
            json.dump(journal, file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(path)

    def record(self, prepared: Prepared, outcomes: Sequence[Outcome]) -> None:
        """Judge, save the grades, and only then publish the folder as autograded.

        What each phase took is left in the notebooks: ``nb.metadata["course"]["seconds"]``.

        Raises:
            Exception: when nbgrader's preprocessors refuse what came back.
        """
        student = prepared.student
        for sheet, outcome in zip(prepared.sheets, outcomes, strict=True):
            started = time.perf_counter()
            notebook, resources = sheet.notebook, sheet.resources
            take(outcome, sheet.plan.variables, notebook, resources)
            for preprocessor in sheet.remaining:
                notebook, resources = preprocessor(notebook, resources)
            seconds = {
                "prepare": prepared.seconds / len(prepared.sheets),
                **outcome.seconds,
                "record": time.perf_counter() - started,
            }
            ours = notebook.metadata.setdefault("course", NotebookNode())
            ours["seconds"] = {phase: round(value, 3) for phase, value in seconds.items()}
            output, resources = self._plain.from_notebook_node(notebook, resources)
            self.write_single_notebook(output, resources)
        self.set_permissions(self._lesson, student)
        self.coursedir.student_id = student
        self.run_post_convert_hook()
        published = self._published(student)
        if published.exists():
            shutil.rmtree(published)
        published.parent.mkdir(parents=True, exist_ok=True)
        prepared.folder.rename(published)
        # Once more, for the folder of all graded submissions, which a group may share.
        self._step = self.coursedir.autograded_directory
        self.set_permissions(self._lesson, student)
        self._step = STAGING
        self._journal(student).unlink(missing_ok=True)

    def refuse(self, student: str) -> None:
        """Leave no trace of a submission that cannot be graded, as nbgrader does."""
        self.discard(student)
        if self._published(student).exists():
            shutil.rmtree(self._published(student))

    def discard(self, student: str) -> None:
        """Remove what an earlier, interrupted run left."""
        self._journal(student).unlink(missing_ok=True)
        folder = self._folders(student)[1]
        if folder.exists():
            shutil.rmtree(folder)

    def _sanitized(self, path: str, folder: Path) -> Sheet:
        resources = ResourcesDict()
        resources.update(self.init_single_notebook_resources(path))
        resources["metadata"] = {"name": resources["unique_key"], "path": str(folder)}
        notebook = nbformat.read(path, as_version=4)
        for preprocessor in self._made(self.sanitize_preprocessors):
            notebook, resources = preprocessor(notebook, resources)
        remaining = self._made(self.autograde_preprocessors)
        while remaining:
            preprocessor = remaining.pop(0)
            if isinstance(preprocessor, Execute):
                plan = plan_for(preprocessor, notebook, resources)
                return Sheet(notebook, resources, plan, remaining)
            notebook, resources = preprocessor(notebook, resources)
        raise NbGraderException("c.Autograde.autograde_preprocessors executes nothing.")

    def _made(self, classes: Sequence[Any]) -> list[Preprocessor]:
        """Preprocessors as nbgrader makes them."""
        self.exporter._preprocessors = []
        for each in classes:
            self.exporter.register_preprocessor(each)
        return list(self.exporter._preprocessors)

    def _folders(self, student: str) -> tuple[Path, Path]:
        """Where a submission lies, and where it is prepared."""
        return Path(self._format_source(self._lesson, student)), Path(
            self._format_dest(self._lesson, student)
        )

    def _published(self, student: str) -> Path:
        directory = self.coursedir.autograded_directory
        return Path(self.coursedir.format_path(directory, student, self._lesson))

    def _journal(self, student: str) -> Path:
        folder = self._folders(student)[1]
        return folder.with_name(f"{folder.name}.json")

    def _read_journal(self, student: str) -> Mapping[str, Any] | None:
        """What an interrupted run left of a submission that has not changed since."""
        path = self._journal(student)
        if not path.is_file():
            return None
        journal = json.loads(path.read_text("utf8"))
        return journal if journal["digest"] == self._digest(student) else None

    def _digest(self, student: str) -> str:
        """Tells submissions, and versions of the lesson, apart."""
        digest = hashlib.sha256()
        instructor = self.coursedir.format_path(self.coursedir.source_directory, ".", self._lesson)
        for root in (self._folders(student)[0], Path(instructor)):
            for path in sorted(root.rglob("*")):
                if path.is_file():
                    content = path.read_bytes()
                    digest.update(os.fsencode(path.relative_to(root)))
                    digest.update(f"\0{len(content)}\0".encode())
                    digest.update(content)
        return digest.hexdigest()


def _check_files(folder: Path) -> None:
    """See that the files handed in are such as can be read."""
    if folder.is_symlink():
        raise Refused("what was handed in is a link to another folder")
    stamp = folder / "timestamp.txt"
    if os.path.lexists(stamp) and not stat.S_ISREG(stamp.lstat().st_mode):
        raise Refused("timestamp.txt is no file, but a link, a pipe or a folder")
    if sum(len(files) for _, _, files in os.walk(folder)) > MOST_FILES:
        raise Refused(f"more than {MOST_FILES:,} files were handed in")
