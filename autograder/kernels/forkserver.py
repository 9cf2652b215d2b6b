"""The process that forks kernels: it imports modules once, then gives a copy of itself on request.

A script that ``autograder.kernels.client`` starts as a separate process, in a sandbox if requested.
It only uses the standard library and ipykernel, because ``autograder`` is hidden there.

On the socket whose descriptor is its first argument, it exchanges JSON messages, one per packet. It
sends ``{"ready": ...}`` or ``{"unfit": ...}`` when the modules are imported; if a module starts
threads, it reports this and starts again without it. It answers a request
``{"request": n, "fork": {...}}``, which comes with descriptors for standard output, standard error
and a channel. When the other end is closed, all kernels end.

On the channel, the kernel's guardian sends ``{"guardian": ...}`` and then waits for a packet; the
kernel sends ``{"kernel": ...}`` when it's about to start; the guardian sends ``{"ended": code}``.
The receiver gets the senders' process ids from the system, in its own numbering.

The process must stay safe to fork: it runs no operation of an imported package, starts no thread,
no event loop and no ZeroMQ context. Between it and each kernel is a guardian process; when it ends,
so does everything that the kernel started: in a sandbox it's the first process of its own
namespace, elsewhere it adopts what the kernel leaves behind (it is a "subreaper").
"""

from __future__ import annotations

import atexit
import ctypes
import errno
import fcntl
import gc
import importlib
import json
import mmap
import os
import random
import re
import resource
import selectors
import signal
import socket
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

LARGEST_PACKET = 1 << 18

PRIVATE = "/student"
"""The mount point of a sandboxed kernel's own, writable file system."""

WORK, CONNECTION = f"{PRIVATE}/work", f"{PRIVATE}/connection"
"""Its working folder, and the folder of its connection file and sockets."""

HOME, TEMPORARY, _SHARED_MEMORY = f"{PRIVATE}/home", f"{PRIVATE}/tmp", f"{PRIVATE}/shm"

WHOLE_PROC = "/whole-proc"
"""The machine's own /proc, visible to the forking process but to no kernel."""

PROCESS_OPEN_FILES = 1024
"""Maximum number of open files of one process of a kernel."""

SANDBOX_FILES = 10_000
"""Maximum number of files and folders in a kernel's own file system."""

_CHANNEL = 3
_NICE = 5

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REMOUNT, _MS_BIND = 1, 2, 4, 8, 32, 4096
_LOCKED_OPTIONS = {"nosuid": _MS_NOSUID, "nodev": _MS_NODEV, "noexec": _MS_NOEXEC}
_CAPABILITY_VERSION = 0x20080522

_F_SETOWN_EX, _F_GETOWN_EX, _F_GETPIPE_SZ = 15, 16, 1032

# CLONE_NEW: TIME, NS, CGROUP, UTS, IPC, USER, PID, NET.
_NAMESPACE_FLAGS = (1 << 7, 1 << 17, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30)
_NAMESPACES = sum(_NAMESPACE_FLAGS[1:])
_CLONE_FILES, _CLONE_THREAD, _CLOSE_RANGE_UNSHARE = 1 << 10, 1 << 16, 1 << 1

# From libseccomp's header.
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_MASKED_EQUAL = 7

