# ---
# attack: Outputs follow no schema in any of their fields.
# fails: {stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
import time

kernel = get_ipython().kernel
for value in (None, 5, True, [], [1, [2]], "text"):
    for kind, content in (
        ("display_data", {"data": value, "metadata": value}),
        ("execute_result", {"data": value, "metadata": value, "execution_count": value}),
        ("error", {"ename": value, "evalue": value, "traceback": value}),
        ("error", {"ename": {"a": 1}, "evalue": {"b": [value]}, "traceback": {"c": 1}}),
        ("stream", {"name": value, "text": value}),
        ("update_display_data", {"data": value, "metadata": value, "transient": value}),
        ("clear_output", {"wait": value}),
        ("comm_open", {"comm_id": value, "data": value, "target_name": value}),
        ("status", {"execution_state": value}),
    ):
        kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent())
time.sleep(1)
