"""Answers as students write them, from ``tests/submissions``: their cells run, then judged."""

import linecache
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.judge import judge
from autograder.simulate import read_answers
from course import exercises, responses
from course.verdicts import Verdict

SEEDS = (3, 20, 4_000_000_000)


@dataclass(frozen=True)
class Lesson:
    """One lesson's submissions.

    Args:
        name: the lesson.
        points: what each of its exercises is worth, by grade_id.
        objects: what an answer is called where it is not called as its grade_id.
    """

    name: str
    points: Mapping[str, float]
    objects: Mapping[str, str] = field(default_factory=dict)

    def files(self, kind: str) -> list[Path]:
        """The ``"right"`` or ``"wrong"`` submissions."""
        return sorted((Path(__file__).parent / "submissions" / self.name).glob(f"{kind}_*.py"))

    def answered(self, path: Path) -> dict[str, Any]:
        """The names a submission's cells define, over right answers where it leaves cells out."""
        names: dict[str, Any] = {}
        cells = read_answers(self.files("right")[0]).cells | read_answers(path).cells
        for grade_id in self.points:
            # As in a notebook, the source can be looked up: AutoGraph rewrites conditions then.
            file = f"<{self.name}/{path.stem}/{grade_id}>"
            source = cells[grade_id]
            linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
            exec(compile(source, file, "exec"), names)
        return names

    def verdicts(self, path: Path, grade_id: str, seeds: tuple[int, ...]) -> list[Verdict]:
        """The judge's word on one answer, once a seed; none where the submission renames it."""
        obj = self.answered(path).get(self.objects.get(grade_id, grade_id))
        name = next(n for n in exercises.names(self.name) if n.endswith(f".{grade_id}"))
        if obj is None:
            return []  # it never reaches the judge; the notebook tests cover it
        exercise = exercises.get(name)
        return [judge(name, seed, responses.respond(exercise, obj, seed)) for seed in seeds]

    def assert_right(self, path: Path, grade_id: str) -> None:
        """The answer earns everything; one that builds a whole classifier, on one seed."""
        seeds = SEEDS[:1] if grade_id.startswith("build_") else SEEDS
        verdicts = self.verdicts(path, grade_id, seeds)
        assert verdicts
        for verdict in verdicts:
            assert verdict.percent == 100, verdict.to_text()

    def assert_wrong_as_stated(self, path: Path) -> None:
        """Every answer for which the file states points earns these, for the stated reason.

        One seed will do: that a mistake costs the same whatever the seed is tested of every known
        one, without the seconds that building a student's layers takes.
        """
        stated = read_answers(path).expected
        assert stated
        for grade_id, expectation in stated.items():
            for verdict in self.verdicts(path, grade_id, SEEDS[:1]):
                assert verdict.points(self.points[grade_id]) == expectation["points"], (
                    verdict.to_text()
                )
                if "mistake" in expectation:
                    assert expectation["mistake"] in verdict.mistakes
                else:
                    assert expectation["reason"] in verdict.explanation
