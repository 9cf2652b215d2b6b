# ---
# attack: The command lines of processes that other students' kernels start are watched for.
# ---

# %% grade_id="stem"
import glob

seen = set()
for _ in range(60):
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path) as file:
                seen.add(file.read())
        except OSError:
            pass
    time.sleep(0.05)
print(seen)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
