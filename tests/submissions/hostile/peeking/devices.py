# ---
# attack: Disks, the system's memory and its log are read as devices.
# ---

# %% grade_id="stem"
import ctypes
import stat

for folder, _, files in os.walk("/dev"):
    for name in files:
        path = os.path.join(folder, name)
        try:
            kind = os.stat(path).st_mode
        except OSError:
            continue
        if stat.S_ISBLK(kind) or name in ("mem", "kmem", "port", "kmsg", "fuse", "kvm", "vsock"):
            try:
                with open(path, "rb", 0):
                    print("reached".upper(), path)
            except OSError as error:
                print(path, error.strerror)
for path in ("/proc/kcore", "/proc/kmsg", "/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern"):
    try:
        with open(path, "r+b", 0):
            print("reached".upper(), path)
    except OSError as error:
        print(path, error.strerror)
device = os.makedev(259, 0)
try:
    os.mknod("disk", 0o600 | stat.S_IFBLK, device)
    print("reached".upper(), "mknod")
except OSError as error:
    print("mknod", error.strerror)
buffer = ctypes.create_string_buffer(1000)
if ctypes.CDLL(None).klogctl(3, buffer, 1000) > 0:
    print("reached".upper(), "klogctl")


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
