"""Students' JupyterLab without what is for instructors, as Jupyter reads its configuration."""

import shutil
import sys
from pathlib import Path

from jupyter_server.config_manager import BaseJSONConfigManager
from jupyter_server.extension.config import ExtensionConfigManager

from course import environment

NBGRADER = Path(sys.prefix) / "etc/jupyter/jupyter_server_config.d/nbgrader.json"


def loaded(configuration):
    """nbgrader's server extensions, and whether a server loads them."""
    manager = ExtensionConfigManager(read_config_path=[str(configuration)])
    extensions = manager.get_jpserver_extensions().items()
    return {name.rpartition(".")[2]: on for name, on in extensions}


def test_students_keep_their_own_tools_alone(tmp_path, monkeypatch, capsys):
    configuration = tmp_path / "etc" / "jupyter"
    (configuration / "jupyter_server_config.d").mkdir(parents=True)
    shutil.copy(NBGRADER, configuration / "jupyter_server_config.d")
    everything = loaded(configuration)
    assert all(everything.values())

    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert environment.main(["hide-instructor-tools"]) == 0
    assert loaded(configuration) == dict.fromkeys(everything, False) | {
        "assignment_list": True,
        "validate_assignment": True,
    }
    manager = BaseJSONConfigManager(config_dir=str(configuration / "labconfig"))
    hidden = ("formgrader", "course-list", "create-assignment")
    assert manager.get("page_config") == {
        "disabledExtensions": {f"@jupyter/nbgrader:{name}": True for name in hidden}
    }

    for line in capsys.readouterr().out.splitlines():
        Path(line.removeprefix("Wrote ").partition(". Delete")[0]).unlink()
    assert loaded(configuration) == everything
