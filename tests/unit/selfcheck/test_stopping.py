"""What doesn't come to its end is stopped, and nothing else is."""

import signal
import time

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from selfcheck import stopping
from selfcheck.stopping import Stopped, stopped_in_time
from tests.conftest import responded

NAME = "documents.overlapping_chunks"


def endless(tokens, size, overlap):
    chunks = []
    while len(chunks) >= 0:
        chunks[:] = [tokens]
    return chunks


def test_an_endless_loop_is_stopped():
    with pytest.raises(Stopped, match=r"after 0\.2 seconds of computing"), stopped_in_time(0.2):
        while True:
            pass


def test_an_endless_loop_is_stopped_where_interruptions_are_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in a shell's background
    ends = time.process_time() + 10
    try:
        with pytest.raises(Stopped), stopped_in_time(0.2):
            while time.process_time() < ends:
                pass
        assert time.process_time() < ends
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_waits_isnt_stopped():
    with stopped_in_time(0.2):
        time.sleep(1.5)


def test_the_stop_button_still_stops():
    with pytest.raises(KeyboardInterrupt), stopped_in_time(5):
        raise KeyboardInterrupt


def test_an_error_stays_that_error():
    with pytest.raises(ZeroDivisionError), stopped_in_time(5):
        1 / 0  # noqa: B018


def test_an_answer_that_never_ends_is_asked_once_and_told_so(monkeypatch):
    monkeypatch.setattr(stopping, "TIME_LIMIT", 0.3)
    calls = []

    def counted(tokens, size, overlap):
        calls.append(1)
        return endless(tokens, size, overlap)

    cases = responded(NAME, counted)["cases"]
    assert {case["failure"]["kind"] for case in cases.values()} == {"Stopped"}
    assert len(calls) == 1


def test_a_check_in_a_notebook_stops_an_endless_loop_and_the_kernel_lives_on():
    cell = new_code_cell
    notebook = new_notebook(
        cells=[
            cell(
                "from selfcheck import stopping\nstopping.TIME_LIMIT = 1\nfrom course import check"
            ),
            cell(f"def answer(*_):\n    while True:\n        pass\n\ncheck({NAME!r}, answer)"),
            cell("print('alive')"),
        ]
    )
    NotebookClient(notebook, timeout=60, allow_errors=True).execute()
    (error,) = (x for x in notebook.cells[1].outputs if x.output_type == "error")
    assert "stopped after 1 seconds of computing" in error.evalue
    assert "Does every loop come to its end?" in error.evalue
    assert notebook.cells[2].outputs[0].text == "alive\n"
