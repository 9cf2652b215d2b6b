# ---
# attack: Outputs are displayed and cleared again for ever, so that none is ever kept.
# fails: {stem: everything}
# reason: output
# ---

# %% grade_id="stem"
from IPython.display import clear_output, display

while True:
    display({"text/plain": "x" * 100_000}, raw=True)
    clear_output()
