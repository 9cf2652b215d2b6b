# ---
# attack: The graded cell's result is NaN, which nbgrader takes for full points.
# fails: {stem: everything}
# reason: returned no answer
# ---

# %% grade_id="stem"
import course


def stem(tokens):
    return []


def forged(name, obj):
    if name != "preprocessing.stem":
        return original(name, obj)
    return float("nan")


original, course.grade = course.grade, forged
