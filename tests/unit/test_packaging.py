"""What users install: the wheel, the lock, the commands that set everything up."""

import ast
import email
import importlib.metadata
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter
from itertools import chain

import nbformat
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.judging.keys import key_of
from autograder.release import answer_sheets
from autograder.release.generate import leaks_into
from course import COURSE
from tests.conftest import QUICK_LESSON, REPOSITORY, copy_checkout, tracked

STUDENTS, AUTOGRADER = "attention_course", "notebook_autograder"
SELFCHECK, KEYS = "notebook_selfcheck", "attention_course_keys"
FOLDERS = {SELFCHECK: "selfcheck", AUTOGRADER: "autograder", STUDENTS: ".", KEYS: "keys"}
"""By distribution, the folder of its pyproject.toml."""
PACKAGES = {SELFCHECK: "selfcheck", AUTOGRADER: "autograder", STUDENTS: "course", KEYS: "keys"}

IMPORTS = {
    "selfcheck": set(),
    "course": {"selfcheck"},
    "autograder": {"selfcheck"},
    "keys": {"autograder", "course", "selfcheck"},
}
"""By package, which of the others it may import."""


def build(folder, into, *targets):
    """Build wheels and sdists in this environment."""
    options = [word for target in targets for word in ("--target", target)]
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", into, *options],
        cwd=folder,
        check=True,
        capture_output=True,
    )


def contents(wheel):
    """What is in a wheel, by its path there, but for RECORD, which follows from the rest."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/RECORD")]
        return {name: archive.read(name) for name in names}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with the sdists and wheels of a checkout, and below it the wheels of the sdists.

    The checkout is one in which somebody has worked.
    """
    checkout, into = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp("built")
    copy_checkout(checkout)
    worked = ("autograder/reports", "course/answers", "keys/attention", "selfcheck/texts")
    for folder in (*worked, f"source/{QUICK_LESSON}"):
        for left in (".DS_Store", ".ipynb_checkpoints/a-checkpoint.ipynb", "__pycache__/a.pyc"):
            (checkout / folder / left).parent.mkdir(exist_ok=True)
            (checkout / folder / left).touch()
    for distribution, folder in FOLDERS.items():
        build(checkout / folder, into, "sdist", "wheel")
        (sdist,) = into.glob(f"{distribution}-*.tar.gz")
        unpacked = tmp_path_factory.mktemp("sdist")
        with tarfile.open(sdist) as archive:
            # extractall() takes a filter since Python 3.11.4.
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(unpacked)
        build(unpacked / sdist.name.removesuffix(".tar.gz"), into / "from-sdist", "wheel")
    return into


@pytest.fixture(scope="module")
def wheel(built):
    (path,) = built.glob(f"{STUDENTS}-*.whl")
    return zipfile.ZipFile(path)


def test_the_students_wheel_holds_all_that_git_knows_of_their_package(wheel):
    members = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert members == tracked("course")


BUILDING = (
    *("pyproject.toml", "hatch_build.py", "LICENSE", "README.md"),
    "jupyter_server_config.json",
)


@pytest.mark.parametrize("distribution", [SELFCHECK, AUTOGRADER])
def test_the_engines_wheels_hold_all_that_git_knows_of_them(built, distribution):
    (path,) = built.glob(f"{distribution}-*.whl")
    package = PACKAGES[distribution]
    members = {name for name in contents(path) if not re.search(r"\.(dist-info|data)/", name)}
    assert members == tracked(package) - {f"{package}/{name}" for name in BUILDING}


def test_the_autograders_wheel_enables_its_server_extension(built):
    (path,) = built.glob(f"{AUTOGRADER}-*.whl")
    (name,) = (name for name in contents(path) if ".data/" in name)
    assert name.endswith(".data/data/etc/jupyter/jupyter_server_config.d/notebook-autograder.json")


def test_the_wheel_of_the_keys_holds_the_course_folder_too(built):
    (path,) = built.glob(f"{KEYS}-*.whl")
    members = {name for name in contents(path) if ".dist-info/" not in name}
    lessons = [f"tests/submissions/{path.name}" for path in REPOSITORY.glob("source/*")]
    course = tracked("nbgrader_config.py", "source", "rubrics", *lessons)
    course -= {"source/.ruff.toml"}  # for this repository's linter
    assert len(course) > 100
    assert members == {
        *(tracked("keys") - {f"keys/{name}" for name in BUILDING}),
        *(f"keys/course_folder/{name}" for name in course),
    }


