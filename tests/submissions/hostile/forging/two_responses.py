# ---
# attack: The wrong response is handed over, and then another one.
# fails: {stem: everything}
# reason: 2 responses were sent
# ---

# %% grade_id="stem"
import course


def stem(tokens):
    return []


def grade(name, obj):
    try:
        course.grade(name, obj)
    except AssertionError:
        if name != "preprocessing.stem":
            raise
    if name == "preprocessing.stem":
        course.grade(name, lambda tokens: list(tokens))
