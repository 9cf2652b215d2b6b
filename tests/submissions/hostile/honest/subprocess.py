# ---
# attack: None; the answer asks programs of the system.
# ---

# %% grade_id="label_encode"
import subprocess
import sys


def label_encode(labels):
    listed = "\n".join(labels)
    done = subprocess.run(["sort", "-u"], input=listed, capture_output=True, text=True, check=True)
    classes = done.stdout.split()
    return np.array([classes.index(label) for label in labels])


print(subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True, text=True).stdout)
