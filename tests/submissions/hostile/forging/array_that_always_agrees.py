# ---
# attack: An array's own class says that it is near whatever it is compared with.
# fails: {label_encode: everything}
# reason: codes
# ---

# %% grade_id="label_encode"
class Agreeing(np.ndarray):
    shape = property(lambda self: (10,))

    def __eq__(self, other):
        return np.True_

    def __sub__(self, other):
        return np.zeros(10)

    __rsub__ = __sub__

    def __array_function__(self, *args, **kwargs):
        return np.True_

    def tobytes(self, *args):
        return b"\0" * 80


def label_encode(labels):
    return np.zeros(0).view(Agreeing)
