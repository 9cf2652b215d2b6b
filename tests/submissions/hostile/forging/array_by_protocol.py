# ---
# attack: An object is another array each time it is asked for one, and lies about its dtype.
# fails: {label_encode: everything}
# reason: "."
# ---

# %% grade_id="label_encode"
class Chameleon:
    asked = 0
    dtype = np.dtype("float64")
    shape = (10,)

    def __array__(self, dtype=None, copy=None):
        Chameleon.asked += 1
        return np.array([object()] * Chameleon.asked, dtype=object)


def label_encode(labels):
    return Chameleon()
