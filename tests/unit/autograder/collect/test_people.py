"""Of several submissions by one person, the one that counts."""

import zipfile

from autograder.collect.manifest import late_without_time
from autograder.course_folder import CourseFolder
from tests.conftest import LESSON, flat
from tests.support.archives import (
    DOWNLOADED,
    Handed,
    canvas,
    moodle,
    packed,
    uploaded_again,
    worksheet,
)
from tests.support.collected import NOTEBOOK, stamp, submitted, times_file, uploaded


def test_the_same_files_handed_in_again_make_nobody_late(course, collected, tmp_path):
    """Whether a list, an archive or the names in it have the later time."""

    def sheet(when):
        return times_file(tmp_path, worksheet([(1, "Jane", "", "", when)]))

    jane, other = (Handed(name, n, {NOTEBOOK: b"her"}) for n, name in ((1, "Jane"), (2, "Bo")))
    days = [(2026, 3, day, 9, 30, 0) for day in (2, 3)]
    archives = [uploaded([jane, other], [day, days[0]]) for day in days]
    archives[0].append((zipfile.ZipInfo("Cy_3_assignsubmission_file/x", DOWNLOADED), b""))
    for members in archives:
        result = collected(members, "--timezone", "UTC")
    assert "the same files again at 2026-03-03 09:30 UTC, so the first time counts" in result.out
    assert stamp(course, "Jane") == "2026-03-02 09:30:00"
    for when in ("2026-03-02 09:40", "2026-03-04 09:30", "2026-03-05 09:30"):
        result = collected(moodle([jane]), *sheet(when), "--timezone", "UTC")
    assert "already collected; the same files again at 2026-03-05 09:30 UTC" in result.out
    assert stamp(course, "Jane") == "2026-03-02 09:40:00"
    collected(moodle([jane]), *sheet("2026-03-01 09:30"), "--timezone", "UTC")
    assert stamp(course, "Jane") == "2026-03-01 09:30:00"
    options = (*sheet("2026-03-04 09:30"), "--timezone", "UTC", "--force")
    assert "was changed, before it was 2026-03-01" in collected(moodle([jane]), *options).out
    # Without a time, Canvas says who is late.
    for number, late in ((67_000, False), (68_000, True)):
        di = Handed("Doe, Di", 4, {NOTEBOOK: b"hers"}, late=late)
        assert "Late by" not in collected(canvas([di], first_upload=number)).out
    assert late_without_time(CourseFolder(course), LESSON) == []


def test_the_same_files_several_times_in_one_go_make_nobody_late(course, autograder, tmp_path):
    """Nor is one of them refused because it's unknown which is newer."""
    attempts = {
        f"ps1_{name}_attempt_2026-03-0{day}-09-30-00_{NOTEBOOK}": content
        for name, day, content in (
            ("ann", 1, b"first"),
            ("ann", 2, b"same"),
            ("ann", 3, b"same"),
            ("bo", 1, b"same"),
            ("bo", 2, b"not"),
            ("bo", 3, b"same"),
        )
    }
    (tmp_path / "blackboard.zip").write_bytes(packed(attempts))
    path = str(tmp_path / "blackboard.zip")
    result = autograder("collect", LESSON, path, "--timezone", "UTC", course=course)
    assert stamp(course, "ann") == "2026-03-02 09:30:00"
    assert stamp(course, "bo") == "2026-03-03 09:30:00"
    assert "the same files were handed in several times" in flat(result.out)
    paths = [tmp_path / f"{day}.zip" for day in ("monday", "friday", "sunday")]
    for path, content in zip(paths, (b"same", b"same", b"not"), strict=True):
        path.write_bytes(packed(moodle([Handed("Cy", 3, {NOTEBOOK: content})])))
    said = flat(autograder("collect", LESSON, *map(str, paths), course=course).out)
    assert "it's unknown which is the newest" in said
    result = autograder("collect", LESSON, *map(str, paths[:2]), course=course)
    assert (result.code, "the same files as in monday.zip: Cy_3" in flat(result.out)) == (0, True)
    assert submitted(course)[f"Cy/{LESSON}/{NOTEBOOK}"] == b"same"


def test_of_canvas_attempts_the_last_counts(course, collected):
    """Canvas numbers uploads as they come: the higher number is the later one."""
    first = [Handed("Li, Bo", 13, {NOTEBOOK: b"first"})]
    third = [Handed("Li, Bo", 13, {uploaded_again(NOTEBOOK, 2): b"third"})]
    collected(canvas(first))
    assert "replaced" in collected(canvas(third, first_upload=70_000)).out
    assert "the one collected before is newer" in collected(canvas(first)).out
    assert submitted(course)[f"libo/{LESSON}/{NOTEBOOK}"] == b"third"


def test_two_submissions_of_one_student(course, autograder, tmp_path):
    uploads = {"late.zip": 900, "early.zip": 100}
    for name, upload in uploads.items():
        handed = canvas([Handed("ann", 1, {NOTEBOOK: name.encode()})], first_upload=upload)
        (tmp_path / name).write_bytes(packed(handed))
    (tmp_path / "twin.zip").write_bytes(packed({f"ann/{NOTEBOOK}": b"twin"}))
    paths = [str(tmp_path / name) for name in ("late.zip", "early.zip", "twin.zip")]
    undecided = autograder("collect", LESSON, *paths, course=course)
    assert undecided.code == 1
    assert "it's unknown which is the newest" in flat(undecided.out)
    assert submitted(course) == {}
    decided = autograder("collect", LESSON, *paths[:2], course=course)
    assert decided.code == 0
    assert submitted(course) == {f"ann/{LESSON}/{NOTEBOOK}": b"late.zip"}
