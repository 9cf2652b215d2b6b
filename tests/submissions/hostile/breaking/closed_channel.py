# ---
# attack: The socket on which the kernel publishes its outputs is closed.
# fails: {stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
get_ipython().kernel.iopub_thread.socket.close()
