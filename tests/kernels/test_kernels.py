"""Forked kernels, as nbclient and other Jupyter tools use them."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from dataclasses import dataclass
from pathlib import Path

import nbformat
import psutil
import pytest
from jupyter_client.manager import KernelManager
from nbformat.v4 import new_code_cell, new_notebook

from autograder.execution import notebook_client, outputs
from autograder.execution.job import Plan
from autograder.execution.kernel_manager import Manager
from autograder.execution.notebook_client import execute
from autograder.execution.resource_usage import usage
from autograder.kernels import client, preload, provisioner
from autograder.kernels.sandbox import Limits, View, view_of
from course import COURSE

MODULES = ("numpy", "random")
OPTIONS = {
    "allow_errors": True,
    "timeout": 60,
    "shutdown_kernel": "immediate",
    # As nbgrader has them.
    "iopub_timeout": 4,
    "raise_on_iopub_timeout": True,
}

linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="forks kernels, which only Linux does: elsewhere ordinary ones start",
)
pytestmark = [linux]


@dataclass
class Kernels:
    """Where a test's kernels come from."""

    server: client.ForkServer
    sandboxed: bool
    view: View

    @property
    def pid(self):
        return self.server.pid

    def processes(self):
        """All below the one that this process started."""
        return {process.pid for process in psutil.Process(self.pid).children(recursive=True)}

    def run(self, folder, *sources, timeout=60, variables=(), skipped=(), limits=None, total=60):
        """Execute cells in a forked kernel; return the outcome."""
        plan = Plan(
            OPTIONS | {"timeout": timeout},
            dict(variables),
            MODULES,
            skipped=frozenset(skipped),
            limits=limits or Limits(),
            sandboxed=self.sandboxed,
            view=self.view,
            total=total,
        )
        return execute(notebook(*sources), folder, plan)


def kernels(sandboxed, hidden=()):
    view = view_of(COURSE, *hidden)
    server = client.shared(MODULES, {}, view if sandboxed else None)
    server.wait_until_ready()
    yield Kernels(server, sandboxed, view)
    server.close()


@pytest.fixture(scope="module")
def free():
    """Kernels without a sandbox."""
    yield from kernels(False)


@pytest.fixture(scope="module")
def sandboxed():
    """Kernels in a sandbox."""
    yield from kernels(True)


@pytest.fixture(scope="module", params=["sandboxed", "free"])
def server(request):
    return request.getfixturevalue(request.param)


def notebook(*sources):
    cells = [new_code_cell(each) if isinstance(each, str) else each for each in sources]
    made = new_notebook(cells=cells)
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python", "language": "python"}
    return made


def printed(outcome, position=-1):
    """What a cell wrote to stdout."""
    outputs = outcome.cells[sorted(outcome.cells)[position]][1]
    return "".join(output["text"] for output in outputs if output["output_type"] == "stream")