@pytest.mark.parametrize("distribution", FOLDERS)
def test_an_sdist_gives_the_same_wheel_as_the_checkout(built, distribution):
    (direct,) = built.glob(f"{distribution}-*.whl")
    assert contents(built / "from-sdist" / direct.name) == contents(direct)


@pytest.mark.parametrize("distribution", FOLDERS)
def test_a_wheel_says_what_it_is(built, distribution):
    (path,) = built.glob(f"{distribution}-*.whl")
    members = contents(path)
    info = path.name.removesuffix("-py3-none-any.whl") + ".dist-info"
    assert members[f"{info}/licenses/LICENSE"] == (REPOSITORY / "LICENSE").read_bytes()
    metadata = email.message_from_bytes(members[f"{info}/METADATA"])
    assert metadata["License-Expression"] == "MIT"
    assert set(metadata["Requires-Python"].split(",")) == {">=3.11", "<3.14"}
    readme = REPOSITORY / FOLDERS[distribution] / "README.md"
    assert metadata.get_payload(decode=True) == readme.read_bytes()


@pytest.mark.parametrize(
    ("distribution", "needed"),
    [
        (STUDENTS, ["notebook-selfcheck"]),
        (AUTOGRADER, ["notebook-selfcheck[pictures]"]),
        (KEYS, ["attention-course[jupyter]", "notebook-autograder"]),
    ],
)
def test_the_packages_need_each_other_in_their_own_version(built, distribution, needed):
    (path,) = built.glob(f"{distribution}-*.whl")
    _, version, *_ = path.name.split("-")
    metadata = contents(path)[f"{distribution}-{version}.dist-info/METADATA"].decode()
    for name in needed:
        assert f"Requires-Dist: {name}=={version}\n" in metadata


@cache
def providers():
    """By module, the installed distributions that have it."""
    return importlib.metadata.packages_distributions()


