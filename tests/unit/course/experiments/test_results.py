"""The running table: rows of full runs survive the kernel, smoke runs leave no trace."""

import json
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup

from course.experiments import results
from course.runtime import user_files

NEWS = SimpleNamespace(name="ag_news", is_real=True)
SAMPLE = SimpleNamespace(name="ag_news", is_real=False)


@pytest.fixture(autouse=True)
def full_run(monkeypatch, tmp_path):
    monkeypatch.setenv("COURSE_BUDGET", "full")
    monkeypatch.setenv(user_files.VARIABLE, str(tmp_path / "kept"))
    monkeypatch.setattr(results, "_rows", {})


def new_kernel(monkeypatch):
    monkeypatch.setattr(results, "_rows", {})


def add(lesson="03-attention", data=NEWS, model="attention", score=0.9, **changed):
    results.add(
        lesson, data, model, **({"parameters": 1234, "score": score, "seconds": 5} | changed)
    )


def shown(capsys, data=NEWS):
    results.show(data)
    return capsys.readouterr().out


def test_a_later_lesson_shows_its_row_below_the_earlier_lessons(monkeypatch, capsys):
    add("03-attention", model="attention", score=0.905)
    new_kernel(monkeypatch)
    add("01-text-preprocessing", model="TF-IDF", score=0.912)
    lines = shown(capsys).splitlines()
    assert [line.split() for line in lines[1:3]] == [
        ["01-text-preprocessing", "TF-IDF", "1,234", "0.912", "5.0"],
        ["03-attention", "attention", "1,234", "0.905", "5.0"],
    ]
    assert lines[3] == "The data were the published texts of ag_news."


def test_a_notebook_shows_a_table_with_heads_and_numbers_to_the_right(monkeypatch):
    from IPython.core.interactiveshell import InteractiveShell

    displayed = []
    monkeypatch.setattr(results, "display", displayed.append)
    add(model="TF-IDF <1-2>")
    results.show(NEWS)
    data, _ = InteractiveShell().display_formatter.format(*displayed)
    assert "0.900" in data["text/plain"]
    page = BeautifulSoup(data["text/html"], "html.parser")
    head, row = ([*line.find_all(["th", "td"])] for line in page.find_all("tr"))
    assert [cell.name for cell in (*head, *row)] == ["th"] * 5 + ["td"] * 5
    assert row[1].text == "TF-IDF <1-2>"
    sides = ["left"] * 2 + ["right"] * 3
    for line in (head, row):
        # No colours: those of light and dark themes hold.
        assert [cell["style"] for cell in line] == [f"text-align:{side}" for side in sides]


def test_measuring_again_replaces_the_row(monkeypatch, capsys):
    add(score=0.5)
    new_kernel(monkeypatch)
    add(score=0.75)
    page = shown(capsys)
    assert ("0.750" in page, "0.500" in page) == (True, False)


def test_the_samples_rows_and_the_published_datas_never_stand_together(capsys):
    add(model="real one")
    add(model="sample one", data=SAMPLE)
    real, sample = shown(capsys), shown(capsys, SAMPLE)
    assert ("real one" in real, "sample one" in real) == (True, False)
    assert ("real one" in sample, "sample one" in sample) == (False, True)
    assert "say nothing about the published texts" in sample


def test_a_smoke_run_keeps_nothing_and_says_so(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("COURSE_BUDGET", "smoke")
    add(model="quick")
    page = shown(capsys)
    assert ("quick" in page, "numbers mean nothing" in page) == (True, True)
    assert not (tmp_path / "kept").exists()


def test_the_score_is_named_by_its_metric(capsys):
    add(metric="weighted F1")
    assert "weighted F1" in shown(capsys).splitlines()[0]
    with pytest.raises(ValueError, match="metric='error rate'"):
        add(metric="error rate")
    with pytest.raises(ValueError, match="score=90"):
        add(score=90)


@pytest.mark.parametrize("content", ["{", '[{"data": "ag_news"}]', "3"])
def test_a_broken_file_is_named_and_costs_no_lesson(content, capsys):
    user_files.path(results.FILE).parent.mkdir()
    user_files.path(results.FILE).write_text(content)
    add(model="attention")
    page = shown(capsys)
    assert str(user_files.path(results.FILE)) in page
    assert "attention" in page
    assert len(json.loads(user_files.path(results.FILE).read_text())) == 1


def test_a_folder_that_cannot_be_written_is_one_line(monkeypatch, capsys, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(user_files.VARIABLE, str(tmp_path / "file" / "below"))
    add(model="attention")
    page = shown(capsys)
    assert "not kept for the next lessons" in page
    assert "attention" in page
