"""docs/jupyterhub.md, followed to the letter on a fresh Debian, and a day of a class there.

Every block is taken from the page. The Debian is a folder that mmdebstrap makes, in which
bubblewrap runs commands as root; users, services and configurations are gone with it.
"""

import ctypes
import os
import re
import shlex
import shutil
import sys
import threading
import time
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import nbformat
import psutil
import pytest
from playwright.sync_api import expect

from autograder.cells import grade_id
from tests.browser.answers import COURSE, HINT, RIGHT, UNANSWERED, WORDS, WRONG
from tests.browser.conftest import FAILED, Window, start_chromium
from tests.browser.pages import AssignmentList, FormgraderPage, JupyterLab
from tests.conftest import (
    CHROMIUM,
    NO_CHROMIUM,
    QUICK_LESSON,
    REPOSITORY,
    copy_checkout,
    remove_in_the_background,
)
from tests.support import run_dockerfile
from tests.support.pages import blocks

pytestmark = [
    pytest.mark.timeout(2400),
    pytest.mark.skipif(
        sys.platform != "linux"
        or os.geteuid() != 0
        or not all(map(shutil.which, run_dockerfile.TOOLS)),
        reason="makes a Debian with users of its own: needs root on Linux, and "
        f"{' and '.join(run_dockerfile.TOOLS)} (Debian: apt install mmdebstrap bubblewrap)",
    ),
    pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM),
]

PAGE = "jupyterhub.md"
BLOCKS = [one for one in blocks(PAGE) if one.language in ("sh", "python")]
*PREPARATION, START, BY_HAND = BLOCKS
"""What is done before the hub starts, what starts it, and what its grading account types."""
CHECKOUT = "/root/checkout"
HUB = "http://127.0.0.1:8000"
PEOPLE = ("ada", "emmy", "grace", "hopper", "kurt")
PASSWORD = "open sesame"
IN_ANOTHERS_NAME = f"""
folder="/srv/exchange/{COURSE}/inbound/grace+{QUICK_LESSON}+2099-01-01 00:00:00 UTC+x"
mkdir "$folder"
ln -s /srv/{COURSE}/source/{QUICK_LESSON}/{QUICK_LESSON}.ipynb "$folder"
echo "2099-01-01 00:00:00 UTC" > "$folder/timestamp.txt"
"""
NEW_NETWORK = 0x40000000  # CLONE_NEWNET
PATIENCE = 600  # seconds: others may use the machine


class Host:
    """A Debian on which the page is followed.

    Args:
        root: a folder that is not there yet.
    """

    def __init__(self, root):
        self.image = run_dockerfile.Image(root)
        run_dockerfile.make_base("debian:bookworm-slim", root)
        self.path("/etc/hosts").write_text("127.0.0.1 localhost\n")  # as Debian's installer does
        self.image.folder = CHECKOUT
        copy_checkout(self.path("."))

    def path(self, inside):
        return self.image.path(inside)

    def run(self, script):
        """Run a block as root, in the checkout; return what it printed."""
        said = self.path("/tmp/said")
        try:
            self.image.step(f"bash -e -c {shlex.quote(script)} >/tmp/said 2>&1")
        except run_dockerfile.StepError:
            raise AssertionError(f"{script}\n{said.read_text('utf8', 'replace')[-5000:]}") from None
        return said.read_text("utf8", "replace")

    def run_as(self, account, script):
        """Run a block in a shell that somebody opens by `su -`."""
        return self.run(f"su - {account} -c {shlex.quote('set -e; ' + script)}")

    def copy(self, block):
        """Put a configuration where the page says."""
        (name,) = re.findall(r"`(/etc/[^`]+)`:$", block.lead)
        self.path(name).write_text(block.text, "utf8")


@contextmanager
def in_network_of(process):
    """Let this thread, and what it starts, be in a process's network."""
    setns = ctypes.CDLL(None, use_errno=True).setns
    with Path("/proc/thread-self/ns/net").open() as own:
        with Path(f"/proc/{process.pid}/ns/net").open() as other:
            assert setns(other.fileno(), NEW_NETWORK) == 0, os.strerror(ctypes.get_errno())
        yield
        assert setns(own.fileno(), NEW_NETWORK) == 0


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """A host on which all that the page says before the hub starts has been done."""
    folder = tmp_path_factory.mktemp("hub")
    host = Host(folder / "root")
    for one in PREPARATION:
        host.run(one.text) if one.language == "sh" else host.copy(one)
    # What the page leaves to the site: people.
    for name in PEOPLE:
        host.run(f"useradd --create-home --shell /bin/bash {name}")
    host.run("chpasswd <<'.'\n" + "".join(f"{name}:{PASSWORD}\n" for name in PEOPLE) + ".")
    yield host
    remove_in_the_background(folder)


