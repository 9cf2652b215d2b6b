# ---
# attack: The graded cell's result is the points, as nbgrader reads them, and no response comes.
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
    return 1.0


original, course.grade = course.grade, forged
