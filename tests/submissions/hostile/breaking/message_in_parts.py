# ---
# attack: Messages have too few parts, too many, or none of them says where the message begins.
# fails: {stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
import time

kernel = get_ipython().kernel
for frames in (
    [b""],
    [b"stream"],
    [b"a"] * 500,
    [b"<IDS|MSG>"],
    [b"stream", b"<IDS|MSG>", b"", b""],
):
    kernel.iopub_socket.send_multipart(frames)
time.sleep(1)
