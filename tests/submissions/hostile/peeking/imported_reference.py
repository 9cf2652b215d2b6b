# ---
# attack: The answer key is imported, from wherever the path can be made to lead, and answers.
# fails: {stem: everything}
# reason: stems
# ---

# %% grade_id="stem"
import sys
from pathlib import Path

import course

here = [Path(course.__file__).parents[1], *Path.cwd().parents, *Path(sys.prefix).parents]
sys.path += map(str, here)
try:
    import keys.preprocessing
    from keys.preprocessing.stem import KEY

    print("reached".upper(), keys.preprocessing.__doc__)

    def stem(tokens):
        return KEY.solution(tokens)["stems"]
except ImportError as error:
    print(type(error).__name__)

    def stem(tokens):
        return []
