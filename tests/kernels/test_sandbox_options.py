"""Folders of data that a sandbox shows, and variables: what a configuration adds to kernels."""

import json
import re
import sys
import tempfile
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook
from nbgrader.exchange.default import Exchange

from autograder.execution.job import Plan
from autograder.grading import batch
from autograder.kernels import sandbox
from tests.conftest import flat, needs_sandbox
from tests.kernels.test_conformance import graded, notebook
from tests.kernels.test_plain_courses import CONFIGURED, WAYS, failed, run, write_course
from tests.support.pages import block

BLOCKS = [block("guide.md", "Limits", "python")]

pytestmark = [needs_sandbox]


@pytest.fixture(scope="module")
def data():
    """A folder of data, outside of the folders that a sandbox has for itself."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name).resolve() / "news"
        (folder / "english").mkdir(parents=True)
        (folder / "english" / "one.txt").write_text("good news")
        yield folder


@pytest.fixture(scope="module")
def released(data, tmp_path_factory):
    """A course whose notebook reads the data and says what it may do there."""
    path = f"{str(data)!r}, 'english', 'one.txt'"
    lesson = notebook(
        new_code_cell("import os, subprocess, tempfile\nfrom pathlib import Path", id="imports"),
        graded("reads", f"assert Path({path}).read_text() == 'good news'"),
        graded("variable", f"assert os.environ['NLTK_DATA'] == {str(data)!r}"),
        graded("imported", f"import nltk\nassert {str(data)!r} in nltk.data.path"),
        graded("programs", "assert 'NLTK_DATA' in subprocess.check_output('env', text=True)"),
        graded("writes", f"Path({path}).write_text('bad news');"),
        graded("makes", f"Path({str(data)!r}, 'two.txt').touch()"),
        graded("removes", f"Path({path}).unlink()"),
        graded("around", f"assert os.listdir({str(data.parent)!r}) == ['news']"),
        graded("temporary", "Path(tempfile.gettempdir(), 'mine.txt').write_text('mine');"),
    )
    (data.parent / "other.txt").write_text("not shown")
    return write_course(
        tmp_path_factory.mktemp("course") / "plain", {"news": {"news.ipynb": lesson}}
    )


@pytest.fixture
def configured(released):
    """The course, with lines below its configuration."""

    def configure(text):
        (released / "nbgrader_config.py").write_text(CONFIGURED + text)
        return released

    return configure


def options(data):
    """What the guide says to write, for other data."""
    return BLOCKS[0].text.replace("/srv/data/nltk", str(data))


def grade(course, *command):
    done = run(course, *(command or WAYS["sandboxed"]), "news", "--force")
    assert done.returncode == 0, done.stdout + done.stderr
    return failed(course, "news")


@pytest.mark.parametrize("way", ["sandboxed", "by nbgrader"])
def test_data_can_be_read_and_nothing_be_written_there(configured, data, way):
    errors = grade(configured(options(data)), *WAYS[way])
    assert errors.keys() == {"writes", "makes", "removes"}
    assert all("Read-only file system" in error for error in errors.values())
    assert [path.name for path in data.iterdir()] == ["english"]


def test_a_course_without_options_shows_and_sets_nothing(configured):
    assert {"reads", "variable", "imported", "programs"} <= grade(configured("")).keys()


@pytest.mark.parametrize("way", ["sandboxed", "by nbgrader"])
def test_an_exchange_beside_pythons_packages_is_hidden(tmp_path, way):
    """As nbgrader's own is in /usr: others' submissions are in it."""
    with tempfile.TemporaryDirectory(dir=Path(sys.prefix) / "share") as exchange:
        Path(exchange, "course").mkdir()
        lesson = notebook(
            new_code_cell("import os", id="imports"),
            graded("packages", f"assert os.listdir({str(Path(exchange).parent)!r})"),
            graded("others", f"assert os.listdir({exchange!r}) == []"),
        )
        course = write_course(tmp_path / "plain", {"news": {"news.ipynb": lesson}})
        with (course / "nbgrader_config.py").open("a") as configuration:
            configuration.write(f"{CONFIGURED}\nc.Exchange.root = {exchange!r}\n")
        assert grade(course, *WAYS[way]) == {}


def test_where_nbgrader_has_its_exchange_is_known_before_it_is_imported():
    assert Exchange.class_traits()["root"].default_value == batch._EXCHANGE


def restore(data):
    """Undo what the notebook does without a sandbox."""
    (data / "english" / "one.txt").write_text("good news")
    (data / "two.txt").unlink()


def test_without_a_sandbox_variables_are_set_and_folders_need_nothing(configured, data):
    text = options(data).replace("data_folders = [", "data_folders = ['/not/here', ")
    errors = grade(configured(text), *WAYS["without a sandbox"])
    assert errors.keys() == {"around"}
    restore(data)


def test_compare_shows_and_sets_the_same(configured, data):
    course = configured(options(data))
    done = run(course, "autograder", "compare", "news")
    restore(data)
    assert "news/variable: nbgrader 0 (KeyError: 'NLTK_DATA'), autograder 1" in done.stdout
    assert "news/reads" not in done.stdout


def refused_folders(course, data):
    """Folders that cannot be shown, each with a part of what is said."""
    (course / "link").unlink(missing_ok=True)
    (course / "link").symlink_to(data)
    home = Path.home().resolve()
    return {
        "news": "'news', which isn't an absolute path: begin it with /",
        "/not/here": "which isn't a folder that you can read: correct the path",
        f"{data}/english/one.txt": "which isn't a folder that you can read",
        str(course / "link"): f"which leads to {data}: name that folder",
        f"{data}/../news": f"which leads to {data}: name that folder",
        "/tmp": "but a sandbox has its own /tmp: put the data into another folder",
        "/proc/sys": "a sandbox has its own /proc",
        "/dev": "a sandbox has its own /dev",
        "/etc": "a sandbox has its own /etc",
        "/run": "a sandbox has its own /run",
        "/": f"which would show students {course}: put the data into a separate folder",
        str(home): f"which would show students {home}",
        str(course): f"which would show students {course}",
        str(course.parent): f"which would show students {course}",
        str(course / "submitted"): f"which would show students {course}/submitted",
        str(course / "submitted" / "ada"): f"which would show students {course}/submitted",
        str(course / "autograded" / "ada"): f"which would show students {course}/autograded",
        str(course / "source" / "news"): f"which would show students {course}/source",
        str(course / "release" / "news"): f"which would show students {course}/release",
        str(course / ".autograder"): f"which would show students {course}/.autograder",
        str(course.parent / "exchange" / "one"): f"students {course.parent}/exchange",
        str(course.parent / "grades"): f"students {course.parent}/grades/gradebook.db",
    }


REFUSED_VARIABLES = {
    "{'PATH': '/srv'}": "'PATH', which the grader sets itself in every kernel: leave it out",
    "{'HOME': '/srv'}": "'HOME', which the grader sets itself",
    "{'COURSE_LANGUAGE': 'de'}": "'COURSE_LANGUAGE', which the grader sets itself",
    "{'OMP_NUM_THREADS': '64'}": "'OMP_NUM_THREADS', which the grader sets itself",
    "{'TF_NUM_INTEROP_THREADS': '64'}": "'TF_NUM_INTEROP_THREADS', which the grader sets itself",
    "{'NBGRADER_EXECUTION': 'x'}": "'NBGRADER_EXECUTION', which the grader sets itself",
    "{'PYTHONPATH': '/srv'}": "'PYTHONPATH', which the grader sets itself",
    "{'LD_PRELOAD': '/srv/a.so'}": "'LD_PRELOAD', which the grader sets itself",
    "{'A=B': 'c'}": "'A=B', which isn't a valid name: use letters, digits and underscores",
    "{'A': 'b\\0'}": "'A', whose value has a null character",
    "{'A': 1}": "nbgrader_config.py sets an invalid value",
    "{1: 'A'}": "nbgrader_config.py sets an invalid value",
}


@pytest.fixture(scope="module")
def elsewhere(data, tmp_path_factory):
    """A graded course outside of the sandbox's own folders, and what a teacher may not mean."""
    root = data.parent / "teaching" / "course"
    root.parent.mkdir()
    config = (
        f"{CONFIGURED}\nc.Exchange.root = {str(root.parent / 'exchange')!r}\n"
        f"c.CourseDirectory.db_url = 'sqlite:///{root.parent}/grades/gradebook.db'\n"
    )
    (root.parent / "exchange" / "one").mkdir(parents=True)
    (root.parent / "grades").mkdir()
    write_course(root, {"news": {"news.ipynb": notebook(graded("right", "assert True"))}}, config)
    assert grade(root) == {}
    return root


