# ---
# attack: Results are put on the kernel's own socket while the graded cell runs.
# fails: {stem: everything}
# reason: stems
# ---

# %% grade_id="stem"
kernel = get_ipython().kernel


def stem(tokens):
    for kind in ("execute_result", "display_data"):
        content = {"data": {"text/plain": "1.0"}, "metadata": {}, "execution_count": 1}
        kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent())
    return []