def is_alive(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def until(condition, seconds=20):
    """Wait for something that another process does."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def test_all_cells_together_have_a_limit_and_what_was_answered_before_it_counts(server, tmp_path):
    sleep = "import time; time.sleep(2)"
    started = time.monotonic()
    outcome = server.run(tmp_path, "print('answered')", *[sleep] * 30, timeout=30, total=8)
    assert time.monotonic() - started < 30
    assert printed(outcome, 0) == "answered\n"
    assert outcome.ended == "the kernel was killed: all cells together took more than 8 seconds"
    last = outcome.cells[30][1][-1]
    assert (last["ename"], last["evalue"]) == (notebook_client.ENDED, outcome.ended)


def test_what_left_cells_out_and_used_its_time_up_is_not_executed_again(free, tmp_path):
    sleep = "import time; time.sleep(60)"
    started = time.monotonic()
    outcome = free.run(tmp_path, "skipped = 1", "skipped", sleep, timeout=30, skipped=[0], total=8)
    assert time.monotonic() - started < 14
    assert outcome.ended
    assert outcome.cells[0] == (None, [])


def test_a_kernel_descends_from_the_forking_process_and_has_its_modules(free, tmp_path):
    outcome = free.run(
        tmp_path,
        "import os, psutil, sys\n"
        "print(psutil.Process().parent().ppid(), os.getsid(0) == os.getpid())\n"
        "print('numpy' in sys.modules)",
        "1 + 1",
    )
    assert printed(outcome, 0).split() == [str(free.pid), "True", "True"]
    assert outcome.cells[1][1][0]["data"] == {"text/plain": "2"}
    assert outcome.cells[1][0] == 2
    assert outcome.ended == ""


def test_folder_and_environment_are_the_ones_asked_for_and_no_others(free, tmp_path, monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")  # the tests' own: see conftest
    outcome = free.run(
        tmp_path,
        "import os\nprint(os.getcwd(), os.environ['ASKED'], 'OPENBLAS_NUM_THREADS' in os.environ)",
        variables={"ASKED": "for"},
    )
    assert printed(outcome).split() == [str(tmp_path), "for", "False"]


def test_two_kernels_draw_different_numbers(server, tmp_path):
    source = "import random, numpy\nprint(random.random(), numpy.random.uniform())"
    first, second = (printed(server.run(tmp_path, source)).split() for _ in range(2))
    assert first[0] != second[0]
    assert first[1] != second[1]


def test_descriptors_of_the_forking_process_are_closed(free, tmp_path):
    outcome = free.run(
        tmp_path,
        "import os\n"
        "for number in os.listdir('/proc/self/fd'):\n"
        "    try:\n"
        "        print(os.readlink(f'/proc/self/fd/{number}'))\n"
        "    except OSError:\n"
        "        pass",
    )
    descriptors = Path(f"/proc/{free.pid}/fd").iterdir()
    theirs = {str(descriptor.readlink()) for descriptor in descriptors}
    private = {name for name in theirs if name.startswith(("socket:", "pipe:"))}
    assert private
    assert not private & set(printed(outcome).split())


@pytest.mark.parametrize(("ending", "code"), [("os._exit(7)", 7), ("os.kill(os.getpid(), 9)", -9)])
def test_the_exit_code_is_the_kernels(free, ending, code):
    manager = forked()
    try:
        channels = manager.client()
        channels.start_channels()
        channels.execute(f"import os\n{ending}")
        process = manager.provisioner.process
        assert process.wait(20) == code
        assert not manager.is_alive()
        channels.stop_channels()
    finally:
        manager.shutdown_kernel(now=True)


def test_kernels_that_are_asked_to_end_need_no_signal(free, tmp_path, monkeypatch):
    """One in ten once waited for a thread that had ended, until a signal came."""
    signals = []

    async def signalled(manager):
        signals.append(manager)
        await manager.signal_kernel(signal.SIGKILL)

    monkeypatch.setattr(Manager, "_async_send_kernel_sigterm", signalled)
    monkeypatch.setitem(OPTIONS, "shutdown_kernel", "graceful")
    for _ in range(40):
        assert printed(free.run(tmp_path, "print('begun')", "print('done')")) == "done\n"
    assert signals == []


def forked():
    """A kernel manager whose kernel was forked, by the provisioner's name."""
    manager = KernelManager(kernel_name="python3")
    manager.kernel_spec.metadata["kernel_provisioner"] = {
        "provisioner_name": provisioner.NAME,
        "config": {"modules": list(MODULES)},
    }
    manager.start_kernel()
    waiting = manager.client()
    waiting.start_channels()
    waiting.wait_for_ready(timeout=60)
    waiting.stop_channels()
    return manager


def test_a_kernel_that_ends_takes_along_what_it_started(free, tmp_path):
    pids = tmp_path / "pids"
    free.run(
        tmp_path,
        "import os, subprocess, sys\n"
        "child = subprocess.Popen(['sleep', '600'])\n"
        "away = subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
        "daemon = (\n"
        "    'import os, time, pathlib\\n'\n"
        "    'if os.fork(): os._exit(0)\\n'\n"
        "    'os.setsid()\\n'\n"
        "    'if os.fork(): os._exit(0)\\n'\n"
        "    'pathlib.Path(\"daemon\").write_text(str(os.getpid()))\\n'\n"
        "    'time.sleep(600)'\n"
        ")\n"
        "subprocess.run([sys.executable, '-c', daemon])\n"
        "import pathlib, time\n"
        "while not pathlib.Path('daemon').exists(): time.sleep(0.01)\n"
        "time.sleep(0.1)\n"
        "pathlib.Path('pids').write_text(f'{child.pid} {away.pid} ' + "
        "pathlib.Path('daemon').read_text())",
    )
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) == 3
    until(lambda: not any(map(is_alive, started)))
    assert psutil.Process(free.pid).children() == []


