"""The sandbox, from inside a kernel: what is there, what is not, and where it ends."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import psutil
import pytest

import autograder as package
from autograder.course_folder import CourseFolder
from autograder.grading import batch
from autograder.kernels import sandbox, transfer
from autograder.kernels.sandbox import Limits
from tests.conftest import QUICK_LESSON, REPOSITORY, needs_sandbox, write_quick_course
from tests.kernels.test_kernels import Kernels, errors, kernels, printed, until
from tests.support.commands import BIN

HIDDEN_PACKAGE = str(Path(nbformat.__file__).parents[1] / "nbconvert")

pytestmark = needs_sandbox


@pytest.fixture(scope="module")
def inside():
    yield from kernels(True)


@pytest.fixture
def inside_beside_a_hidden_package():
    """Kernels of a Python among whose packages one is hidden, as an installed autograder is."""
    yield from kernels(True, (HIDDEN_PACKAGE,))


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    return write_quick_course(tmp_path_factory.mktemp("course"), ["ada"])


@pytest.fixture
def course(released, tmp_path):
    """The released course, with nothing graded."""
    return CourseFolder(shutil.copytree(released.root, tmp_path / "course"))


def seen(inside: Kernels, folder, source, **options):
    """What a kernel in the sandbox prints as JSON."""
    outcome = inside.run(folder, "import json, os, socket, sys", source, **options)
    assert outcome.ended == ""
    assert errors(outcome, 1) == [], outcome.cells[1]
    return json.loads(printed(outcome))


# --- what is there -------------------------------------------------------------------------------


def test_the_course_is_there_and_the_autograder_is_not(inside, tmp_path):
    source = (
        "import course, selfcheck.checks, importlib.util\n"
        "found = [importlib.util.find_spec(name) for name in ('autograder', 'keys')]\n"
        "print(json.dumps([course.__file__, selfcheck.checks.__file__, [str(x) for x in found],"
        " [os.path.exists(path) for path in PATHS]]))"
    )
    paths = [Path(package.__file__), REPOSITORY / "source", REPOSITORY / "tests", Path.home()]
    there, checks, found, existing = seen(
        inside, tmp_path, f"PATHS = {list(map(str, paths))}\n{source}"
    )
    assert there == str(REPOSITORY / "course" / "__init__.py")
    assert checks == str(REPOSITORY / "selfcheck" / "checks.py")
    assert found == ["None", "None"]
    # The home folder may be on the way to this Python.
    assert existing[:3] == [False, False, False]


def test_an_installed_autograder_is_hidden_too(monkeypatch, tmp_path):
    installed = Path(sys.prefix) / "lib" / "autograder"
    monkeypatch.setattr(sandbox, "_PACKAGE", installed)
    command = sandbox.command([], sandbox.View(), {})
    assert command[command.index(str(installed)) - 1] == "--tmpfs"
    assert command.index(str(installed)) > command.index(sys.prefix)


def test_the_home_folder_shows_no_more_than_python(inside, tmp_path):
    listed = seen(
        inside,
        tmp_path,
        f"home = {str(Path.home())!r}\n"
        "print(json.dumps(os.listdir(home) if os.path.isdir(home) else []))",
    )
    ways = {Path(sys.prefix), Path(sys.base_prefix), REPOSITORY}
    homes = {way.relative_to(Path.home()).parts[0] for way in ways if Path.home() in way.parents}
    assert set(listed) <= homes


def test_the_environment_says_nothing_of_the_instructor(inside, tmp_path, monkeypatch):
    monkeypatch.setenv("DATABASE_PASSWORD", "swordfish")
    names = seen(inside, tmp_path, "print(json.dumps(dict(os.environ)))", variables={"A": "b"})
    assert "swordfish" not in str(names)
    assert names["A"] == "b"
    processes = seen(
        inside,
        tmp_path,
        "found = []\n"
        "for name in os.listdir('/proc'):\n"
        "    try:\n"
        "        found.append(open(f'/proc/{name}/environ').read())\n"
        "    except OSError:\n"
        "        pass\n"
        "print(json.dumps(found))",
    )
    assert "swordfish" not in str(processes)


def test_there_is_no_network(inside, tmp_path):
    source = (
        "failed = []\n"
        "tcp, vm = socket.AF_INET, socket.AF_VSOCK\n"
        "for kind, address in (tcp, ('127.0.0.1', 9)), (tcp, ('1.1.1.1', 53)), (vm, (2, 1)):\n"
        "    try:\n"
        "        with socket.socket(kind, socket.SOCK_STREAM) as made:\n"
        "            made.settimeout(2)\n"
        "            made.connect(address)\n"
        "    except OSError as error:\n"
        "        failed.append(error.strerror)\n"
        "print(json.dumps(failed))"
    )
    assert seen(inside, tmp_path, source) == [
        "Network is unreachable",
        "Network is unreachable",
        "Function not implemented",
    ]


def test_nothing_but_its_own_folders_can_be_written(inside, tmp_path):
    places = [
        *("/", "/dev", "/proc/sys/kernel/core_pattern", "/usr", "/etc"),
        *map(str, (sys.prefix, REPOSITORY / "course", REPOSITORY)),
    ]
    source = (
        f"refused = []\nfor place in {places}:\n"
        "    try:\n"
        "        open(place if os.path.isfile(place) else place + '/forged', 'w')\n"
        "    except OSError as error:\n"
        "        refused.append(error.strerror)\n"
        "import tempfile\n"
        "for place in ('.', tempfile.gettempdir(), '/dev/shm', os.environ['HOME']):\n"
        "    open(place + '/own', 'w').close()\n"
        "print(json.dumps(refused))"
    )
    refused = seen(inside, tmp_path, source)
    assert len(refused) == len(places)
    assert set(refused) <= {"Read-only file system", "Permission denied"}


WRITABLE = """writable = {}
for line in open("/proc/self/mountinfo"):
    place = line.split()[4].encode().decode("unicode_escape")
    if os.path.exists(place) and not os.statvfs(place).f_flag & os.ST_RDONLY:
        about = os.statvfs(place)
        size = about.f_blocks * about.f_frsize
        writable[place] = [os.stat(place).st_dev, size, about.f_files]
