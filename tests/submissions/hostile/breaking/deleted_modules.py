# ---
# attack: The modules that grading needs are taken away from the student's own process.
# lost_from: stem
# reason: "."
# ---

# %% grade_id="stem"
import sys

for name in list(sys.modules):
    if name.startswith(("course", "IPython.display")):
        sys.modules[name] = None
del check, grade
