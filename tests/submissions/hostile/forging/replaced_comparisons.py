# ---
# attack: Whatever compares arrays and values in NumPy and in Python says that all is well.
# fails: {stem: everything, label_encode: everything}
# reason: {stem: stems, label_encode: codes}
# ---

# %% grade_id="stem"
from selfcheck import checks, verdicts
from selfcheck import aspects

for name in ("allclose", "array_equal", "isclose", "array_equiv"):
    setattr(np, name, lambda *args, **kwargs: True)
for name in ("assert_allclose", "assert_array_equal", "assert_equal"):
    setattr(np.testing, name, lambda *args, **kwargs: None)
for name in ("equals", "has_shapes", "numbers_agree", "_text_finding", "_numbers_finding"):
    setattr(aspects, name, lambda *args, **kwargs: "")
verdicts.evaluate = checks.evaluate = lambda exercise, *args: verdicts.Verdict(exercise.name)
verdicts.Verdict.percent = 100
verdicts.Verdict.points = lambda self, maximum: maximum


def stem(tokens):
    return []


# %% grade_id="label_encode"
def label_encode(labels):
    return []
