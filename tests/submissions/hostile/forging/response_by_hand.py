# ---
# attack: A response is displayed by hand, with no case in it, in the place of grade().
# quick: true
# fails: {stem: everything}
# reason: no answer to the case
# ---

# %% grade_id="stem"
from IPython.display import display

import course
from selfcheck import responses


def stem(tokens):
    return []


def forged(name, obj):
    if name != "preprocessing.stem":
        return original(name, obj)
    display({responses.MIME: {"exercise": name, "cases": {}}}, raw=True)


original, course.grade = course.grade, forged
