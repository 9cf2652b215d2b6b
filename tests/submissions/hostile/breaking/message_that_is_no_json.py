# ---
# attack: A rightly signed message holds bytes that are no JSON and no text.
# fails: {stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
import time

kernel = get_ipython().kernel
frames = [b"\xff\xfe{", b"{]", b"\x00", b"nothing"]
signature = kernel.session.sign(frames)
kernel.iopub_socket.send_multipart([b"stream", b"<IDS|MSG>", signature, *frames])
time.sleep(1)
