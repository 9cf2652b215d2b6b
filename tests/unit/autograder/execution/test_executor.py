"""Where submissions are executed: side by side, and alone where memory ran out."""

import json
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from autograder.execution import executor
from autograder.execution.job import Outcome, OutOfMemory, Plan

PLAN = Plan({}, {})


def test_no_other_machine_learns_the_seed():
    sent = json.dumps(Plan({}, {}, inputs="inputs", seed=31415926).to_json())
    assert "31415926" not in sent
    assert Plan.from_json(json.loads(sent)).inputs == "inputs"


def test_who_falls_victim_to_exhausted_memory_is_executed_again_alone(monkeypatch):
    """Those that run side by side use up the memory, whoever of them is to blame."""
    together, lock = threading.Barrier(3), threading.Lock()
    running, attempts, beside = set(), Counter(), {}

    def execute(notebook, folder, plan):
        with lock:
            running.add(folder)
            attempts[folder] += 1
            beside[folder] = len(running) - 1
        try:
            if attempts[folder] == 1:
                together.wait(20)
                raise OutOfMemory("the system ran out of memory and ended a kernel")
            time.sleep(0.05)
            with lock:
                beside[folder] = max(beside[folder], len(running) - 1)
            return Outcome({}, "", {})
        finally:
            with lock:
                running.remove(folder)

    monkeypatch.setattr(executor, "execute", execute)
    folders = [Path(str(number)) for number in range(6)]
    with executor.LocalPool(3) as pool:
        futures = [pool.submit(folder, [None], [PLAN]) for folder in folders]
        assert [future.result(20) for future in futures] == [(Outcome({}, "", {}),)] * 6
    assert attempts == dict.fromkeys(folders, 2)
    assert beside == dict.fromkeys(folders, 0)


def test_who_needs_more_memory_than_there_is_is_told_so_after_a_try_alone(monkeypatch):
    attempts = []

    def execute(notebook, folder, plan):
        attempts.append(folder)
        raise OutOfMemory("the system ran out of memory and ended a kernel")

    monkeypatch.setattr(executor, "execute", execute)
    with executor.LocalPool(2) as pool, pytest.raises(OutOfMemory, match="even with nothing else"):
        pool.submit(Path("ada"), [None], [PLAN]).result(20)
    assert len(attempts) == 2
