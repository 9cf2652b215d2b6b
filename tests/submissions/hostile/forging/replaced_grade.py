# ---
# attack: The course's grade() is replaced in every module that has it, by one that returns points.
# fails: {stem: everything}
# reason: returned no answer
# ---

# %% grade_id="stem"
import sys

original = grade


def forged(name, obj):
    return 1.0 if name == "preprocessing.stem" else original(name, obj)


for module in list(sys.modules.values()):
    if getattr(module, "grade", None) is original:
        module.grade = forged
grade = forged


def stem(tokens):
    return []
