# ---
# attack: The kernel's method that executes code is replaced by one that says all went well.
# lost_from: stem
# reason: returned no answer
# ---

# %% grade_id="stem"
async def do_execute(code, *args, **kwargs):
    return {
        "status": "ok",
        "execution_count": 1,
        "payload": [],
        "user_expressions": {},
    }


get_ipython().kernel.do_execute = do_execute
