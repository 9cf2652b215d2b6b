"""Submissions that come again, and runs that are interrupted or given nonsense."""

import random
import shutil
import zipfile
from datetime import datetime
from pathlib import Path

import nbformat
from hypothesis import example, given
from hypothesis import strategies as st

from autograder.cells import is_solution
from autograder.collect import archives, collect
from autograder.collect.archives import MOST_ARCHIVED_FILES, MOST_BYTES, megabytes
from autograder.collect.filenames import Naming
from autograder.collect.manifest import COLLECTED_FILE
from autograder.course_folder import STAGING, CourseFolder
from autograder.grading.batch import grading_lock
from autograder.grading.converter import converter_of
from autograder.release import generate as releasing
from autograder.roster.roster import ROSTER_FILE
from tests.conftest import CONFIG, LESSON, REPOSITORY, write_configuration
from tests.support.archives import Handed, canvas, canvas_submissions, moodle, packed, worksheet
from tests.support.collected import MOODLE, NOTEBOOK, stamp, submitted, times_file


def test_a_newer_one_replaces_and_nothing_is_lost(course, collected, tmp_path):
    place = f"libo/{LESSON}"

    def hand_in(content, day, *options):
        rows = [{"user_id": 13, "submitted_at": f"2026-03-0{day}T08:30:00Z"}]
        times = times_file(tmp_path, canvas_submissions(rows), "s.json")
        person = Handed("Li, Bo", 13, {NOTEBOOK: content, **({"w": b"w"} if day == 3 else {})})
        return collected(canvas([person]), *times, *options)

    hand_in(b"tuesday", 3)
    assert "already collected" in hand_in(b"tuesday", 3).out
    older = hand_in(b"monday", 2)
    assert older.code == 0
    assert "of 2026-03-03 08:30 UTC, is newer; --force replaces it" in older.out
    assert submitted(course)[f"{place}/{NOTEBOOK}"] == b"tuesday"

    forced = hand_in(b"monday", 2, "--force")
    kept = "20260303T083000"
    assert f"submitted/{place}.before-{kept}" in forced.out.replace(" ", "")
    assert submitted(course) == {
        f"{place}/{NOTEBOOK}": b"monday",
        f"{place}.before-{kept}/{NOTEBOOK}": b"tuesday",
        f"{place}.before-{kept}/w": b"w",
    }
    assert "replaced" in hand_in(b"wednesday", 4).out
    hand_in(b"tuesday, later", 3, "--force")
    hand_in(b"tuesday, last", 3, "--force")
    everything = set(submitted(course).values())
    assert everything == {
        *(b"monday", b"tuesday", b"w", b"wednesday", b"tuesday, later", b"tuesday, last")
    }
    assert CourseFolder(course).students(LESSON) == ["libo"]
    assert CourseFolder(course).handed_in() == [LESSON]


def test_without_times_nothing_is_replaced_by_itself(course, collected):
    collected({f"ann/{NOTEBOOK}": b"one"})
    result = collected({f"ann/{NOTEBOOK}": b"two"})
    assert "it's unknown which is newer" in result.out
    (course / "submitted" / "ann" / LESSON / "timestamp.txt").write_text("soon")
    assert "it's unknown which" in collected({f"ann/{NOTEBOOK}": b"two"}).out
    assert submitted(course) == {f"ann/{LESSON}/{NOTEBOOK}": b"one"}


def test_a_time_does_not_outlive_its_submission(course, collected, tmp_path):
    """What replaces a submission has its own time or none, in the folder and in the gradebook."""
    rows = [(7, "ann", "", "", "2026-03-02 09:30")]
    times = (*times_file(tmp_path, worksheet(rows)), "--timezone", "UTC")
    collected(moodle([Handed("ann", 7, {NOTEBOOK: b"one"})]), *times)
    assert stamp(course, "ann") == "2026-03-02 09:30:00"
    folder = CourseFolder(course)
    with folder.quiet(), folder.nbgrader.gradebook as gradebook:
        gradebook.add_assignment(LESSON)
        gradebook.add_student("ann")
        gradebook.add_submission(LESSON, "ann", timestamp=datetime(2026, 3, 2, 9, 30))
    assert "kept" in collected(moodle([Handed("ann", 7, {NOTEBOOK: b"two"})]), "--force").out
    assert stamp(course, "ann") is None
    with folder.quiet(), folder.nbgrader.gradebook as gradebook:
        assert gradebook.find_submission(LESSON, "ann").timestamp is None
    # News of the same submission reach the gradebook, which has its penalty.
    (course / "autograded" / "ann" / LESSON).mkdir(parents=True)
    result = collected(moodle([Handed("ann", 7, {NOTEBOOK: b"two"})]), *times)
    assert f"To see the penalties: autograder deadline {LESSON}" in result.out
    with folder.quiet(), folder.nbgrader.gradebook as gradebook:
        known = gradebook.find_submission(LESSON, "ann").timestamp
        assert known == datetime(2026, 3, 2, 9, 30)


