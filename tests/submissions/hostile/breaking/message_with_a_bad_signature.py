# ---
# attack: A message is signed with another key.
# fails: {stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
import json
import time

kernel = get_ipython().kernel
header = kernel.session.msg_header("stream")
frames = [json.dumps(part, default=str).encode() for part in (header, kernel.get_parent(), {}, {})]
kernel.iopub_socket.send_multipart([b"stream", b"<IDS|MSG>", b"0" * 64, *frames])
time.sleep(1)
