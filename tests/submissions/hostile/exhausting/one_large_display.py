# ---
# attack: One message holds more than all of them may.
# fails: {stem: everything}
# reason: output|time
# ---

# %% grade_id="stem"
from IPython.display import display

display({"text/plain": "x" * (60 << 20)}, raw=True)
