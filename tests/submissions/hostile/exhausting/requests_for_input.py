# ---
# attack: Input is asked for, again and again, on the socket where nobody answers.
# fails: {stem: everything}
# reason: KeyboardInterrupt
# ---

# %% grade_id="stem"
kernel = get_ipython().kernel
while True:
    content = {"prompt": "x" * 1000, "password": False}
    kernel.session.send(kernel.stdin_socket, "input_request", content, parent=kernel.get_parent())
