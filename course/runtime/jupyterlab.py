"""Hides what is for instructors in the JupyterLab of students."""

import json
import sys
from pathlib import Path

_SERVER = ("formgrader", "course_list")
_LAB = ("formgrader", "course-list", "create-assignment")


def hide_instructor_tools(prefix: Path | None = None) -> list[Path]:
    """Turn nbgrader's instructor tools off in an environment: Assignment List and Validate stay.

    Args:
        prefix: the environment; the one that runs this, if left out.

    Returns:
        The configuration files of Jupyter that say so. Without them, all is there again.
    """
    etc = (prefix or Path(sys.prefix)) / "etc" / "jupyter"
    settings = {
        # Read after nbgrader's own nbgrader.json, in the order of the names.
        etc / "jupyter_server_config.d" / "students.json": {
            "ServerApp": {
                "jpserver_extensions": {
                    f"nbgrader.server_extensions.{name}": False for name in _SERVER
                }
            }
        },
        etc / "labconfig" / "page_config.d" / "students.json": {
            "disabledExtensions": {f"@jupyter/nbgrader:{name}": True for name in _LAB}
        },
    }
    for path, content in settings.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=2) + "\n", "utf8")
    return list(settings)