print(json.dumps(writable))
"""


@pytest.mark.parametrize("layout", ["inside", "inside_beside_a_hidden_package"])
def test_every_place_that_can_be_written_is_the_kernels_own_and_has_a_size(
    request, tmp_path, layout
):
    """What the forking process has mounted, all its kernels see."""
    kernels = request.getfixturevalue(layout)
    forking = psutil.Process(kernels.pid).children()[0].pid
    mounts = Path(f"/proc/{forking}/mountinfo").read_text().splitlines()
    everybodys = {os.makedev(*map(int, line.split()[2].split(":"))) for line in mounts}
    writable = seen(kernels, tmp_path, WRITABLE, limits=Limits(disk=10))
    # /tmp is the kernel's, too, unless Python or the course is in it.
    assert writable.keys() - {"/tmp"} == {"/student", "/dev/shm", "/dev/pts"}
    terminals = writable.pop("/dev/pts")
    assert terminals == [terminals[0], 0, 0]
    assert {(size, files) for _, size, files in writable.values()} == {(10 * 2**20, 10_000)}
    own = {device for device, _, _ in (terminals, *writable.values())}
    assert own.isdisjoint(everybodys)


def test_a_hidden_package_is_an_empty_folder(inside_beside_a_hidden_package, tmp_path):
    source = f"hidden = {HIDDEN_PACKAGE!r}\n" + (
        "try:\n"
        "    open(hidden + '/forged', 'w')\n"
        "except OSError as error:\n"
        "    print(json.dumps([os.listdir(hidden), error.strerror]))"
    )
    found = seen(inside_beside_a_hidden_package, tmp_path, source)
    assert found == [[], "Read-only file system"]


def test_devices_can_be_used_and_not_changed(inside, tmp_path):
    """Run by root, the machine's own would belong to the kernel."""
    source = (
        "changed = []\n"
        "for name in os.listdir('/dev'):\n"
        "    try:\n"
        "        os.utime(f'/dev/{name}')\n"
        "        changed.append(name)\n"
        "    except OSError:\n"
        "        pass\n"
        "with open('/dev/null', 'w') as null:\n"
        "    null.write('nothing')\n"
        "print(json.dumps([changed, len(os.urandom(3))]))"
    )
    changed, drawn = seen(inside, tmp_path, source)
    assert set(changed) <= {"ptmx", "shm", "stderr", "stdout"}  # which are its own
    assert drawn == 3