@pytest.fixture(scope="module")
def hub(host):
    """The hub, started as the page says; this thread is in its network."""
    said = []
    process, reader = start(host, said)
    deadline = time.monotonic() + PATIENCE
    try:
        while not any("JupyterHub is now running" in line for line in said):
            # The hub gives its proxy ten seconds. On a machine that does much else this can be too
            # little, and an administrator starts the hub again.
            if process.poll() and any("Failed to start proxy" in line for line in said):
                reader.join()
                said.clear()
                process, reader = start(host, said)
            assert process.poll() is None and time.monotonic() < deadline, "".join(said)
            time.sleep(0.5)
        with in_network_of(psutil.Process(process.pid).children()[0]):
            yield said
    finally:
        print("".join(said)[-6000:])
        process.kill()  # its namespace, and all in it, goes with it
        process.wait()
        reader.join()


def start(host, said):
    """The hub's process, and who puts its lines into ``said``."""
    process = host.image.start(f"set -e\n{START.text}")
    reader = threading.Thread(target=lambda: said.extend(process.stdout))
    reader.start()
    return process, reader


@pytest.fixture(scope="module")
def browser(hub):
    """A browser in the hub's network."""
    with start_chromium() as chromium:
        yield chromium


@pytest.fixture
def log_in(browser, request):
    """Let people log in, each in a window of their own."""
    windows = []

    def start(name, address):
        context = browser.new_context(viewport={"width": 1400, "height": 1000})
        context.set_default_timeout(PATIENCE * 1000)
        expect.set_options(timeout=PATIENCE * 1000)
        page = context.new_page()
        window = Window(page, f"hub-{name}")
        windows.append(window)
        page.goto(f"{HUB}/hub/login?next={address}")
        page.locator("#username_input").fill(name)
        page.locator("#password_input").fill(PASSWORD)
        page.locator("#login_submit").click()
        return window

    yield start
    for window in windows:
        if request.node.stash.get(FAILED, False):
            window.shot("failed")
        window.page.context.close()


def answer(host, student, answers):
    """Write answers into what a student has fetched, as its owner."""
    path = host.path(f"/home/{student}/{COURSE}/{QUICK_LESSON}/{QUICK_LESSON}.ipynb")
    notebook = nbformat.read(path, as_version=4)
    cells = {grade_id(cell): cell for cell in notebook.cells}
    for name, line in answers.items():
        cells[name].source = cells[name].source.replace(UNANSWERED, line)
    cells["steps_that_lose"].source = WORDS
    path.write_text(nbformat.writes(notebook), "utf8")


