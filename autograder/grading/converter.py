"""nbgrader's autograding in parts: prepare, (execute elsewhere), judge, record and publish.

nbgrader processes one submission after another in one go; here, the process is split in two at the
notebook's execution. nbgrader's own preprocessors do the work on both sides, as its configuration
lists them. Until all is recorded, a submission's files are in a separate folder, ``STAGING``,
together with the results of its execution: after a run was killed, the next one resumes there.

An earlier result is kept until a later one is complete. The grades are saved in one transaction of
the gradebook, which is committed when the new folder is in its place; if anything goes wrong before
that, or the run is killed, the gradebook and the folder stay or become again what they were.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.preprocessors import Preprocessor
from nbconvert.writers.files import FilesWriter
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.nbgraderformat import SchemaTooNewError, SchemaTooOldError, ValidationError
from nbgrader.preprocessors import Execute, SaveAutoGrades
from traitlets.config import Config

from autograder.course_folder import STAGING, CourseFolder
from autograder.execution.job import Outcome
from autograder.gradebook.database import grades_fingerprint
from autograder.gradebook.engine import one_transaction
from autograder.gradebook.students import enter_submission, enter_time
from autograder.grading.copying import copy_lesson, copy_submitted
from autograder.grading.journal import Journal
from autograder.grading.judging_step import PLAN, with_other_graded_cells
from autograder.grading.plan import disk_room, plan_for
from autograder.grading.prepared import PreparedNotebook, PreparedSubmission
from autograder.grading.reasons import left_out_cells
from autograder.grading.resubmissions import handed_in_again, notebook_digest, whole_digest
from autograder.grading.staging import Publication, sibling
from autograder.record import RESULT, NotebookResult, notebook_text
from autograder.sanitize.lesson_notebooks import LessonNotebooks, MatchedNotebook
from autograder.sanitize.program_files import left_out
from autograder.sanitize.submission import (
    SubmissionRefused,
    check_files,
    first_line,
)


class StagedAutograde(Autograde):
    """nbgrader's converter for one lesson, with steps that are called one by one.

    Args:
        coursedir: nbgrader's course directory, with ``assignment_id`` set.
        parent: nbgrader's application.
        config: the configuration of the converter and of its steps.
    """

    def __init__(self, coursedir: Any, parent: Any, config: Config) -> None:
        super().__init__(coursedir=coursedir, parent=parent, config=config)
        self.writer = FilesWriter(parent=self, config=self.config)
        self.exporter = NotebookExporter(parent=self, config=self.config)
        self._lesson = coursedir.assignment_id
        self._step = STAGING

    @property
    def _output_directory(self) -> str:
        return self._step

    def needs_grading(self, student: str) -> bool:
        """Whether there is no grade yet, another submission than the one that was graded, one that
        was executed and not recorded, or one that the gradebook does not know: an older one took
        its place.

        Raises:
            SubmissionRefused: when nbgrader couldn't even read it.
        """
        graded = self._published(student)
        source = self._folders(student)[0]
        check_files(source, disk_room(self))
        try:
            self.coursedir.get_existing_timestamp(str(source))
        except (OSError, MemoryError):
            raise
        except (Exception, SystemExit):  # nbgrader fails on a time that it can't read
            raise SubmissionRefused("timestamp.txt has no time") from None
        if self.force or not graded.exists() or self._read_journal(student):
            return True
        return bool(handed_in_again(source, graded)) or not self._is_known(student)

    def _is_known(self, student: str) -> bool:
        """Whether the gradebook has the submission."""
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            try:
                gradebook.find_submission(self._lesson, student)
            except MissingEntry:
                return False
            return True

    def is_graded(self, student: str) -> bool:
        """Whether there is a result of an earlier grading."""
        return self._published(student).exists()

    def prepare(self, student: str) -> PreparedSubmission:
        """Copy a submission's files, sanitize its notebooks, plan their execution.

        The gradebook learns that there is a submission, and nothing else: a grade that it has stays
        until ``record``.

        Raises:
            SubmissionRefused: when it has no notebook of the lesson, or one that cannot be read.
            Exception: when anything else goes wrong, which is the grader's failure.
        """
        started = time.perf_counter()
        source, folder = self._folders(student)
        self.coursedir.student_id = student
        journal = self._read_journal(student)
        if not journal:
            self.discard(student)
        found = self._lesson_notebooks.handed_in(source)
        self.notebooks = [str(source / f"{name}.ipynb") for name in found]
        if not journal:
            self._enter(self.coursedir.db_url, student)
            self.run_pre_convert_hook()
            # Not nbgrader's own step, which also writes what belongs to record().
            folder.mkdir(parents=True)
            ignored, changeable = self.coursedir.ignore, self.exclude_overwriting
            copy_submitted(source, folder, ignored)
            copy_lesson(self._source, folder, ignored, changeable.get(self._lesson, ()))
        first, *others = found.values()
        first = replace(first, remarks=[*first.remarks, *left_out(source)])
        notebooks = tuple(
            self._sanitized(*each, folder)
            for each in zip(self.notebooks, [first, *others], strict=True)
        )
        outcomes: tuple[Outcome, ...] = ()
        if journal:
            notebooks = tuple(
                replace(one, plan=replace(one.plan, seed=seed))
                for one, seed in zip(notebooks, journal.seeds, strict=True)
            )
            outcomes = journal.outcomes
        return PreparedSubmission(
            student, folder, notebooks, outcomes, time.perf_counter() - started
        )

    def keep(self, prepared: PreparedSubmission, outcomes: Sequence[Outcome]) -> None:
        """Write the results of the execution to disk, so that it isn't executed again."""
        Journal(
            digest=whole_digest(self._folders(prepared.student)[0], self._source),
            notebooks=[f"{one.resources['unique_key']}.ipynb" for one in prepared.notebooks],
            seeds=[one.plan.seed for one in prepared.notebooks],
            outcomes=tuple(outcomes),
        ).write(self._journal(prepared.student))

    def record(self, prepared: PreparedSubmission, outcomes: Sequence[Outcome]) -> None:
        """Judge, then save the grades and publish the folder as autograded, both or neither.

        May be called again after it failed.

        Raises:
            Exception: when anything goes wrong; then an earlier result is as it was.
        """
        student = prepared.student
        if not prepared.folder.is_dir():  # nbgrader would create a new one, without the other files
            raise FileNotFoundError(f"{prepared.folder} has disappeared")
        judged = [
            self._judge(one, outcome, prepared.seconds / len(prepared.notebooks))
            for one, outcome in zip(prepared.notebooks, outcomes, strict=True)
        ]
        self.coursedir.student_id = student
        before = grades_fingerprint(self.coursedir.db_url, self._lesson, student)
        try:
            with self._gradebook() as url:
                there = {one.resources["unique_key"] for one in prepared.notebooks}
                enter_time(url, self._lesson, student, self._enter(url, student), there)
                for one, notebook, resources in judged:
                    self._save(one, notebook, resources, url)
                self.set_permissions(self._lesson, student)
                after = grades_fingerprint(url, self._lesson, student)
                self._publish(student, before, after)
        except BaseException as error:
            committed = False
            with suppress(Exception, SystemExit):  # where this fails as well, the next run does it
                committed = self.recover(student)
            if not committed or isinstance(error, KeyboardInterrupt):
                raise
        # All is recorded: a failure after this changes no result, and the next run cleans up.
        with suppress(Exception, SystemExit):
            self._publication(student).finish()
        with suppress(Exception, SystemExit):
            self.run_post_convert_hook()

    def recover(self, student: str) -> bool:
        """Settle a publication that was interrupted: it holds if its grades were committed, and
        else the earlier result is put back.

        Returns:
            Whether there was one that holds.
        """
        return self._publication(student).recover(
            lambda: grades_fingerprint(self.coursedir.db_url, self._lesson, student)
        )

    def discard(self, student: str) -> None:
        """Remove what an interrupted run left, except what ``recover`` needs."""
        if self._publication(student).pending:
            return
        self._journal(student).unlink(missing_ok=True)
        folder = self._folders(student)[1]
        if folder.exists():
            shutil.rmtree(folder)

    def abandon(self, student: str) -> None:
        """Remove what cannot be used again of a submission that was not graded: all of it, unless
        it was executed."""
        if not self._journal(student).exists():
            self.discard(student)

    @cached_property
    def _lesson_notebooks(self) -> LessonNotebooks:
        return LessonNotebooks(self.coursedir)

    def _enter(self, url: str, student: str) -> datetime | None:
        """Enter a submission, unless the gradebook has it, and perhaps its student.

        Returns:
            When it was handed in, if that's known.
        """
        time = self.coursedir.get_existing_timestamp(str(self._folders(student)[0]))
        enter_submission(url, self._lesson, student, time, new_student=self.create_student)
        return time

    @contextmanager
    def _gradebook(self) -> Iterator[str]:
        """Make nbgrader's steps write in one transaction; yield the URL that joins it."""
        url = self.coursedir.db_url
        with one_transaction(url) as joined:
            self.coursedir.db_url = joined
            try:
                yield joined
            finally:
                self.coursedir.db_url = url

    def _judge(
        self, prepared: PreparedNotebook, outcome: Outcome, seconds: float
    ) -> tuple[PreparedNotebook, NotebookNode, ResourcesDict]:
        """Put the outputs into a copy of the notebook and judge them."""
        started = time.perf_counter()
        notebook, resources = deepcopy(prepared.notebook), deepcopy(prepared.resources)
        outcome.put_into(notebook)
        left_out = tuple(left_out_cells(notebook))
        resources[PLAN] = prepared.plan
        for preprocessor in prepared.judging:
            notebook, resources = preprocessor(notebook, resources)
        result = with_other_graded_cells(resources[RESULT], notebook)
        judging = time.perf_counter() - started
        phases = {"prepare": seconds, **outcome.seconds, "record": judging}
        resources[RESULT] = replace(
            result,
            repairs=result.repairs + left_out,
            seconds={phase: round(value, 3) for phase, value in phases.items()},
        )
        return prepared, notebook, resources

    def _save(
        self, prepared: PreparedNotebook, notebook: NotebookNode, resources: ResourcesDict, url: str
    ) -> None:
        """Save the grades of a judged notebook, and write it to the folder."""
        resources["nbgrader"]["db_url"] = url
        for preprocessor in prepared.saving:
            notebook, resources = preprocessor(notebook, resources)
        resources[RESULT].write(notebook)
        resources["output_extension"] = ".ipynb"
        self.write_single_notebook(notebook_text(notebook), resources)

    def _publish(self, student: str, before: str, after: str) -> None:
        """Move the folder to its place, and set group permissions on the shared folder."""
        self._publication(student).begin(before, after)
        self._step = self.coursedir.autograded_directory
        try:
            self.set_permissions(self._lesson, student)
        finally:
            self._step = STAGING

    def _publication(self, student: str) -> Publication:
        return Publication(self._folders(student)[1], self._published(student))

    def _sanitized(self, path: str, handed_in: MatchedNotebook, folder: Path) -> PreparedNotebook:
        """A notebook that nbgrader can read.

        Args:
            path: the path that the lesson's notebook would have.
            handed_in: the file that is used as this notebook.
            folder: the folder in which it's prepared.
        """
        resources = ResourcesDict()
        resources.update(self.init_single_notebook_resources(path))
        resources["metadata"] = {"name": resources["unique_key"], "path": str(folder)}
        names = {f"{name}.ipynb" for name in self._lesson_notebooks.names}
        file_digest = notebook_digest(Path(path).parent, Path(path).name, names)
        repairs = list(handed_in.remarks)
        notebook = handed_in.read(repairs)
        resources[RESULT] = NotebookResult(file_digest=file_digest, repairs=tuple(repairs))
        try:
            for preprocessor in self._made(self.sanitize_preprocessors):
                notebook, resources = preprocessor(notebook, resources)
        except (SchemaTooOldError, SchemaTooNewError, ValidationError) as error:
            name = handed_in.path.name
            reason = first_line(error)
            raise SubmissionRefused(
                f"{name} has metadata that nbgrader refuses: {reason}"
            ) from None
        made = self._made(self.autograde_preprocessors)
        executing = _position(made, Execute)
        saving = _position(made, SaveAutoGrades)
        if executing is None:
            raise NbGraderException("c.Autograde.autograde_preprocessors executes nothing.")
        for preprocessor in made[:executing]:
            notebook, resources = preprocessor(notebook, resources)
        plan = plan_for(made[executing], notebook, resources["nbgrader"])
        return PreparedNotebook(
            notebook, resources, plan, made[executing + 1 : saving], made[saving:]
        )

    def _made(self, classes: Sequence[Any]) -> list[Preprocessor]:
        """Create preprocessors as nbgrader does."""
        self.exporter._preprocessors = []
        for each in classes:
            self.exporter.register_preprocessor(each)
        return list(self.exporter._preprocessors)

    @property
    def _source(self) -> Path:
        """The lesson with solutions."""
        folder = self.coursedir.source_directory
        return Path(self.coursedir.format_path(folder, ".", self._lesson))

    def _folders(self, student: str) -> tuple[Path, Path]:
        """The folder of a submission, and the one in which it's prepared."""
        return Path(self._format_source(self._lesson, student)), Path(
            self._format_dest(self._lesson, student)
        )

    def _published(self, student: str) -> Path:
        directory = self.coursedir.autograded_directory
        return Path(self.coursedir.format_path(directory, student, self._lesson))

    def _journal(self, student: str) -> Path:
        return sibling(self._folders(student)[1], "json")

    def _read_journal(self, student: str) -> Journal | None:
        """The results that an interrupted run left of a submission that hasn't changed since."""
        if not self._folders(student)[1].is_dir():
            return None
        journal = Journal.read(self._journal(student))
        unchanged = whole_digest(self._folders(student)[0], self._source)
        return journal if journal and journal.digest == unchanged else None


def _position(preprocessors: Sequence[Preprocessor], kind: type[Preprocessor]) -> int | None:
    return next((n for n, each in enumerate(preprocessors) if isinstance(each, kind)), None)


def converter_of(
    course: CourseFolder, lesson: str, *, force: bool, **settings: Any
) -> StagedAutograde:
    """nbgrader's autograding of a lesson, step by step.

    Args:
        course: the course folder.
        lesson: the lesson.
        force: whether to grade again what has been graded.
        settings: traits of ``ExecuteSubmission``.
    """
    nbgrader = course.nbgrader
    # Use a separate course directory, because each student is set in it in turn.
    coursedir = CourseDirectory(parent=nbgrader, assignment_id=lesson)
    coursedir.db_url = nbgrader.coursedir.db_url
    config = deepcopy(nbgrader.config)
    config.ExecuteSubmission.update(settings)
    converter = StagedAutograde(coursedir, nbgrader, config)
    converter.force = force
    return converter
