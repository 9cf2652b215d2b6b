"""Every way to start, as far as it goes without conda, a container engine and Colab.

Most install the packages, each into an environment of its own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import jsonschema
import nbformat
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_notebook
from traitlets.config import Config, PyFileConfigLoader

from autograder.cells import is_demonstration
from tests.conftest import (
    QUICK_LESSON,
    REPOSITORY,
    copy_checkout,
    remove_in_the_background,
    tracked,
)
from tests.support import executed, run_dockerfile
from tests.support.pages import block, blocks

DOCKERFILE = REPOSITORY / "Dockerfile"
START_PAGE = REPOSITORY / "docs" / "start.md"
BLOCKS = [block("jupyterhub.md", "The sandbox", "yaml")]
pytestmark = pytest.mark.timeout(3600)
COLAB_CELL = "colab"
SOUND = "No broken requirements found.\n"


def run(command, folder, **variables):
    """Run a command, or a line of shell; return what it printed."""
    done = subprocess.run(
        command,
        cwd=folder,
        # What is installed is hardly imported; "no" is how pip wants to be told not to compile.
        env=os.environ | {"PIP_NO_COMPILE": "no"} | variables,
        shell=isinstance(command, str),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Environment:
    """A new virtual environment."""

    def __init__(self, folder):
        self.bin = folder / "bin"
        run([sys.executable, "-m", "venv", folder], folder.parent)

    def run(self, line, folder):
        """Run a line of shell as if this environment was activated."""
        variables = {
            "VIRTUAL_ENV": str(self.bin.parent),
            "PATH": f"{self.bin}:{os.environ['PATH']}",
        }
        return run(line, folder, **variables)

    def look(self, folder):
        """What ``course check-environment`` says, without its last line."""
        *findings, last = self.run("course check-environment", folder).splitlines()
        assert last.startswith("Everything is there.")
        return findings

    def without_instructors(self, folder):
        """Whether nothing of the instructors' can be imported."""
        look = "import importlib.util as u; print(*filter(u.find_spec, ('autograder', 'keys')))"
        return self.run(f'python -c "{look}"', folder) == "\n"


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A folder for gigabytes, which do not stay."""
    folder = tmp_path_factory.mktemp("start")
    yield folder
    remove_in_the_background(folder)


@pytest.fixture
def checkout(scratch):
    """What a newcomer clones."""
    folder = Path(tempfile.mkdtemp(dir=scratch))
    copy_checkout(folder)
    return folder


def pip_part(environment):
    (pip,) = [entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict)]
    return pip


def install_pip_part(environment, path):
    """Install it as conda does: a list of requirements beside the file, installed from there."""
    requirements = path.with_name("condaenv.requirements.txt")
    requirements.write_text("\n".join(pip_part(yaml.safe_load(path.read_text("utf8")))))
    environment.run(f"python -m pip install -q -U -r {requirements.name}", path.parent)


# conda


def test_the_instructors_conda_file(checkout, scratch):
    path = checkout / "environment.yml"
    commands = [line[4:] for line in path.read_text("utf8").splitlines() if line[:4] == "#   "]
    assert commands[:2] == [
        "conda env create -f environment.yml",
        "conda activate " + yaml.safe_load(path.read_text("utf8"))["name"],
    ]
    environment = Environment(scratch / "instructors")
    install_pip_part(environment, path)
    (own,) = commands[2:]
    environment.run(own, checkout)

    findings = environment.look(scratch)
    assert all(line.startswith("[ OK ] ") for line in findings)
    assert environment.run("python -m pip check", scratch) == SOUND
    assert "handout" in environment.run("autograder --help", scratch)
    answer = "lambda words, vocabulary: [[int(word == v) for v in vocabulary] for word in words]"
    said = environment.run(
        f"python -c \"from course import check; check('preprocessing.one_hot', {answer})\"", scratch
    )
    assert "aspects passed on the published inputs" in said


# what students get


@pytest.fixture(scope="module")
def handout(scratch):
    """A lesson's handout, unpacked."""
    into = scratch / "handout"
    run(
        [Path(sys.executable).with_name("autograder"), "handout", QUICK_LESSON, "--into", into],
        REPOSITORY,
    )
    with zipfile.ZipFile(into / f"{QUICK_LESSON}.zip") as archive:
        archive.extractall(into)
    return into / "attention-course"


@pytest.fixture(scope="module")
def students(handout, scratch):
    """An environment with what the handout's environment.yml installs."""
    environment = Environment(scratch / "students")
    install_pip_part(environment, handout / "environment.yml")
    return environment