# The calls that container engines allow by default, except those that can take memory that isn't
# counted for any process, inspect other processes, or reach more of the system than answers need.
# All other calls, including those of a newer Linux, seem not to exist, which C libraries expect on
# older systems. clone3 is one of them, because no filter can read its flags, and so are sendmsg and
# sendmmsg: they can send open files, which aren't counted anywhere while in transit.
_ALLOWED = """
    accept accept4 access alarm arch_prctl bind brk capget capset chdir chmod chown clock_getres
    clock_gettime clock_nanosleep clone close close_range connect copy_file_range creat dup dup2
    dup3 epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2
    execve execveat exit exit_group faccessat faccessat2 fadvise64 fallocate fchdir fchmod fchmodat
    fchmodat2 fchown fchownat fdatasync fgetxattr flistxattr flock fork fremovexattr fsetxattr fstat
    fstatfs fsync ftruncate futex futex_waitv futimesat get_robust_list getcpu getcwd getdents
    getdents64 getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp getpid getppid
    getpriority getrandom getresgid getresuid getrlimit getrusage getsid getsockname getsockopt
    gettid gettimeofday getuid getxattr ioctl ioprio_get ioprio_set kill lchown lgetxattr link
    linkat listen listxattr llistxattr lremovexattr lseek lsetxattr lstat madvise membarrier mincore
    mkdir mkdirat mknod mknodat mlock mlock2 mlockall mmap mprotect mremap msync munlock munlockall
    munmap nanosleep newfstatat open openat openat2 pause pidfd_open pidfd_send_signal pipe pipe2
    pkey_alloc pkey_free pkey_mprotect poll ppoll pread64 preadv preadv2 prlimit64 pselect6 pwrite64
    pwritev pwritev2 read readahead readlink readlinkat readv recvfrom recvmmsg recvmsg removexattr
    rename renameat renameat2 restart_syscall rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask
    rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo
    sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam
    sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam
    sched_setscheduler sched_yield select sendto set_robust_list set_tid_address
    setfsgid setfsuid setgid setgroups setitimer setpgid setpriority setregid setresgid setresuid
    setreuid setrlimit setsid setsockopt setuid setxattr setxattrat shutdown sigaltstack signalfd
    signalfd4 stat statfs statx symlink symlinkat sync sync_file_range syncfs sysinfo tgkill time
    timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create
    timerfd_gettime timerfd_settime times tkill truncate umask uname unlink unlinkat utime utimensat
    utimes vfork wait4 waitid write writev
"""

# Locks on parts of a file, of which there may be any number. Nobody else sees the kernel's files,
# and SQLite works just as well if such a call reports success without doing anything.
_LOCKS = (fcntl.F_SETLK, fcntl.F_SETLKW, fcntl.F_OFD_SETLK, fcntl.F_OFD_SETLKW)
# The position of an argument, and the values that it may have.
_ALLOWED_VALUES = {
    # Other families of sockets load modules into the system.
    "socket": (0, (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)),
    "socketpair": (0, (socket.AF_UNIX,)),
    # Signals and owners of a file, but no leases and no notifications: system files are shared, and
    # a lease would block others from opening one. Pipes keep their sizes.
    "fcntl": (
        1,
        (
            *(fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL),
            *(fcntl.F_SETFL, fcntl.F_GETLK, fcntl.F_OFD_GETLK, *_LOCKS, fcntl.F_SETOWN),
            *(fcntl.F_GETOWN, fcntl.F_SETSIG, fcntl.F_GETSIG, _F_SETOWN_EX, _F_GETOWN_EX),
            _F_GETPIPE_SZ,
        ),
    ),
    # Death with the parent, names, capabilities, timer slack, subreaping, no new privileges, and
    # vector lengths (ARM).
    "prctl": (0, (1, 2, 3, 15, 16, 21, 23, 29, 30, 36, 37, 38, 39, 51)),
}

# The kernel's own file system keeps these in memory without a limit.
_UNSUPPORTED = ("setxattr", "lsetxattr", "fsetxattr", "setxattrat")
# They wait for the disks of the whole machine, and a lock on a system file is visible to other
# kernels.
_WITHOUT_EFFECT = ("sync", "syncfs", "flock")
# It remains after it's unmapped, and isn't counted for any process.
_SHARED_WITHOUT_A_FILE = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS
# Sizes of buffers, which the system also limits silently; and filters (SO_ATTACH_FILTER and
# SO_ATTACH_REUSEPORT_CBPF), which take the system's own memory.
_SOCKET_OPTIONS = {socket.SO_SNDBUF: 0, socket.SO_RCVBUF: 0, 26: errno.EPERM, 51: errno.EPERM}

_TERMINALS, _SIGNALS, _LOCKED = 64, 1024, 64 * 1024
"""Limits of pseudo-terminals, pending signals and timers, and bytes locked in memory."""

_INLINE = "module://matplotlib_inline.backend_inline"
"""The backend for inline plots. It needs the kernel when it's imported, and there is none before
the fork: kernels import it, but its slow dependencies are already imported."""

