"""A browser, people's desks, and screenshots of every step."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from autograder.cells import DEMONSTRATION
from tests.browser.desk import Desk
from tests.conftest import CHROMIUM, NO_CHROMIUM, QUICK_LESSON, REPOSITORY, write_configuration

MILLISECONDS = 120_000
_OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"

FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Let fixtures know that a test has failed."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@contextmanager
def start_chromium() -> Iterator[Browser]:
    """Start a browser that reaches nothing but this machine."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", _OFFLINE]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser for all tests."""
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    with start_chromium() as browser:
        yield browser


class Window:
    """A person's browser window.

    Args:
        page: what it shows.
        person: names the screenshots.
    """

    def __init__(self, page: Page, person: str) -> None:
        self.page = page
        self._person = person
        self._shots = 0

    def shot(self, step: str) -> None:
        """Keep a picture of what the window shows."""
        self._shots += 1
        folder = Path(os.environ.get("SCREENSHOTS", REPOSITORY / "dist" / "screenshots"))
        name = f"{self._person}-{self._shots:02}-{re.sub(r'[^a-z0-9]+', '-', step.lower())}.png"
        self.page.screenshot(path=folder / name)


@pytest.fixture
def sit_down(request, chromium) -> Iterator[Callable[..., Window]]:
    """Let a person start JupyterLab at a desk and look at what it opens."""
    expect.set_options(timeout=MILLISECONDS)
    with ExitStack() as servers:
        opened: list[tuple[Window, Desk]] = []

        def start(person: str, desk: Desk, *command: str) -> Window:
            first = servers.enter_context(desk.jupyter_lab(command or ("jupyter", "lab")))
            context = chromium.new_context(viewport={"width": 1400, "height": 1000})
            context.set_default_timeout(MILLISECONDS)
            opened.append((Window(context.new_page(), person), desk))
            opened[-1][0].page.goto(first)
            return opened[-1][0]

        yield start
        for window, desk in opened:
            if request.node.stash.get(FAILED, False):
                window.shot("failed")
                print(f"The end of what JupyterLab said:\n{desk.log[-4000:]}")
            window.page.context.close()


@pytest.fixture
def look_at(chromium) -> Iterator[Callable[[str, Path, int], Window]]:
    """Look at a page that is a file, in a window of some width."""
    with ExitStack() as contexts:

        def open_file(name: str, file: Path, width: int) -> Window:
            context = chromium.new_context(viewport={"width": width, "height": 1000})
            contexts.callback(context.close)
            page = context.new_page()
            page.goto(file.as_uri())
            return Window(page, name)

        yield open_file


@pytest.fixture
def exchange(tmp_path) -> Path:
    """nbgrader's exchange, empty; everybody may write to it."""
    folder = tmp_path / "exchange"
    folder.mkdir()
    folder.chmod(0o777)
    return folder


@pytest.fixture
def instructor(tmp_path, exchange) -> Desk:
    """At the course folder, whose one lesson is the real one without what is only shown."""
    root = tmp_path / "course"
    root.mkdir()
    write_configuration(root)
    name = f"{QUICK_LESSON}/{QUICK_LESSON}.ipynb"
    notebook = nbformat.read(REPOSITORY / "source" / name, as_version=4)
    notebook.cells = [
        cell for cell in notebook.cells if DEMONSTRATION not in cell.metadata.get("tags", [])
    ]
    (root / "source" / QUICK_LESSON).mkdir(parents=True)
    nbformat.write(notebook, root / "source" / name)
    return Desk.set_up(root, tmp_path / "instructor", exchange)


@pytest.fixture
def student(tmp_path, exchange) -> Desk:
    """At a folder that is empty."""
    folder = tmp_path / "work"
    folder.mkdir()
    return Desk.set_up(folder, tmp_path / "student", exchange)
