# ---
# attack: Memory is shared, filled and let go of, so that it stays and no process shows it.
# quick: true
# ---

# %% grade_id="stem"
import ctypes
import mmap

SIZE, MREMAP_MAYMOVE, VALIDATE, NO_RESERVE = 8 << 20, 1, 3, 0x4000
library = ctypes.CDLL(None, use_errno=True)
library.mremap.restype = ctypes.c_void_p


def hoard(part):
    part.write(b"x" * SIZE)
    part.madvise(mmap.MADV_DONTNEED)
    address = ctypes.addressof(ctypes.c_char.from_buffer(part))
    library.munmap(ctypes.c_void_p(address + 4096), SIZE - 4096)
    library.mremap(ctypes.c_void_p(address), 0, SIZE, MREMAP_MAYMOVE)


kept = []
for name, flags in {
    "/dev/zero": mmap.MAP_SHARED,
    "": mmap.MAP_SHARED | mmap.MAP_ANONYMOUS,
    "validated": VALIDATE | mmap.MAP_ANONYMOUS,
    "locked": mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE,
    "without swap": mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | NO_RESERVE,
}.items():
    try:
        descriptor = os.open(name, os.O_RDWR) if name.startswith("/") else -1
        kept.append(mmap.mmap(descriptor, SIZE, flags=flags))
        hoard(kept[-1])
        print("reached".upper(), name)
    except OSError as error:
        print(name, error.strerror)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