REFUSED = [
    "libc.unshare(0x10000000)",
    "libc.mount(b'tmpfs', b'/student/work', b'tmpfs', 0, None)",
    "libc.ptrace(16, 1, 0, 0)",
    "libc.syscall(319, b'x', 0)",  # memfd_create
    "libc.shmget(0, 4096, 0o1600)",
    "libc.semget(0, 1, 0o1600)",
    "libc.msgget(0, 0o1600)",
    "libc.inotify_init()",
    "libc.prctl(22, 2, 0)",  # a filter of its own
    "libc.socket(3, 5, 0)",  # amateur radio, whose module would be loaded
    # As the system does, the filter looks at the lower half of a register alone.
    "libc.syscall(72, os.pipe()[0], ctypes.c_uint64((1 << 32) + 1031), 1 << 20)",
    "libc.setuid(0)",
    "libc.syscall(444, None, 0, 1)",  # landlock_create_ruleset
    "libc.prctl(78, 1, 1024, 0, 0)",  # PR_FUTEX_HASH
    "libc.syscall(463, 0, 0)",  # a call that is newer than this list
    "libc.setns(os.open('/proc/self/ns/net', 0), 0)",
    "libc.fcntl(os.open('/usr/bin/env', 0), 1024, 0)",  # a lease
    "libc.fcntl(os.open('/usr', 0), 1026, 1)",  # news of a folder
]

SHARED = {
    "shared": "mmap.mmap(-1, 1 << 20, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)",
    "validated": "mmap.mmap(-1, 1 << 20, flags=3 | mmap.MAP_ANONYMOUS)",  # MAP_SHARED_VALIDATE
    "zero": "mmap.mmap(os.open('/dev/zero', os.O_RDWR), 1 << 20, flags=mmap.MAP_SHARED)",
}


@pytest.fixture(scope="module")
def tried(inside, tmp_path_factory):
    """What each attempt came to, all of one kernel's."""
    setup = "import ctypes, mmap, os\nlibc = ctypes.CDLL(None, use_errno=True)"
    attempts = [*(f"print({attempt})" for attempt in REFUSED), *SHARED.values()]
    outcome = inside.run(tmp_path_factory.mktemp("tried"), setup, *attempts)
    assert outcome.ended == ""
    return {
        attempt: (printed(outcome, number), errors(outcome, number))
        for number, attempt in enumerate([*REFUSED, *SHARED], 1)
    }


@pytest.mark.parametrize("attempt", REFUSED)
def test_rights_that_no_answer_needs_are_gone(tried, attempt):
    assert tried[attempt] == ("-1\n", [])


@pytest.mark.parametrize("kind", SHARED)
def test_memory_is_not_shared_but_by_files(tried, kind):
    """It would stay when nobody has it mapped any more, and no process would show it."""
    assert tried[kind] == ("", ["PermissionError"])


def test_what_lessons_need_of_the_system_is_there(inside, tmp_path):
    source = (
        "import ctypes, fcntl, multiprocessing, shutil, sqlite3\n"
        "found = []\n"
        "with sqlite3.connect('words.db') as database:\n"
        "    database.execute('CREATE TABLE words (word)')\n"
        "    found += database.execute('SELECT count(*) FROM words').fetchone()\n"
        "found.append(shutil.copyfile('words.db', 'copy.db'))\n"
        "context = multiprocessing.get_context('fork')\n"
        "with context.Pool(2) as pool:\n"
        "    found += pool.map(abs, [-1, -2])\n"
        "queue = context.Queue()\n"
        "queue.put('queue')\n"
        "found.append(queue.get())\n"
        "found += get_ipython().getoutput('echo shell')\n"
        "found.append(os.ttyname(os.openpty()[1]))\n"
        "os.sync()\n"
        "print(json.dumps(found))"
    )
    expected = [0, "copy.db", 1, 2, "queue", "shell", "/dev/pts/0"]
    assert seen(inside, tmp_path, source) == expected


