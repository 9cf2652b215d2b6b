"""Choose which of a person's files in an archive are the submission, and their names in it."""

from __future__ import annotations

import errno
import functools
import html
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, suppress
from functools import cached_property, partial
from itertools import islice
from pathlib import Path

from autograder.cells import ReleasedAnswers
from autograder.collect.archives import (
    MOST_ARCHIVED_FILES,
    MOST_BYTES,
    Member,
    Unreadable,
    megabytes,
)
from autograder.collect.filenames import (
    is_zip,
    platform_origin,
    version,
)
from autograder.collect.people import PersonFiles
from autograder.course_folder import CourseFolder
from autograder.names import folded, name_problem
from autograder.sanitize.program_files import is_programs
from autograder.sanitize.reader import NotANotebook, parse_notebook, stated_name
from autograder.sanitize.recognition import (
    ENDINGS,
    MOST_NOTEBOOK_BYTES,
    MOST_NOTEBOOKS,
    NO_TASKS,
    Recognised,
    claimed,
    ids_in,
    recognise,
    shortened,
)
from autograder.sanitize.submission import TIMESTAMP

_MOST_ZIPS = 10
_MOST_PACKED = 10 * MOST_BYTES  # the notebook may come with a data set, which is then skipped
# Files that platforms create from typed text, and in which students save links.
_OTHER_ARCHIVES = (".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")
_PAGES = (".html", ".htm", ".txt", ".url", ".webloc")
_MOST_PAGE_BYTES, _MOST_SHOWN = 100_000, 200
_ADDRESS = re.compile(
    r"(?:\b(?:href|url)\s*=\s*[\"']?|^\s*|<string>)(?P<address>https?://[^\s\"'<>]+)", re.IGNORECASE
)
_MARKUP = re.compile(r"<[^<>]*>")
_SEVERAL = "if they belong to several students, use --pattern to say whose each file is"
_NAME_REFUSED = {errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL, errno.EEXIST}


