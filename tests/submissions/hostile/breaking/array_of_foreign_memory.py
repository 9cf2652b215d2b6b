# ---
# attack: An array says that its numbers are where no memory is.
# fails: {label_encode: everything}
# reason: died|ended
# ---

# %% grade_id="label_encode"
class Elsewhere:
    __array_interface__ = {"shape": (10,), "typestr": "<f8", "data": (8, True), "version": 3}


def label_encode(labels):
    return Elsewhere()
