# ---
# attack: Displayed and raised texts hold halves of characters, and bytes that steer a terminal.
# fails: {lemmatize: everything}
# reason: "."
# ---

# %% grade_id="stem"
from IPython.display import display

for text in ("\ud800", "a\udfffb", "\x00\x01\x02", "\x1b]0;title\x07\x1b[2J", "\u202e", "\ufffe"):
    try:
        display({"text/plain": text, "text/html": text}, raw=True)
    except UnicodeError as error:
        print(type(error).__name__)


def stem(tokens):
    print("\x00\x01\x1b]0;title\x07\x1b[2J")
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]


# %% grade_id="lemmatize"
def lemmatize(tokens, pos):
    raise ValueError("\ud800\x00 half a character")
