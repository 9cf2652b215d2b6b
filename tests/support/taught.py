"""The course of these tests: what its exercises expect, and what its known mistakes give."""

from autograder.judging import solutions
from autograder.judging.judge import judge as judge_of
from autograder.judging.keys import key_of
from autograder.judging.marking import BY_CAUSE
from autograder.judging.mistakes import ComputedMistakes
from course import COURSE

outputs = solutions.outputs


def judge(name, seed, response):
    """The verdict on a response."""
    return judge_of(COURSE, name, seed, response)


def solution(name):
    """The function that solves an exercise."""
    return key_of(COURSE, name).solution


def cases(name, seed):
    """An exercise's cases, by their names."""
    return {case.name: case for case in COURSE.get(name).cases(seed)}


def expected(exercise, seed):
    """What every case must give."""
    return solutions.expected(exercise, solution(exercise.name), seed)


def known_mistakes(exercise):
    """What people get wrong."""
    return key_of(COURSE, exercise.name).mistakes


def known(exercise, seed):
    """What every known mistake gives, alone and together."""
    return ComputedMistakes(key_of(COURSE, exercise.name), seed, BY_CAUSE)
