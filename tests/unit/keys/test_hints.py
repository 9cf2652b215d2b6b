"""What students read of known mistakes."""

import re

import nbformat
import pytest

from autograder.cells import graded_exercise
from course import COURSE
from tests.conftest import REPOSITORY
from tests.support import taught

ATTENTION = (
    "transformer.positional_encoding",
    "transformer.encoder_layer",
    "documents.relative_position_self_attention",
    "fastformer.additive_pooling",
    "fastformer.fastformer",
)
"""What belongs to attention in the other topics."""


@pytest.mark.parametrize("name", COURSE.names())
def test_names_are_unique_and_hints_give_no_code_away(name):
    known = taught.known_mistakes(COURSE.get(name))
    fewest = 8 if name.startswith("attention.") or name in ATTENTION else 4
    assert len({mistake.name for mistake in known}) == len(known) >= fewest
    for mistake in known:
        assert mistake.hint.endswith((".", "?"))
        assert not any(sign in mistake.hint for sign in ("=", "tf.", "np.", "axis=-1"))
        # A second mistake may be made beside it, and then something else is wrong as well.
        assert not re.search(r"\b(is|are) right\b", mistake.hint)


@pytest.mark.parametrize("name", COURSE.names())
def test_hints_point_to_a_section_of_the_lesson(name):
    exercise = COURSE.get(name)
    path = REPOSITORY / "source" / exercise.lesson / f"{exercise.lesson}.ipynb"
    above, sections = 0, {}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            above = int((re.findall(r"^## (\d+) · ", cell.source, re.MULTILINE) or [above])[-1])
        sections[graded_exercise(cell)] = above
    assert sections[name] == exercise.section
    for mistake in taught.known_mistakes(exercise):
        section = int(re.search(r" See section (\d+)\.$", mistake.hint)[1])
        assert 1 <= section <= exercise.section
