# ---
# attack: The response to an easy exercise carries the hard one's name.
# fails: {stem: everything}
# reason: no answer to the case
# ---

# %% grade_id="stem"
from IPython.display import display

import course
from course import COURSE
from selfcheck import responses


def stem(tokens):
    return []


def forged(name, obj):
    if name != "preprocessing.stem":
        return original(name, obj)
    exercise = COURSE.get("preprocessing.tokenize")
    response = responses.respond(exercise, tokenize, exercise.cases(1))
    display({responses.MIME: response | {"exercise": name}}, raw=True)


original, course.grade = course.grade, forged
