# ---
# attack: The reference is imported, from wherever the path can be made to lead, and answers.
# points: {stem: 0}
# reason: stems
# ---

# %% grade_id="stem"
import sys
from pathlib import Path

import course

here = [Path(course.__file__).parents[1], *Path.cwd().parents, *Path(sys.prefix).parents]
sys.path += map(str, here)
try:
    from autograder.reference import preprocessing

    print("reached".upper(), preprocessing.__doc__)

    def stem(tokens):
        return preprocessing.stem(tokens)["stems"]
except ImportError as error:
    print(type(error).__name__)

    def stem(tokens):
        return []
