# ---
# attack: Messages that are no outputs are sent for ever.
# fails: {stem: everything}
# reason: output
# ---

# %% grade_id="stem"
kernel = get_ipython().kernel
while True:
    content = {"execution_state": "busy", "filling": "x" * 100_000}
    kernel.session.send(kernel.iopub_socket, "status", content, parent=kernel.get_parent())
