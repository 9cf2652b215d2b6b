# ---
# attack: Whatever is displayed becomes a response, the student's own check included.
# points: {stem: 0}
# reason: 2 responses came back
# ---

# %% grade_id="stem"
from course import responses


def stem(tokens):
    return []


forged = {"exercise": "preprocessing.stem", "cases": {}}
get_ipython().display_formatter.format = lambda *args, **kwargs: ({responses.MIME: forged}, {})