def test_interrupting_stops_a_cell_and_not_the_kernel(free):
    manager = forked()
    try:
        waiting = manager.client()
        waiting.start_channels()
        waiting.wait_for_ready(timeout=60)
        # Else the kernel also drops what it is sent while it reports the error.
        sleep = "print('begun')\nimport time\ntime.sleep(600)"
        asked = waiting.execute(sleep, stop_on_error=False)
        while waiting.get_iopub_msg(timeout=20)["msg_type"] != "stream":
            pass
        manager.interrupt_kernel()
        reply = waiting.get_shell_msg(timeout=20)
        assert reply["parent_header"]["msg_id"] == asked
        assert reply["content"]["ename"] == "KeyboardInterrupt"
        waiting.execute("1 + 1")
        assert waiting.get_shell_msg(timeout=20)["content"]["status"] == "ok"
        waiting.stop_channels()
    finally:
        manager.shutdown_kernel(now=True)


def test_other_jupyter_tools_find_it_by_a_variable(tmp_path):
    code = (
        "from jupyter_client.manager import start_new_kernel\n"
        "manager, client = start_new_kernel(kernel_name='python3')\n"
        "print(type(manager.provisioner).__name__, type(manager.provisioner.process).__name__)\n"
        "client.stop_channels(); manager.shutdown_kernel(now=True)"
    )
    environment = os.environ | {"JUPYTER_DEFAULT_PROVISIONER_NAME": provisioner.NAME}
    finished = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert finished.stdout.split() == ["ForkingProvisioner", "ForkedProcess"]


def test_when_the_grader_is_killed_its_kernels_end(tmp_path):
    code = (
        "import sys, time\n"
        "from autograder.kernels import client\n"
        "from tests.kernels.test_kernels import forked\n"
        "manager = forked()\n"
        "print(client.shared(('numpy', 'random'), {}).pid, manager.provisioner.pid, flush=True)\n"
        "time.sleep(600)"
    )
    grader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pids = [int(pid) for pid in grader.stdout.readline().split()]
    assert len(pids) == 2
    assert all(map(is_alive, pids))
    grader.kill()
    grader.wait()
    grader.stdout.close()
    until(lambda: not any(map(is_alive, pids)))


STARTS_A_THREAD = """
import threading, time
threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
"""


def test_what_starts_threads_is_left_to_the_kernels_and_named(tmp_path, caplog):
    """One of a package, one that needs another, one of which a name is imported."""
    (tmp_path / "package").mkdir()
    for name, source in {
        "package/__init__.py": "",
        "package/part.py": STARTS_A_THREAD,
        "needs_it.py": "import package.part",
        "busy.py": f"{STARTS_A_THREAD}name = 1",
    }.items():
        (tmp_path / name).write_text(source)
    variables = {"PYTHONPATH": str(tmp_path)}
    modules = ("this", "package.part", "needs_it", "busy:name", "json:no_such_name")
    plan = Plan(OPTIONS, variables, modules, variables, sandboxed=False)
    source = (
        "import os, sys\n"
        "left_out = {'package', 'needs_it', 'busy'}\n"
        "print(os.getppid(), 'this' in sys.modules, [*left_out & set(sys.modules)])\n"
        "import needs_it\nfrom busy import name"
    )
    outcome = execute(notebook(source), tmp_path, plan)
    parent, rest = printed(outcome).split(maxsplit=1)
    assert rest == "True []\n"
    assert int(parent) != os.getpid()
    assert errors(outcome, 0) == []
    said = [record.getMessage() for record in caplog.records]
    assert [line.split(" starts threads")[0] for line in said] == [
        f"Importing {name}" for name in ("package", "needs_it", "busy")
    ]
    client.close_all()


