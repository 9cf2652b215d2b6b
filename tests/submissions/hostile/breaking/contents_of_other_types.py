# ---
# attack: Outputs hold lists for dicts, dicts for text, numbers for names, and nothing at all.
# fails: {stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
kernel = get_ipython().kernel
odd = [None, 5, -1.5, True, [], [1, [2]], {}, {"a": {"b": []}}, "text", "\x00\x1b[2J"]


def stem(tokens):
    for value in odd:
        for kind, content in (
            ("display_data", {"data": {"text/plain": value}, "metadata": {}}),
            ("display_data", {"data": {"text/html": value, "image/png": value}, "metadata": {}}),
            ("display_data", {"data": {"application/json": value}, "metadata": {}}),
            ("display_data", {"data": {"": value, "x": value, "a/b/c": value}, "metadata": {}}),
            ("error", {"ename": str(value), "evalue": "", "traceback": ["\x1b[31m", str(value)]}),
            ("stream", {"name": "stdout", "text": str(value)}),
        ):
            kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent())
    return []
