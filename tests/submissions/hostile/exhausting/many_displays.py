# ---
# attack: A hundred thousand outputs are displayed.
# fails: {stem: everything}
# reason: output
# ---

# %% grade_id="stem"
from IPython.display import display

for number in range(100_000):
    display({"text/plain": f"{number}" + "x" * 50_000}, raw=True)
