# ---
# attack: What is raised is no ordinary exception, and its class has no ordinary name.
# fails: {stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
class Meta(type):
    def __getattribute__(cls, name):
        if name == "__name__":
            return {"a": ["dict"]}
        return super().__getattribute__(name)


class Odd(Exception, metaclass=Meta):
    pass


def stem(tokens):
    raise Odd("\ud800" * 10)