def test_a_day_of_a_class(host, log_in):
    teacher = log_in("ada", f"/services/{COURSE}/formgrader")
    formgrader = FormgraderPage(teacher.page)
    expect(formgrader.row(QUICK_LESSON)).to_be_visible()
    assert "Successfully" in formgrader.press(QUICK_LESSON, "assign")
    assert "Successfully" in formgrader.press(QUICK_LESSON, "release")
    teacher.shot("released")

    students = {}
    for name, answers in {
        "grace": {"find_emails": RIGHT, "one_hot": WRONG},
        "kurt": {"find_emails": RIGHT},
    }.items():
        students[name] = window = log_in(name, "/hub/spawn")
        assignments = AssignmentList(window.page)
        assert JupyterLab(window.page).items("Nbgrader") == ["Assignment List"]
        JupyterLab(window.page).choose("Nbgrader", "Assignment List")
        expect(assignments.rows("released")).to_contain_text(QUICK_LESSON)
        assignments.press("released", "Fetch")
        expect(assignments.rows("fetched")).to_contain_text(QUICK_LESSON)
        answer(host, name, answers)
        assignments.press("fetched", "Submit")
        expect(assignments.rows("submitted")).to_contain_text(QUICK_LESSON)
        window.shot("submitted")

    # The solution, in the name of another.
    host.run_as("kurt", IN_ANOTHERS_NAME)
    assert "Successfully" in formgrader.press(QUICK_LESSON, "collect")
    for name in students:
        inside = f"{QUICK_LESSON}/{QUICK_LESSON}.ipynb"
        own, collected = (
            f"/home/{name}/{COURSE}/{inside}",
            f"/srv/{COURSE}/submitted/{name}/{inside}",
        )
        assert host.path(collected).read_bytes() == host.path(own).read_bytes()
    formgrader.row(QUICK_LESSON).locator("td.num-submissions a").click()
    expect(formgrader.row("grace")).to_contain_text("needs autograding")
    assert "Successfully" in formgrader.press("grace", "autograde")
    expect(formgrader.row("grace")).to_contain_text("needs manual grading")
    teacher.shot("graded by the button")

    said = host.run_as("grader-attention", BY_HAND.text)
    assert "JUPYTERHUB_USER" not in said
    assert "kurt: 2 of " in said
    # Both wrote an answer that a person has to mark, and Canvas takes an empty cell for a removal.
    assert "no grade for 2 of 2 students: answers need manual grading" in said
    exported = host.path("/srv/attention/reports/canvas.csv").read_text("utf8")
    assert "kurt" not in exported and "grace" not in exported

    formgrader.go("Manage Assignments")
    assert "Successfully" in formgrader.press(QUICK_LESSON, "generate-feedback")
    assert "Successfully" in formgrader.press(QUICK_LESSON, "release-feedback")
    for name, window in students.items():
        assignments = AssignmentList(window.page)
        assignments.press("submitted", "Fetch Feedback")
        expect(assignments.rows("submitted").get_by_text("(view feedback)")).to_be_visible()
        window.shot("feedback")
        folder = host.path(f"/home/{name}/{COURSE}/{QUICK_LESSON}/feedback")
        (page,) = folder.rglob(f"{QUICK_LESSON}.html")
        assert (HINT in unescape(page.read_text("utf8"))) == (name == "grace")


CLOSED = (
    "ls /opt/grading/lib",
    "cat /etc/jupyterhub/jupyterhub_config.py",
    "flock --nonblock /opt/students/.lock true",
    f"ls /srv/{COURSE}",
    f"ls /srv/exchange/{COURSE}/inbound",
    f"mkdir /srv/exchange/{COURSE}/outbound/mine",
    "ls /home/grace",
    "ls /srv/statistics",
)


@pytest.mark.parametrize("command", CLOSED)
def test_what_is_closed_to_students(host, command):
    with pytest.raises(AssertionError, match="Permission denied"):
        host.run_as("kurt", command)


@pytest.mark.parametrize(
    ("environment", "packages"),
    [("students", "course selfcheck"), ("grading", "autograder course keys selfcheck")],
)
def test_which_packages_are_in_an_environment(host, environment, packages):
    ours = ("autograder", "course", "keys", "selfcheck")
    look = f"import importlib.util as u; print(*filter(u.find_spec, {ours}))"
    # From a folder that has none of them.
    said = host.run(f"cd / && /opt/{environment}/bin/python -c {shlex.quote(look)}")
    assert said == f"{packages}\n"


def test_what_systemd_starts_finds_the_hub_and_its_proxy(host):
    page = (REPOSITORY / "docs" / PAGE).read_text("utf8")
    (path,) = re.findall(r"^ *Environment=PATH=(\S+)$", page, re.MULTILINE)
    found = host.run(f"PATH={path} command -v jupyterhub configurable-http-proxy")
    assert len(found.split()) == 2


def test_students_open_no_formgrader(log_in):
    window = log_in("kurt", f"/services/{COURSE}/formgrader")
    expect(window.page.locator("body")).to_contain_text("403")


def test_an_administrator_takes_somebody_out_of_a_course(log_in):
    admin = log_in("hopper", "/hub/admin")
    expect(admin.page.get_by_text("Manage Groups")).to_be_visible()
    done = admin.page.evaluate(
        """async group => {
            const headers = {"X-XSRFToken": window.jhdata.xsrf_token};
            const body = JSON.stringify({users: ["ada"]});
            const about = {method: "DELETE", headers: headers, body: body};
            return (await fetch(`/hub/api/groups/${group}/users`, about)).status;
        }""",
        f"formgrade-{COURSE}",
    )
    assert done == 200
    window = log_in("ada", f"/services/{COURSE}/formgrader")
    expect(window.page.locator("body")).to_contain_text("403")