class LessonFiles:
    """Chooses which of a person's files are a submission to a lesson.

    Args:
        course: the course folder.
        lesson: one of its lessons.
    """

    def __init__(self, course: CourseFolder, lesson: str) -> None:
        self._course, self.name = course, lesson
        # Folders in which students have it.
        self.handed_out = frozenset({lesson, course.declared.distribution})
        folder = course.source(lesson).parent
        self._known = frozenset(path.name for path in folder.iterdir() if path.is_file())
        self._tasks = {
            path.name: _ids(path.read_bytes()) for path in sorted(folder.glob("*.ipynb"))
        }
        self._spelled = {folded(name): name for name in self._tasks}

    def sound(
        self, files: Sequence[tuple[tuple[str, ...], Member]], *, named: bool = False
    ) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
        """As ``sound``, but with all of the lesson's notebooks whose names differ in case alone:
        one of them is chosen later."""
        return sound(files, named=named, several=self._spelled.keys())

    def folders(self, paths: Iterable[tuple[str, ...]]) -> set[tuple[str, ...]]:
        """The folders of the lesson's notebooks."""
        return {path[:-1] for path in paths if self._as_handed_out(path[-1])[0] in self._tasks}

    def notebooks(self, files: Mapping[tuple[str, ...], Member]) -> set[tuple[str, ...]]:
        """The lesson's notebooks among files, by name or tasks; all if there are too many."""
        found = {path for path in files if path[-1].lower().endswith(".ipynb")}
        if len(found) > MOST_NOTEBOOKS:
            return found
        named = {path for path in found if self._as_handed_out(path[-1])[0] in self._tasks}
        claims = claimed(_readers(_by_name(files)), self._tasks)
        return named | {tuple(file.split("/")) for each in claims.values() for file in each}

    def are_several_peoples(self, folder: str, files: Mapping[tuple[str, ...], Member]) -> bool:
        """Whether the files of one folder seem to be several people's: a platform named them so, or
        they are more notebooks of the lesson than one person's, and not copies of one.

        Args:
            folder: its name.
            files: in it.
        """
        files, _ = _without_programs(files)
        if len(_named_by_platform(files)) > 1:
            return True
        notebooks = self.notebooks(files)
        names = set(map(self._added_names, notebooks))
        if len(names) <= len(self._tasks):
            return False
        if folder in self.handed_out and () not in names:
            return True  # a lesson's folder that has no notebook under its own name
        depth = min(map(len, notebooks))
        outer = {path: files[path] for path in notebooks if len(path) == depth}
        return len(outer) > MOST_NOTEBOOKS or bool(self._find(_by_name(outer)).unsure)

    def chosen(
        self, person: PersonFiles, stack: ExitStack
    ) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
        """A person's files by their path in the submission, and what is left out.

        Raises:
            Unreadable: when the lesson's notebook isn't among them, or is too large.
        """
        files, left_out = _without_programs(person.files)
        if not self.folders(files):
            files, more = self._unpacked(files, stack)
            left_out += more
            files, more = _without_programs(files)
            left_out += more
        if not self.folders(files):
            files, more = self._recognised(files)
            left_out += more
        folder = self._root(files, left_out + person.left_out)
        inside = {path[len(folder) :]: file for path, file in files.items() if _in(path, folder)}
        if beside := len(files) - len(inside):
            many = "1 file that is" if beside == 1 else f"{beside:,} files that are"
            left_out += (f"{many} not in the notebook's folder",)
        inside, more = self._with_answered_copies(inside)
        left_out += more
        renamed, more = self._renamed(inside, person.uploads)
        left_out += more
        chosen, more = sound(list(renamed.items()), named=True)
        left_out += more
        if () not in self.folders(chosen):
            raise Unreadable("; ".join(more[:3]))
        chosen, more = self._not_too_much(chosen)
        left_out += more
        left_out += tuple(
            self._find(_at_top(chosen)).unsure.values()
        )  # reported again when it's graded
        return chosen, left_out

    def copied(self, files: Mapping[tuple[str, ...], Member], scratch: Path) -> tuple[str, ...]:
        """Write files into an empty folder.

        Returns:
            Those that could not be read.

        Raises:
            Unreadable: when the lesson's notebook is among these.
        """
        scratch.mkdir()
        left_out = []
        for path, member in files.items():
            copy = scratch.joinpath(*path)
            try:
                copy.parent.mkdir(parents=True, exist_ok=True)
                with copy.open("xb") as file:
                    for chunk in member.chunks():
                        file.write(chunk)
            except Unreadable as error:
                copy.unlink()
                if len(path) == 1 and path[0] in self._tasks:
                    raise Unreadable(f"{path[0]}: {error}") from None
                left_out.append(f"{shown_path(path)}: {error}")
            except OSError as error:
                if error.errno not in _NAME_REFUSED:
                    raise
                left_out.append(f"{shown_path(path)}: this name isn't possible on this disk")
        return tuple(left_out)

    def unlike_the_lesson(self, scratch: Path) -> tuple[str, ...]:
        """Check whether notebooks with the lesson's names also have its tasks.

        Returns:
            Remarks about those that have only some.

        Raises:
            Unreadable: when one has no task of any released version: it belongs to a different
                lesson or course.
        """
        remarks = []
        for name, tasks in self._tasks.items():
            path = scratch / name
            if not tasks or not path.is_file() or path.stat().st_size > MOST_NOTEBOOK_BYTES:
                continue
            try:
                own = ids_in(parse_notebook(path.read_bytes(), []))
            except NotANotebook as error:
                raise Unreadable(f"{name}: it can't be read as a notebook: {error}") from None
            if own.isdisjoint(tasks) and own.isdisjoint(
                frozenset().union(*self._released.values())
            ):
                raise Unreadable(f"{name}: {NO_TASKS}")
            if 2 * len(own & tasks) < len(tasks):
                remarks.append(
                    f"{name}: only {len(own & tasks)} of the {len(tasks)} cells that the lesson's "
                    "tasks are in"
                )
        return tuple(remarks)

    def _as_handed_out(self, name: str) -> tuple[str, int]:
        """A file's name as the lesson has it, and the number that was added to it; the name of a
        notebook in any case."""
        for plain, number in ((name, 0), version(name)):
            known = plain if plain in self._known else self._spelled.get(folded(plain))
            if known:
                return known, number
        return name, 0

    def _added_names(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """The parts of a notebook's path that aren't the lesson's own names."""
        *folders, name = path
        added = [folded(each) for each in folders if each not in self.handed_out]
        if self._as_handed_out(name)[0] not in self._tasks:
            added.append(folded(version(name)[0]))
        return tuple(added)

    @cached_property
    def _released(self) -> Mapping[str, ReleasedAnswers]:
        course = self._course
        if not course.has_gradebook:
            return {}
        from nbgrader.api import MissingEntry  # slow to import

        from autograder.gradebook.releases import released_answers

        with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
            try:
                return released_answers(gradebook, self.name)
            except MissingEntry:
                return {}

    def _recognised(
        self, files: Mapping[tuple[str, ...], Member]
    ) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
        """The files, with the lesson's notebook renamed if it was recognized by its tasks.

        Raises:
            Unreadable: when several notebooks have them, and their answers differ.
        """
        found = self._find(_by_name(files))
        if found.unsure:
            raise Unreadable("; ".join([*found.unsure.values(), _SEVERAL]))
        named = dict(files)
        for name, (file, *_) in found.files.items():
            path = tuple(file.split("/"))
            named[*path[:-1], name] = named.pop(path)
        return named, tuple(itertools.chain.from_iterable(found.remarks.values()))

    def _unpacked(
        self, files: Mapping[tuple[str, ...], Member], stack: ExitStack
    ) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
        """Unpack the zips among a person's files, next to the other files.

        Zips inside them aren't opened.

        Raises:
            Unreadable: when there are too many, or they are too large.
        """
        sizes = [member.size for path, member in files.items() if is_zip(path[-1])]
        if len(sizes) > _MOST_ZIPS or sum(sizes) > _MOST_PACKED:
            limit = f"a student may hand in {_MOST_ZIPS} of up to {megabytes(_MOST_PACKED)} in all"
            raise Unreadable(f"{len(sizes):,} zips of {megabytes(sum(sizes))}: {limit}")
        unpacked, left_out = [], []
        for path, member in files.items():
            if not is_zip(path[-1]):
                unpacked.append((path, member))
                continue
            try:
                inner = member.opened(stack).members
            except Unreadable as error:
                left_out.append(f"{shown_path(path)}: {error}")
                continue
            place = path[:-1] if len(sizes) == 1 else path
            unpacked += [((*place, *each.path), each) for each in inner]
        inside, more = self.sound(unpacked)
        return inside, (*left_out, *more)

    def _not_too_much(
        self, files: Mapping[tuple[str, ...], Member]
    ) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
        """The files up to the size limit: the lesson's notebooks, then the smallest files.

        Raises:
            Unreadable: when the notebooks alone are too large.
        """

        def order(path: tuple[str, ...]) -> tuple[bool, int]:
            return len(path) > 1 or path[0] not in self._tasks, files[path].size

        taken: dict[tuple[str, ...], Member] = {}
        room, limit = MOST_BYTES, f"a student may hand in {megabytes(MOST_BYTES)}"
        for path in sorted(files, key=order):
            room -= files[path].size
            if room < 0 and not order(path)[0]:
                size = megabytes(files[path].size)
                raise Unreadable(f"{shown_path(path)}: {size} unpacked: {limit}")
            if room < 0 or len(taken) == MOST_ARCHIVED_FILES:
                break
            taken[path] = files[path]
        if len(taken) == len(files):
            return taken, ()
        largest = max(files.keys() - taken.keys(), key=lambda path: files[path].size)
        many = "1 file" if len(files) - len(taken) == 1 else f"{len(files) - len(taken):,} files"
        return taken, (
            f"{many} left out, the largest {shown_path(largest)} with "
            f"{megabytes(files[largest].size)}: {limit} in {MOST_ARCHIVED_FILES:,} files",
        )

    def _with_answered_copies(
        self, files: Mapping[tuple[str, ...], Member]
    ) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
        """The files, with the notebooks that have all answers renamed to the lesson's names, in
        place of others. If it's unclear which one has them, nothing changes."""
        found = self._find(_at_top(files))
        kept = dict(files)
        remarks: list[str] = []
        for name, (file, *others) in found.files.items():
            for other in others:
                if self._as_handed_out(other)[0] == name:
                    del kept[(other,)]
            kept[(name,)] = kept.pop((file,))
            if others or self._as_handed_out(file)[0] != name:
                remarks += found.remarks[name]
        return kept, tuple(remarks)

    def _find(self, files: Mapping[str, Member]) -> Recognised:
        return recognise(_readers(files), self._tasks, lambda: self._released)

    def _root(
        self, files: Mapping[tuple[str, ...], Member], left_out: Sequence[str]
    ) -> tuple[str, ...]:
        """The folder that holds the lesson's notebook: the outermost, or the one with its name."""
        folders = self.folders(files)
        if not folders:
            others = sorted(shown_path(path) for path in files)
            problem = f"there is no {' or '.join(sorted(self._tasks))}"
            if others:
                problem += f", only {', '.join(others[:3])}"
            problem += "".join(islice(_said_instead(files), 3))
            if any(is_zip(path[-1]) for path in files):
                problem += "; a zip in a zip of the student's is not opened"
            packed = (path[-1] for path in files if path[-1].lower().endswith(_OTHER_ARCHIVES))
            problem += "".join(f"; unpack {each} and zip it again" for each in islice(packed, 1))
            raise Unreadable("; ".join([problem, *left_out[:3]]))
        depth = min(map(len, folders))
        outer = sorted(folder for folder in folders if len(folder) == depth)
        named = [folder for folder in outer if folder[-1:] == (self.name,)]
        for found in (outer, named):
            if len(found) == 1:
                return found[0]
        raise Unreadable(
            f"the notebook is in several folders: {', '.join(map(shown_path, outer[:3]))}; "
            + _SEVERAL
        )

    def _renamed(
        self, files: Mapping[tuple[str, ...], Member], uploads: Mapping[Member, int]
    ) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
        """Keep one of several versions of a file, under its plain name: the last upload, or if the
        platform doesn't number uploads, the one with the highest number in its name; of names that
        only differ in case, the lesson's own."""

        def age(path: tuple[str, ...]) -> tuple[int, int]:
            return uploads.get(files[path], 0), self._as_handed_out(path[-1])[1]

        def order(path: tuple[str, ...]) -> tuple[int, int, bool]:
            return *age(path), path[-1] in self._known

        last: dict[tuple[str, ...], tuple[str, ...]] = {}
        left_out = []
        for path in sorted(files, key=order):
            own = path if len(path) > 1 else (self._as_handed_out(path[0])[0],)
            if folded(*own) == TIMESTAMP:
                left_out.append(
                    f"{shown_path(path)}: the time comes from the platform, not from the student"
                )
                continue
            if own in last:
                is_later = age(path) > age(last[own])
                why = "is a later version" if is_later else "only differs in case, and is used"
                left_out.append(f"{shown_path(last[own])}: {shown_path(path)} {why}")
            last[own] = path
        return {own: files[path] for own, path in last.items()}, tuple(left_out)


def _ids(content: bytes) -> frozenset[str]:
    """The ids in a notebook of the lesson; none if it can't be read."""
    try:
        return frozenset(filter(None, map(stated_name, parse_notebook(content, []).cells)))
    except NotANotebook:
        return frozenset()


def _at_top(files: Mapping[tuple[str, ...], Member]) -> dict[str, Member]:
    """The top-level files, by name."""
    return {path[0]: file for path, file in files.items() if len(path) == 1}


def _by_name(files: Mapping[tuple[str, ...], Member]) -> dict[str, Member]:
    """The files by their whole path as a string."""
    return {"/".join(path): file for path, file in files.items()}


def _named_by_platform(files: Iterable[tuple[str, ...]]) -> set[str]:
    """The owners of files by the platforms' names, in any folder."""
    found = (
        platform_origin(path[start:])
        for path in files
        if path[-1].lower().endswith((".ipynb", ".zip"))
        for start in range(len(path))
    )
    return {origin.label for origin in found if origin}


def _readers(files: Mapping[str, Member]) -> dict[str, Callable[[], bytes]]:
    """Functions that read the notebooks among files, by name."""
    return {
        name: functools.partial(_content, file)
        for name, file in files.items()
        if name.lower().endswith(ENDINGS)
    }


def _content(file: Member) -> bytes:
    """A notebook's content; empty if it can't be read or is too large."""
    with suppress(Unreadable):
        if not file.problem and file.size <= MOST_NOTEBOOK_BYTES:
            return b"".join(file.chunks())
    return b""


def _without_programs(
    files: Mapping[tuple[str, ...], Member],
) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
    """Files without programs' own folders, and a remark for each such folder."""
    work = {path[:-1] for path in files if path[-1].endswith(".ipynb")}
    kept: dict[tuple[str, ...], Member] = {}
    count: Counter[tuple[str, ...]] = Counter()

    def has(folder: tuple[str, ...], file: str) -> bool:
        return (*folder, file) in files and folder not in work

    for path, member in files.items():
        folders = (path[:end] for end in range(1, len(path)))
        of_programs = (each for each in folders if is_programs(each[-1], partial(has, each)))
        if folder := next(of_programs, None):
            count[folder] += 1
        else:
            kept[path] = member
    return kept, tuple(
        f"{shown_path(folder)}: left out, a program's own folder with "
        f"{'1 file' if number == 1 else f'{number:,} files'}"
        for folder, number in count.items()
    )


def sound(
    files: Sequence[tuple[tuple[str, ...], Member]],
    *,
    named: bool = False,
    several: Set[str] = frozenset(),
) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
    """Files that can be in the same folder, and the others, with the reason.

    Args:
        files: by path.
        named: whether they are to be written under these names, which must then work everywhere.
        several: names, folded, that several files in one folder may share.
    """
    alike = defaultdict(set)
    for path, _ in files:
        alike[folded(*path)].add(path)
    times = Counter(path for path, _ in files)
    taken: dict[tuple[str, ...], Member] = {}
    left_out: dict[str, None] = {}
    for path, member in files:
        parents = (folded(*path[:end]) for end in range(1, len(path)))
        problem = member.problem or (name_problem(path) if named else "")
        if not problem and times[path] > 1:
            problem = f"it's in the archive {times[path]} times"
        others = alike[folded(*path)]
        may_be_several = folded(path[-1]) in several and len({each[:-1] for each in others}) == 1
        if not problem and len(others) > 1 and not may_be_several:
            problem = "its name differs from another one's only in case or Unicode form"
        if not problem and any(parent in alike for parent in parents):
            problem = "its folder is also a file"
        if problem:
            left_out[f"{shown_path(path)}: {problem}"] = None
        else:
            taken[path] = member
    return taken, tuple(left_out)


def _said_instead(files: Mapping[tuple[str, ...], Member]) -> Iterator[str]:
    """The web address or text that somebody handed in instead of a notebook."""
    for path, member in sorted(files.items()):
        if path[-1].lower().endswith(_PAGES) and member.size <= _MOST_PAGE_BYTES:
            with suppress(Unreadable):
                page = b"".join(member.chunks()).decode("utf8", "replace")
                address = _ADDRESS.search(page)
                text = html.unescape(address["address"] if address else _MARKUP.sub(" ", page))
                shown = " ".join(text.split())[:_MOST_SHOWN]
                what = "the address" if address else "the text"
                yield f"; {shown_path(path)} has {what} {shown!r}" if shown else ""


def _in(path: tuple[str, ...], folder: tuple[str, ...]) -> bool:
    return path[: len(folder)] == folder


def shown_path(path: tuple[str, ...]) -> str:
    """A path, shortened to fit a line."""
    return shortened("/".join(path))
