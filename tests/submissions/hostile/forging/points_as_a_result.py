# ---
# attack: The graded cell's result is the points, as nbgrader reads them, and no response comes.
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
    return 1.0