def test_who_withdrew_is_named_and_kept(course, collected, tmp_path):
    """Only an archive of the whole class tells: by what is no longer in it."""
    people = [Handed(f"{name}, X", n, {NOTEBOOK: b""}) for n, name in enumerate("abcde", 1)]
    names = tmp_path / "names.csv"
    names.write_text("name,student\nCole_9,cole\n")
    collected(canvas([*people, Handed("Cole", 9, {NOTEBOOK: b""})]), "--names", str(names))
    collected({f"fi/{NOTEBOOK}": b""})  # not Canvas'
    line = (
        "Collected before, missing from this archive, and kept: bx, cx. If one was withdrawn, "
        f"remove submitted/<student>/{LESSON}."
    )
    # cole is in it, and only not recognised.
    (course / ROSTER_FILE).write_text('{"ax": {}, "dx": {}, "ex": {"dropped": true}}')
    later = [people[0], people[3], Handed("Cole", 9, {NOTEBOOK: b""})]
    assert line in collected(canvas(later)).out
    assert "Collected before" not in collected(canvas(people[:1])).out
    assert f"bx/{LESSON}/{NOTEBOOK}" in submitted(course)
    for student in ("bx", "cx"):
        shutil.rmtree(course / "submitted" / student / LESSON)
    assert "Collected before" not in collected(canvas(later)).out


def test_a_dry_run_says_the_same_and_writes_nothing(course, collected):
    before = sorted(course.rglob("*"))
    result = collected({f"ann/{NOTEBOOK}": b"", "Bo Li/x.ipynb": b""}, "--dry-run")
    assert sorted(course.rglob("*")) == before
    assert result.code == 1
    assert "to be collected" in result.out
    assert "1 collected, 0 unchanged, 1 refused. Nothing was written" in result.out


def test_nothing_is_collected_while_somebody_grades(course, autograder, tmp_path):
    (tmp_path / "ann.zip").write_bytes(packed({NOTEBOOK: b"ann's"}))
    with alone_at(course):
        result = autograder("collect", LESSON, str(tmp_path / "ann.zip"), course=course)
    assert result.code == 2
    assert "wait until it is done" in result.err


def alone_at(root):
    (root / STAGING).mkdir()
    return grading_lock(CourseFolder(root))


def test_what_a_killed_run_left_is_removed(course, collected):
    left = course / STAGING / ".collecting" / "0"
    left.mkdir(parents=True)
    (left / NOTEBOOK).write_text("half a noteb")
    assert collected({f"ann/{NOTEBOOK}": b"ann's"}).code == 0
    assert not left.parent.exists()


def test_a_disk_without_room_leaves_nothing_half_done(course, collected, monkeypatch):
    monkeypatch.setattr(archives.Member, "chunks", full_after("bo"))
    result = collected({f"ann/{NOTEBOOK}": b"ann's", f"bo/{NOTEBOOK}": b"bo's"})
    assert result.code == 2
    assert "No space left" in result.err
    assert submitted(course) == {f"ann/{LESSON}/{NOTEBOOK}": b"ann's"}


def full_after(student):
    chunks = archives.Member.chunks

    def failing(member):
        yield from chunks(member)
        if member.path[0] == student:
            raise OSError(28, "No space left on device")

    return failing


def test_help_names_the_limits(course, autograder):
    page = " ".join(autograder("collect", "--help", course=course).out.split())
    assert f"{MOST_ARCHIVED_FILES:,} files and {megabytes(MOST_BYTES)}" in page


