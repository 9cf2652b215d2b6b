"""Run a Dockerfile's steps one by one, where there is no container engine.

    python tests/support/run_dockerfile.py Dockerfile

The base image is made by mmdebstrap; every step then runs under bubblewrap with that folder as its
root, on Linux and by root. pip asks the indexes that this machine's configuration names. Nothing is
mounted outside the steps' own namespaces, and the folder is removed in the end.
"""

from __future__ import annotations

import argparse
import ast
import fnmatch
import json
import os
import re
import shlex
import shutil
import ssl
import string
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

TOOLS = ("bwrap", "mmdebstrap")

_BASE = re.compile(r"debian:(?P<suite>[a-z]+)-slim")
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_LISTED = ("/etc/apt/sources.list", "/etc/apt/sources.list.d/debian.sources")


class StepError(Exception):
    """A step failed, or is of a kind that this script does not know."""


@dataclass
class Image:
    """What a Dockerfile has made so far.

    Args:
        root: the folder that holds its file system.
        variables: the environment of its processes.
        arguments: build arguments, which only its steps see.
        folder: where its processes begin.
        user: who runs them.
        entry: its entry point.
        command: the entry point's arguments, when none are given.
        volumes: folders that are to come from outside.
    """

    root: Path
    variables: dict[str, str] = field(default_factory=lambda: {"PATH": _PATH})
    arguments: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = "root"
    entry: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    volumes: list[str] = field(default_factory=list)

    def path(self, inside: str) -> Path:
        """Where something of the image lies outside, relative names from its working folder on."""
        return self.root / os.path.normpath(Path(self.folder) / inside).lstrip("/")

    def account(self) -> tuple[int, int, str]:
        """The number, the group's number and the home folder of the user."""
        for line in (self.root / "etc/passwd").read_text().splitlines():
            name, _, number, group, _, home, _ = line.split(":")
            if self.user in (name, number):
                return int(number), int(group), home
        raise StepError(f"USER {self.user}: the image has no such user")

    def run(
        self, arguments: Sequence[str] = (), *, volume: Path | None = None, masked: bool = False
    ) -> subprocess.CompletedProcess[str]:
        """Run the entry point as the image's user, without any privilege.

        Args:
            arguments: instead of the image's own.
            volume: the folder to show as the image's first volume.
            masked: leave parts of /proc covered, as engines do that are not told otherwise.
        """
        binds = ["--bind", str(volume), self.volumes[0]] if volume else []
        powerless = ["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]
        command = [*self.entry, *(arguments or self.command)]
        return subprocess.run(
            self._inside(command, self.variables, binds, powerless, masked),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def step(self, script: str) -> None:
        """Run a RUN step.

        Raises:
            StepError: when it fails.
        """
        told, binds = pip_settings()
        trusted, shown = certificates()
        variables = trusted | told | self.arguments | self.variables
        binds += shown
        command = self._inside(["/bin/sh", "-c", script], variables, binds, [], masked=False)
        silent = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        done = subprocess.run(command, stdin=subprocess.DEVNULL, **silent, text=True, check=False)
        if done.returncode:
            raise StepError(f"{done.stdout[-5000:]}\nRUN ended with code {done.returncode}")

    def start(self, script: str) -> subprocess.Popen[str]:
        """Begin a script, in a network of its own with nothing but itself in it.

        Its namespaces, and all that runs in them, end with it.
        """
        command = ["/bin/bash", "-c", script]
        alone = ["--unshare-net", "--hostname", "localhost"]
        return subprocess.Popen(
            self._inside(command, self.variables, alone, [], masked=False),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _inside(
        self,
        command: Sequence[str],
        variables: dict[str, str],
        binds: Sequence[str],
        powers: Sequence[str],
        masked: bool,
    ) -> list[str]:
        """The command that runs another one in the image."""
        number, group, home = self.account()
        options = ["bwrap", "--bind", str(self.root), "/", "--dev", "/dev", "--proc", "/proc"]
        options += ["--ro-bind", "/sys", "/sys", "--tmpfs", "/run", *binds]
        options += ["--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf"]
        options += ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"]
        options += ["--cap-add", "ALL", "--chdir", self.folder, "--clearenv"]
        for name, value in ({"HOME": home} | variables).items():
            options += ["--setenv", name, value]
        # bubblewrap covers parts of /proc when root runs it; only over a whole one may a process
        # without privileges mount its own.
        whole = "true" if masked else "mount -t proc proc /proc"
        change = ["setpriv", f"--reuid={number}", f"--regid={group}", "--init-groups", *powers]
        return [*options, "sh", "-c", f'{whole} && exec "$@"', "sh", *change, *command]


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """The steps of a Dockerfile: the instruction and what follows it, lines joined."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, rest = line.strip().partition(" ")
            yield name.upper(), rest.strip()


def build(dockerfile: Path, root: Path) -> Image:
    """Run all steps.

    Args:
        dockerfile: its folder is the build's context.
        root: a folder that is not there yet, for the image's file system.

    Raises:
        StepError: when a step fails, or is of a kind that this script does not know.
    """
    image = Image(root)
    for instruction, rest in instructions(dockerfile.read_text("utf8")):
        print(f"{instruction} {rest}", flush=True)
        match instruction:
            case "FROM":
                make_base(rest, root)
            case "RUN":
                image.step(rest)
            case "COPY":
                _copy(image, dockerfile.parent, shlex.split(rest))
            case "ENV":
                for name, value in _assignments(image, rest):
                    image.variables[name] = value
            case "ARG":
                for name, value in _assignments(image, rest):
                    image.arguments[name] = value
            case "WORKDIR":
                image.folder = os.path.normpath(Path(image.folder) / rest)
                image.path(".").mkdir(parents=True, exist_ok=True)
            case "USER":
                image.user = _filled_in(image, rest)
                image.account()
            case "VOLUME":
                image.volumes.append(rest)
            case "ENTRYPOINT":
                image.entry = json.loads(rest)
            case "CMD":
                image.command = json.loads(rest)
            case _:
                raise StepError(f"{instruction} is not known here")
    return image


def pip_settings() -> tuple[dict[str, str], list[str]]:
    """This machine's settings of pip, as variables, and options to show what they name."""
    variables: dict[str, str] = {}
    options: list[str] = []

    def inside(word: str) -> str:
        """Where a file or folder of this machine is shown, in what may be its URL."""
        scheme = "file://" if word.startswith("file://") else ""
        path = Path(word.removeprefix(scheme))
        if not path.is_absolute() or not path.exists():
            return word
        shown = Path(f"/run/pip/{len(options)}")
        # What an index of files lists lies beside it.
        options.extend(["--ro-bind", str(path.parent if scheme else path)])
        options.append(str(shown))
        return f"{scheme}{shown / path.name if scheme else shown}"

    listed = [sys.executable, "-m", "pip", "config", "list"]
    for line in subprocess.check_output(listed, text=True).splitlines():
        name, _, value = line.partition("=")
        variable = "PIP_" + name.rpartition(".")[2].upper().replace("-", "_")
        variables[variable] = " ".join(map(inside, ast.literal_eval(value).split()))
    return variables, options


def certificates() -> tuple[dict[str, str], list[str]]:
    """Whom this machine trusts, as variables of uv and npm, and options to show the file."""
    path = ssl.get_default_verify_paths().cafile or "/etc/ssl/certs/ca-certificates.crt"
    if not Path(path).is_file():
        return {}, []
    shown = "/run/certificates.crt"
    variables = dict.fromkeys(("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"), shown)
    return variables, ["--ro-bind", path, shown]


def make_base(name: str, root: Path) -> None:
    """Make a base image of Debian, from this machine's mirrors where they have it."""
    match = _BASE.fullmatch(name)
    if match is None:
        raise StepError(f"FROM {name}: mmdebstrap makes debian:<suite>-slim only")
    here = [path for path in map(Path, _LISTED) if path.is_file()]
    mirrors = [str(path) for path in here if match["suite"] in path.read_text("utf8")]
    # What it mounts meanwhile is gone with its namespace, however it ends.
    command = ["unshare", "--mount", "mmdebstrap", "--quiet", "--mode=root", "--variant=minbase"]
    command += [match["suite"], str(root), *mirrors]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


def _assignments(image: Image, rest: str) -> Iterator[tuple[str, str]]:
    for word in shlex.split(rest):
        name, _, value = word.partition("=")
        yield name, _filled_in(image, value)


def _filled_in(image: Image, text: str) -> str:
    """A text with the values of the variables that it names."""
    return string.Template(text).substitute(image.arguments | image.variables)


def _copy(image: Image, context: Path, words: Sequence[str]) -> None:
    *sources, target = words
    into = image.path(target)
    for source in sources:
        found = [path for path in context_files(context) if _is_at(path, source)]
        if not found:
            raise StepError(f"COPY {source}: the build's context has no such file")
        for path in found:
            inside = path.relative_to(source) if path != Path(source) else Path(path.name)
            (into / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(context / path, into / inside)


def _is_at(path: Path, source: str) -> bool:
    return path == Path(source) or Path(source) in path.parents


def context_files(context: Path) -> Iterator[Path]:
    """What .dockerignore leaves of a folder, by its path there."""
    rules = [
        line
        for line in (context / ".dockerignore").read_text("utf8").splitlines()
        if line and not line.startswith("#")
    ]
    for folder, folders, files in os.walk(context):
        inside = Path(folder).relative_to(context)
        # An exception may be of what lies in an ignored folder.
        folders[:] = [
            name
            for name in folders
            if not _ignored(inside / name, rules)
            or any(rule.startswith(f"!{(inside / name).as_posix()}/") for rule in rules)
        ]
        yield from (inside / name for name in files if not _ignored(inside / name, rules))


def _ignored(path: Path, rules: Sequence[str]) -> bool:
    """Whether the last rule that fits says so; ``*`` may stand for several folders here."""
    ignored = False
    for rule in rules:
        pattern = rule.removeprefix("!")
        if any(fnmatch.fnmatch(part.as_posix(), pattern) for part in (path, *path.parents)):
            ignored = not rule.startswith("!")
    return ignored


def main() -> int:
    """Build what the arguments name, and run its entry point."""
    parser = argparse.ArgumentParser(description="Run a Dockerfile's steps without an engine.")
    parser.add_argument("dockerfile", type=Path)
    parser.add_argument("--volume", type=Path, help="the folder to show as the image's volume")
    parser.add_argument("arguments", nargs="*", help="of the entry point")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="image-") as scratch:
        try:
            image = build(options.dockerfile.resolve(), Path(scratch) / "root")
        except StepError as error:
            print(error, file=sys.stderr)
            return 1
        done = image.run(options.arguments, volume=options.volume)
    print(done.stdout, end="")
    print(done.stderr, end="", file=sys.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
