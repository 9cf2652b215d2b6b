"""``autograder audit``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import track
from rich.table import Table

from autograder.cli.terminal import CourseOption, LessonsArgument, chosen_lessons, console, shown
from autograder.course_folder import CourseFolder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from autograder.audit.questions import Question
    from autograder.audit.report import AuditSummary


_COLUMNS = ("Exercise", "Right", "Wrong", "Mutants", "Hints", "No work", "Pairs", "Largest right",
            "Smallest wrong", "Errors at most")  # fmt: skip


def audit(
    lessons: LessonsArgument = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Number of processes.", show_default="one per core")
    ] = None,
    every_mutant: Annotated[
        bool,
        typer.Option(
            "--every-mutant",
            help="Judge every mutant, even if a key asks for a sample of them, and on as "
            "many seeds as the answers. This takes an hour.",
        ),
    ] = False,
    changed: Annotated[
        bool,
        typer.Option(
            "--changed",
            help="Judge only lessons of which anything has changed since an audit found nothing "
            "wrong: the judge, the course, its keys, the lesson, its answers, or the libraries.",
        ),
    ] = False,
    course: CourseOption = Path(),
) -> None:
    """Judge answers that are known to be right or wrong, and count how often the judge errs.

    The right and wrong answers come from the simulated class: tests/submissions/<lesson> in the
    course folder, else the bundled class. Mutants are copies of right answers, each with one
    automatic change. Answers that do no work and pairs of known mistakes are made from the keys;
    the column "No work" shows the most that the former earn, and "Errors at most" which share of
    answers like the first three kinds may be judged wrongly, with 95 % confidence. Then each lesson
    is graded as for a class, once with its own answers and once with none. `autograder report`
    shows how often the judge was wrong; audited.json beside the answers has the numbers.

    Exits with status 1 if the judge is ever wrong, if too few wrong answers get the hint that
    names their cause, if too few pairs are recognized as two mistakes, if doing nothing earns more
    than a fifth, or if the lesson's own notebook loses points.
    """
    from autograder.audit import audit as auditing
    from autograder.audit.report import AuditSummary

    folder = CourseFolder(course)
    chosen = chosen_lessons(folder, lessons)
    audited = list(_changed(folder, chosen)) if changed else chosen
    tasks = auditing.tasks(folder, audited)
    doing = track(
        auditing.audit(folder, tasks, jobs, every_mutant),
        "Judging",
        total=len(tasks),
        console=console,
        disable=not console.is_terminal,
    )
    found = AuditSummary.of(folder.declared, doing)
    if not every_mutant:
        _keep(folder, tasks, found)
    fair = _is_fair(folder, chosen, jobs)
    if tasks:
        _print(found)
    if not fair or not found.holds:
        raise typer.Exit(1)


def _is_fair(folder: CourseFolder, lessons: Sequence[str], jobs: int | None) -> bool:
    """Whether the lessons' own answers earn everything, and none earn nothing."""
    from autograder.audit.dry_run import rehearse

    lost = list(rehearse(folder, lessons, jobs))
    for lesson, said in lost:
        console.print(shown(f"{lesson}: {said}"), highlight=False, soft_wrap=True)
    return not lost


def _print(found: AuditSummary) -> None:
    """Everything that was found, in a table, and in one sentence at the end."""
    _print_table(found)
    if mutants := _to_be_listed(found):
        console.print(
            "If a mutant makes no difference, add it to equivalent_mutants.yaml "
            "beside the answers:",
            soft_wrap=True,
        )
        console.print(shown(mutants), highlight=False, soft_wrap=True)
    console.print(found.sentence, highlight=False, soft_wrap=True)


def _keep(folder: CourseFolder, tasks: Sequence[tuple[str, Question]], found: AuditSummary) -> None:
    """Keep how often the judge was wrong, unless the answers are an installed course's."""
    from autograder.audit.reliability import inputs_fingerprint, write_reliability
    from autograder.installed_course import simulated_class

    audits = {one.question: one.reliability for one in found.audits}
    for lesson in dict.fromkeys(lesson for lesson, _ in tasks):
        answers = simulated_class(folder, lesson)
        if answers.is_relative_to(folder.root):
            asked = (question for of, question in tasks if of == lesson)
            inputs = inputs_fingerprint(folder, lesson, answers) if found.holds else ""
            write_reliability(answers, {each.exercise: audits[each] for each in asked}, inputs)


def _changed(folder: CourseFolder, lessons: Sequence[str]) -> Iterator[str]:
    """The lessons to judge, and a line about each of the others."""
    from autograder.audit.reliability import inputs_fingerprint, is_unchanged
    from autograder.installed_course import simulated_class

    for lesson in lessons:
        answers = simulated_class(folder, lesson)
        if is_unchanged(answers, inputs_fingerprint(folder, lesson, answers)):
            console.print(shown(f"{lesson}: nothing has changed since its last audit."))
        else:
            yield lesson


def _print_table(found: AuditSummary) -> None:
    table = Table(*_COLUMNS, title="Judged; errors in tolerances")
    for one in found.audits:
        table.add_row(*one.row())
    console.print(table)
    _print_problems(found)


def _print_problems(found: AuditSummary) -> None:
    for one in found.audits:
        for problem in (*one.problems, *(f"a different hint: {each}" for each in one.unnamed)):
            console.print(shown(f"{one.question.exercise}: {problem}"), soft_wrap=True)


def _to_be_listed(found: AuditSummary) -> str:
    """YAML that declares the mutants that pass as equivalent; "" if none passes."""
    import yaml

    mutants = {
        one.question.cell: {mutant: "say why" for _, mutant in one.survived}
        for one in found.audits
        if one.survived
    }
    return (
        yaml.safe_dump(mutants, allow_unicode=True, width=1000, sort_keys=False) if mutants else ""
    )
