# ---
# attack: Names and messages hold HTML and commands to a terminal, for whoever reads the verdict.
# fails: {stem: everything, lemmatize: everything}
# reason: {stem: "REPORTED", lemmatize: "<script>REPORTED"}
# ---

# %% grade_id="stem"
Escape = type("<script>alert(1)</script>", (Exception,), {})


def stem(tokens):
    raise Escape("<img src=x onerror=alert(1)>\x1b[2J\x1b]0;REPORTED\x07 [red]REPORTED[/red] {x}")


# %% grade_id="lemmatize"
def lemmatize(tokens, pos):
    return ["<script>REPORTED</script>\x1b[2J"] * len(tokens)
