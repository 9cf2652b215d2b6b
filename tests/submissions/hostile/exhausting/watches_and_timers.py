# ---
# attack: Watches, timers, terminals and contexts are made of which an account has so many in all.
# quick: true
# ---

# %% grade_id="stem"
import ctypes

system = ctypes.CDLL(None, use_errno=True)
if system.inotify_init() >= 0:
    print("reached".upper(), "inotify")
context = ctypes.c_ulong()
if system.syscall(206, 1024, ctypes.byref(context)) == 0:  # io_setup, where it has this number
    print("reached".upper(), "io_setup")
timer, made = ctypes.c_void_p(), 0
while made < 5000 and system.timer_create(1, None, ctypes.byref(timer)) == 0:
    made += 1
print("reached".upper() if made == 5000 else "limited", "timers")
terminals = []
try:
    while len(terminals) < 200:
        terminals += os.openpty()
    print("reached".upper(), "terminals")
except OSError as error:
    print(len(terminals), error.strerror)
for terminal in terminals:
    os.close(terminal)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
