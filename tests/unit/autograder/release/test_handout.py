"""What students get: one archive a lesson, whole, the same again, and without an answer in it."""

import email
import importlib.metadata
import io
import re
import shutil
import zipfile

import nbformat
import pytest
import yaml

from autograder.collect.archives import MOST_ARCHIVED_FILES, MOST_BYTES, megabytes
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.release import generate as releasing
from autograder.release import handout as handouts
from autograder.release.generate import leaks_into
from autograder.release.handout import write_handouts
from course import COURSE
from selfcheck.course import package_folder
from tests.conftest import LESSON, REPOSITORY, write_configuration

TOP = "attention-course"


def write_wheel(path, **changes):
    """As small as a students' wheel can be; a change to None leaves a member out."""
    sheets = [f"course/answers/{name}.json" for name in COURSE.names(LESSON)]
    members = {name: (REPOSITORY / name).read_bytes() for name in sheets}
    members |= {"course/__init__.py": b"", "attention_course-0.1.0.dist-info/METADATA": b""}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in (members | changes).items():
            if content is not None:
                archive.writestr(name, content)
    return path


@pytest.fixture
def wheel(tmp_path):
    return write_wheel(tmp_path / "attention_course-0.1.0-py3-none-any.whl")


@pytest.fixture
def released(tmp_path):
    """A course folder apart from the checkout, with one lesson and a file beside its notebook."""
    root = tmp_path / "course"
    for step in ("source", "release"):
        shutil.copytree(REPOSITORY / step / LESSON, root / step / LESSON)
        (root / step / LESSON / "data").mkdir()
        (root / step / LESSON / "data" / "words.txt").write_text("query key value\n")
    write_configuration(root)
    return root


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """The wheel of the engine's part, as a checkout builds it."""
    return handouts._build_wheel(REPOSITORY / "selfcheck", tmp_path_factory.mktemp("engine"))


@pytest.fixture
def engine_built(monkeypatch, engine):
    """Without building the engine's part again, which takes seconds."""
    monkeypatch.setattr(handouts, "_build_wheel", lambda project, into: engine)


@pytest.fixture
def current(monkeypatch):
    """Without nbgrader's generating the release once more, which takes seconds."""
    monkeypatch.setattr(releasing, "stale", lambda course, lessons: [])


@pytest.mark.usefixtures("engine_built")
def test_it_holds_what_students_need_and_nothing_else(released, wheel, autograder, current):
    (released / "release" / LESSON / ".ipynb_checkpoints").mkdir()
    (released / "release" / LESSON / ".ipynb_checkpoints" / "old.ipynb").write_text("{}")
    result = autograder("handout", "--wheel", str(wheel), course=released)
    assert result.code == 0, result.err
    with zipfile.ZipFile(released / "handout" / f"{LESSON}.zip") as archive:
        assert archive.testzip() is None
        contents = {name: archive.read(name) for name in archive.namelist()}
    assert sorted(contents) == [
        f"{TOP}/{LESSON}/{LESSON}.ipynb",
        f"{TOP}/{LESSON}/data/words.txt",
        f"{TOP}/README.md",
        f"{TOP}/{wheel.name}",
        f"{TOP}/environment.yml",
    ]
    notebook = released / "release" / LESSON / f"{LESSON}.ipynb"
    assert contents[f"{TOP}/{LESSON}/{LESSON}.ipynb"] == notebook.read_bytes()
    with (
        zipfile.ZipFile(io.BytesIO(contents[f"{TOP}/{wheel.name}"])) as installed,
        zipfile.ZipFile(wheel) as given,
    ):
        # What the engine has for students is in it, so that they install one file.
        assert {name for name in given.namelist() if "/" in name} <= set(installed.namelist())
        assert "selfcheck/course.py" in installed.namelist()
    for name in contents:
        assert name in result.out
    source = nbformat.read(released / "source" / LESSON / f"{LESSON}.ipynb", as_version=4)
    for name, content in contents.items():
        assert not list(leaks_into(source, content.decode("utf8", "replace").splitlines(), name))

    readme = contents[f"{TOP}/README.md"].decode("utf8")
    for word in (f'"./{wheel.name}[jupyter]"', f"{LESSON}/{LESSON}.ipynb", "jupyter lab"):
        assert word in readme
    assert f"{MOST_ARCHIVED_FILES:,} files" in readme
    assert megabytes(MOST_BYTES) in readme
    assert "$" not in readme
    environment = yaml.safe_load(contents[f"{TOP}/environment.yml"])
    assert f"conda activate {environment['name']}" in readme
    assert environment["dependencies"][-1] == {"pip": [f"./{wheel.name}[jupyter]"]}


