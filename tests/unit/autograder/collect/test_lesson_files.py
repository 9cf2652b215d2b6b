"""Which of a student's files are the submission, and which aren't taken."""

import random
import shutil
import stat
import zipfile

import nbformat
import pytest

from autograder.collect import archives, lesson_files
from autograder.collect.archives import LITTLE_BYTES, MOST_ARCHIVED_FILES, megabytes
from autograder.collect.manifest import COLLECTED_FILE
from autograder.course_folder import STAGING, CourseFolder
from autograder.sanitize.recognition import MOST_NOTEBOOK_BYTES
from tests.conftest import LESSON, flat, write_configuration
from tests.support.archives import DOWNLOADED, Handed, canvas, moodle, packed
from tests.support.collected import NOTEBOOK, notebook_with, submitted


def special(name, kind=0, time=DOWNLOADED):
    """A member with a file type in its attributes."""
    info = zipfile.ZipInfo(name, time)
    info.external_attr = (kind | 0o777) << 16
    return info


def test_folders_zips_and_what_systems_add(course, collected):
    handout = {
        f"attention-course/{LESSON}/{NOTEBOOK}": b"bo's",
        f"attention-course/{LESSON}/.ipynb_checkpoints/{NOTEBOOK}": b"old",
        "attention-course/README.md": b"how to",
        "attention-course/.venv/bin/python": b"\x7fELF",
        "attention-course/02-conv1d-baseline/02-conv1d-baseline.ipynb": b"another lesson",
        "__MACOSX/attention-course/._README.md": b"",
    }
    result = collected(
        {
            "ann/": b"",
            f"ann/{NOTEBOOK}": b"ann's",
            "ann/.DS_Store": b"",
            "bo.zip": packed(handout),
            f"cy/work/{LESSON}/{LESSON} (1).ipynb": b"cy's",
            f"cy/work/{LESSON}/words-1.txt": b"the lesson's own file",
        }
    )
    assert result.code == 0, result.out
    assert submitted(course) == {
        f"ann/{LESSON}/{NOTEBOOK}": b"ann's",
        f"bo/{LESSON}/{NOTEBOOK}": b"bo's",
        f"cy/{LESSON}/{NOTEBOOK}": b"cy's",
        f"cy/{LESSON}/words.txt": b"the lesson's own file",
    }
    assert "2 files that are not in the notebook's folder" in result.out
    assert "attention-course/.venv: left out, a program's own folder with 1 file" in result.out


def test_a_renamed_notebook_is_known_by_its_tasks(course, collected):
    (course / "source" / LESSON / NOTEBOOK).write_bytes(notebook_with("a", "b", "c", "d"))
    whole, part, other = (notebook_with(*ids) for ids in ("abcd", "abx", "axyz"))
    renamed = f"{LESSON}_final_Priya.ipynb"
    archive = canvas([Handed("Rao, Priya", 1, {renamed: whole, "words.txt": b"w"})])
    archive |= {"ann/work/hw.ipynb": part, "ann/work/02-conv1d.ipynb": other}
    archive |= {"bo.zip": packed({"my answers/Untitled.ipynb": whole})}
    archive |= {"cy/first.ipynb": whole, "cy/second.ipynb": notebook_with(*"abcd", text="1")}
    archive |= {"al/first.ipynb": whole, "al/second.ipynb": whole}
    archive |= {"di/other.ipynb": other, "ed/broken.ipynb": b"{", "fi/deep.ipynb": b"[" * 99_999}
    archive |= {f"gi/{NOTEBOOK}": whole, "gi/final.ipynb": whole}
    archive |= {f"jo/{NOTEBOOK}.txt": whole, "ko/answers.py": b"1", "ko/page.html": b"<p>"}
    result = collected(archive)
    assert result.code == 1
    assert submitted(course) == {
        f"al/{LESSON}/{NOTEBOOK}": whole,
        f"al/{LESSON}/second.ipynb": whole,
        f"ann/{LESSON}/02-conv1d.ipynb": other,
        f"ann/{LESSON}/{NOTEBOOK}": part,
        f"bo/{LESSON}/{NOTEBOOK}": whole,
        f"gi/{LESSON}/{NOTEBOOK}": whole,
        f"gi/{LESSON}/final.ipynb": whole,
        f"jo/{LESSON}/{NOTEBOOK}": whole,
        f"raopriya/{LESSON}/{NOTEBOOK}": whole,
        f"raopriya/{LESSON}/words.txt": b"w",
    }
    assert f"there is no {NOTEBOOK}, only answers.py, page.html" in result.out
    assert f"{renamed}: has the tasks of {NOTEBOOK}, and is graded as it" in result.out
    assert f"whether first.ipynb or second.ipynb is to be graded as {NOTEBOOK}" in result.out
    assert f"there is no {NOTEBOOK}, only other.ipynb" in result.out
    assert f"final.ipynb: also has the lesson's tasks, but only {NOTEBOOK} is graded" in result.out
    assert collected({renamed: whole}, name="hal.zip").code == 0
    assert submitted(course)[f"hal/{LESSON}/{NOTEBOOK}"] == whole


