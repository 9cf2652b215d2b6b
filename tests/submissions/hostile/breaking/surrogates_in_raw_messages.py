# ---
# attack: A rightly signed message spells halves of characters with escapes, as JSON allows.
# fails: {stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
import json

kernel = get_ipython().kernel


def stem(tokens):
    header = json.dumps(kernel.session.msg_header("stream"), default=str).encode()
    parent = json.dumps(kernel.get_parent(), default=str).encode()
    content = json.dumps({"name": "stdout", "text": "\ud800 \udfff \x00"}).encode()
    frames = [header, parent, b"{}", content]
    kernel.iopub_socket.send_multipart(
        [b"stream", b"<IDS|MSG>", kernel.session.sign(frames), *frames]
    )
    return []
