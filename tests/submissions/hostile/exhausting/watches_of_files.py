# ---
# attack: Files are watched under numbers that are given up at once, so that few stay open.
# fails: {stem: everything}
# reason: watched files more than|Too many open files
# ---

# %% grade_id="stem"
import resource
import select


def watch():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    watching, kept = select.epoll(), []
    while True:
        kept += os.pipe()
        for number in range(kept[-1] + 100, most):
            os.dup2(kept[-2], number)
            watching.register(number)
            os.close(number)


watch()


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