def test_the_students_conda_file(handout, students):
    findings = students.look(handout)
    assert all(line.startswith("[ OK ] ") for line in findings)
    assert len({*findings}) == len(findings)
    assert students.run("python -m pip check", handout) == SOUND
    assert students.without_instructors(handout)
    # Also after the command that the README gives for the next lesson.
    readme = (handout / "README.md").read_text("utf8")
    (again,) = re.findall(r"^\.venv/bin/(python .*--force-reinstall.*)$", readme, re.M)
    students.run(again, handout)
    assert students.look(handout) == findings


def test_students_see_no_instructor_tools(handout, students):
    """After the command of the handout's README."""
    readme = (handout / "README.md").read_text("utf8")
    (command,) = re.findall(r"^\.venv/bin/(course hide.*)$", readme, re.M)
    students.run(command, handout)
    servers = students.run("jupyter server extension list 2>&1", handout)
    for name, state in {
        "formgrader": "disabled",
        "course_list": "disabled",
        "assignment_list": "enabled",
        "validate_assignment": "enabled",
    }.items():
        assert re.search(rf"nbgrader\.server_extensions\.{name} .*{state}", servers), servers
    lab = students.run("jupyter labextension list 2>&1", handout)
    for name in ("formgrader", "course-list", "create-assignment"):
        assert f"@jupyter/nbgrader:{name}" in lab.partition("Disabled extensions")[2], lab


# Binder


def test_binder_reads_its_own_folder():
    """With binder/ there, repo2docker ignores the Dockerfile and environment.yml at the top."""
    files = {path.name for path in (REPOSITORY / "binder").iterdir()}
    assert files == {"postBuild", "runtime.txt"}
    # The form that its documentation asks for; an environment.yml would overrule it.
    assert re.fullmatch(r"python-3\.1[123]\n", (REPOSITORY / "binder/runtime.txt").read_text())
    script = (REPOSITORY / "binder/postBuild").read_text("utf8")
    assert script.startswith("#!/bin/bash\n")
    assert "\nset -e" in script


def test_binder_gives_students_the_course_and_the_lessons(checkout, scratch):
    environment = Environment(scratch / "binder")
    said = environment.run("./binder/postBuild", checkout)
    assert "[FAIL]" not in said
    assert said.count("[ OK ]") > 10
    assert {path.name for path in checkout.iterdir()} == {"binder", "release"}
    assert environment.without_instructors(scratch)
    locked = re.search(r"^keras==(\S+)", (REPOSITORY / "requirements.lock").read_text(), re.M)[1]
    assert f"[ OK ] keras {locked}" in said


# Colab


