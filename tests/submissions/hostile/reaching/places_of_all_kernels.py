# ---
# attack: Something is left, or a time set, wherever another kernel might find it, open files too.
# quick: true
# ---

# %% grade_id="stem"
own = {os.stat(place).st_dev for place in ("/student", "/dev/pts", "/proc")}
# Open files lead to where they were opened, and that may be outside.
places = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
for line in open("/proc/self/mountinfo"):
    places.append(line.split()[4].encode().decode("unicode_escape"))
for root, folders, files in os.walk("/"):
    folders[:] = [
        name
        for name in folders
        if name not in ("proc", "sys", "student")
        and not os.statvfs(os.path.join(root, name)).f_flag & os.ST_RDONLY
    ]
    places += [root, *(os.path.join(root, name) for name in files if root.startswith("/dev"))]
for place in places:
    try:
        if os.stat(place).st_dev in own or not os.path.exists(os.path.realpath(place)):
            continue
        os.utime(place)
        print("reached".upper(), "times", place)
    except OSError:
        pass
    try:
        if os.path.isdir(place):
            open(f"{place}/note", "w").write("to all")
            print("reached".upper(), "note", place)
    except OSError:
        pass


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
