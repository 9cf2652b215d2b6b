# ---
# attack: Files and folders are left under names that nbgrader reads or writes itself.
# quick: true
# ---

# %% grade_id="stem"
lesson = "01-text-preprocessing"
for name in ("another.ipynb", "TIMESTAMP.TXT", "timestamp.txt", f"{lesson}.html", ".hidden"):
    with open(name, "w") as file:
        file.write("hostile-was-here")
for folder in (f"{lesson}.ipynb", f"folder/{lesson}.IPYNB"):
    try:
        os.makedirs(folder)
        with open(f"{folder}/hostile-was-here", "w") as file:
            file.write("hostile-was-here")
    except OSError:  # nbgrader alone executes where the notebook lies
        pass


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
