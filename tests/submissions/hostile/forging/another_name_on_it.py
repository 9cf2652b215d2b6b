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


def grade(name, obj):
    if name != "preprocessing.stem":
        return course.grade(name, obj)
    exercise = COURSE.get("preprocessing.tokenize")
    response = responses.respond(exercise, tokenize, exercise.cases(1))
    display({responses.MIME: response | {"exercise": name}}, raw=True)
