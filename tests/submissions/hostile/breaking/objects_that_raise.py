# ---
# attack: The returned objects raise, or lie, at everything that is asked of them.
# fails: {stem: everything, label_encode: everything}
# reason: "."
# ---

# %% grade_id="stem"
class Raising(list):
    def __len__(self):
        raise SystemExit(1)

    __iter__ = __getitem__ = __bool__ = __len__


def stem(tokens):
    return Raising()


# %% grade_id="label_encode"
class Lying:
    def __getattr__(self, name):
        raise GeneratorExit(name)

    def __array__(self, *args, **kwargs):
        raise MemoryError

    __len__ = __iter__ = __float__ = __index__ = lambda self: 10**100


def label_encode(labels):
    return Lying()