# Modules that a kernel imports while it starts, runs its first cells and shows its first error.
_KERNEL_MODULES = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "ipykernel.zmqshell",
    "ipykernel.debugger",  # unused, and longest to import
    "IPython.core.completer",
    "IPython.core.completerlib",
    "IPython.core.debugger",
    "IPython.core.oinspect",
    "IPython.extensions.storemagic",
    "jupyter_client.session",
    "psutil",
    "pygments.formatters.terminal256",
    "sqlite3",
    "stack_data",
    "tornado.platform.asyncio",
)


class _Argument(ctypes.Structure):
    """libseccomp's ``scmp_arg_cmp``: a comparison of a call's argument with a value."""

    _fields_ = [
        ("position", ctypes.c_uint),
        ("comparison", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    ]


def _is(position: int, value: int) -> _Argument:
    """An ``int`` argument has this value. The system ignores the upper half of its register."""
    return _Argument(position, _MASKED_EQUAL, 0xFFFFFFFF, value)


def _is_set(position: int, flags: int) -> _Argument:
    """An argument has all these flags."""
    return _Argument(position, _MASKED_EQUAL, flags, flags)


_Rule = tuple[int, str, tuple[_Argument, ...]]


class StartsThreads(Exception):
    """Importing a module, the exception's argument, started threads."""


def preload(names: Iterable[str]) -> dict[str, str]:
    """Import modules, and names given as ``module:name``; return failures with their reasons.

    Kernels will try failed imports again.

    Raises:
        StartsThreads: when this process can no longer be forked.
    """
    failed = {}
    for name in names:
        path, _, attribute = name.partition(":")
        try:
            module = importlib.import_module(path)
            if attribute and attribute != "*" and not hasattr(module, attribute):
                importlib.import_module(f"{path}.{attribute}")
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}"
        if threads() > 1:
            raise StartsThreads(name)
    return failed


def _package(name: str) -> str:
    """The package of a name for ``preload``."""
    return re.split("[.:]", name)[0]


def threads() -> int:
    """The number of this process's threads, including those of C libraries."""
    return len(list(Path("/proc/self/task").iterdir()))