def test_a_notebook_of_another_lesson_under_the_lessons_name_is_refused(course, collected):
    (course / "source" / LESSON / NOTEBOOK).write_bytes(notebook_with("a", "b", "c", "d"))
    good, other, changed = (notebook_with(*ids) for ids in ("abcd", "wxyz", "axyz"))
    # Grading knows a cell without metadata by its own id.
    stripped = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(id=i) for i in "abcd"])
    stripped = nbformat.writes(stripped).encode()
    collected(canvas([Handed("Li, Bo", 13, {NOTEBOOK: good})]))
    people = [
        Handed("Li, Bo", 13, {NOTEBOOK: other}),
        Handed("Ng, Di", 14, {NOTEBOOK: b'{"cells": ['}),
        Handed("Doe, Jane", 12, {NOTEBOOK: changed}),
        Handed("Roe, Ann", 15, {NOTEBOOK: stripped}),
    ]
    result = collected(canvas(people, first_upload=70_000))
    assert result.code == 1
    assert f"{NOTEBOOK}: it has none of the lesson's tasks" in result.out
    assert f"{NOTEBOOK}: it can't be read as a notebook" in result.out
    assert f"{NOTEBOOK}: only 1 of the 4 cells that the lesson's tasks are in" in result.out
    assert result.out.count("cells that the lesson's tasks") == 1
    assert submitted(course) == {
        f"doejane/{LESSON}/{NOTEBOOK}": changed,
        f"libo/{LESSON}/{NOTEBOOK}": good,
        f"roeann/{LESSON}/{NOTEBOOK}": stripped,
    }


def test_a_notebook_of_an_earlier_version_of_the_lesson_is_taken(tmp_path, autograder):
    """All its tasks may have new ids since."""
    course = tmp_path / "course"
    write_configuration(course.parent)
    shutil.copytree(course.parent, course, ignore=lambda *_: ["course"])
    source = course / "source" / LESSON / NOTEBOOK
    source.parent.mkdir(parents=True)
    notebook = nbformat.v4.new_notebook(
        metadata={"kernelspec": {"name": "python3", "language": "python", "display_name": ""}}
    )
    for name in ("before", "after"):
        marks = {"grade": True, "solution": True, "locked": False, "points": 1, "task": False}
        marks |= {"grade_id": name, "schema_version": 3, "cell_type": "markdown"}
        cell = nbformat.v4.new_markdown_cell("answer", id=name, metadata={"nbgrader": marks})
        notebook.cells = [cell]
        nbformat.write(notebook, source)
        released = autograder("release", LESSON, course=course)
        assert released.code == 0, released.err
    handed_in = notebook_with("before")
    (tmp_path / "ann.zip").write_bytes(packed({NOTEBOOK: handed_in}))
    result = autograder("collect", LESSON, str(tmp_path / "ann.zip"), course=course)
    assert result.code == 0, result.out
    assert "only 0 of the 1 cells" in flat(result.out)
    assert submitted(course) == {f"ann/{LESSON}/{NOTEBOOK}": handed_in}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ann/../../evil", "a .. in its path"),
        ("../evil", "a .. in its path"),
        ("/etc/evil", "an absolute path"),
        ("C:/evil", "'C:' isn't a student id"),
        ("ann/C:evil", "a : in its name"),
        ("ann\\..\\..\\evil", "a \\ in its name"),
        ("ann/a\x1b[2Jb", "a control character in its name"),
        ("ann/a<zero>", "a control character in its name"),
        ("ann/\u202egpj.exe", "a control character in its name"),
        ("ann/nul.txt", "a name that is reserved on Windows"),
        ("ann/evil.", "ends with a dot"),
        ("ann//evil", "an empty name in its path"),
        ("ann/" + "a" * 300, "a name of more than 255 bytes"),
        ("ann/" + "a/" * 30 + "b", "nested folders"),
        ("ann/" + ("a" * 200 + "/") * 6 + "b", "a path of more than 1,000 characters"),
        (special("ann/evil", stat.S_IFLNK), "a link"),
        (special("ann/evil", stat.S_IFIFO), "not a regular file"),
        (f"ann/{NOTEBOOK}/evil", "its folder is also a file"),
        ("ann/WORDS.TXT", "only in case or Unicode form"),
    ],
)
def test_a_file_that_is_not_fit_is_left_out_alone(course, collected, tmp_path, name, reason):
    members = [(f"ann/{NOTEBOOK}", b"ann's"), (name, b"evil"), (f"bo/{NOTEBOOK}", b"bo's")]
    if "WORDS" in str(name):
        members.append(("ann/words.txt", b"evil"))
    before = sorted(tmp_path.rglob("*"))
    # Python writes no name with a zero byte, and reads none beyond it.
    result = collected(packed(members).replace(b"<zero>", b"\0.html"))
    assert reason in result.out
    assert "\x1b" not in result.out
    assert submitted(course) == {
        f"ann/{LESSON}/{NOTEBOOK}": b"ann's",
        f"bo/{LESSON}/{NOTEBOOK}": b"bo's",
    }
    new = set(tmp_path.rglob("*")) - set(before)
    inside = (
        course / "submitted",
        course / STAGING,
        tmp_path / "download.zip",
        course / COLLECTED_FILE,
    )
    assert all(any(path.is_relative_to(place) for place in inside) for path in new)