def test_locks_on_files_of_the_system_are_nobodys_business(inside, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    lock = "import fcntl, time\nlocked = open('/usr/bin/env')\n"
    holding = f"{lock}fcntl.flock(locked, fcntl.LOCK_EX)\ntime.sleep(3)"
    trying = (
        f"{lock}time.sleep(1)\nfcntl.flock(locked, fcntl.LOCK_EX | fcntl.LOCK_NB)\nprint('free')"
    )
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(inside.run, tmp_path / "a", holding)
        assert printed(inside.run(tmp_path / "b", trying)) == "free\n"
        assert first.result().ended == ""


# --- files ---------------------------------------------------------------------------------------


def test_files_go_in_and_come_out_and_nothing_else_does(inside, tmp_path):
    work = tmp_path / "work"
    (work / "data").mkdir(parents=True)
    (work / "data" / "texts.csv").write_text("a,b")
    (work / "data" / "texts.csv").chmod(0o444)
    (work / "link").symlink_to("/etc/hostname")
    outcome = inside.run(
        work,
        "import os\n"
        "print(open('data/texts.csv').read(), os.path.lexists('link'))\n"
        "open('data/texts.csv', 'a').write(',c')\n"
        "os.makedirs('new/folder'); open('new/folder/file.NPY', 'wb').write(bytes(3))\n"
        "for name in ('a.html', 'a.atom', 'a.xsl', 'a.svg.', 'a', 'a.txt.js', 'a.ipynb'):\n"
        "    open(name, 'w').close()\n"
        "os.symlink('/etc/passwd', 'passwd'); os.symlink('/', 'root'); os.mkfifo('pipe')\n"
        "open('odd\\nname', 'w').close(); open(b'bytes\\xff', 'w').close()\n"
        "os.mkdir('link'); open('link/through', 'w').close()",
    )
    assert printed(outcome) == "a,b False\n"
    left = {str(path.relative_to(work)) for path in work.rglob("*")}
    assert left == {
        *("data", "data/texts.csv", "link"),
        *("new", "new/folder", "new/folder/file.NPY"),
    }
    assert (work / "data" / "texts.csv").read_text() == "a,b,c"
    assert (work / "link").is_symlink()


def test_a_file_with_holes_does_not_fill_the_disk(inside, tmp_path):
    inside.run(
        tmp_path,
        "for number in range(5):\n"
        "    with open(f'{number}', 'wb') as file:\n"
        "        file.truncate(9 * 2**20)",
        limits=Limits(disk=10),
    )
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 10 * 2**20


def many_files(folder, count):
    for number in range(count):
        (folder / f"{number}.txt").write_text("handed in")


def test_a_second_run_starts_from_the_files_that_were_handed_in(inside, tmp_path):
    many_files(tmp_path, 4_800)
    outcome = inside.run(
        tmp_path,
        "helper = len",
        "import os\n"
        "for name in os.listdir():\n"
        "    os.remove(name)\n"
        "for number in range(9_000):\n"
        "    open(f'made-{number}.txt', 'w').close()\n"
        "print(helper('12'))",
        "import os; print(len(os.listdir()))",
        skipped=[0],
    )
    assert errors(outcome, 1) == []
    assert printed(outcome) == "9000\n"
    assert printed(outcome, 1) == "2\n"
    made = [path for path in tmp_path.iterdir() if path.name.startswith("made-")]
    assert len(made) == transfer.MOST_FILES_LEFT


def test_notebook_after_notebook_finds_room_for_what_the_ones_before_it_left(inside, tmp_path):
    many_files(tmp_path, 4_900)
    fill = (
        "import os, secrets\n"
        "for name in os.listdir():\n"
        "    os.remove(name)\n"
        "for number in range(3_000):\n"
        "    open(f'{secrets.token_hex(8)}.txt', 'w').close()\n"
        "for number in range(7):\n"
        "    open(f'{secrets.token_hex(8)}.bin', 'wb').write(bytes(2**20))"
    )
    for _ in range(6):
        outcome = inside.run(tmp_path, fill, limits=Limits(disk=64))
        assert outcome.ended == ""


def test_files_are_copied_in_pieces_and_only_so_many(inside, tmp_path, monkeypatch):
    monkeypatch.setattr(transfer, "MOST_LEFT", 40 * 2**20)
    (tmp_path / "kept.bin").write_bytes(bytes(50 * 2**20))
    source = (
        "for name in 'ab':\n"
        "    open(f'{name}.bin', 'wb').write(bytes(30 * 2**20))\n"
        "open('model.npy', 'w').write('small')"
    )
    tracemalloc.start()
    inside.run(tmp_path, source)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * 2**20
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert sizes.pop("kept.bin") == 50 * 2**20
    assert sizes.pop("model.npy") == 5
    assert list(sizes.values()) == [30 * 2**20]


LINKS = """
import os, socket
folder = os.path.dirname(get_ipython().kernel.config.IPKernelApp.connection_file)
for name in filter(lambda name: name.startswith("k-"), os.listdir(folder)):
    os.rename(f"{folder}/{name}", f"{folder}/old-{name}")
    os.symlink(PLACE, f"{folder}/{name}")
for number in map(int, os.listdir("/proc/self/fd")):
    try:
        connection = socket.socket(fileno=os.dup(number))
        if "k-" in str(connection.getsockname()):
            connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
"""
"""Replaces the kernel's sockets by links and breaks the connections to them."""


def test_the_grader_connects_to_the_sockets_that_the_kernel_began_with(inside, tmp_path):
    place = tmp_path / "host.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        listener.listen()
        listener.setblocking(False)
        (tmp_path / "work").mkdir()
        source = f"PLACE = {str(place)!r}\n{LINKS}"
        inside.run(tmp_path / "work", source, "import time\ntime.sleep(3)", timeout=10, total=15)
        with pytest.raises(BlockingIOError):
            listener.accept()


# --- limits --------------------------------------------------------------------------------------


def test_the_disk_is_full_at_its_limit(inside, tmp_path):
    outcome = inside.run(
        tmp_path,
        "for number in range(5):\n    open(f'{number}', 'wb').write(bytes(9 * 2**20))",
        "print('next')",
        limits=Limits(disk=10),
    )
    assert errors(outcome, 0) == ["OSError"]
    assert printed(outcome) == "next\n"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("kept = [b'x' * 2**20 for _ in range(900)]\nimport time\ntime.sleep(20)", "200 MB of mem"),
        (
            "import subprocess, time\n"
            "started = [subprocess.Popen(['sleep', '20']) for _ in range(80)]\ntime.sleep(20)",
            "60 processes and threads",
        ),
        (
            "import time\nfor _ in range(40):\n    print('x' * 2**20)\n    time.sleep(0.3)",
            "2 MB of output",
        ),
        ("print('x' * 17 * 2**20)", "16 MB of output at once"),
        ("from IPython.display import display\ndisplay('x' * 3 * 2**20)", "2 MB of output"),
    ],
    ids=["memory", "processes", "stream", "message", "display"],
)
def test_who_goes_beyond_a_limit_loses_the_kernel_and_is_told_why(inside, tmp_path, source, reason):
    limits = Limits(memory=200, processes=60, output=2)
    outcome = inside.run(tmp_path, "print('before')", source, "print('next')", limits=limits)
    assert printed(outcome, 0) == "before\n"
    assert reason in outcome.ended
    assert errors(outcome, 1)[-1] == "KernelEndedHere"
    assert printed(outcome, 2) == "next\n"