class Server:
    """Serves requests in the parent; ``serve`` returns a request in a forked child.

    Args:
        control: the socket to the process that asks for kernels.
        sandboxed: whether kernels get namespaces of their own.
    """

    def __init__(self, control: socket.socket, sandboxed: bool) -> None:
        self._control, self._sandboxed = control, sandboxed
        self._guardians: set[int] = set()
        self._wake, self._woken = os.pipe()
        for descriptor in (self._wake, self._woken):
            os.set_blocking(descriptor, False)

    def serve(self) -> dict[str, Any] | None:
        """Answer requests until the socket is closed.

        Returns:
            None in the parent at the end; in a child, its request.
        """
        signal.set_wakeup_fd(self._woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        with selectors.DefaultSelector() as selector:
            selector.register(self._control, selectors.EVENT_READ)
            selector.register(self._wake, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select()}
                if self._wake in ready:
                    os.read(self._wake, 4096)
                    self._reap()
                if self._control in ready:
                    packet, descriptors, _, _ = socket.recv_fds(self._control, LARGEST_PACKET, 8)
                    if not packet:
                        break
                    request = json.loads(packet)
                    if self._fork(request, descriptors):
                        return request["fork"]
        if not self._sandboxed:  # there, all end with this process
            end_children()
        return None

    def _fork(self, request: dict[str, Any], descriptors: list[int]) -> bool:
        """Fork a guardian, which forks the kernel; return whether this is the kernel."""
        answer = {"request": request["request"]}
        try:
            guardian = os.fork()
        except OSError as error:
            answer["error"] = str(error)
        else:
            if guardian == 0:
                self._become_child(descriptors)
                guard(socket.socket(fileno=_CHANNEL), request["fork"]["sandbox"])
                return True
            self._guardians.add(guardian)
        for descriptor in descriptors:
            os.close(descriptor)
        self._control.send(json.dumps(answer).encode())
        return False

    def _become_child(self, descriptors: list[int]) -> None:
        """Close what belongs to the parent; keep the standard streams and the channel."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._control.detach()
        # Twice, as a descriptor may already have the number of another's place.
        copies = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 16) for descriptor in descriptors]
        for target, source in zip((1, 2, _CHANNEL), copies, strict=True):
            os.dup2(source, target)
        os.closerange(_CHANNEL + 1, os.sysconf("SC_OPEN_MAX"))

    def _reap(self) -> None:
        """Reap guardians that have ended; kill what one could not."""
        while True:
            try:
                guardian, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if guardian == 0:
                break
            self._guardians.discard(guardian)
        if not self._sandboxed:
            # Killing an orphan may orphan its children, which are handled at the next SIGCHLD.
            for pid in children() - self._guardians:
                os.kill(pid, signal.SIGKILL)


def guard(channel: socket.socket, sandbox: dict[str, int] | None) -> None:
    """Fork, and return in the child, in its own session. The parent waits until the child ends.

    The parent then kills all remaining descendants of the child.

    Args:
        channel: the socket to the process that requested the kernel.
        sandbox: the kernel's limits, if it gets its own namespaces.
    """
    try:
        folders = enter_namespaces(sandbox) if sandbox else []
    except OSError as error:
        _fail(channel, error)
    if not sandbox:
        os.setsid()
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    socket.send_fds(channel, [b'{"guardian": true}'], folders)
    for folder in folders:
        os.close(folder)
    if not channel.recv(16):
        os._exit(1)
    child = os.fork()
    if child == 0:
        os.setsid()
        if sandbox:
            try:
                drop_privileges(sandbox)
            except OSError as error:
                _fail(channel, error)
        else:
            _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        # Only now is there a process group to send signals to.
        channel.send(b'{"kernel": true}')
        channel.close()
        return
    # The system blocks all other signals from the kernel to the first process of its namespace.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.closerange(0, _CHANNEL)
    ended = None
    while ended != child:
        ended, status = os.waitpid(-1, 0)
    if not sandbox:  # there, all end with this process
        end_children()
    with suppress(OSError):  # nobody may listen any more
        channel.send(json.dumps({"ended": os.waitstatus_to_exitcode(status)}).encode())
    os._exit(0)


def _fail(channel: socket.socket, error: OSError) -> NoReturn:
    channel.send(json.dumps({"failed": f"the kernel got no sandbox: {error}"}).encode())
    os._exit(1)


def enter_namespaces(limits: dict[str, int]) -> list[int]:
    """Continue as the first process of new, nearly empty namespaces.

    Returns:
        Descriptors of the working folder, and of the one for the connection.
    """
    user, group = os.getuid(), os.getgid()
    _call("unshare", _NAMESPACES)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    # A kernel's watcher has priority over it, and when memory runs out, kernels are killed first.
    os.nice(_NICE)
    Path("/proc/self/oom_score_adj").write_text("1000")
    if os.fork():
        os._exit(0)  # the process after this one is the first of its namespace
    _make_mounts_read_only()
    size = f"size={limits['disk']}m,nr_inodes={SANDBOX_FILES},mode=0755"
    _mount("tmpfs", PRIVATE, "tmpfs", _MS_NOSUID | _MS_NODEV, size)
    for folder in (WORK, CONNECTION, HOME, TEMPORARY, _SHARED_MEMORY):
        Path(folder).mkdir()
    _mount(_SHARED_MEMORY, "/dev/shm", None, _MS_BIND)
    if not os.listdir("/tmp"):  # noqa: PTH208 - else Python or the course is in it
        _mount(TEMPORARY, "/tmp", None, _MS_BIND)
    # Another kernel's terminal could be written to, and be stopped.
    terminals = f"newinstance,ptmxmode=0666,mode=0620,max={_TERMINALS}"
    _mount("devpts", "/dev/pts", "devpts", _MS_NOSUID | _MS_NOEXEC, terminals)
    flags = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC
    _mount("proc", "/proc", "proc", flags)
    # A hard limit, on systems whose namespaces have one (Linux 6.14).
    with suppress(OSError):
        Path("/proc/sys/kernel/pid_max").write_text(str(max(301, limits["processes"])))
    # If run by root, the files in it that change the system would belong to the kernel.
    _mount(None, "/proc", None, flags | _MS_REMOUNT | _MS_BIND | _MS_RDONLY)
    _mount("tmpfs", WHOLE_PROC, "tmpfs", flags | _MS_RDONLY, "size=4k,nr_inodes=1")
    # Files opened outside belong to file systems there: their mode and times could be changed.
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(_CHANNEL):
        os.dup2(null, stream)
    os.close(null)
    return [os.open(folder, os.O_RDONLY | os.O_DIRECTORY) for folder in (WORK, CONNECTION)]


def _make_mounts_read_only() -> None:
    """Make every file system that all kernels share read-only: in a writable one, students could
    communicate, and fill memory that no limit counts. Devices still accept data."""
    lines = Path("/proc/self/mountinfo").read_bytes().splitlines()
    # Of two mounts at the same place, the later one is visible.
    for escaped, options in dict(line.split()[4:6] for line in lines).items():
        place = os.fsdecode(re.sub(rb"\\(\d{3})", lambda code: bytes([int(code[1], 8)]), escaped))
        names = options.decode().split(",")
        if "rw" in names and not place.startswith(WHOLE_PROC):  # which is covered as a whole
            # The mount's existing flags are locked, so they must be set again.
            kept = sum(flag for name, flag in _LOCKED_OPTIONS.items() if name in names)
            _mount(None, place, None, _MS_REMOUNT | _MS_BIND | _MS_RDONLY | kept)


def drop_privileges(limits: dict[str, int]) -> None:
    """Drop every privilege that a student's code doesn't need."""
    size = limits["disk"] * 2**20
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, size),
        (resource.RLIMIT_NOFILE, PROCESS_OPEN_FILES),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_SIGPENDING, _SIGNALS),
        (resource.RLIMIT_MEMLOCK, _LOCKED),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    _call("capset", header, (ctypes.c_uint32 * 6)())
    filter_system_calls()


def filter_system_calls() -> None:
    """Allow the system calls that answers need, some of them with restrictions."""
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    # Both filters apply. The second one also refuses to load more of them.
    _load_filter(library, _ALLOW, _exceptions())
    allowed: list[_Rule] = [(_ALLOW, name, ()) for name in _ALLOWED.split()]
    for name, (position, values) in _ALLOWED_VALUES.items():
        allowed += [(_ALLOW, name, (_is(position, value),)) for value in values]
    _load_filter(library, _REFUSE | errno.ENOSYS, allowed)


def _exceptions() -> Iterator[_Rule]:
    """Uses of allowed calls that are refused, or have no effect."""
    yield from ((_REFUSE | errno.ENOTSUP, name, ()) for name in _UNSUPPORTED)
    yield from ((_REFUSE | 0, name, ()) for name in _WITHOUT_EFFECT)
    for flag in _NAMESPACE_FLAGS:
        yield _REFUSE | errno.EPERM, "clone", (_is_set(0, flag),)
    # A thread's own table of open files wouldn't be counted anywhere.
    both = _CLONE_FILES | _CLONE_THREAD
    yield _REFUSE | errno.EPERM, "clone", (_Argument(0, _MASKED_EQUAL, both, _CLONE_THREAD),)
    yield _REFUSE | errno.EPERM, "close_range", (_is_set(2, _CLOSE_RANGE_UNSHARE),)
    flags = _SHARED_WITHOUT_A_FILE
    yield _REFUSE | errno.EPERM, "mmap", (_is_set(3, flags),)
    for lock in _LOCKS:
        yield _REFUSE | 0, "fcntl", (_is(1, lock),)
    for option, error in _SOCKET_OPTIONS.items():
        of_sockets = _is(1, socket.SOL_SOCKET)
        yield _REFUSE | error, "setsockopt", (of_sockets, _is(2, option))


def _load_filter(library: ctypes.CDLL, otherwise: int, rules: Iterable[_Rule]) -> None:
    """Install an irrevocable filter of system calls.

    Args:
        otherwise: the action for calls without a matching rule.
        rules: the action, a call's name, and the conditions on its arguments.
    """
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(otherwise)))
    if not context:
        raise OSError("libseccomp does not work")
    for action, name, arguments in rules:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:  # not on this kind of processor, or too new for this libseccomp
            continue
        many = (_Argument * len(arguments))(*arguments)
        code = library.seccomp_rule_add_array(
            context, ctypes.c_uint32(action), number, len(arguments), many
        )
        if code:
            raise OSError(-code, f"no rule for {name}")
    code = library.seccomp_load(context)
    if code:
        raise OSError(-code, "the system doesn't accept a filter of its calls")
    library.seccomp_release(context)


def end_children() -> None:
    """Kill all children, and theirs, until there are none."""
    while living := children():
        for pid in living:
            os.kill(pid, signal.SIGKILL)
        for pid in living:
            os.waitpid(pid, 0)


def children() -> set[int]:
    """The child processes of this process."""
    return set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))


def _prctl(option: int, value: int) -> None:
    _call("prctl", option, value, 0, 0, 0)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    texts = [text and os.fsencode(text) for text in (source, target, kind)]
    _call("mount", *texts, ctypes.c_ulong(flags), data.encode())


def _call(name: str, *arguments: Any) -> None:
    """Call a function of the C library that returns 0."""
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")


def run_kernel(arguments: list[str], environment: dict[str, str], folder: str | None) -> None:
    """Run a kernel, as ``python -m ipykernel_launcher`` does."""
    os.environ.clear()
    os.environ.update(environment)
    if folder is not None:
        os.chdir(folder)
    # Copies of the same process must not draw the same random numbers.
    random.seed()
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed()
    sys.argv = ["ipykernel_launcher", *arguments]
    from ipykernel.kernelapp import IPKernelApp

    app = IPKernelApp.instance()
    # The default was read from the environment when the class was defined. This value disables
    # polling for the parent; the system ensures that kernels don't outlive the forking process.
    app.initialize([*arguments, "--IPKernelApp.parent_handle=1"])
    show_folder()
    app.start()
    # It would stop the thread that sends output while another one may still wait for it.
    atexit.unregister(app.close)
    # The interpreter's own shutdown would touch, and so copy, every object imported before.
    atexit._run_exitfuncs()
    os._exit(0)


def show_folder() -> None:
    """Let cells import modules next to the notebook, before packages but after Python's own
    modules. IPython does so, but not in a process that was started with ``-P``."""
    packages = ("site-packages", "dist-packages")
    places = (n for n, path in enumerate(sys.path) if Path(path).name in packages)
    sys.path.insert(next(places, 0), "")


def trial() -> None:
    """Sandbox a process that does nothing, as a test; exit with the error, if there is one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.send(b"go")
    if os.fork() == 0:
        os.dup2(theirs.fileno(), _CHANNEL)
        guard(socket.socket(fileno=_CHANNEL), {"disk": 1, "processes": 100})
        os._exit(0)
    theirs.close()
    while packet := ours.recv(LARGEST_PACKET):
        message = json.loads(packet)
        if "ended" in message:
            sys.exit(message["ended"])
        if "failed" in message:
            sys.exit(message["failed"])
    sys.exit("a process in its own namespaces ended at once")


def main() -> None:
    """Preload, then serve; in a child, run a kernel."""
    if sys.argv[1] == "trial":
        trial()
    control = socket.socket(fileno=int(sys.argv[1]))
    sandboxed, names = json.loads(sys.argv[2])
    os.environ.setdefault("MPLBACKEND", _INLINE)  # as kernels have it before their first cell
    try:
        failed = preload([*_KERNEL_MODULES, *names])
        if "matplotlib" in sys.modules:
            preload(["matplotlib.backends.backend_agg", "IPython.core.pylabtools"])
        message: dict[str, Any] = {"ready": {"failed": failed}}
    except StartsThreads as error:
        rest = [name for name in names if _package(name) != _package(str(error))]
        if rest != names:
            control.send(json.dumps({"left_out": _package(str(error))}).encode())
            os.execv(sys.executable, [*sys.orig_argv[:-1], json.dumps([sandboxed, rest])])
        message = {"unfit": f"importing {error} starts threads"}
    control.send(json.dumps(message).encode())
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    # Garbage collection would write to every object, and so copy every page for every kernel.
    gc.collect()
    gc.freeze()
    request = Server(control, sandboxed).serve()
    if request is not None:
        run_kernel(request["arguments"], request["environment"], request["folder"])


if __name__ == "__main__":
    main()
