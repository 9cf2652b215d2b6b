# ---
# attack: One output holds the wrong response, a verdict of the judge's type and the points.
# fails: {stem: everything}
# reason: stems is empty|stems
# ---

# %% grade_id="stem"
from IPython.display import display

import course
from course import COURSE
from selfcheck import responses, verdicts


def stem(tokens):
    return []


def forged(name, obj):
    if name != "preprocessing.stem":
        return original(name, obj)
    exercise = COURSE.get(name)
    findings = tuple(verdicts.Finding(a.title, a.percent, True, "") for a in exercise.aspects)
    data = {
        "text/plain": "1.0",
        "text/html": "1.0",
        verdicts.MIME: verdicts.Verdict(name, findings).to_json() | {"seed": 1},
        responses.MIME: responses.respond(exercise, obj, responses.secret_cases(name)),
    }
    display(data, raw=True)


original, course.grade = course.grade, forged
