# ---
# attack: Programs that run as another user are started, and made, to become somebody else.
# ---

# %% grade_id="stem"
import subprocess

for command in (
    ["sudo", "-n", "id", "-u"],
    ["su", "-c", "id -u"],
    ["newuidmap", str(os.getpid()), "0", "0", "1"],
    ["unshare", "--user", "--map-root-user", "id", "-u"],
    ["bwrap", "--unshare-all", "--bind", "/", "/", "id", "-u"],
    ["mount", "-t", "tmpfs", "none", "/tmp"],
):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, input="")
        print(command, done.returncode, done.stdout, done.stderr)
        if done.returncode == 0:
            print("reached".upper())
    except (OSError, subprocess.TimeoutExpired) as error:
        print(command, error)
for line in open("/proc/self/status"):
    if line.startswith(("Cap", "NoNewPrivs", "Seccomp", "Uid")):
        print(line)
        if line.startswith(("CapEff", "CapPrm", "CapInh", "CapAmb")) and int(line.split()[1], 16):
            print("reached".upper())


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
