"""What a demonstration prints of a lesson that was run in full."""

from types import SimpleNamespace

import nbformat.v4

from autograder.demo import RESULTS, run_in_full

MEASURED = """
from types import SimpleNamespace
from course.experiments import results
data = SimpleNamespace(name="ag_news", is_real=True)
results.add("01", data, "TF-IDF", parameters=1234, score=0.9, seconds=5)
results.show(data)
"""


def test_the_table_that_a_notebook_displays_is_printed_as_text(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_RESULTS", str(tmp_path / "results"))
    path = tmp_path / "lesson.ipynb"
    cell = nbformat.v4.new_code_cell(MEASURED, id=RESULTS)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    course = SimpleNamespace(
        root=tmp_path, source=lambda lesson: path, declared=SimpleNamespace(full_size={})
    )
    head, row, data = run_in_full(course, "lesson").splitlines()
    assert head.split()[:3] == ["lesson", "model", "parameters"]
    assert row.split() == ["01", "TF-IDF", "1,234", "0.900", "5.0"]
    assert data == "The data were the published texts of ag_news."
