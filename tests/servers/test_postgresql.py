"""The gradebook on a PostgreSQL server: a real one, started here, on a socket and without a port.

``make test-postgresql`` runs these. Submissions are executed without a sandbox where the tests
count executions: their cells write into a file.
"""

import csv
import datetime
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import matplotlib
import nbformat
import pytest
from nbgrader.api import Base, Grade, Gradebook
from sqlalchemy import create_engine, delete, insert, select, text

from autograder.course_folder import CONFIG, CourseFolder
from autograder.gradebook import database as gradebooks
from autograder.gradebook.listing import ListingGradebook
from tests.conftest import QUICK_LESSON, REPOSITORY, needs_sandbox, write_configuration
from tests.support import every_submission, written_answers
from tests.support.commands import BIN
from tests.support.pages import block

_FOUND = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
PROGRAMS = _FOUND[-1].parent if _FOUND else Path(shutil.which("initdb") or "/no").parent
pytestmark = [
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),  # nbgrader's own queries
    pytest.mark.skipif(
        not (PROGRAMS / "initdb").is_file(),
        reason="starts a PostgreSQL server (Debian: apt install postgresql); make test-postgresql",
    ),
]

BLOCKS = [block("gradebook.md", "Set it up", language) for language in ("sql", "python")]
LESSON = "short"
CELLS = {
    "setup",
    *("find_emails", "test_find_emails", "tokenize", "test_tokenize", "steps_that_lose"),
}
SECRET = "hush7f3a"
PASSWORD = f"{SECRET}@/42"
GRADERS = 8
WRONG = sorted((REPOSITORY / "tests" / "submissions" / QUICK_LESSON).glob("wrong_*.py"))
SAID = []
"""What every command said."""


class Server:
    """A PostgreSQL server with a password, and data that may be lost."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="gradebook-", dir="/tmp"))
        self._as = {}
        if os.geteuid() == 0:  # it refuses to be run by root
            names = {entry.pw_name: entry for entry in pwd.getpwall()}
            who = names.get("postgres", names["nobody"])
            self._as = {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}
            os.chown(self.folder, who.pw_uid, who.pw_gid)
        password = self.folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        self._run("initdb", "--username=grader", f"--pwfile={password}", "--auth=scram-sha-256",
                  "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")  # fmt: skip
        password.unlink()
        self.start()

    def _run(self, program, *arguments):
        command = [PROGRAMS / program, f"--pgdata={self.folder / 'data'}", *arguments]
        # pg_ctl's server would keep a pipe open.
        with tempfile.TemporaryFile("w+") as said:
            done = subprocess.run(
                command, cwd=self.folder, stdout=said, stderr=said, check=False, **self._as
            )
            said.seek(0)
            assert done.returncode == 0, said.read()

    def start(self):
        # Commits are quick and may be lost: a grading has to ask for better.
        settings = "-F -c listen_addresses= -c synchronous_commit=off -c full_page_writes=off"
        options = f"{settings} -k {self.folder}"
        log = self.folder / "log"
        self._run("pg_ctl", "start", "--wait", "--silent", f"--log={log}", f"--options={options}")

    def stop(self):
        self._run("pg_ctl", "stop", "--wait", "--silent", "--mode=immediate")

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)

    def url(self, name):
        who = f"grader:{quote(PASSWORD, safe='')}"
        return f"postgresql+psycopg://{who}@/{name}?host={self.folder}"

    def create(self, name):
        engine = create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(f'CREATE DATABASE "{name}"'))
        engine.dispose()
        return self.url(name)


@pytest.fixture(scope="module")
def server():
    started = Server()
    yield started
    started.remove()


def environment(**variables):
    """What an instructor's shell would have."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("COURSE_")}
    path = f"{BIN}{os.pathsep}{clean['PATH']}"
    return clean | {"PATH": path, "COLUMNS": "200"} | variables


