# ---
# attack: Every answer uses nearly all the time that a cell may have.
# ---

# %% grade_id="stem"
import time

started = time.process_time()
while time.process_time() - started < 1.5:
    pass


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]


# %% grade_id="lemmatize"
started = time.process_time()
while time.process_time() - started < 1.5:
    pass


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    return [lemmatizer.lemmatize(token, pos) for token in tokens]
