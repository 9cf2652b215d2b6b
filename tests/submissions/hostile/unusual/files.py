# ---
# attack: None; files are written in the working folder, in temporary folders, and read back.
# ---

# %% grade_id="stem"
import json
import os
import tempfile
from pathlib import Path

Path("notes").mkdir(exist_ok=True)
Path("notes/stems.json").write_text(json.dumps({"ponies": "poni"}))
assert json.loads(Path("notes/stems.json").read_text())["ponies"] == "poni"
os.remove("notes/stems.json")
Path("notes/left.txt").write_text("left")
with tempfile.TemporaryDirectory() as folder:
    Path(folder, "x").write_text("x")
(Path.home() / ".cache").mkdir(exist_ok=True)


def stem(tokens):
    with tempfile.NamedTemporaryFile("w+") as file:
        file.write("\n".join(tokens))
        file.seek(0)
        stemmer = PorterStemmer()
        return [stemmer.stem(line.strip()) for line in file]
