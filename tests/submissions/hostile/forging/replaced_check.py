# ---
# attack: check() and all that it is made of are replaced by functions that find nothing wrong.
# fails: {stem: everything}
# reason: stems
# ---

# %% grade_id="stem"
import course
from selfcheck import checks, verdicts

check = course.check = checks.check = lambda *args: None
type(course.COURSE).check = lambda *args: None
verdicts.evaluate = lambda *args: None


def stem(tokens):
    return []