def colab_cells():
    for path in sorted(REPOSITORY.glob("source/*/*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        code = [cell for cell in cells if cell.cell_type == "code"]
        yield code[0]


def test_every_lesson_begins_with_the_same_cell_for_colab():
    cells = list(colab_cells())
    assert len(cells) == 7
    assert {cell.id for cell in cells} == {COLAB_CELL}
    assert len({cell.source for cell in cells}) == 1
    assert all(is_demonstration(cell) for cell in cells)  # grading leaves it out


def execute(cells, folder, kernel):
    """Run cells in a kernel of an environment; return the outputs' texts, a cell each."""
    notebook = new_notebook(cells=[new_code_cell(source) for source in cells])
    spec = folder / "kernels" / "kernels" / "python3"
    spec.mkdir(parents=True, exist_ok=True)
    arguments = [str(kernel), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": arguments, "display_name": "python3"}))
    variables = {"PATH": f"{kernel.parent}:{os.environ['PATH']}", "VIRTUAL_ENV": ""}
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("JUPYTER_PATH", str(folder / "kernels"))
        environment = os.environ | variables | {"PYTHONPATH": str(folder / "fake")}
        executed.execute(notebook, folder, environment, timeout=900)
    return [
        "".join(
            output.get("text") or "\n".join(output.get("traceback", ())) for output in cell.outputs
        )
        for cell in notebook.cells
    ]


@pytest.fixture
def colab(tmp_path):
    """A folder as a Colab session's, with a module of that name to import."""
    package = tmp_path / "fake" / "google" / "colab"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    return tmp_path


PRETEND = "import google.colab"


def test_the_colab_cell_does_nothing_elsewhere(colab):
    cell = next(colab_cells()).source
    (colab / "attention_course-0.1.0-py3-none-any.whl").touch()
    # Neither where there is no Colab, nor where the course is installed.
    assert execute([cell, PRETEND, cell], colab, Path(sys.executable)) == ["", "", ""]


def test_the_colab_cell_installs_the_wheel(handout, students, colab):
    """In an environment with all that the course needs, as Colab nearly is, but without it."""
    cell = next(colab_cells()).source
    python = students.bin / "python"
    students.run("python -m pip uninstall -q --yes attention-course", colab)
    _, said = execute([PRETEND, cell], colab, python)
    assert "upload the" in said
    assert "handout's zip" in said
    shutil.copy(handout.parent / f"{QUICK_LESSON}.zip", colab)
    _, said = execute([PRETEND, cell], colab, python)
    assert "Restart session" in said, said
    _, said, found = execute(
        [PRETEND, cell, "import course; print(course.__name__)"], colab, python
    )
    assert (said, found) == ("", "course\n")

    # A session with the wheel alone, and one in which pip fails.
    students.run("python -m pip uninstall -q --yes attention-course", colab)
    shutil.rmtree(colab / "attention-course")
    (colab / f"{QUICK_LESSON}.zip").unlink()
    broken = colab / "attention_course-0.0.1-py3-none-any.whl"
    broken.write_bytes(b"")
    _, said = execute([PRETEND, cell], colab, python)
    assert "pip could not install" in said
    assert "3.11 to" in said
    broken.unlink()
    (wheel,) = handout.glob("*.whl")
    shutil.copy(wheel, colab)
    _, said = execute([PRETEND, cell], colab, python)
    assert "Restart session" in said, said


# Dev Containers

TEXTS = {"type": "array", "items": {"type": "string"}}
ATTRIBUTES = {
    "label": {"type": "string"},
    "onAutoForward": {
        "enum": ["notify", "openBrowser", "openBrowserOnce", "openPreview", "silent", "ignore"]
    },
}
DEV_CONTAINER = {
    # What https://containers.dev/implementors/json_schema says of the properties used here.
    "type": "object",
    "required": ["image"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string"},
        "image": {"type": "string"},
        "features": {"type": "object"},
        "hostRequirements": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "cpus": {"type": "integer", "minimum": 1},
                "memory": {"type": "string", "pattern": r"^\d+([tgmk]b)?$"},
                "storage": {"type": "string", "pattern": r"^\d+([tgmk]b)?$"},
            },
        },
        "securityOpt": TEXTS,
        "postCreateCommand": {"type": ["string", "array", "object"]},
        "forwardPorts": {
            "type": "array",
            "items": {"type": "integer", "minimum": 0, "maximum": 65535},
        },
        "portsAttributes": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "properties": ATTRIBUTES,
            },
        },
        "customizations": {"type": "object"},
    },
}


def test_the_dev_container_follows_the_published_schema():
    container = json.loads((REPOSITORY / ".devcontainer" / "devcontainer.json").read_text("utf8"))
    jsonschema.validate(container, DEV_CONTAINER)
    assert "\ninstall:" in (REPOSITORY / "Makefile").read_text("utf8")
    assert container["postCreateCommand"] == "make install"
    assert re.fullmatch(
        r"mcr\.microsoft\.com/devcontainers/python:3\.1[123]-\w+", container["image"]
    )
    # It needs of Docker what the grading host needs.
    for option in container["securityOpt"]:
        assert f"--security-opt {option}" in DOCKERFILE.read_text("utf8")
        assert f"--security-opt {option}" in START_PAGE.read_text("utf8")


# the grading host


def test_the_dockerfile_is_clean():
    linter = Path(sys.executable).with_name("hadolint")
    assert run([linter, DOCKERFILE], REPOSITORY) == ""


def test_the_build_sees_what_it_copies_and_no_student(checkout):
    for name in ("submitted/ada/x.ipynb", "gradebook.db", "course/__pycache__/x.pyc", ".git/HEAD"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).touch()
    files = {path.as_posix() for path in run_dockerfile.context_files(checkout)}
    assert {name.split("/")[0] for name in files} == {
        *("LICENSE", "README.md", "nbgrader_config.py", "pyproject.toml", "requirements.lock"),
        *("autograder", "course", "keys", "rubrics", "selfcheck", "source", "tests"),
    }
    assert "course/__init__.py" in files
    tests = {name for name in files if name.startswith("tests/")}
    assert tests == {
        name
        for lesson in (REPOSITORY / "source").iterdir()
        for name in tracked(f"tests/submissions/{lesson.name}")
    }
    assert not any("__pycache__" in name for name in files)