def test_a_long_name_that_is_never_written_is_no_obstacle(course, collected, autograder, tmp_path):
    long = "वेंकटनरसिंहराजुवारिपेट " * 4
    (tmp_path / "people.csv").write_text(f"Name,SID\n{long},venkat\n", "utf8")
    assert autograder("roster", str(tmp_path / "people.csv"), course=course).code == 0
    name = f"{long.strip()}_17_assignsubmission_file"
    assert len(name.encode()) > 255
    assert collected({f"{name}/{NOTEBOOK}": b"x"}).code == 0
    assert submitted(course) == {f"venkat/{LESSON}/{NOTEBOOK}": b"x"}


def test_of_names_that_differ_in_case_the_lessons_own_counts_or_the_answered_one(course, collected):
    (course / "source" / LESSON / NOTEBOOK).write_bytes(notebook_with("a", "b"))
    worked, part, other = notebook_with(*"ab"), notebook_with("a"), notebook_with(*"ab", text="1")
    capital = NOTEBOOK.replace("attention", "Attention")
    members = {f"ann/{NOTEBOOK}": part, f"ann/{capital}": worked}
    members |= {"bo.zip": packed({f"work/{capital}": part, f"work/{NOTEBOOK}": worked})}
    members |= {f"cy/{NOTEBOOK}": worked, f"cy/{capital}": other}
    result = collected(members)
    assert result.code == 0
    assert submitted(course) == {
        f"{who}/{LESSON}/{NOTEBOOK}": worked for who in ("ann", "bo", "cy")
    }
    assert f"{NOTEBOOK}: {capital} is graded instead, because it has more answers" in result.out
    assert f"{capital}: also has the lesson's tasks, but only {NOTEBOOK} is" in result.out
    assert f"{capital}: {NOTEBOOK} only differs in case, and is used" in result.out


COLAB = "https://colab.research.google.com/drive/1AbC?usp=sharing&x=1"


@pytest.mark.parametrize(
    ("members", "said"),
    [
        (canvas([Handed("Doe, Jane", 12, link=COLAB)]), COLAB),
        (
            canvas([Handed("Doe, Jane", 12, late=True, text="<p>My&nbsp;work is late</p>")]),
            "My work",
        ),
        ({"jdoe/my link.url": f"[InternetShortcut]\r\nURL={COLAB}".encode()}, COLAB),
        ({"jdoe/link.txt": COLAB.encode()}, COLAB),
        (moodle([Handed("jdoe", 12, text=f'<p><a href="{COLAB}">here</a></p>')]), COLAB),
        ({"jdoe.zip": packed({"a.html": b"<b" * 40_000, "b.html": b"<p>Hello"})}, "'Hello'"),
    ],
)
def test_what_was_handed_in_in_place_of_a_notebook_is_said(course, collected, members, said):
    result = collected(members)
    assert result.code == 1
    assert "jdoe" in result.out or "doejane" in result.out
    assert f"there is no {NOTEBOOK}, only" in result.out
    assert flat(said) in result.out
    assert "nobody's" not in result.out
    assert not (course / "submitted").exists()


def test_a_link_is_not_nothing(course, collected, autograder, tmp_path):
    (tmp_path / "people.csv").write_text("Name,SID\nJane Doe,jdoe\n", "utf8")
    assert autograder("roster", str(tmp_path / "people.csv"), course=course).code == 0
    collected(canvas([Handed("Doe, Jane", 12, link=COLAB)]))
    missing = flat(autograder("roster", "--missing", LESSON, course=course).out)
    assert "1 of 1 with a submission that could not be collected: jdoe" in missing
    assert COLAB in missing


