# ---
# attack: The graded cell's result is NaN, which nbgrader takes for full points.
# fails: {stem: everything}
# reason: returned no answer
# ---

# %% grade_id="stem"
import course


def stem(tokens):
    return []


def grade(name, obj):
    if name != "preprocessing.stem":
        return course.grade(name, obj)
    return float("nan")
