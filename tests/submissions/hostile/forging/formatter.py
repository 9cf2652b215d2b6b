# ---
# attack: Whatever is displayed becomes a response, the student's own check included.
# fails: {stem: everything}
# reason: is empty
# ---

# %% grade_id="stem"
from selfcheck import responses


def stem(tokens):
    return []


forged = {"exercise": "preprocessing.stem", "cases": {}}
get_ipython().display_formatter.format = lambda *args, **kwargs: ({responses.MIME: forged}, {})
