# ---
# attack: check() and all that it is made of are replaced by functions that find nothing wrong.
# points: {stem: 0}
# reason: stems
# ---

# %% grade_id="stem"
import course
from course import checks, verdicts

check = course.check = checks.check = checks.examine = lambda *args: None
verdicts.reach = lambda *args: None


def stem(tokens):
    return []
