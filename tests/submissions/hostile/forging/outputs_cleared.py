# ---
# attack: What the graded cell handed over is cleared away and replaced by points.
# fails: {stem: everything}
# reason: nothing to judge
# ---

# %% grade_id="stem"
from IPython.display import clear_output, display

import course


def stem(tokens):
    return []


def forged(name, obj):
    try:
        original(name, obj)
    finally:
        if name == "preprocessing.stem":
            clear_output()
            display({"text/plain": "1.0"}, raw=True)


original, course.grade = course.grade, forged