def test_outputs_that_repeat_are_no_bomb(course, collected):
    """They pack well; a notebook that may be looked into is unpacked, however well."""
    (course / "source" / LESSON / NOTEBOOK).write_bytes(notebook_with("a"))
    notebook = nbformat.reads(notebook_with("a"), 4)
    text = "again\n" * 300_000
    notebook.cells[0].outputs = [nbformat.v4.new_output("stream", text=text)]
    content = nbformat.writes(notebook, split_lines=False).encode()
    assert collected({"ann.zip": packed({NOTEBOOK: content})}).code == 0
    assert submitted(course) == {f"ann/{LESSON}/{NOTEBOOK}": content}
    assert LITTLE_BYTES == MOST_NOTEBOOK_BYTES


def test_zips_named_like_paths_lead_nowhere(course, collected):
    inner = packed({NOTEBOOK: b"evil"})
    result = collected([("ann/...zip", inner), ("ann/b.zip", inner), (f"bo/{NOTEBOOK}", b"")])
    assert list(submitted(course)) == [f"bo/{LESSON}/{NOTEBOOK}"]
    assert "in several folders" in result.out


def test_too_much_for_one_student(course, collected, monkeypatch):
    """The notebook is taken, and as much of the rest as there is room for."""
    for module in (archives, lesson_files):
        monkeypatch.setattr(module, "MOST_BYTES", 1_000, raising=False)
    monkeypatch.setattr(lesson_files, "_MOST_PACKED", 2_000)
    data = {"ann/a.csv": b"x" * 600, "ann/b.csv": b"y" * 700, "ann/c.csv": b"z" * 100}
    large = {f"cy/{NOTEBOOK}": b"x" * 1_001, "cy/small": b""}
    result = collected({f"ann/{NOTEBOOK}": b"x" * 250, **data, **large, f"bo/{NOTEBOOK}": b"bo's"})
    assert result.code == 1
    assert f"a student may hand in {megabytes(1_000)}" in result.out
    assert "1 file left out, the largest b.csv with 0.0 MB" in result.out
    taken = {f"ann/{LESSON}/{NOTEBOOK}", f"ann/{LESSON}/a.csv", f"ann/{LESSON}/c.csv"}
    assert set(submitted(course)) == {*taken, f"bo/{LESSON}/{NOTEBOOK}"}
    zips = {f"di/{n}.zip": packed({"a": random.Random(n).randbytes(1_200)}) for n in (1, 2)}
    assert "a student may hand in 10 of up to" in collected(zips).out
    zips = {f"di/{n}.zip": packed({"a": b""}) for n in range(11)}
    assert "11 zips" in collected(zips).out
    assert "di" not in CourseFolder(course).students(LESSON)


def test_too_many_files_of_one_student(course, collected):
    many = {f"data/{n}.txt": b"" for n in range(MOST_ARCHIVED_FILES + 3)}
    result = collected({"ann.zip": packed({NOTEBOOK: b"ann's", **many, "big.txt": b"1"})})
    assert result.code == 0
    assert "5 files left out, the largest big.txt" in result.out
    assert len(submitted(course)) == MOST_ARCHIVED_FILES
    assert submitted(course)[f"ann/{LESSON}/{NOTEBOOK}"] == b"ann's"


@pytest.mark.parametrize(
    "folder",
    [
        {".venv/pyvenv.cfg": b"", ".venv/lib/python3.13/site-packages/keras/api.py": b""},
        {"my env/pyvenv.cfg": b"", "my env/Scripts/python.exe": b"MZ"},
        {".git/objects/ab/cdef": b"", ".git/HEAD": b""},
        {"node_modules/x/index.js": b"", "node_modules/y/03-attention.ipynb": b"not this one"},
        {"env/Lib/Site-Packages/x.py": b"", "env/Lib/site-packages/y.py": b""},
    ],
)
def test_what_programs_keep_is_left_out(course, collected, folder):
    many = {f"{next(iter(folder))}-{n}": b"" for n in range(MOST_ARCHIVED_FILES)}
    work = {NOTEBOOK: b"ann's", "data/words.csv": b"w", **folder, **many}
    result = collected({"ann.zip": packed({f"work/{name}": each for name, each in work.items()})})
    assert result.code == 0, result.out
    assert "left out, a program's own folder with" in result.out
    assert submitted(course) == {
        f"ann/{LESSON}/{NOTEBOOK}": b"ann's",
        f"ann/{LESSON}/data/words.csv": b"w",
    }


def test_work_inside_an_environment_is_not_left_out(course, collected):
    collected({f"ann/env/{NOTEBOOK}": b"ann's", "ann/env/pyvenv.cfg": b""})
    assert submitted(course)[f"ann/{LESSON}/{NOTEBOOK}"] == b"ann's"
