# ---
# attack: The raised exception raises another one whenever somebody looks at it.
# fails: {stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
class Shy(Exception):
    def __str__(self):
        raise self

    __repr__ = __str__

    def _render_traceback_(self):
        return {"not": "a list"}

    def __getattribute__(self, name):
        if name in ("__traceback__", "args", "__cause__", "__context__"):
            raise OSError(name)
        return super().__getattribute__(name)


def stem(tokens):
    raise Shy()
