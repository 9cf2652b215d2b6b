# ---
# attack: One and the same message is sent again and again.
# fails: {stem: everything}
# reason: isn't a message
# ---

# %% grade_id="stem"
import json

kernel = get_ipython().kernel
header = json.dumps(kernel.session.msg_header("stream"), default=str).encode()
parent = json.dumps(kernel.get_parent(), default=str).encode()
frames = [header, parent, b"{}", b'{"name": "stdout", "text": "again"}']
signature = kernel.session.sign(frames)
for _ in range(500):
    kernel.iopub_socket.send_multipart([b"stream", b"<IDS|MSG>", signature, *frames])


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
