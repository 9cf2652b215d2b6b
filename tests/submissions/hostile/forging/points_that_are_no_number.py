# ---
# attack: The graded cell's result is NaN, which nbgrader takes for full points.
# points: {stem: 0}
# reason: handed nothing over
# ---

# %% grade_id="stem"
import course


def stem(tokens):
    return []


def grade(name, obj):
    if name != "preprocessing.stem":
        return course.grade(name, obj)
    return float("nan")