def begin(course, *command, **variables):
    """Start a command as an instructor would, in the course folder."""
    return subprocess.Popen(
        [BIN / command[0], *map(str, command[1:])],
        cwd=course,
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def end(process):
    """Wait for a command: its status, and what it said."""
    said, _ = process.communicate(timeout=300)
    SAID.append(said)
    return process.returncode, said


def run(course, *command, **variables):
    """Run a command that goes well; gives what it said."""
    code, said = end(begin(course, *command, **variables))
    assert code == 0, said
    return said


@pytest.fixture
def command(autograder):
    """Run the instructor's command in this process."""

    def run_here(*arguments, course):
        finished = autograder(*arguments, course=course)
        SAID.append(finished.out + finished.err)
        return finished

    return run_here


def with_gradebook(course, url):
    """Have a course keep its grades elsewhere."""
    with (course / CONFIG).open("a") as file:
        file.write(f"c.CourseDirectory.db_url = {url!r}\n")


def write_source(root, lesson):
    """A lesson of two exercises and a written question."""
    path = REPOSITORY / "source" / QUICK_LESSON / f"{QUICK_LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.id in CELLS]
    target = root / "source" / lesson / f"{lesson}.ipynb"
    target.parent.mkdir(parents=True)
    nbformat.write(notebook, target)


def add_cell(course, student, source, lesson=LESSON):
    """Add a cell to what a student handed in."""
    path = course / "submitted" / student / lesson / f"{lesson}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(source))
    nbformat.write(notebook, path)


def answer_in_words(path):
    """Answer the written question."""
    notebook = nbformat.read(path, as_version=4)
    next(cell for cell in notebook.cells if cell.id == "steps_that_lose").source = "All do."
    nbformat.write(notebook, path)


def counting(file, *more):
    """A cell that tells of its execution, where there is no sandbox."""
    return "\n".join(
        (
            "import pathlib, time",
            "student = pathlib.Path.cwd().parent.name",
            f"with open({str(file)!r}, 'a') as file:",
            "    print(student, file=file)",
            *more,
        )
    )


def executed(file):
    """Who was executed, once for each time."""
    return sorted(file.read_text().split()) if file.exists() else []


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    """A course that is released, and a class: right, wrong, unanswered, late, and no notebook."""
    root = tmp_path_factory.mktemp("handed_in") / "course"
    root.mkdir()
    write_configuration(root)
    with (root / CONFIG).open("a") as file:
        file.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    write_source(root, LESSON)
    answers = tmp_path_factory.mktemp("answers")
    for path in WRONG:
        shutil.copy(path, answers)
    for path in answers.iterdir():  # answers to what this lesson asks
        blocks = path.read_text().split("# %% ")
        kept = [block for block in blocks[1:] if block.startswith(ASKED)]
        path.write_text("\n".join(f"# %% {block}" for block in kept))
    run(root, "autograder", "release")
    run(root, "autograder", "simulate", LESSON, "--answers", answers)
    for name in ("ada", "late", "extended"):
        shutil.copytree(root / "submitted" / "reference", root / "submitted" / name)
    for folder in (root / "submitted").iterdir():
        answer_in_words(folder / LESSON / f"{LESSON}.ipynb")
        day = 11 if folder.name in ("late", "extended") else 9
        (folder / LESSON / "timestamp.txt").write_text(f"2026-01-{day:02} 12:00:00 UTC")
    no_notebook = root / "submitted" / "no_json" / LESSON / f"{LESSON}.ipynb"
    no_notebook.parent.mkdir(parents=True)
    no_notebook.write_text("{ no JSON")
    return root


ASKED = ('grade_id="find_emails"', 'grade_id="tokenize"')


def plan(url):
    """What a teacher tells nbgrader before the grading."""
    with Gradebook(url, "attention") as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate=datetime.datetime(2026, 1, 10))
        gradebook.add_student("extended", first_name="Ext", email="e@example.org")
        more = datetime.timedelta(days=2, hours=3, microseconds=1)
        gradebook.update_or_create_submission(LESSON, "extended", extension=more)


