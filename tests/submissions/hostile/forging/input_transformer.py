# ---
# attack: The text of the graded cell becomes another one before it is executed.
# fails: {stem: everything}
# reason: returned no answer
# ---

# %% grade_id="stem"
def passed(lines):
    return ["1.0\n"] if any("grade(" in line and ".stem" in line for line in lines) else lines


get_ipython().input_transformers_cleanup.append(passed)
get_ipython().input_transformers_post.append(passed)


def stem(tokens):
    return []
