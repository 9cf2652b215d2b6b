# ---
# attack: The kernel's reply to a request is a list, and its execution count a text.
# fails: {stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
import time

kernel = get_ipython().kernel
original = kernel.session.send


def send(stream, kind, content=None, *args, **kwargs):
    if kind == "execute_reply":
        content = {"status": ["error"], "execution_count": {"a": "1"}, "ename": 5, "payload": 7}
    return original(stream, kind, content, *args, **kwargs)


kernel.session.send = send