def by_hand(url):
    """What a teacher does after the grading."""
    with Gradebook(url, "attention") as gradebook:
        grade = gradebook.find_grade("steps_that_lose", LESSON, LESSON, "ada")
        grade.manual_score, grade.needs_manual_grade = 0.1 + 0.2, False
        grade = gradebook.find_grade("test_find_emails", LESSON, LESSON, "ada")
        grade.manual_score, grade.extra_credit = 1.25, 0.5
        comment = gradebook.find_comment("steps_that_lose", LESSON, LESSON, "ada")
        comment.manual_comment = "Which?\n'–' \\ \"; DROP TABLE grade; -- 🙂"
        gradebook.db.commit()


def grades(url):
    """All that grading leaves in a gradebook, without the ids that it draws."""
    with Gradebook(url, "attention") as gradebook:
        return {
            (submission.student_id, notebook.name, grade.name): (
                grade.auto_score,
                grade.manual_score,
                grade.extra_credit,
                grade.needs_manual_grade,
                grade.max_score,
                notebook.late_submission_penalty,
                submission.timestamp,
                submission.extension,
            )
            for submission in gradebook.assignment_submissions(LESSON)
            for notebook in submission.notebooks
            for grade in notebook.grades
        }


def rows(url):
    """Every row of every table."""
    engine = create_engine(url)
    with engine.connect() as connection:
        found = {
            name: {row.id: tuple(row) for row in connection.execute(select(table))}
            for name, table in Base.metadata.tables.items()
        }
        found["alembic_version"] = connection.scalar(
            text("SELECT version_num FROM alembic_version")
        )
    engine.dispose()
    return found


@pytest.fixture(scope="module")
def in_a_file(handed_in, tmp_path_factory):
    """The class graded once, by one grader, into SQLite."""
    root = tmp_path_factory.mktemp("in_a_file") / "course"
    shutil.copytree(handed_in, root)
    url = f"sqlite:///{root / 'gradebook.db'}"
    plan(url)
    code, said = end(begin(root, "autograder", "grade", LESSON))
    assert (code, "no_json" in said) == (1, True), said
    return root, url, grades(url)


@pytest.fixture(scope="module")
def by_eight(handed_in, server, tmp_path_factory):
    """The same class graded by eight at the same moment, from one folder, into PostgreSQL."""
    root = tmp_path_factory.mktemp("by_eight") / "course"
    shutil.copytree(handed_in, root)
    (root / "gradebook.db").unlink()
    url = server.create("by_eight")
    with_gradebook(root, url)
    count = root.parent / "count"
    for folder in (root / "submitted").iterdir():
        if folder.name != "no_json":
            add_cell(root, folder.name, counting(count))
    run(root, "autograder", "release")
    plan(url)
    command = ("autograder", "grade", LESSON, "--jobs", "1", "--sandbox", "none")
    finished = [end(process) for process in [begin(root, *command) for _ in range(GRADERS)]]
    return root, url, finished, executed(count), grades(url)


def test_eight_graders_at_once_execute_every_submission_once(by_eight):
    root, _, finished, count, _ = by_eight
    students = sorted(folder.name for folder in (root / "submitted").iterdir())
    assert count == [name for name in students if name != "no_json"]
    assert len(count) > GRADERS
    shares = [
        int(said.split(" graded in ")[0].split()[-1])
        for _, said in finished
        if " graded in " in said
    ]
    assert sum(shares) == len(count)
    assert len(shares) > 1
    left = [path.name for path in (root / ".autograder").rglob("*") if path.is_file()]
    assert left == [".lock"]


def test_eight_graders_give_the_grades_of_one_and_each_shows_them_all(by_eight, in_a_file):
    _, _, finished, _, found = by_eight
    assert found == in_a_file[2]
    students = {student for student, *_ in found}
    assert {found[student, LESSON, "test_tokenize"][0] for student in students} >= {0.0, 1.6, 2.0}
    for code, said in finished:
        assert code == 1, said  # for the notebook that is none
        assert "Traceback" not in said
        for student in students:
            assert f" {student}: " in said


