# ---
# attack: Files get attributes, which are memory that no limit of the disk counts.
# quick: true
# ---

# %% grade_id="stem"
import struct

entries = [struct.pack("<HHI", tag, 7, 0xFFFFFFFF) for tag in (1, 4, 0x10, 0x20)]
entries[1:1] = [struct.pack("<HHI", 2, 7, os.getuid())]
lists = struct.pack("<I", 2) + b"".join(entries)
open("attributed", "w").close()
for name, value in (("user.hoard", b"x" * 60_000), ("system.posix_acl_access", lists)):
    try:
        os.setxattr("attributed", name, value)
        print("reached".upper(), name)
    except OSError as error:
        print(name, error.strerror)
os.remove("attributed")


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
