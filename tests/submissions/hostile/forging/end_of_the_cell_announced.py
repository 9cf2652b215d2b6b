# ---
# attack: The end of the graded cell is announced before it has ended, then all goes on.
# fails: {stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
kernel = get_ipython().kernel


def stem(tokens):
    parent = kernel.get_parent()
    kernel.session.send(kernel.iopub_socket, "status", {"execution_state": "idle"}, parent=parent)
    return []