def fill(url, old_url):
    """Enter into a new gradebook what another one has, with the same ids."""
    Gradebook(url, "attention").close()  # makes the tables
    old, new = create_engine(old_url), create_engine(url)
    with old.connect() as source, new.begin() as target:
        for table in reversed(Base.metadata.sorted_tables):
            target.execute(delete(table))  # nbgrader enters the course itself
        for table in Base.metadata.sorted_tables:
            if found := [dict(row._mapping) for row in source.execute(select(table))]:
                target.execute(insert(table), found)
    old.dispose()
    new.dispose()


@pytest.fixture(scope="module")
def both(in_a_file, server, tmp_path_factory):
    """What was graded into SQLite, with a teacher's changes, and the same in PostgreSQL."""
    old, old_url, _ = in_a_file
    by_hand(old_url)
    new = tmp_path_factory.mktemp("both") / "course"
    shutil.copytree(old, new)
    (new / "gradebook.db").unlink()
    url = server.create("both")
    with_gradebook(new, url)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")  # nbgrader calls alembic
        fill(url, old_url)
    return old, old_url, new, url


def made(folder, name):
    """The files of a folder, by path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted((folder / name).rglob("*"))
        if path.is_file()
    }


def test_reports_exports_and_feedback_are_the_same_from_both(both, command, monkeypatch):
    # Else pictures hold the time and random names.
    monkeypatch.setitem(matplotlib.rcParams, "svg.hashsalt", "the same")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    old, _, new, _ = both
    exports = [("export", system) for system in ("canvas", "moodle", "gradescope", "json")]
    for arguments in (*exports, ("report", LESSON)):
        said = {
            command(*arguments, course=course).out.replace(str(course), "") for course in (old, new)
        }
        assert len(said) == 1
    for course in (old, new):
        run(course, "nbgrader", "generate_feedback", LESSON)
    assert made(old, "reports") == made(new, "reports")
    assert len(made(old, "reports")) == 6
    assert made(old, "feedback") == made(new, "feedback")
    assert len(made(old, "feedback")) > GRADERS
    with (new / "reports" / "canvas.csv").open(encoding="utf-8-sig") as file:
        (ada,) = (row for row in csv.reader(file) if "ada" in row)
    assert float(ada[-1]) == pytest.approx(0.1 + 0.2 + 1.25 + 0.5 + 2)


def test_the_formgrader_reads_the_same_from_both(both):
    def read(root):
        api = CourseFolder(root).nbgrader
        with CourseFolder(root).quiet(), CourseFolder(root).as_working_directory():
            students = sorted(each["id"] for each in api.get_students())
            found = [
                api.get_assignments(),
                api.get_notebooks(LESSON),
                api.get_students(),
                api.get_submissions(LESSON),
                api.get_notebook_submissions(LESSON, LESSON),
                *(api.get_student_submissions(student) for student in students),
                *(api.get_student_notebook_submissions(each, LESSON) for each in students),
            ]
        # Sums depend on the order, in the last digit.
        found = json.loads(json.dumps(found), parse_float=lambda digits: round(float(digits), 9))
        return [sorted(json.dumps(each, sort_keys=True) for each in table) for table in found]

    old, new = read(both[0]), read(both[2])
    assert old == new
    assert len(old[3]) > GRADERS


def test_lists_for_a_large_class_are_nbgraders(server):
    url = server.create("lists")
    every_submission.enter_class(url, copies=2)
    course = every_submission.COURSE
    with Gradebook(url, course) as theirs, ListingGradebook(url, course) as ours:
        expected = every_submission.lists(theirs)
        assert every_submission.lists(ours) == expected
    assert len(expected["students"]) == 22


def test_judging_anew_says_and_records_the_same_in_both(both, command):
    old, old_url, new, new_url = both
    for url in (old_url, new_url):
        with Gradebook(url, "attention") as gradebook:
            for student in ("ada", "late"):
                gradebook.find_grade("test_tokenize", LESSON, LESSON, student).auto_score = 0.5
            gradebook.db.commit()
    for arguments, outcome in {
        (): "2 with changed points",
        ("--apply",): "2 with changed points",
        ("--student", "ada"): "0 with changed points",
    }.items():
        said = {command("rejudge", LESSON, *arguments, course=course).out for course in (old, new)}
        assert len(said) == 1
        assert outcome in said.pop()
    assert rows(old_url) == rows(new_url)
    assert grades(new_url)["late", LESSON, "test_tokenize"][0] == 2.0


PROBE = f"""
import glob, os, pathlib, socket
seen = [f"{{name}}={{value}}" for name, value in os.environ.items()]
for pattern in ("/proc/[0-9]*/environ", "/proc/[0-9]*/cmdline", "/private*/**/environ",
                "../**/nbgrader_config.py", "{{course}}/nbgrader_config.py"):
    for name in glob.glob(pattern, recursive=True):
        try:
            seen.append(pathlib.Path(name).read_bytes().decode("utf8", "replace"))
        except OSError as error:
            seen.append(repr(error))
