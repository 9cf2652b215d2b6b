"""Changes to an instructor's Jupyter server, so that opening a submission doesn't run its code.

``jupyter_server_config.json`` enables them. That file also turns off Jupytext's server extension
(the autograder only uses Jupytext as a parser): with it, saving a notebook writes a script into any
folder of the course that the notebook's metadata names.
"""

from __future__ import annotations

from typing import Any

from jupyter_client.kernelspec import KernelSpec
from jupyter_server.serverapp import ServerApp
from nbgrader.server_extensions.formgrader.handlers import FormgraderHandler
from tornado import web

from autograder import formgrader
from autograder.marking import handlers as marking

_SAFE_PATH = "PYTHONSAFEPATH"

# A kernel runs this last before the first cell: modules next to a notebook can be imported, but
# don't shadow others, and Pythons that cells start are ordinary ones again.
_AFTER_START = (
    f"import os, sys; os.environ.pop({_SAFE_PATH!r}, None); sys.path.append(''); del os, sys"
)


class SafePathKernelSpec(KernelSpec):
    """A kernel that imports nothing from the notebook's folder while it starts.

    Python otherwise looks there first, so an ``importlib.py`` would run when the notebook is
    opened.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.env = {**self.env, _SAFE_PATH: "1"}
        if "ipykernel_launcher" in self.argv:
            self.argv = [
                *self.argv,
                "--IPKernelApp.ignore_cwd=True",
                f"--IPKernelApp.code_to_run={_AFTER_START}",
            ]


class OneCourseHandler(FormgraderHandler):
    """The formgrader's first page, always for the course in which the server was started.

    nbgrader's own executes the ``nbgrader_config.py`` in any folder that its address names, and a
    picture in a submission may have such an address.
    """

    @web.authenticated
    def get(self) -> None:
        """Show the page.

        Raises:
            HTTPError: when the address names a folder.
        """
        if self.get_argument("path", ""):
            raise web.HTTPError(403, "Start JupyterLab in the folder of the course to be graded.")
        super().get()


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: ServerApp) -> None:
    assert server.kernel_spec_manager is not None  # extensions are loaded later
    server.kernel_spec_manager.kernel_spec_class = SafePathKernelSpec
    # Extensions are loaded in the order of their names, and the first handler for an address wins.
    pages = [(r"/formgrader/?", OneCourseHandler), *formgrader.PAGES, *marking.PAGES]
    marking.add_pages(server, pages)