def imported(package):
    """The packages that a package's modules import, without Python's own."""
    for path in (REPOSITORY / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            else:
                continue
            yield from {name.partition(".")[0] for name in names} - sys.stdlib_module_names


@pytest.mark.parametrize("distribution", FOLDERS)
def test_what_a_package_imports_is_what_it_asks_for(distribution):
    """Not what a dependency happens to bring today."""
    folder = REPOSITORY / FOLDERS[distribution]
    package = PACKAGES[distribution]
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf8"))
    asked = [
        *project["project"]["dependencies"],
        *chain(*project["project"].get("optional-dependencies", {}).values()),
        *(project["build-system"]["requires"] if package == "keys" else ()),
    ]
    names = {canonicalize_name(Requirement(line).name) for line in asked}
    for module in set(imported(package)) - IMPORTS.keys():
        assert {canonicalize_name(name) for name in providers()[module]} & names, module


def test_the_wheel_holds_the_course_alone(wheel):
    rooms = {name.split("/")[0] for name in wheel.namelist()}
    assert {room for room in rooms if not room.endswith(".dist-info")} == {"course"}
    assert "course/answers/attention.average_attention.json" in wheel.namelist()
    (points,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert wheel.read(points).decode("utf8").split() == [
        *("[console_scripts]", "course", "=", "course.environment:main"),
        *("[autograder.courses]", "attention", "=", "course:COURSE"),
    ]


def test_the_wheels_only_data_on_exercises_are_the_answer_sheets(wheel):
    """And these hold what the published inputs must give: no value of a secret seed's inputs."""
    data = {
        name
        for name in wheel.namelist()
        # Apart from the English words that the lesson on lemmas uses, and the samples' words.
        if name.startswith("course/")
        and not name.endswith(".py")
        and not name.startswith("course/data/nltk_data/")
        and not (name.startswith("course/data/datasets/") and name.endswith(".toml"))
        # Nor a trained model, and what is asked before demonstrations.
        and not name.startswith(("course/models/", "course/widgets/predict/"))
    }
    assert data == {f"course/answers/{name}.json" for name in COURSE.names()}
    assert sum(wheel.getinfo(name).file_size for name in data) <= answer_sheets.MOST_BYTES
    for name in COURSE.names():
        expected = answer_sheets.sheet_text(key_of(COURSE, name))
        assert wheel.read(f"course/answers/{name}.json").decode("utf8") == expected


def test_the_wheel_tells_no_solution(wheel):
    texts = {
        name: wheel.read(name).decode("utf8").splitlines()
        for name in wheel.namelist()
        if name.startswith("course/") and not name.endswith(".npz")
    }
    for source in sorted(REPOSITORY.glob("source/*/*.ipynb")):
        notebook = nbformat.read(source, as_version=4)
        for name, lines in texts.items():
            assert list(leaks_into(notebook, lines, name)) == []


def test_the_wheel_tells_nothing_of_the_keys(wheel):
    """No line of a solution or of a known mistake that computes something is in the wheel."""
    computing = re.compile(r"[-+*/@]|softmax|reshape|transpose")
    secret = {
        line.strip()
        for path in (REPOSITORY / "keys").glob("*/*.py")
        for line in path.read_text("utf8").splitlines()
        if line.startswith(" ")
        and "=" in line
        and computing.search(line)
        and len(line.strip()) > 20
    }
    assert len(secret) > 30
    for name in wheel.namelist():
        if name.startswith("course/") and name.endswith(".py"):
            lines = {line.strip() for line in wheel.read(name).decode("utf8").splitlines()}
            assert not lines & secret, name


@pytest.mark.parametrize("package", IMPORTS)
def test_arrows_between_the_packages_run_one_way(package):
    assert set(imported(package)) & IMPORTS.keys() <= IMPORTS[package] | {package}


SOURCES = [
    path
    for package in ("selfcheck", "autograder", "keys")
    for path in sorted((REPOSITORY / package).rglob("*.py"))
]
A_COMMAND = "its parameters are the command's options, each with its help"
A_SOLUTION = "its parameters are the exercise's inputs: settings, and every layer's weights"
LARGER = {
    "autograder/cli/collect.py: collect": A_COMMAND,
    "autograder/cli/grade.py: grade": A_COMMAND,
    "keys/attention/multi_head_self_attention.py: multi_head_self_attention": A_SOLUTION,
    "keys/documents/relative_position_self_attention.py: relative_position_self_attention": (
        A_SOLUTION
    ),
    "keys/fastformer/build_fastformer_classifier.py: build_fastformer_classifier": A_SOLUTION,
    "keys/fastformer/fastformer.py: fastformer": A_SOLUTION,
    "keys/transformer/build_transformer_classifier.py: build_transformer_classifier": A_SOLUTION,
}


def too_large(path):
    """Functions over 60 lines or with more than 7 parameters."""
    text = path.read_text("utf8")
    name = path.relative_to(REPOSITORY).as_posix()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = node.end_lineno - node.lineno + 1
            parameters = [a for a in ast.walk(node.args) if isinstance(a, ast.arg)]
            own = [a for a in parameters if a.arg not in ("self", "cls")]
            if lines > 60 or len(own) > 7:
                yield f"{name}: {node.name}"


def test_functions_and_lists_of_parameters_stay_small():
    assert {large for path in SOURCES for large in too_large(path)} == LARGER.keys()


def imported_modules(path):
    """The names of modules that a module imports, wherever in it, for types alone included."""

    def walk(node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                yield from (alias.name for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                yield child.module
                yield from (f"{child.module}.{alias.name}" for alias in child.names)
            yield from walk(child)

    return set(walk(ast.parse(path.read_text("utf8"))))


def test_there_are_no_import_cycles():
    paths = {
        ".".join(path.relative_to(REPOSITORY).with_suffix("").parts): path
        for path in (*SOURCES, *sorted((REPOSITORY / "course").rglob("*.py")))
        if path.stem != "__init__"
    }
    graph = {name: imported_modules(path) & paths.keys() for name, path in paths.items()}
    TopologicalSorter(graph).prepare()  # raises where there is a circle


@pytest.mark.parametrize(("package", "fewest"), [("autograder", 20), ("course", 8)])
def test_the_folders_of_a_package_do_not_import_each_other_in_a_circle(package, fewest):
    """Each folder counts as one; a module beside them counts as one by itself."""

    def folder_of(module):
        return ".".join(module.split(".")[:2])

    modules = {
        ".".join(path.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__"): path
        for path in (REPOSITORY / package).rglob("*.py")
    }
    graph = defaultdict(set)
    for module, path in modules.items():
        imported = {folder_of(name) for name in imported_modules(path) & modules.keys()}
        graph[folder_of(module)] |= imported - {package, folder_of(module)}
    assert len(graph) > fewest
    TopologicalSorter(graph).prepare()


def test_only_the_gradebooks_package_asks_the_database():
    asks = re.compile(r"\.db\.(?!commit\b|rollback\b)|from sqlalchemy(?!\.engine import make_url)")
    asking = [
        path.relative_to(REPOSITORY).as_posix()
        for path in (REPOSITORY / "autograder").rglob("*.py")
        if asks.search(re.sub(r'"[^"\n]*"', "", path.read_text("utf8")))
        and "gradebook" not in path.parts
    ]
    assert asking == []


def test_the_engine_knows_nothing_of_the_course():
    """No word of the course or of its libraries is in the engine's code."""
    words = re.compile(r"tensorflow|(?<!\.)\bkeras\b|attention[_-]course", re.IGNORECASE)
    told = [
        f"{path}: {line}"
        for package in ("selfcheck", "autograder")
        for path in (REPOSITORY / package).rglob("*.py")
        for line in path.read_text("utf8").splitlines()
        if words.search(line)
    ]
    assert told == []


def test_the_lock_serves_every_python_with_hashes_and_no_registry():
    lock = (REPOSITORY / "requirements.lock").read_text("utf8")
    assert "://" not in lock
    assert "--index" not in lock
    entries = re.split(r"\n(?=[a-z0-9])", lock.split("\n", 2)[2])
    for entry in entries:
        assert "--hash=sha256:" in entry, entry
    assert re.search(r"^tensorflow-cpu==.*linux", lock, re.M)
    assert re.search(r"^tensorflow==.*", lock, re.M)


def test_every_dependency_is_locked():
    locked = set(
        re.findall(r"^([a-z0-9-]+)==", (REPOSITORY / "requirements.lock").read_text(), re.M)
    )
    root = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf8"))
    wanted = [*root["dependency-groups"]["dev"]]
    for folder in FOLDERS.values():
        project = tomllib.loads((REPOSITORY / folder / "pyproject.toml").read_text("utf8"))
        wanted += [
            *project["project"]["dependencies"],
            *chain(*project["project"].get("optional-dependencies", {}).values()),
            *project["build-system"]["requires"],
        ]
    names = {re.match(r"[A-Za-z0-9-]+", entry)[0].lower() for entry in wanted}
    assert names - {name.replace("_", "-") for name in FOLDERS} <= locked


def test_conda_users_get_the_same_lock():
    environment = yaml.safe_load((REPOSITORY / "environment.yml").read_text("utf8"))
    (pip,) = [entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict)]
    assert pip == ["--require-hashes", "-r requirements.lock"]


@pytest.mark.parametrize("version", ["3.10", "3.14"])
def test_a_python_without_tensorflow_gets_one_clear_line(tmp_path, version):
    fake = tmp_path / "python-of-another-time"
    fake.write_text(f"#!/bin/sh\necho {version}\n")
    fake.chmod(0o755)
    finished = subprocess.run(
        ["make", "demo", f"PYTHON={fake}", f"VENV={tmp_path / 'venv'}"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode != 0
    said = [line for line in finished.stderr.splitlines() if not line.startswith("make")]
    assert len(said) == 1
    assert version in said[0]
    assert "PYTHON=python3.12" in said[0]


def test_a_python_that_does_not_exist_gets_one_clear_line(tmp_path):
    finished = subprocess.run(
        ["make", "test", "PYTHON=no-such-python", f"VENV={tmp_path / 'venv'}"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode != 0
    assert "'no-such-python' does not run" in finished.stderr


def test_keys_import_only_what_solutions_or_the_texts_of_mistakes_use():
    """Ruff can't see the latter."""
    used = defaultdict(set)
    for made in (made for name in COURSE.names() for made in key_of(COURSE, name).mistakes):
        for edit in made.edits:
            for module in (edit.module, edit.home):
                used[module].update(re.findall(r"\w+", edit.new))
    unused = {}
    for path in (path for path in SOURCES if path.match("keys/*/*.py")):
        tree = ast.parse(path.read_text("utf8"))
        imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {each.asname or each.name for node in imports for each in node.names}
        loaded = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        module = f"keys.{path.parent.name}.{path.stem}"
        if left := names - loaded - used[module] - {"annotations"}:
            unused[module] = left
    assert unused == {}