try:
    socket.socket(socket.AF_UNIX).connect("{{socket}}")
    seen.append("reached the server")
except OSError:
    pass
words = "\\n".join(seen)
print("probed", len(seen) > 5, {SECRET[:4]!r} + {SECRET[4:]!r} in words, "reached" in words)
"""


def said_by(course, student):
    """What the last cell of a graded notebook printed."""
    notebook = nbformat.read(CourseFolder(course).autograded(student, LESSON), as_version=4)
    return notebook.cells[-1].outputs[0].text.split()


@needs_sandbox
def test_grading_goes_on_there_and_no_kernel_sees_the_password(both, server):
    course, url = both[2:]
    probe = PROBE.replace("{course}", str(course)).replace(
        "{socket}", str(server.folder / ".s.PGSQL.5432")
    )
    before = grades(url)
    configured = (course / CONFIG).read_text()
    by_variable = "import os\nc.CourseDirectory.db_url = os.environ['GRADEBOOK']\n"
    (course / CONFIG).write_text(
        "".join(configured.rpartition("c.CourseDirectory")[:1]) + by_variable
    )
    ways = {
        "new": ("autograder", "grade", LESSON, "--students", "new"),
        "newer": ("nbgrader", "autograde", LESSON, "--student", "newer"),
    }
    for student, command in ways.items():
        shutil.copytree(course / "submitted" / "reference", course / "submitted" / student)
        add_cell(course, student, probe)
        run(course, *command, GRADEBOOK=url)
        assert said_by(course, student) == ["probed", "True", "False", "False"]
    (course / CONFIG).write_text(configured)
    after = grades(url)
    assert {key: value for key, value in after.items() if key[0] not in ways} == before
    for student in ways:
        assert (
            after[student, LESSON, "test_tokenize"] == before["reference", LESSON, "test_tokenize"]
        )
    # What would be seen if it could be.
    seen = subprocess.run(
        [sys.executable, "-c", probe],
        cwd=course,
        env=os.environ | {"GRADEBOOK": url},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert seen.stdout.split() == ["probed", "True", "True", "True"]


def test_tables_made_by_eight_at_the_same_moment(server, monkeypatch):
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")  # nbgrader calls alembic
    url = server.create("empty")
    together = threading.Barrier(GRADERS)

    def reach(_):
        together.wait()
        gradebooks.ensure_reachable(url, "attention")

    with ThreadPoolExecutor(GRADERS) as everybody:
        list(everybody.map(reach, range(GRADERS)))
    found = rows(url)
    assert sorted(found["course"]) == ["attention", "default_course"]
    assert len(found["alembic_version"]) == 12


@pytest.fixture
def small_class(handed_in, server, tmp_path, request):
    """Three students, a gradebook of their own, and a file that counts executions."""
    root = tmp_path / "course"
    shutil.copytree(handed_in, root, ignore=shutil.ignore_patterns("submitted", "gradebook.db"))
    count, going_on = tmp_path / "count", tmp_path / "going_on"
    for student in ("ada", "ben", "cem"):
        shutil.copytree(handed_in / "submitted" / "ada", root / "submitted" / student)
        wait = f"while not pathlib.Path({str(going_on)!r}).exists(): time.sleep(0.1)"
        add_cell(root, student, counting(count, *([wait] if student == "ben" else [])))
    url = server.create(request.node.name[:60])
    with_gradebook(root, url)
    run(root, "autograder", "release")
    return root, url, count, going_on


GRADE = ("autograder", "grade", LESSON, "--sandbox", "none", "--jobs", "1")


def wait_until(holds):
    deadline = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_what_a_killed_grader_was_at_is_graded_by_another(small_class, command):
    root, url, count, going_on = small_class
    first = begin(root, *GRADE, "--students", "ben")
    wait_until(lambda: executed(count) == ["ben"])
    second = begin(root, *GRADE)
    wait_until(lambda: executed(count) == ["ada", "ben", "cem"])
    assert second.poll() is None  # waits for the first one
    assert "wait until it is done" in command("rejudge", LESSON, course=root).err
    first.send_signal(signal.SIGKILL)
    going_on.touch()
    code, said = end(second)
    first.communicate()
    assert code == 0, said
    assert "3 graded in" in said
    assert executed(count) == ["ada", "ben", "ben", "cem"]
    assert {value[0] for key, value in grades(url).items() if key[2] == "test_tokenize"} == {2.0}


def test_a_server_that_goes_away_costs_nothing(small_class, server):
    root, url, count, going_on = small_class
    grading = begin(root, *GRADE, "--students", "ada", "--students", "ben")
    next(line for line in grading.stdout if " 1/2 ada: " in line)
    wait_until(lambda: executed(count) == ["ada", "ben"])
    server.stop()
    going_on.touch()
    code, said = end(grading)
    (unreachable, sentence) = end(begin(root, *GRADE))
    server.start()
    assert code == 2, said
    assert "The gradebook has stopped answering" in said
    assert "Run the same command again" in " ".join(said.split())
    assert "Traceback" not in said
    assert unreachable == 2
    assert "does not answer" in sentence
    again = run(root, *GRADE)
    assert "2 graded in" in again
    assert executed(count) == ["ada", "ben", "cem"]
    assert {value[0] for key, value in grades(url).items() if key[2] == "test_tokenize"} == {2.0}


def test_a_gradebook_that_cannot_be_written_now_is_no_fault_of_the_students(small_class):
    root, url, count, _ = small_class
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("ALTER ROLE grader SET lock_timeout = '500ms'"))
    try:
        with engine.begin() as other:
            other.execute(text("LOCK TABLE student IN EXCLUSIVE MODE"))
            code, said = end(begin(root, *GRADE, "--students", "ada"))
    finally:
        with engine.begin() as connection:
            connection.execute(text("ALTER ROLE grader RESET lock_timeout"))
        engine.dispose()
    assert code == 1
    assert "ada: not graded: OperationalError: (psycopg.errors.LockNotAvailable)" in said
    assert "Traceback" not in said
    assert executed(count) == []
    assert "1 graded in" in run(root, *GRADE, "--students", "ada")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (f"postgresql+psycopg://grader:{SECRET}@/grades?host=/tmp/no", "does not answer"),
        (f"postgresql+psycopg://grader:{SECRET}@127.0.0.1:9/grades", "does not answer"),
        (f"postgresql+psycopg://grader:x@{SECRET}@localhost/grades", "is written %40"),
        (f"postgresql+psycopg://grader:x@y:{SECRET}@localhost/grades", "is written %40"),
        (f"postgresql:/grader:{SECRET}@localhost/grades", "is written %40"),
        (f"postgresql+nothing://grader:{SECRET}@localhost/grades", "cannot be used"),
        ("{wrong password}", "password authentication failed"),
        ("{no such database}", "does not exist"),
        ("{nothing may be created}", "permission denied"),
    ],
)
def test_a_gradebook_that_cannot_be_used_is_one_sentence(
    handed_in, server, tmp_path, command, url, reason
):
    url = url.replace("{wrong password}", server.url("postgres").replace("%40", SECRET))
    url = url.replace("{no such database}", server.url("no_such"))
    if url == "{nothing may be created}":
        url = server.create("forbidden")
        engine = create_engine(url)
        with engine.begin() as connection:
            connection.execute(text("CREATE ROLE guest LOGIN PASSWORD 'guest'"))
        engine.dispose()
        url = url.replace("grader:" + quote(PASSWORD, safe=""), "guest:guest")
    course = tmp_path / "course"
    shutil.copytree(handed_in, course)
    with_gradebook(course, url)
    for arguments in (("grade", LESSON), ("rejudge", LESSON), ("release", LESSON)):
        finished = command(*arguments, course=course)
        said = " ".join((finished.out + finished.err).split())
        assert finished.code == 2
        assert reason in said
        assert "Traceback" not in said
        assert SECRET not in said
        assert said.count(". ") <= 2
    assert not (course / "autograded").exists()


@contextmanager
def holding_back(url, graders):
    """Let nobody enter a student until so many wait for it."""
    engine = create_engine(url)
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    with engine.begin() as lock:
        lock.execute(text("LOCK TABLE student IN SHARE MODE"))
        yield
        wait_until(lambda: lock.scalar(waiting) == graders)
    engine.dispose()


def test_eight_lessons_at_once_and_no_manual_grade_is_lost(handed_in, server, tmp_path):
    lessons = [f"lesson{number}" for number in range(GRADERS)]
    origin = tmp_path / "course"
    origin.mkdir()
    shutil.copy(handed_in / CONFIG, origin)
    url = server.create("eight_lessons")
    with_gradebook(origin, url)
    for lesson in lessons:
        write_source(origin, lesson)
    run(origin, "autograder", "release")
    for lesson in lessons:
        for student in ("ada", "ben"):
            target = origin / "submitted" / student / lesson / f"{lesson}.ipynb"
            target.parent.mkdir(parents=True)
            shutil.copy(handed_in / "submitted" / "ada" / LESSON / f"{LESSON}.ipynb", target)
    folders = [tmp_path / lesson for lesson in lessons]
    for folder in folders:
        shutil.copytree(origin, folder)
    done = threading.Event()
    early, given = set(), {}

    def person():
        """As the formgrader does it, over and over, as soon as there is anything to grade."""
        with Gradebook(url, "attention") as gradebook:
            while not done.wait(0.1):
                for grade in gradebook.db.query(Grade).all():
                    if grade.auto_score is None:
                        early.add(grade.id)
                    points = given.get(grade.id, 0) + 1
                    grade.manual_score, grade.needs_manual_grade = points, False
                    gradebook.db.commit()
                    given[grade.id] = points
                gradebook.db.rollback()

    with ThreadPoolExecutor(1) as thread:
        working = thread.submit(person)
        with holding_back(url, GRADERS):  # until all are about to enter the same student
            graders = [
                begin(folder, "autograder", "grade", lesson, "--jobs", "1")
                for folder, lesson in zip(folders, lessons, strict=True)
            ]
        finished = [end(grader) for grader in graders]
        done.set()
        working.result()
    for code, said in finished:
        assert code == 0, said
        assert "Traceback" not in said
    with Gradebook(url, "attention") as gradebook:
        found = gradebook.db.query(Grade).all()
        assert {grade.id: grade.manual_score for grade in found} == given
        scores = [grade.auto_score for grade in found if grade.name.startswith("test_")]
    assert len(scores) == GRADERS * 2 * 2
    assert set(scores) == {2.0}
    assert len(early) > GRADERS


def test_the_page_sets_a_gradebook_up(handed_in, server, tmp_path):
    """Its statements, line of configuration and line of ~/.pgpass; `grader` is our server's own."""
    at = {"grader": "of_the_page", "db.example.org": str(server.folder), "...": PASSWORD}
    at |= {"the password": PASSWORD, "attention": "of_the_page"}

    def here(text):
        for name, ours in at.items():
            text = text.replace(name, ours)
        return text

    statements, line = (here(one.text) for one in BLOCKS)
    engine = create_engine(server.url("postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements.split(";"):
            if statement.strip():
                connection.exec_driver_sql(statement)
    engine.dispose()
    course = tmp_path / "course"
    shutil.copytree(handed_in, course)
    # The server has a socket and no port: its folder stands in a URL's query.
    line = line.replace(f"@{server.folder}/of_the_page", f"@/of_the_page?host={server.folder}")
    with (course / CONFIG).open("a") as config:
        config.write(line)
    passwords = tmp_path / "pgpass"
    passwords.write_text(here(block("gradebook.md", "Set it up", "text").text))
    passwords.chmod(0o600)
    run(course, "autograder", "release", PGPASSFILE=str(passwords))
    url = server.url("of_the_page")
    assert {row[0] for row in rows(url)["alembic_version"]}


def test_what_a_release_would_give_is_tried_on_a_gradebook_apart(both, command):
    course, url = both[2:]
    before = rows(url)
    source = course / "source" / LESSON / f"{LESSON}.ipynb"
    kept = source.read_text()
    source.write_text(kept.replace('"points": 2', '"points": 9'))
    assert source.read_text() != kept
    finished = command("release", "--check", course=course)
    source.write_text(kept)
    assert "Out of date" in finished.err
    assert rows(url) == before


def test_the_password_is_in_no_file_and_in_no_word(both, by_eight):
    looked_at = 0
    for course in (both[2], by_eight[0]):
        for path in course.rglob("*"):
            if path.is_file() and path.name != CONFIG:
                assert SECRET.encode() not in path.read_bytes(), path
                looked_at += 1
    assert looked_at > 100
    assert len(SAID) > GRADERS
    assert not any(SECRET in said for said in SAID)


def test_a_class_is_listed_extended_and_renamed(server, command, tmp_path):
    write_configuration(tmp_path)
    url = server.create("class")
    with_gradebook(tmp_path, url)
    write_source(tmp_path, LESSON)
    canvas = 'Student,ID,SIS Login ID,Section\n"Doe, Jane",1001,jdoe,A\n"Roe, Ann",1002,ann,A\n'
    (tmp_path / "list.csv").write_text(canvas)
    assert command("roster", "list.csv", course=tmp_path).code == 0
    with Gradebook(url, "attention") as gradebook:
        gradebook.add_assignment(LESSON)
        gradebook.add_submission(LESSON, "jdoe")
    due = ("deadline", LESSON, "2026-12-01T23:59", "--timezone", "UTC")
    assert command(*due, course=tmp_path).code == 0
    assert command("extend", LESSON, "A", "3d", course=tmp_path).code == 0
    # The server, unlike a file, checks that a submission is somebody's.
    finished = command("rename-student", "jdoe", "jane", course=tmp_path)
    assert finished.code == 0, finished.err
    with Gradebook(url, "attention") as gradebook:
        assert sorted(each.id for each in gradebook.students) == ["ann", "jane"]
        for student in ("ann", "jane"):
            submission = gradebook.find_submission(LESSON, student)
            assert submission.extension == datetime.timedelta(days=3)
            assert submission.duedate == datetime.datetime(2026, 12, 4, 23, 59)


def test_eight_people_mark_written_answers_at_once(server):
    url = server.create("written")
    written_answers.enter_class(url)
    first, second = written_answers.marked_by_many(url, "abcdefgh")
    assert len(set(first)) == len(first) == len(written_answers.STUDENTS)
    assert 1 <= len(set(second)) == len(second)
    assert set(written_answers.grades(url).values()) == {(1.0, "", False)}
