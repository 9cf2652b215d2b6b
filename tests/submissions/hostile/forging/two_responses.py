# ---
# attack: The wrong response is handed over, and then another one.
# fails: {stem: everything}
# reason: 2 responses were sent
# ---

# %% grade_id="stem"
import course


def stem(tokens):
    return []


def forged(name, obj):
    try:
        original(name, obj)
    except AssertionError:
        if name != "preprocessing.stem":
            raise
    if name == "preprocessing.stem":
        original(name, lambda tokens: list(tokens))


original, course.grade = course.grade, forged
