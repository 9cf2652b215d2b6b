"""A guess is asked for in a kernel: with a front end, and without."""

import nbformat
from nbclient import NotebookClient

from course.runtime import user_files
from tests.unit.course.widgets.test_predict import CHOICE

NOTEBOOK = [
    "import warnings; warnings.simplefilter('error')\nfrom course.widgets import predict",
    f"predict.ask({CHOICE!r})",
    f"predict.answer({CHOICE!r})",
]


def executed(monkeypatch, folder, **variables):
    """The outputs of the notebook's cells, with no guess made before."""
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    for name, value in {user_files.VARIABLE: str(folder), **variables}.items():
        monkeypatch.setenv(name, value)
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, NOTEBOOK)))
    NotebookClient(notebook, kernel_name="python3").execute()
    return [cell.outputs for cell in notebook.cells]


def test_in_a_kernel_without_a_front_end_there_is_no_widget_and_no_warning(monkeypatch, tmp_path):
    nothing, asked, answered = executed(monkeypatch, tmp_path)
    assert nothing == []
    for outputs in (asked, answered):
        (output,) = outputs
        assert output.output_type == "display_data"
        assert set(output.data) == {"text/markdown", "text/plain"}


def test_in_a_kernel_of_jupyterlab_there_is_a_widget(monkeypatch, tmp_path):
    _, asked, _ = executed(monkeypatch, tmp_path, JPY_SESSION_NAME="lesson.ipynb")
    assert any("application/vnd.jupyter.widget-view+json" in output.data for output in asked)
