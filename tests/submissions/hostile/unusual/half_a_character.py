# ---
# attack: None; text that was cut in the middle of a character is printed.
# ---

# %% grade_id="stem"
half = "\N{GRINNING FACE}".encode("utf-16-le")[:2].decode("utf-16-le", "surrogatepass")
print(half)
print(b"caf\xe9".decode("utf8", "surrogateescape"))


def stem(tokens):
    print(half, *tokens)
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
