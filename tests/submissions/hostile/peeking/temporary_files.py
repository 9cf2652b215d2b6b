# ---
# attack: All folders for temporary files and shared memory are read.
# ---

# %% grade_id="stem"
read = 0
for top in ("/student", "/tmp", "/var/tmp", "/dev/shm", "/run", "/var/run", "/mnt", "/srv", "/opt"):
    for folder, folders, files in os.walk(top):
        for name in files:
            if read < 2000 and not name.endswith((".so", ".pyc", ".pack")):
                read += 1
                try:
                    with open(os.path.join(folder, name), "rb") as file:
                        text = file.read(200_000)
                        print(folder, name, text[:300].decode("utf8", "replace"))
                except OSError as error:
                    print(folder, name, error.strerror)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
