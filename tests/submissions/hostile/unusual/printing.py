# ---
# attack: None; the answer prints what it does, line by line.
# ---

# %% grade_id="tokenize"
def tokenize(text):
    print("text:", repr(text))
    lower = text.lower().replace("<br />", " ")
    print(f"{lower=}")
    tokens = lower.translate(str.maketrans("", "", string.punctuation)).split()
    for number, token in enumerate(tokens):
        print(number, token, end="\r")
    return tokens


tokenize("Ünïcödé – ☃ 🙂 works, too.")
