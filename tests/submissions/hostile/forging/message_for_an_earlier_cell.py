# ---
# attack: A later cell sends the response of an earlier one, under that one's parent header.
# fails: {stem: everything}
# reason: stems
# ---

# %% grade_id="stem"
kernel = get_ipython().kernel
parents = []


def stem(tokens):
    parents.append(kernel.get_parent())
    return []


# %% grade_id="lemmatize"
from nltk.stem import PorterStemmer

from course import COURSE
from course.data import language
from selfcheck import responses


def stem_at_last(tokens):
    return [PorterStemmer().stem(token) for token in tokens]


name = "preprocessing.stem"
late = responses.respond(COURSE.get(name), stem_at_last, responses.secret_cases(name))
for parent in parents[-1:]:
    content = {"data": {responses.MIME: late, "text/plain": "1.0"}, "metadata": {}, "transient": {}}
    kernel.session.send(kernel.iopub_socket, "display_data", content, parent=parent)


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    return [lemmatizer.lemmatize(token, pos) for token in tokens]
