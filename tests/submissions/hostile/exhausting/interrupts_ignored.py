# ---
# attack: The process ignores every signal that it can, and computes.
# fails: {stem: everything}
# reason: time
# ---

# %% grade_id="stem"
import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    pass
