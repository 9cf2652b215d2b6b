"""The ``autograder`` command, with one file per subcommand."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
from importlib.metadata import version
from typing import Annotated, NoReturn

import typer
from traitlets import TraitError

from autograder.cli.audit import audit
from autograder.cli.collect import collect
from autograder.cli.compare import compare
from autograder.cli.copy_course import copy_course
from autograder.cli.deadline import deadline
from autograder.cli.demo import demo
from autograder.cli.export import export
from autograder.cli.extend import extend
from autograder.cli.grade import grade
from autograder.cli.handout import handout
from autograder.cli.import_otter import imports
from autograder.cli.init import init
from autograder.cli.lti import lti
from autograder.cli.mark import mark
from autograder.cli.mistakes import mistakes
from autograder.cli.rejudge import rejudge
from autograder.cli.release import release
from autograder.cli.rename_student import rename_student
from autograder.cli.report import report
from autograder.cli.roster import roster
from autograder.cli.simulate import simulate
from autograder.cli.terminal import error_console, shown
from autograder.cli.watch import watch
from autograder.course_folder import CONFIG
from autograder.errors import CourseError
from selfcheck.course import UnknownExercise


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"notebook-autograder {version('notebook-autograder')}")
        raise typer.Exit


app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)

for _command in (
    init,
    copy_course,
    release,
    simulate,
    handout,
    collect,
    roster,
    rename_student,
    deadline,
    extend,
    grade,
    watch,
    compare,
    mark,
    rejudge,
    mistakes,
    audit,
    report,
    export,
    demo,
):
    app.command()(_command)
app.add_typer(imports, name="import")
app.add_typer(lti, name="lti")


@app.callback()
def _main(
    show: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", is_eager=True, callback=_show_version
        ),
    ] = False,
) -> None:
    """Release a course's lessons, grade what students hand in, and say why points were lost."""


_INTERRUPTED = 130  # typer's code after Ctrl-C
_UNWRITABLE = (errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM)
_GRADEBOOK = {
    sqlite3.SQLITE_FULL: "The disk is full: the gradebook can't be written.",
    sqlite3.SQLITE_READONLY: "The gradebook may not be written here.",
    sqlite3.SQLITE_CANTOPEN: "The gradebook can't be opened.",
    sqlite3.SQLITE_BUSY: (
        "Another program is using the gradebook. Run the command again when it's done."
    ),
}


def main() -> None:
    """Run the command; show an error that the instructor can fix as a message, not a traceback."""
    before = signal.signal(signal.SIGINT, _interrupt)
    try:
        app()
    except SystemExit as stop:
        if stop.code == _INTERRUPTED:
            error_console.print("Interrupted. Run the same command again to resume.")
        raise
    except (CourseError, UnknownExercise) as error:
        _stop(str(error))
    except TraitError as error:
        _stop(f"{CONFIG} sets an invalid value: {error}")
    except Exception as error:
        why = storage_error_message(error)
        if not why:
            raise
        _stop(why)
    finally:
        if signal.getsignal(signal.SIGINT) is _interrupt:
            signal.signal(signal.SIGINT, before)


def _interrupt(number: int, frame: object) -> NoReturn:
    """Interrupt the command once: a second Ctrl-C would interrupt the shutdown of its kernels."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.write(2, b"\nStopping kernels ...\n")
    raise KeyboardInterrupt


def _stop(why: str) -> NoReturn:
    error_console.print(f"[bold red]Error:[/] {shown(why)}", highlight=False)
    raise SystemExit(2) from None


def storage_error_message(error: BaseException | None) -> str:
    """Explain an error of the disk or of a gradebook in a file; "" for any other error."""
    while error:
        # SQLAlchemy and nbgrader wrap it in errors of their own.
        if isinstance(error, sqlite3.OperationalError):
            return _GRADEBOOK.get(error.sqlite_errorcode & 0xFF, "")
        if isinstance(error, OSError) and error.errno in _UNWRITABLE:
            return f"{error.strerror}: {error.filename or 'the course folder'}"
        error = error.__cause__ or error.__context__
    return ""