@pytest.mark.skipif(
    sys.platform != "linux"
    or os.geteuid() != 0
    or not all(map(shutil.which, run_dockerfile.TOOLS)),
    reason="runs the steps of the Dockerfile: needs root on Linux, and "
    f"{' and '.join(run_dockerfile.TOOLS)} (Debian: apt install mmdebstrap bubblewrap)",
)
def test_the_steps_of_the_dockerfile_make_a_host_that_grades(checkout, scratch):
    image = run_dockerfile.build(checkout / "Dockerfile", scratch / "image")
    assert image.account() == (1000, 1000, "/home/grader")
    done = image.run()
    assert done.returncode == 0, done.stderr
    assert "rejudge" in done.stdout

    # A folder of the image's user, in which there is no course yet.
    course = scratch / "course"
    course.mkdir()
    run(["chown", "1000:1000", course], scratch)
    done = image.run(["demo", QUICK_LESSON, "--into", "made"], volume=course)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Without a sandbox" not in done.stdout

    # With parts of /proc covered, as they are unless an engine is told otherwise.
    grade = ["grade", QUICK_LESSON, "--force", "--students", "reference", "--course", "made"]
    done = image.run(grade, volume=course, masked=True)
    assert done.returncode != 0
    assert "mount proc" in done.stdout + done.stderr
    done = image.run(grade, volume=course)
    assert done.returncode == 0, done.stdout + done.stderr
    assert str(image.root) not in Path("/proc/mounts").read_text()


# JupyterHub


@pytest.fixture
def hub_page(tmp_path, monkeypatch):
    """The page's configurations, loaded by the class that Jupyter's programs use."""
    loaded = {}
    monkeypatch.setenv("JUPYTERHUB_USER", "grace")
    for one in (one for one in blocks("jupyterhub.md") if one.language == "python"):
        name = re.search(r"`/etc/\w+/(\w+\.py)`:$", one.lead)[1]
        (tmp_path / name).write_text(one.text, "utf8")
        loaded[name] = PyFileConfigLoader(name, path=str(tmp_path)).load_config()
    return loaded


def test_the_hubs_configurations_load(hub_page):
    assert set(hub_page) == {"jupyterhub_config.py", "nbgrader_config.py"}
    assert all(hub_page.values())


def test_nbgrader_knows_the_settings_of_the_hub_page(hub_page):
    from nbgrader.auth import Authenticator, JupyterHubAuthPlugin
    from nbgrader.exchange.default import Exchange

    settings = hub_page["nbgrader_config.py"]
    classes = {"Exchange": Exchange, "Authenticator": Authenticator}
    assert set(settings) == set(classes)
    for name, traits in settings.items():
        assert set(traits) <= set(classes[name].class_trait_names(config=True))
        assert all(getattr(classes[name](config=settings), key) == traits[key] for key in traits)
    assert issubclass(settings.Authenticator.plugin_class, JupyterHubAuthPlugin)


def test_nbgrader_finds_every_course_of_the_hub_page(hub_page, monkeypatch):
    """nbgrader's own plugin reads the courses from the groups' names."""
    from nbgrader.auth import jupyterhub

    hub = hub_page["jupyterhub_config.py"].JupyterHub
    monkeypatch.setenv("JUPYTERHUB_API_TOKEN", "secret")

    def courses(user):
        monkeypatch.setenv("JUPYTERHUB_USER", user)
        groups = [name for name, about in hub.load_groups.items() if user in about["users"]]
        monkeypatch.setattr(
            jupyterhub, "_query_jupyterhub_api", lambda method, path: {"groups": groups}
        )
        return set(jupyterhub.JupyterHubAuthPlugin().get_student_courses(user))

    assert courses("kurt") == {"attention", "statistics"}
    assert courses("grace") == courses("ada") == {"attention"}
    ports = set()
    for service in hub.services:
        assert courses(service["user"]) == {service["name"]}
        ports.add(service["url"])
        # A teacher may open the service, a student may not.
        may_open = {
            group
            for role in hub.load_roles
            for group in role.get("groups", ())
            if f"access:services!service={service['name']}" in role["scopes"]
        }
        assert may_open == {f"formgrade-{service['name']}"}
    assert len(ports) == len(hub.services) == 2
    config = Config(PyFileConfigLoader("nbgrader_config.py", path=str(REPOSITORY)).load_config())
    assert config.CourseDirectory.course_id in {service["name"] for service in hub.services}


def test_the_grading_pod_asks_for_what_the_sandbox_needs():
    """An unmasked /proc is refused by Kubernetes without a user namespace for the pod."""
    pod = yaml.safe_load(BLOCKS[0].text)["spec"]
    (container,) = pod["containers"]
    context = container["securityContext"]
    assert pod["hostUsers"] is False
    assert context["procMount"] == "Unmasked"
    assert context["seccompProfile"] == context["appArmorProfile"] == {"type": "Unconfined"}
    assert context["capabilities"] == {"drop": ["ALL"]}
    image = dict(run_dockerfile.instructions(DOCKERFILE.read_text("utf8")))
    assert f"UID={context['runAsUser']}" == image["ARG"]
    assert container["volumeMounts"][0]["mountPath"] == image["VOLUME"]
