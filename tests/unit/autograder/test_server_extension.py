"""An instructor opens a submission in Jupyter: nothing of it runs, and helpers can be imported."""

import json
import secrets
import sys
import urllib.error
import urllib.request

import nbformat
import pytest
from jupyter_client import BlockingKernelClient

from tests.browser.desk import Desk
from tests.conftest import write_configuration

_PATIENCE = 120  # seconds: others may use the machine


class Server:
    """A Jupyter server, asked as its pages ask it."""

    def __init__(self, address, token):
        self._address, self._token = address, token

    def ask(self, path, method="GET", /, **body):
        """What it answers."""
        request = urllib.request.Request(
            f"{self._address}{path}",
            method=method,
            data=json.dumps(body).encode() if body else None,
            headers={"Authorization": f"token {self._token}"},
        )
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode()


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """At a course folder."""
    folder = tmp_path_factory.mktemp("course")
    write_configuration(folder)
    return Desk.set_up(folder, tmp_path_factory.mktemp("instructor"), folder / "exchange")


@pytest.fixture(scope="module")
def server(desk):
    token = secrets.token_hex()
    command = ("jupyter", "server", f"--IdentityProvider.token={token}")
    with desk.jupyter_lab((*command, "--ServerApp.open_browser=True")):
        (about,) = (desk.home / "runtime").glob("jpserver-*.json")
        yield Server(json.loads(about.read_text())["url"].rstrip("/"), token)


@pytest.fixture
def trace(tmp_path):
    """A file that is there when something of the submission ran."""
    return tmp_path / "trace"


@pytest.fixture
def submission(desk, trace, tmp_path):
    """A folder with every module that a kernel could import while it starts."""
    folder = desk.folder / "submitted" / "eve" / tmp_path.name
    folder.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(), folder / "lesson.ipynb")
    for name in {*sys.stdlib_module_names, "ipykernel", "ipykernel_launcher", "nbgrader_config"}:
        (folder / f"{name}.py").write_text(f"open({str(trace)!r}, 'w')\n", "utf8")
    return folder


def test_opening_a_submission_runs_nothing_of_its_folder(desk, server, submission, trace):
    (submission / "helper.py").write_text("import sys\nPYTHON = sys.executable\n", "utf8")
    kernel = open_notebook(desk, server, submission / "lesson.ipynb")
    assert not trace.exists()
    said = run(kernel, "print(sorted(name for name in globals() if name[0].islower()))")
    assert said == "['exit', 'get_ipython', 'open', 'quit']\n"
    said = run(kernel, "import colorsys, helper, os; print(os.environ.get('PYTHONSAFEPATH'))")
    assert said == "None\n"
    assert run(kernel, "print(helper.PYTHON)") == f"{sys.executable}\n"
    assert not trace.exists()
    kernel.stop_channels()


def test_the_formgrader_reads_no_configuration_that_a_submission_brings(
    desk, server, submission, trace
):
    with pytest.raises(urllib.error.HTTPError, match="403"):
        server.ask(f"/formgrader?path={submission.relative_to(desk.folder)}")
    assert not trace.exists()
    assert "nbgrader" in server.ask("/formgrader")


def test_saving_a_submission_writes_nothing_outside_its_folder(desk, server, submission):
    below = submission.relative_to(desk.folder)
    formats = {"formats": f"{below}///ipynb,source///py:percent"}
    notebook = nbformat.v4.new_notebook(metadata={"jupytext": formats})
    nbformat.write(notebook, submission / "lesson.ipynb")
    server.ask(
        f"/api/contents/{below}/lesson.ipynb",
        "PUT",
        type="notebook",
        format="json",
        content=notebook,
    )
    assert not (desk.folder / "source").exists()


def open_notebook(desk, server, path):
    """A client of the kernel that JupyterLab starts when it opens a notebook."""
    session = json.loads(
        server.ask(
            "/api/sessions",
            "POST",
            path=str(path.relative_to(desk.folder)),
            type="notebook",
            name=path.name,
            kernel={"name": "python3"},
        )
    )
    connection = desk.home / "runtime" / f"kernel-{session['kernel']['id']}.json"
    client = BlockingKernelClient(connection_file=str(connection))
    client.load_connection_file()
    client.start_channels()
    client.wait_for_ready(timeout=_PATIENCE)
    return client


def run(client, source):
    """What a cell prints."""
    said = []
    client.execute_interactive(
        source, timeout=_PATIENCE, output_hook=lambda m: said.append(m["content"].get("text", ""))
    )
    return "".join(said)
