# ---
# attack: All that the environment says, now and when the process began, is printed.
# ---

# %% grade_id="stem"
import ctypes

print(dict(os.environ))
environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
position = 0
while environ[position]:
    print(environ[position])
    position += 1
for name in ("self", "thread-self", str(os.getpid()), str(os.getppid())):
    try:
        print(open(f"/proc/{name}/environ", "rb").read())
    except OSError as error:
        print(error.strerror)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
