"""A newcomer's way: one command of the README's, and a check explains itself in JupyterLab."""

import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.browser.pages import JupyterLab, Notebook
from tests.conftest import LESSON, REPOSITORY


def recipe():
    """What ``make lab`` would do where everything is installed."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    named = ("-o", f".venv/installed-{version}", f"PYTHON={sys.executable}")
    lines = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", *named, "lab"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
    )
    assert lines.returncode == 0, lines.stderr
    return lines.stdout


def test_make_lab_leads_to_a_check_that_explains_itself(tmp_path, exchange, sit_down):
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / ".venv").symlink_to(Path(sys.prefix))
    shutil.copytree(REPOSITORY / "release", folder / "release")
    desk = Desk.set_up(folder, tmp_path / "newcomer", exchange)
    window = sit_down("newcomer", desk, "sh", "-ec", recipe())
    notebook = Notebook(window.page)
    notebook.wait_for_kernel()
    expect(window.page.locator(".lm-TabBar-tabLabel", has_text=f"{LESSON}.ipynb")).to_be_visible()
    window.shot("make lab opens the lesson")
    answer = notebook.code("def average_attention(")
    answer.click()
    JupyterLab(window.page).choose("Run", "Run All Above Selected Cell")
    answer.click()
    notebook.run_here_and_below()
    check = notebook.code('check("attention.average_attention"')
    expect(check.locator(".course-verdict")).to_contain_text("not answered")
    check.scroll_into_view_if_needed()
    window.shot("a check explains itself")
