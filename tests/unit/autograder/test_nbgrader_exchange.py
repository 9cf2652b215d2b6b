"""The exchange's inbound folder: what students leave there in other names, or of other people's."""

import getpass
import os

import nbformat
import pytest
from nbgrader.utils import parse_utc

from autograder.course_folder import CONFIG, CourseFolder
from tests.conftest import write_configuration

LESSON = "ps1"
ME = getpass.getuser()
SECRET = "the solution"
EARLY, LATE = "2026-01-10 11:59:00 UTC", "2026-01-11 12:00:00 UTC"
FUTURE = "2099-01-01 00:00:00 UTC"

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="gives files away: run it as root")


@pytest.fixture
def course(tmp_path):
    """A course folder, and beside it an exchange that everybody can write to."""
    root = tmp_path / "course"
    root.mkdir()
    write_configuration(root)
    with (root / CONFIG).open("a") as file:
        file.write(f"c.Exchange.root = {str(tmp_path / 'exchange')!r}\n")
    notebook = root / "source" / LESSON / f"{LESSON}.ipynb"
    notebook.parent.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(), notebook)
    (root / "key.txt").write_text(SECRET)
    inbound = tmp_path / "exchange" / "attention" / "inbound"
    inbound.mkdir(parents=True)
    (tmp_path / "exchange").chmod(0o777)
    return CourseFolder(root)


@pytest.fixture
def hand_in(course):
    """Leave a submission as ``nbgrader submit`` does."""

    def leave(student, stamp=EARLY, text="mine"):
        inbound = course.root.parent / "exchange" / "attention" / "inbound"
        folder = inbound / f"{student}+{LESSON}+{stamp}+c2VjcmV0"
        folder.mkdir()
        cells = [nbformat.v4.new_markdown_cell(text)]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / f"{LESSON}.ipynb")
        (folder / "timestamp.txt").write_text(stamp)
        (folder / "submission_secret.txt").write_text("secret")
        folder.chmod(0o777)  # the last that it does
        return folder

    return leave


def collect(course):
    """Collect as the formgrader's button does; return what nbgrader logged."""
    with course.as_working_directory():
        done = course.nbgrader.collect(LESSON)
    assert done["success"], done
    return done["log"]


def collected(course, student=ME):
    folder = course.submitted(student, LESSON)
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


HANDED_IN = {f"{LESSON}.ipynb", "timestamp.txt", "submission_secret.txt"}


def text(course, student=ME):
    path = course.submitted(student, LESSON) / f"{LESSON}.ipynb"
    return nbformat.read(path, as_version=4).cells[0].source


def test_the_newest_of_ones_own_submissions_is_collected(course, hand_in):
    hand_in(ME, EARLY, "first")
    hand_in(ME, LATE, "second")
    assert "Collecting" in collect(course)
    assert (collected(course), text(course)) == (HANDED_IN, "second")
    assert "No newer submission" in collect(course)
    hand_in(ME, FUTURE, "third")
    assert "Updating" in collect(course)
    assert (collected(course), text(course)) == (HANDED_IN, "third")
    assert {path.name for path in (course.root / "submitted" / ME).iterdir()} == {LESSON}


def test_what_links_lead_to_is_left_out(course, hand_in):
    folder = hand_in(ME)
    (folder / "notes.csv").symlink_to(course.root / "key.txt")
    (folder / "all").symlink_to(course.root)
    os.mkfifo(folder / "pipe")
    (folder / "data").mkdir()
    (folder / "data" / "own.csv").write_text("1,2")
    (folder / "data" / "key.csv").symlink_to(course.root / "key.txt")
    (folder / "data" / "source").symlink_to(course.root / "source")
    log = collect(course)
    assert collected(course) == HANDED_IN | {"data/own.csv"}
    for name in ("notes.csv", "all", "pipe", "data/key.csv", "data/source"):
        assert f"left out, not a regular file that the student owns: {name}" in log


def test_a_notebook_that_is_a_link_is_no_answer(course, hand_in):
    folder = hand_in(ME)
    (folder / f"{LESSON}.ipynb").unlink()
    (folder / f"{LESSON}.ipynb").symlink_to(course.source(LESSON))
    collect(course)
    assert collected(course) == HANDED_IN - {f"{LESSON}.ipynb"}


@root_only
def test_files_of_other_people_are_left_out(course, hand_in):
    """A hard link keeps the owner of what it leads to."""
    folder = hand_in(ME)
    (folder / "theirs.csv").write_text(SECRET)
    os.chown(folder / "theirs.csv", 1, 1)
    collect(course)
    assert collected(course) == HANDED_IN


def test_nobody_hands_in_for_another(course, hand_in):
    hand_in(ME, EARLY, "mine")
    hand_in("grace", FUTURE, "not hers")
    log = collect(course)
    assert collected(course, "grace") == set()
    assert f"it's named after grace but belongs to {ME}" in log
    assert text(course) == "mine"


@root_only
def test_what_others_leave_in_ones_name_takes_no_place(course, hand_in):
    hand_in(ME, EARLY, "mine")
    os.chown(hand_in(ME, FUTURE, "not mine"), 1, 1)
    assert f"it's named after {ME} but belongs to" in collect(course)
    assert text(course) == "mine"
    hand_in(ME, LATE, "mine, again")
    collect(course)
    assert text(course) == "mine, again"