def test_what_may_not_be_added_is_refused_at_once(elsewhere, data, autograder):
    config = elsewhere / "nbgrader_config.py"
    before = config.read_text()
    folders = {
        f"data_folders = [{name!r}]": why for name, why in refused_folders(elsewhere, data).items()
    }
    variables = {f"variables = {text}": why for text, why in REFUSED_VARIABLES.items()}
    for line, why in (folders | variables).items():
        config.write_text(f"{before}c.ExecuteSubmission.{line}\n")
        done = autograder("grade", "news", "--force", course=elsewhere)
        assert (done.code, why in flat(done.err)) == (2, True), (line, done.err)
        assert score(elsewhere) == 1
        assert failed(elsewhere, "news") == {}
    config.write_text(before)


def test_nbgrader_and_the_button_refuse_it_too(elsewhere, data):
    config = elsewhere / "nbgrader_config.py"
    before = config.read_text()
    config.write_text(f"{before}c.ExecuteSubmission.data_folders = [{str(elsewhere)!r}]\n")
    done = run(elsewhere, "nbgrader", "autograde", "news", "--force")
    config.write_text(before)
    assert done.returncode == 1
    assert f"Nothing was graded: c.ExecuteSubmission.data_folders has '{elsewhere}'" in done.stderr
    assert score(elsewhere) == 1
    assert failed(elsewhere, "news") == {}


def test_a_folder_in_the_course_folder_can_be_shown(elsewhere):
    folder = elsewhere / "corpora"
    folder.mkdir()
    view = sandbox.View((), (), (str(elsewhere),), (str(folder),))
    command = sandbox.command([], view, {})
    assert command[command.index(str(folder)) - 1] == "--ro-bind"
    assert str(elsewhere) not in command


def test_a_machine_without_the_folder_says_so(tmp_path):
    """As a worker of a cluster does, whose view comes as JSON."""
    plan = Plan({}, {}, view=sandbox.View(data=(str(tmp_path / "news"),)))
    sent = Plan.from_json(json.loads(json.dumps(plan.to_json())))
    with pytest.raises(sandbox.SandboxError, match="news is not on this machine"):
        sandbox.command([], sent.view, {})


def score(course):
    config = (course / "nbgrader_config.py").read_text()
    with Gradebook(re.search("'(sqlite.*)'", config)[1]) as gradebook:
        return gradebook.find_submission("news", "ada").score
