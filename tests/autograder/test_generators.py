"""What stands in a generator's variables while it draws inputs: no answers."""

import sys

import pytest

from autograder import reference
from course import exercises

SEEDS = range(3)
TEXTS = [
    name
    for name in exercises.names()
    if any(
        isinstance(value, str | list)
        for value in next(
            iter(reference.expected(exercises.get(name), 0).values())
        ).outputs.values()
    )
]


ONLY_WHOLE_LISTS = ("conv1d.build_vectorizer",)
"""Its answers are the words of the texts, by how often they come: the order is the secret."""


def held(value, depth=0):
    """The strings and lists of strings in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple | set | dict) and depth < 6:
        items = [*value.values()] if isinstance(value, dict) else [*value]
        if items and all(isinstance(item, str) for item in items):
            yield tuple(items)
        for item in items:
            yield from held(item, depth + 1)


def overheard(exercise, seed):
    """What a tracer finds in the variables of the course's code while inputs are drawn."""
    found = set()

    def trace(frame, event, argument):
        if "course" in frame.f_code.co_filename:
            found.update(held(dict(frame.f_locals)))
            return trace
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        exercise.cases(seed)
    finally:
        sys.settrace(before)
    return found


def answers(exercise, seed):
    """What a right answer gives and the inputs do not hold already: texts, and lists of them."""
    expected = reference.expected(exercise, seed)
    for case in exercise.cases(seed):
        given = set(held(dict(case.inputs)))
        split = {word for text in given if isinstance(text, str) for word in text.split()}
        for name, value in expected[case.name].outputs.items():
            if name not in ("type", "shape", "entries", "rows", "weights"):
                kept = (one for one in held(value) if one and one not in given | split)
                least = tuple if exercise.name in ONLY_WHOLE_LISTS else (str, tuple)
                yield from (one for one in kept if isinstance(one, least) and len(one) > 1)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_variable_of_a_generator_holds_an_answer(name, seed):
    exercise = exercises.get(name)
    assert overheard(exercise, seed).isdisjoint(answers(exercise, seed))


def test_no_table_holds_the_words_of_a_stemmer():
    exercise = exercises.get("preprocessing.stem")

    def words(seeds):
        return {
            word
            for seed in seeds
            for case in exercise.cases(seed)
            for word in case.inputs["tokens"]
        }

    known, met = words(range(50)), words(range(50, 100))
    assert len(met & known) < len(met) / 4
