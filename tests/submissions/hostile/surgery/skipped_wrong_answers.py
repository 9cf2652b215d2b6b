# ---
# attack: A wrong answer's graded cell is tagged as skipped, so that nothing says it is wrong.
# fails: {stem: everything}
# reason: stems
# ---
import nbformat


def submit(notebook, folder):
    for cell in notebook.cells:
        if cell.id == "stem":
            cell.source = "def stem(tokens):\n    return []"
        if cell.id == "test_stem":
            cell.metadata.tags = ["skip-execution"]
            cell.outputs = [nbformat.v4.new_output("execute_result", data={"text/plain": "1.0"})]
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
