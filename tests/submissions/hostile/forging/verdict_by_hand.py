# ---
# attack: A verdict of the judge's own type is displayed, with all aspects passed.
# fails: {stem: everything}
# reason: returned no answer
# ---

# %% grade_id="stem"
from IPython.display import display

import course
from course import COURSE
from selfcheck import verdicts


def stem(tokens):
    return []


def forged(name, obj):
    if name != "preprocessing.stem":
        return original(name, obj)
    aspects = COURSE.get(name).aspects
    findings = tuple(verdicts.Finding(a.title, a.percent, True, "") for a in aspects)
    verdict = verdicts.Verdict(name, findings)
    data = {
        "text/plain": "1.0",
        "text/html": verdict.to_html(1.0),
        verdicts.MIME: verdict.to_json() | {"seed": 1},
    }
    display(data, raw=True)


original, course.grade = course.grade, forged
