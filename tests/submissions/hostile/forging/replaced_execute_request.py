# ---
# attack: The kernel answers requests by itself, with results that are points.
# lost_from: stem
# reason: returned no answer
# ---

# %% grade_id="stem"
kernel = get_ipython().kernel


async def execute_request(stream, ident, parent):
    data = {"data": {"text/plain": "2.0"}, "metadata": {}, "execution_count": 1}
    kernel.session.send(kernel.iopub_socket, "execute_result", data, parent=parent)
    content = {"status": "ok", "execution_count": 1, "user_expressions": {}, "payload": []}
    kernel.session.send(stream, "execute_reply", content, parent, ident=ident)


kernel.shell_handlers["execute_request"] = execute_request
