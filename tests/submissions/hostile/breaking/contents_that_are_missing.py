# ---
# attack: Messages of every kind lack all that they should hold.
# fails: {stem: everything}
# reason: NameError
# ---

# %% grade_id="stem"
import time

kernel = get_ipython().kernel
kinds = ("stream", "display_data", "execute_result", "update_display_data", "error", "status")
kinds += ("clear_output", "comm_open", "comm_msg", "comm_close", "execute_input", "execute_reply")
for kind in (*kinds, "input_request", "shutdown_reply", "evil", "", "__class__"):
    kernel.session.send(kernel.iopub_socket, kind, {}, parent=kernel.get_parent())
time.sleep(1)