def test_where_python_itself_runs_threads_kernels_are_ordinary_ones(tmp_path, caplog):
    (tmp_path / "sitecustomize.py").write_text(STARTS_A_THREAD)
    variables = {"PYTHONPATH": str(tmp_path)}
    plan = Plan(OPTIONS, {}, ("this",), variables, sandboxed=False)
    outcome = execute(notebook("import os\nprint(os.getppid())"), tmp_path, plan)
    assert int(printed(outcome)) == os.getpid()
    assert "Kernels can't be forked, so they start more slowly: importing" in caplog.text
    client.close_all()


def test_a_forking_process_that_dies_is_replaced(tmp_path):
    first = client.shared(("string",), {})
    first.wait_until_ready()
    os.kill(first.pid, signal.SIGKILL)
    with pytest.raises(client.CannotFork, match="ended with code -9"):
        first.fork([], {}, None, 1, 2)
    second = client.shared(("string",), {})
    second.wait_until_ready()
    assert second.pid != first.pid
    client.close_all()


def test_a_module_that_fails_is_reported_and_left_to_the_kernel(tmp_path):
    server = client.ForkServer(["no_such_module", "json:loads", "os:path"], {})
    assert list(server.wait_until_ready()) == ["no_such_module"]
    server.close()


def test_what_a_notebook_imports_is_read_and_not_executed():
    made = notebook(
        "%matplotlib inline\nimport os\nos.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'\n"
        "import numpy as np, os.path\nfrom keras import layers, ops",
        "1 +",
        "def f():\n    import hidden\nfrom . import sibling\nraise SystemExit",
    )
    modules, variables = preload.of_notebook(made)
    assert modules == ("os", "numpy", "os.path", "keras:layers", "keras:ops")
    assert variables == {"TF_CPP_MIN_LOG_LEVEL": "3"}


# --- limits --------------------------------------------------------------------------------------


def errors(outcome, position):
    return [o["ename"] for o in outcome.cells[position][1] if o["output_type"] == "error"]


def test_a_cell_that_computes_too_long_is_interrupted_and_the_next_one_runs(server, tmp_path):
    outcome = server.run(tmp_path, "while True:\n    pass", "print('next')", timeout=1)
    assert errors(outcome, 0)[-1] == "CellTimeoutError"
    assert printed(outcome) == "next\n"
    assert 0.9 < outcome.seconds["cpu"] < 20


def test_a_child_process_that_computes_counts(server, tmp_path):
    outcome = server.run(
        tmp_path,
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'while True: pass'])",
        timeout=1,
    )
    assert errors(outcome, 0)[-1] == "CellTimeoutError"


def test_a_cell_that_only_waits_has_more_time_but_not_for_ever(server, tmp_path):
    outcome = server.run(tmp_path, "import time\ntime.sleep(1.5)\nprint('slept')", timeout=1)
    assert printed(outcome) == "slept\n"
    assert errors(outcome, 0) == []
    outcome = server.run(tmp_path, "import time\ntime.sleep(600)", "print('next')", timeout=0.5)
    assert errors(outcome, 0)[-1] == "CellTimeoutError"
    assert printed(outcome) == "next\n"


def test_a_cell_that_ignores_the_interrupt_loses_its_kernel(server, tmp_path, monkeypatch):
    monkeypatch.setattr(notebook_client, "GRACE", 0.5)
    outcome = server.run(
        tmp_path,
        "print('before')",
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
        "print('next')",
        timeout=1,
    )
    assert printed(outcome, 0) == "before\n"
    assert "kept running after its time was up" in outcome.ended
    assert errors(outcome, 1) == ["CellTimeoutError", notebook_client.ENDED_HERE]
    assert printed(outcome, 2) == "next\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="takes another account: run it as root")