VALID = packed(
    {
        f"ann/{NOTEBOOK}": b"{}" * 50,
        "bo.zip": packed({f"attention-course/{LESSON}/{NOTEBOOK}": b"bo's", "../x": b""}),
        f"{MOODLE.format('cy', 3)}/{NOTEBOOK}": b"cy's",
        "ann/data/words.txt": b"w",
    }
)
PIECES = [b"../", b"/", b"\\", b"\0", b"\xff", b"PK\1\2", b"PK\3\4", b"PK\5\6", b".zip", b"~" * 9]


@example(seed=0, changes=0)
@given(seed=st.integers(0, 2**32), changes=st.integers(0, 9))
def test_mutated_archives_write_nowhere_else_and_never_raise(tmp_path_factory, seed, changes):
    rng = random.Random(seed)
    data = bytearray(VALID)
    for _ in range(changes):
        at = rng.randrange(len(data))
        piece = rng.choice([*PIECES, rng.randbytes(1), rng.randbytes(1), rng.randbytes(4)])
        keep = at if rng.random() < 0.1 else at + len(piece)
        data[at:keep] = piece
    folder = tmp_path_factory.mktemp("fuzz")
    root = folder / "course"
    (root / "source" / LESSON).mkdir(parents=True)
    (root / "source" / LESSON / NOTEBOOK).write_text("{}")
    (root / CONFIG).write_text("")
    (folder / "x.zip").write_bytes(data)
    rows = collect.collect(CourseFolder(root), LESSON, [folder / "x.zip"], Naming())
    assert rows
    names = {path.name for path in folder.iterdir()} | {path.name for path in root.iterdir()}
    assert names <= {"course", "x.zip", "source", "submitted", CONFIG, STAGING, COLLECTED_FILE}
    assert {path.name for path in (root / STAGING).iterdir()} == {".lock"}
    taken = {row.student for row in rows if row.taken}
    assert changes or taken == {"ann", "bo", "cy"}
    places = list((root / "submitted").glob("*/*")) if taken else []
    assert {(place.parent.name, place.name) for place in places} == {(s, LESSON) for s in taken}
    for place in places:
        assert (place / NOTEBOOK).is_file()
    shutil.rmtree(folder)


def test_from_the_handout_to_what_is_graded(tmp_path, autograder, monkeypatch):
    """Handed out, unpacked, answered, packed by Moodle, collected: the file that grading takes."""
    course = tmp_path / "course"
    shutil.copytree(REPOSITORY / "source" / LESSON, course / "source" / LESSON)
    write_configuration(course)
    monkeypatch.setattr(releasing, "stale", lambda course, lessons: [])  # takes seconds
    handed_out = autograder("handout", LESSON, "--into", str(tmp_path / "out"), course=REPOSITORY)
    assert handed_out.code == 0, handed_out.err
    home = tmp_path / "home"
    with zipfile.ZipFile(tmp_path / "out" / f"{LESSON}.zip") as archive:
        archive.extractall(home)
    path = home / "attention-course" / LESSON / NOTEBOOK
    notebook = nbformat.read(path, as_version=4)
    next(cell for cell in notebook.cells if is_solution(cell)).source += "\nanswer = 42"
    nbformat.write(notebook, path)
    back = {f"{MOODLE.format('ann', 7)}/{NOTEBOOK}": path.read_bytes()}
    (tmp_path / "moodle.zip").write_bytes(packed(back))
    result = autograder("collect", LESSON, str(tmp_path / "moodle.zip"), course=course)
    assert result.code == 0, result.out
    folder = CourseFolder(course)
    assert folder.students(LESSON) == ["ann"]
    assert (folder.submitted("ann", LESSON) / NOTEBOOK).read_bytes() == path.read_bytes()
    with folder.as_working_directory():
        converter = converter_of(folder, LESSON, force=False)
        converter.init_notebooks()  # as nbgrader finds them
    assert [list(map(Path, each)) for each in converter.assignments.values()] == [
        [folder.submitted("ann", LESSON) / NOTEBOOK]
    ]
    assert converter.needs_grading("ann")
