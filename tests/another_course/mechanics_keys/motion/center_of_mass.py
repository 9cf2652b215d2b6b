"""The key of ``motion.center_of_mass``."""

from mechanics.exercises.motion.center_of_mass import EXERCISE

from autograder.judging.keys import Key


def center_of_mass(masses, positions):
    """Σ m x / Σ m. Returns center: (coordinates,)."""
    return {"center": masses @ positions / masses.sum()}


KEY = Key(EXERCISE, center_of_mass)
KEY.mistake(
    "masses_ignored",
    "Heavy parts count like light ones: where are the masses?",
    "masses @ positions",
    "masses.mean() * positions.sum(axis=0)",
)
KEY.mistake(
    "divided_by_parts",
    "Divided by the number of parts: what do the masses add up to?",
    "/ masses.sum()",
    "/ len(masses)",
)
KEY.mistake("not_divided", "This is a moment, not a place yet.", " / masses.sum()", "")