@pytest.mark.usefixtures("engine_built")
def test_the_wheel_asks_for_what_the_engine_needs(released, wheel, autograder, current):
    asked = {
        "notebook-selfcheck==0.1.0": ["ipython"],
        "notebook-selfcheck[pictures]==0.1.0": ["ipython", "matplotlib"],
    }
    for engine, needed in asked.items():
        lines = ["numpy", engine, "nbgrader; extra == 'jupyter'"]
        head = "".join(f"Requires-Dist: {line}\n" for line in lines)
        metadata = "attention_course-0.1.0.dist-info/METADATA"
        write_wheel(wheel, **{metadata: f"Name: attention-course\n{head}\nThe README.\n"})
        result = autograder("handout", LESSON, "--wheel", str(wheel), course=released)
        assert result.code == 0, result.err
        with (
            zipfile.ZipFile(released / "handout" / f"{LESSON}.zip") as archive,
            archive.open(f"{TOP}/{wheel.name}") as file,
            zipfile.ZipFile(file) as package,
        ):
            told = email.message_from_bytes(package.read(metadata))
        assert told.get_all("Requires-Dist") == ["numpy", *needed, "nbgrader; extra == 'jupyter'"]
        assert told.get_payload() == "The README.\n"


@pytest.mark.usefixtures("engine_built")
def test_the_readme_says_what_the_course_wants_to_be_run(
    released, wheel, autograder, current, monkeypatch
):
    def written():
        result = autograder("handout", LESSON, "--wheel", str(wheel), course=released)
        assert result.code == 0, result.err
        with zipfile.ZipFile(released / "handout" / f"{LESSON}.zip") as archive:
            return archive.read(f"{TOP}/README.md").decode("utf8")

    readme = written()
    for command, reason in COURSE.setup.items():
        assert f"\n.venv/bin/{command}\n" in readme
        assert f"\n- `{command}` {reason}.\n" in readme
    monkeypatch.setitem(vars(COURSE), "setup", {})
    without = written()
    assert "course check-environment" not in without
    assert set(without.splitlines()) < set(readme.splitlines())


def test_the_same_release_gives_the_same_bytes(released, wheel, autograder, current):
    made = []
    for into in ("first", "second"):
        result = autograder(
            "handout", LESSON, "--into", into, "--wheel", str(wheel), course=released
        )
        assert result.code == 0, result.err
        made.append((released / into / f"{LESSON}.zip").read_bytes())
        for path in (released / "release").rglob("*"):
            path.touch()
            path.chmod(0o700)
    assert made[0] == made[1]


def test_the_wheel_of_the_checkout_is_built(tmp_path, autograder, current):
    result = autograder("handout", LESSON, "--into", str(tmp_path), course=REPOSITORY)
    assert result.code == 0, result.err
    with zipfile.ZipFile(tmp_path / f"{LESSON}.zip") as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".whl")]
        with archive.open(name) as file, zipfile.ZipFile(file) as package:
            rooms = {member.split("/")[0] for member in package.namelist()}
    assert {room for room in rooms if not room.endswith(".dist-info")} == {"course", "selfcheck"}


@pytest.mark.usefixtures("engine_built")
def test_an_installed_package_is_packed_again(
    tmp_path, released, wheel, autograder, current, monkeypatch
):
    """Without what the installer has added to it; a project of the teacher's own is another one."""
    (released / "pyproject.toml").write_text('[project]\nname = "marks"\nversion = "1"\n')
    info, site = "attention_course-0.1.0.dist-info", tmp_path / "site-packages"
    metadata = {
        f"{info}/METADATA": "Metadata-Version: 2.4\nName: attention-course\nVersion: 0.1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/licenses/LICENSE": "MIT",
    }
    write_wheel(wheel, **metadata)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
        members = {name: archive.read(name) for name in archive.namelist()}
    added = ["course/__pycache__/__init__.pyc", f"{info}/INSTALLER", f"{info}/direct_url.json"]
    for name in added:
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).touch()
    names = [*members, *added, f"{info}/RECORD", "../../../bin/course"]
    (site / info / "RECORD").write_text("".join(f"{name},,\n" for name in names))
    installed = importlib.metadata.Distribution.at(site / info)
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: installed)
    # This test's own packages are a checkout's, whose wheel would be built.
    monkeypatch.setattr(
        handouts, "package_folder", lambda name: site if name == "course" else package_folder(name)
    )

    result = autograder("handout", LESSON, course=released)
    assert result.code == 0, result.err
    with (
        zipfile.ZipFile(released / "handout" / f"{LESSON}.zip") as archive,
        archive.open(f"{TOP}/{wheel.name}") as file,
        zipfile.ZipFile(file) as package,
    ):
        packed = {name: package.read(name) for name in package.namelist()}
    record = packed.pop(f"{info}/RECORD").decode().splitlines()
    engine = {name for name in packed if name.startswith("selfcheck/")}
    assert {name: packed[name] for name in packed.keys() - engine} == members
    assert f"{info}/licenses/LICENSE,sha256=5dz_6Da27IpY5JJBm1UOZfuMvcMIUDl55drLM6x-o7c,3" in record
    assert [line.split(",")[0] for line in record] == [*sorted(packed), f"{info}/RECORD"]