def test_what_sockets_keep_of_their_options_counts_as_memory(inside, tmp_path):
    number, others, megabyte = 900, 130, 2**20
    waiting, options = (
        number * int(Path(f"/proc/sys/net/core/{name}").read_text()) // megabyte
        for name in ("wmem_default", "optmem_max")
    )
    if options < 100:
        pytest.skip("this Linux lets sockets keep too little for a difference")
    source = (
        f"import socket, time\nkept = [socket.socket() for _ in range({number})]\n"
        "time.sleep(2)\nprint('kept')"
    )
    few = Limits(memory=others + waiting + options // 2)
    many = Limits(memory=others + waiting + 2 * options)
    assert "of memory" in inside.run(tmp_path, source, limits=few).ended
    assert printed(inside.run(tmp_path, source, limits=many)) == "kept\n"


def test_below_the_limits_nothing_happens(inside, tmp_path):
    outcome = inside.run(
        tmp_path,
        "kept = [b'x' * 2**20 for _ in range(100)]\nprint('x' * 2**20)",
        "print('after')",
        limits=Limits(memory=400, output=2),
    )
    assert outcome.ended == ""
    assert printed(outcome) == "after\n"


# --- beside one another --------------------------------------------------------------------------


def test_kernels_do_not_see_or_reach_each_other(inside, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    victim = (
        "import socket, time\n"
        "import tempfile\n"
        "open(tempfile.gettempdir() + '/left-by-a', 'w').write('of a')\n"
        "abstract = socket.socket(socket.AF_UNIX); abstract.bind('\\0sibling')\n"
        "import os; terminal = os.openpty()\n"
        "time.sleep(4)\nprint('alive')"
    )
    attacker = (
        "import os, signal, socket, time\n"
        "time.sleep(1)\n"
        "places = [os.walk('/tmp'), os.walk('/student')]\n"
        "found = [name for place in places for _, _, files in place for name in files]\n"
        "print('left-by-a' in found)\n"
        "print(os.listdir('/dev/pts'))\n"
        "try:\n"
        "    socket.socket(socket.AF_UNIX).connect('\\0sibling')\n"
        "except OSError as error:\n"
        "    print(type(error).__name__)\n"
        "os.kill(-1, signal.SIGKILL)"
    )
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(inside.run, tmp_path / "a", victim)
        second = threads.submit(inside.run, tmp_path / "b", attacker).result()
    assert printed(second).split() == ["False", "['ptmx']", "ConnectionRefusedError"]
    assert printed(first.result()) == "alive\n"
    # kill(-1) spares who calls it, and all that is not in its namespace.
    assert second.ended == ""


def test_all_that_a_kernel_started_ends_with_it(inside, tmp_path):
    before = inside.processes()
    outcome = inside.run(
        tmp_path,
        "import os, subprocess, sys\n"
        "subprocess.Popen(['sleep', '600'])\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        import time\n        time.sleep(600)\n"
        "    os._exit(0)\n"
        "os._exit(3)",
    )
    assert outcome.ended == "the kernel ended itself, with code 3"
    until(lambda: inside.processes() == before)


# --- a whole grading, which ends the kernels that the tests above share ---------------------------


def test_what_a_kernel_leaves_does_not_stop_the_next_grading(course, autograder):
    path = course.submitted("ada", QUICK_LESSON) / f"{QUICK_LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    source = (
        "import os\n"
        f"for name in ('another.ipynb', 'timestamp.txt', 'Timestamp.TXT', '{QUICK_LESSON}.html'):\n"
        "    open(name, 'w').write('no notebook, time or page')\n"
        f"os.makedirs('{QUICK_LESSON}.ipynb/folder')\n"
        "open('kept.txt', 'w').write('kept')"
    )
    notebook.cells.append(nbformat.v4.new_code_cell(source))
    nbformat.write(notebook, path)
    for options in ((), ("--force",)):
        graded = autograder("grade", QUICK_LESSON, *options, course=course.root)
        assert graded.code == 0, graded.out + graded.err
        left = {path.name for path in course.autograded("ada", QUICK_LESSON).parent.iterdir()}
        assert left == {f"{QUICK_LESSON}.ipynb", "kept.txt"}


# --- where there is none -------------------------------------------------------------------------


def test_where_the_course_cannot_be_imported_nothing_is_graded(course):
    """As on a host whose package is older than its notebooks."""
    path = course.source(QUICK_LESSON)
    source = nbformat.read(path, as_version=4)
    source.cells.append(nbformat.v4.new_code_cell("from course import next_year"))
    nbformat.write(source, path)
    rows = list(batch.grade(course, QUICK_LESSON, ["ada"]))
    assert rows[0].problem.startswith("not graded: ")
    assert "cannot import course.next_year (ModuleNotFoundError" in rows[0].problem
    assert not course.autograded("ada", QUICK_LESSON).exists()


def without_bubblewrap(folder):
    """An environment in which everything is found but bubblewrap."""
    folder.mkdir()
    for name in ("git", "sh", "env"):
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    return os.environ | {"PATH": f"{BIN}:{folder}"}


def test_without_bubblewrap_nothing_is_graded_and_the_way_out_is_named(course, tmp_path):
    command = [BIN / "autograder", "grade", QUICK_LESSON]
    environment = without_bubblewrap(tmp_path / "bin")

    def grade(*options, **kwargs):
        return subprocess.run(
            [*command, *options], cwd=course.root, capture_output=True, text=True, **kwargs
        )

    refused = grade(env=environment)
    assert refused.returncode == 2
    assert "bubblewrap is not installed" in refused.stderr
    assert "--sandbox none" in refused.stderr
    assert not (course.root / "autograded").exists()
    forced = grade("--sandbox", "none", env=environment)
    assert forced.returncode == 0, forced.stdout + forced.stderr
    assert course.autograded("ada", QUICK_LESSON).is_file()


def test_nbgrader_without_bubblewrap_grades_nothing_and_says_why(course, tmp_path):
    graded = subprocess.run(
        [BIN / "nbgrader", "autograde", QUICK_LESSON],
        cwd=course.root,
        env=without_bubblewrap(tmp_path / "bin"),
        capture_output=True,
        text=True,
    )
    assert graded.returncode != 0
    assert "bubblewrap is not installed" in graded.stderr
    assert "c.ExecuteSubmission.sandbox" in graded.stderr
    assert not course.autograded("ada", QUICK_LESSON).exists()
