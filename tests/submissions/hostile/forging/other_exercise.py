# ---
# attack: Two exercises change places, so that the easy one's response answers the hard one.
# fails: {stem: everything}
# reason: answers 'preprocessing.tokenize'
# ---

# %% grade_id="stem"
import course


def stem(tokens):
    return []


def forged(name, obj):
    if name == "preprocessing.stem":
        name, obj = "preprocessing.tokenize", tokenize
    return original(name, obj)


original, course.grade = course.grade, forged