@pytest.mark.parametrize("name", ["..", "", "."])
def test_no_name_leads_out_of_the_folder(course, hand_in, name):
    with (course.root / CONFIG).open("a") as file:
        file.write("c.ExchangeCollect.check_owner = False\n")
    hand_in(name, FUTURE)
    hand_in(ME)
    collect(CourseFolder(course.root))
    assert collected(course) == HANDED_IN
    assert not (course.root / LESSON).exists()
    assert {path.name for path in (course.root / "submitted").iterdir()} == {ME}


def test_nothing_takes_the_place_of_something(course, hand_in):
    hand_in(ME, EARLY, "mine")
    collect(course)
    folder = hand_in(ME, LATE)
    for path in folder.iterdir():
        path.unlink()
    (folder / "a").mkdir()
    log = collect(course)
    assert "there is no file in it that can be read" in log
    assert "Updating" not in log
    assert text(course) == "mine"


def test_many_that_are_refused_are_counted(course, hand_in):
    for number in range(50):
        hand_in("grace", f"2026-01-10 11:59:{number:02} UTC")
    log = collect(course)
    assert log.count("Not collected: grace+") == 20
    assert "Not collected: 30 more like these" in log


def test_one_that_cannot_be_collected_stops_nobody(course, hand_in):
    with (course.root / CONFIG).open("a") as file:
        file.write("c.ExchangeCollect.check_owner = False\nc.CourseDirectory.max_dir_size = 100\n")
    course = CourseFolder(course.root)
    hand_in("ada", "whenever")
    hand_in("ben", EARLY, "before")
    collect(course)
    (hand_in("ben", LATE) / "large.csv").write_bytes(b"1" * 200_000)
    folder = hand_in("cem")
    for number in range(5_001):
        (folder / f"{number}.csv").touch()
    deep = hand_in("fay")
    for _ in range(300):
        deep = deep / "d"
        deep.mkdir()
    (hand_in("dan").parent / f"eve+{LESSON}+{EARLY}+x").symlink_to(course.root)
    log = collect(course)
    assert "no student or no time" in log
    assert "its files have more than 0.1 MB" in log
    assert "it has more than 5,000 files" in log
    assert "it isn't a folder" in log
    assert "its folders are nested more than 20 levels deep" in log
    assert text(course, "ben") == "before"
    assert text(course, "dan") == "mine"
    assert {path.name for path in (course.root / "submitted").iterdir()} >= {"ben", "dan"}
    assert not any(collected(course, student) for student in ("ada", "cem", "eve", "fay"))
    assert list(course.root.glob("submitted/*/.collecting-*")) == []


def test_what_programs_keep_is_left_out_and_said(course, hand_in):
    folder = hand_in(ME)
    for name in (".venv", "env"):
        (folder / name / "lib").mkdir(parents=True)
        for number in range(6_000):
            (folder / name / "lib" / f"{number}.py").touch()
    (folder / "env" / "pyvenv.cfg").touch()
    log = collect(course)
    for name in (".venv", "env"):
        assert f"{ME}: left out, a program's own folder: {name}" in log
    assert collected(course) == HANDED_IN


@pytest.mark.parametrize(
    "written",
    [b"garbage", b"", b"\xff\xfe", b"1" * 50, b"2026-01-10 UTC\n[INFO] all is well\x1b[2J"],
)
def test_a_time_that_nobody_can_read_hides_nobodys_submissions(course, hand_in, written):
    """The formgrader asks for the times of all."""
    (hand_in(ME, LATE) / "timestamp.txt").write_bytes(written)
    log = collect(course)
    assert "no time in timestamp.txt" in log
    assert "\x1b" not in log
    with course.as_working_directory():
        assert course.nbgrader.get_submitted_timestamp(LESSON, ME) == parse_utc(LATE)


def test_a_folder_in_the_place_of_the_time_is_no_time(course, hand_in):
    folder = hand_in(ME, LATE)
    (folder / "timestamp.txt").unlink()
    (folder / "timestamp.txt").mkdir()
    (folder / "timestamp.txt" / "a").write_text(EARLY)
    collect(course)
    assert (course.submitted(ME, LESSON) / "timestamp.txt").read_text() == f"{LATE[:-4]}.000000 UTC"


def test_what_is_refused_can_be_found_by_the_name_in_the_log_and_leaves_no_folder(course, hand_in):
    hand_in("ann\n\x1b[2J")
    empty = hand_in(ME)
    for path in empty.iterdir():
        path.unlink()
    log = collect(course)
    assert r"Not collected: 'ann\n\x1b[2J+ps1+" in log
    assert not list((course.root / "submitted").glob("*"))


# nbgrader misspells an argument.
@pytest.mark.filterwarnings("ignore:Passing unrecognized arguments:DeprecationWarning")
def test_feedback_without_an_address_stops_nobodys(course):
    secrets = {"ada": None, "ben": b"secret", "cem": b"", "dan": b"\xff\xfe", "eve": b"1" * 2_000}
    for student, secret in secrets.items():
        folder = course.root / "feedback" / student / LESSON
        folder.mkdir(parents=True)
        (folder / f"{LESSON}.html").write_text(f"page of {student}")
        (folder / "timestamp.txt").write_text(EARLY)
        if secret is not None:
            (folder / "submission_secret.txt").write_bytes(secret)
    with course.as_working_directory():
        done = course.nbgrader.release_feedback(LESSON)
    assert done["success"], done
    for student in set(secrets) - {"ben"}:
        unread = "submission_secret.txt is missing or can't be read"
        assert f"No feedback for {student}: {unread}" in done["log"]
    released = (course.root.parent / "exchange" / "attention" / "feedback").glob("*.html")
    assert [page.read_text() for page in released] == ["page of ben"]
