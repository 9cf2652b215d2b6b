# ---
# attack: What the kernel replies to a request, beside all outputs, is as long as a library.
# fails: {stem: everything}
# reason: output|time|message
# ---

# %% grade_id="stem"
get_ipython().payload_manager.write_payload(
    {"source": "set_next_input", "text": "x" * (60 << 20), "replace": False}
)