def test_an_editable_packages_wheel_is_built_where_it_is(released, autograder, current):
    result = autograder("handout", LESSON, course=released)
    assert result.code == 0, result.err
    assert f"{TOP}/attention_course-0.1.0-py3-none-any.whl" in result.out


def test_what_is_not_released_or_out_of_date_is_not_handed_out(released, wheel, autograder):
    source = released / "source" / LESSON / f"{LESSON}.ipynb"
    source.write_text(source.read_text("utf8").replace("import math", "import math, cmath"), "utf8")
    notes = released / "release" / LESSON / "notes-for-teachers.md"
    notes.write_text("Only for us.")
    result = autograder("handout", LESSON, "--wheel", str(wheel), course=released)
    assert result.code == 2
    assert f"autograder release {LESSON}" in result.err
    assert f"release/{LESSON}/{LESSON}.ipynb" in result.err
    assert f"release/{LESSON}/notes-for-teachers.md" in result.err

    shutil.rmtree(released / "release")
    result = autograder("handout", "--wheel", str(wheel), course=released)
    assert result.code == 2
    assert f"Not released: {LESSON}. Run `autograder release {LESSON}`." in result.err
    assert not (released / "handout").exists()


def test_a_lesson_of_another_name_is_asked_back(released, autograder):
    result = autograder("handout", "03-atention", course=released)
    assert result.code == 2
    assert f"did you mean {LESSON}?" in result.err


@pytest.mark.usefixtures("engine_built")
@pytest.mark.parametrize("text", ["solution", "### BEGIN HIDDEN TESTS"])
def test_solutions_and_hidden_tests_are_never_handed_out(
    released, wheel, autograder, current, text
):
    """Not even where a file brings them that nbgrader copies as it is."""
    if text == "solution":
        source = nbformat.read(released / "source" / LESSON / f"{LESSON}.ipynb", as_version=4)
        (cell,) = [cell for cell in source.cells if cell.id == "average_attention"]
        text = cell.source.split("### BEGIN SOLUTION\n")[1].splitlines()[0]
    for step in ("source", "release"):
        (released / step / LESSON / "data" / "words.txt").write_text(f"{text}\n")
    result = autograder("handout", LESSON, "--wheel", str(wheel), course=released)
    assert result.code == 2
    assert f"{TOP}/{LESSON}/data/words.txt: {text.strip()}" in " ".join(result.err.split())
    assert not (released / "handout").exists()


@pytest.mark.usefixtures("engine_built")
@pytest.mark.parametrize("name", ["autograder/attention.py", f"rubrics/{LESSON}.toml"])
def test_the_instructors_folders_are_never_handed_out(released, wheel, autograder, current, name):
    for step in ("source", "release"):
        inside = released / step / LESSON / name
        inside.parent.mkdir()
        inside.write_text("\n")
    result = autograder("handout", LESSON, "--wheel", str(wheel), course=released)
    assert result.code == 2
    assert f"{LESSON}/{name}: not for students" in " ".join(result.err.split())


@pytest.mark.usefixtures("engine_built")
def test_a_wheel_that_is_not_the_students_is_refused(released, wheel, current):
    sheet = "course/answers/attention.average_attention.json"
    cases = {
        "it contains autograder": {"autograder/judge.py": b""},
        f"{sheet} is out of date": {sheet: b"{}"},
        f"{sheet} is missing": {sheet: None},
        "course/extra.py: ### BEGIN SOLUTION": {"course/extra.py": b"    ### BEGIN SOLUTION\n"},
    }
    course, into = CourseFolder(released), released / "handout"
    for reason, changes in cases.items():
        write_wheel(wheel, **changes)
        with pytest.raises(CourseError, match=re.escape(reason)):
            write_handouts(course, [LESSON], into, wheel)
    other = write_wheel(wheel.with_name("course.whl"))
    with pytest.raises(CourseError, match="its name isn't a wheel's"):
        write_handouts(course, [LESSON], into, other)
    wheel.write_text("no zip")
    with pytest.raises(CourseError, match="cannot be read as a wheel"):
        write_handouts(course, [LESSON], into, wheel)
    assert not into.exists()
