"""Commands as an instructor runs them."""

import os
import subprocess
import sys
from pathlib import Path

BIN = Path(sys.executable).parent


def run(course, *command, **environment):
    """Run a command as an instructor would: in the course folder, with nothing exported."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("COURSE_")}
    clean["PATH"] = f"{BIN}{os.pathsep}{clean['PATH']}"
    return subprocess.run(
        [str(part) for part in command],
        cwd=course,
        env=clean | environment,
        capture_output=True,
        text=True,
        check=False,
    )