def test_what_an_account_may_not_look_into_is_said():
    assert usage(os.getpid()).unseen == ()
    reading, writing = os.pipe()
    stranger = os.fork()
    if not stranger:
        os.setuid(65534)
        os.write(writing, json.dumps(usage(os.getppid()).unseen).encode())
        os._exit(0)
    os.waitpid(stranger, 0)
    seen = json.loads(os.read(reading, 1000))
    assert any(place.startswith(f"/proc/{os.getpid()}/") for place in seen)
    os.close(reading)
    os.close(writing)


def test_an_ended_process_is_none_that_may_not_be_looked_into():
    child = subprocess.Popen(["sleep", "1000"])
    os.kill(child.pid, signal.SIGKILL)
    while psutil.Process(child.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert usage(os.getpid()).unseen == ()
    child.wait()


END = "import os\nos._exit(0)"


def test_a_cell_that_ends_its_kernel_is_left_out_and_keeps_what_it_showed(server, tmp_path):
    sources = ("print(1)", "", "print('bye')\nexit()", "left = True", END, "print(left)")
    outcome = server.run(tmp_path, *sources, "3", skipped=[6])
    assert outcome.ended == "the kernel ended itself, with code 0"
    here = [notebook_client.ENDED_HERE]
    assert [errors(outcome, n) for n in range(7)] == [[], [], here, [], here, [], []]
    assert [printed(outcome, n) for n in (0, 2, 5)] == ["1\n", "bye\n", "True\n"]


def test_a_kernel_restarted_from_code_costs_no_later_cell(server, tmp_path):
    restart = "get_ipython().kernel.do_shutdown(True)"
    outcome = server.run(
        tmp_path, "import time; x = 1", restart, *["time.sleep(0.05); print(x)"] * 5
    )
    assert errors(outcome, 1) == [notebook_client.ENDED_HERE]
    assert [printed(outcome, n) for n in range(2, 7)] == ["1\n"] * 5


def test_every_cell_after_the_last_end_of_a_kernel_shows_an_error(free, tmp_path, monkeypatch):
    monkeypatch.setattr(notebook_client, "_ENDS", 2)
    outcome = free.run(tmp_path, "1", END, END, END, "2", "3", skipped=[5])
    here, cut = [notebook_client.ENDED_HERE], [notebook_client.ENDED]
    assert [errors(outcome, n) for n in range(6)] == [[], here, here, cut, cut, []]


def test_a_kernel_is_not_started_again_where_there_is_no_time_for_it(free, tmp_path):
    outcome = free.run(tmp_path, "import time\ntime.sleep(4)", END, "2", total=7)
    assert [errors(outcome, n) for n in range(3)] == [
        [],
        [notebook_client.ENDED],
        [notebook_client.ENDED],
    ]


def test_a_cell_whose_output_never_ends_costs_no_earlier_answer(server, tmp_path, monkeypatch):
    monkeypatch.setattr(notebook_client, "_OUTPUT_WITHIN", 5)
    outcome = server.run(
        tmp_path,
        "print('before')",
        "session = get_ipython().kernel.session\nsend = session.send\n"
        "session.send = lambda *sent, **more: sent[1] == 'status' or send(*sent, **more)",
        "print('next')",
    )
    assert printed(outcome, 0) == "before\n"
    assert outcome.ended == "the kernel was ended: a cell's output didn't end"
    assert errors(outcome, 1) == [notebook_client.ENDED_HERE]
    assert printed(outcome, 2) == "next\n"


def test_an_error_that_a_cell_hides_is_shown(server, tmp_path):
    outcome = server.run(
        tmp_path,
        "get_ipython().showtraceback = lambda *a, **k: None\n"
        "get_ipython()._showtraceback = lambda *a, **k: None",
        "1/0",
    )
    assert errors(outcome, 1) == ["ZeroDivisionError"]


# --- demonstrations ------------------------------------------------------------------------------


def test_skipped_cells_are_not_executed(server, tmp_path):
    outcome = server.run(tmp_path, "x = 1", "x = 2\nprint('trained')", "print(x)", skipped=[1])
    assert printed(outcome) == "1\n"
    assert outcome.cells[1] == (None, [])


def test_who_needs_a_skipped_cell_gets_all_executed(server, tmp_path):
    outcome = server.run(
        tmp_path,
        "%time 1",
        "def helper():\n    return 'helped'",
        "print(helper())",
        "print(missing)",
        skipped=[1],
    )
    assert printed(outcome, 2) == "helped\n"
    assert errors(outcome, 3) == ["NameError"]


def test_an_unknown_name_that_no_skipped_cell_defines_executes_nothing_again(server, tmp_path):
    outcome = server.run(
        tmp_path,
        "open('count.txt', 'a').write('x')",
        "y = 1",
        "print(missing)",
        skipped=[1],
    )
    assert errors(outcome, 2) == ["NameError"]
    assert (tmp_path / "count.txt").read_text() == "x"


def test_what_all_cells_show_together_is_bounded_and_cleaned_cell_by_cell(server, tmp_path):
    show = "for _ in range(17):\n    print('x' * 10**6, flush=True)"
    graded = new_code_cell("1/0", metadata={"nbgrader": {"grade_id": "test_answer"}})
    tracemalloc.start()
    outcome = server.run(tmp_path, "print('first')", *[show] * 14, "print('last')", graded)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert outcome.ended == ""
    assert peak < 150 * 2**20
    assert len(json.dumps(outcome.to_json())) < outputs.MAX_TOTAL + 100_000
    assert printed(outcome, 0) == "first\n"
    note = f"[output left out: all cells together showed more than {outputs.MAX_TOTAL:,} bytes]\n"
    assert printed(outcome, 15) == note
    # nbgrader grades by errors.
    assert errors(outcome, 16) == ["ZeroDivisionError"]


def test_no_cell_adds_to_what_an_earlier_one_shows(server, tmp_path):
    outcome = server.run(
        tmp_path,
        "from IPython.display import display\n"
        "shown = display('begun', display_id=True)\n"
        "shown.update('done')",
        "shown.update('x' * 10**7)",
        "print('next')",
    )
    (first,) = outcome.cells[0][1]
    assert first["data"] == {"text/plain": "'done'"}
    assert printed(outcome) == "next\n"


def test_the_states_of_widgets_are_not_kept(free, tmp_path, monkeypatch):
    kept = []
    reset = notebook_client.NotebookClient.set_widgets_metadata
    monkeypatch.setattr(
        notebook_client.NotebookClient,
        "set_widgets_metadata",
        lambda client: kept.append((client.widget_state, client.comm_objects)) or reset(client),
    )
    free.run(
        tmp_path,
        "from comm import create_comm\n"
        "create_comm(target_name='jupyter.widget', data={'state': {'_model_name': 'x' * 10**6}})",
    )
    assert kept == [({}, {})]


def test_a_server_can_execute_inside_its_loop(server, tmp_path):
    async def handle_requests():
        return [server.run(tmp_path, f"print({n} + 1)") for n in range(2)]

    assert [printed(outcome) for outcome in asyncio.run(handle_requests())] == ["1\n", "2\n"]


def test_an_outcome_survives_being_written_down(server, tmp_path):
    outcome = server.run(tmp_path, "print('ü')", "1/0")
    again = notebook_client.Outcome.from_json(json.loads(json.dumps(outcome.to_json())))
    assert again.cells == outcome.cells
    assert again.seconds == outcome.seconds
    made = notebook("print('ü')", "1/0")
    again.put_into(made)
    nbformat.validate(made)
    assert made.cells[0].outputs[0].text == "ü\n"
