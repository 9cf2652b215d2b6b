# ---
# attack: The returned list and the texts in it say that they equal whatever they are compared with.
# fails: {stem: everything}
# reason: stems
# ---

# %% grade_id="stem"
class Equal:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __lt__ = __le__ = __gt__ = __ge__ = __eq__
    __hash__ = None


class List(Equal, list):
    pass


class Text(Equal, str):
    __hash__ = str.__hash__


def stem(tokens):
    return List(Text("x") for token in tokens)
