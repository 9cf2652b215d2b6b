# ---
# expected:
#   find_emails:
#     fails:
#       - the part after the @ is complete
#       - text that breaks a rule isn't an address
#     mistake: ending_with_digits
#   tokenize:
#     fails:
#       - all other punctuation is removed too, and nothing else
#     mistake: common_marks_only
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#     mistake: at_most_127
#   bag_of_words:
#     fails:
#       - repeated words are counted
#     mistake: at_most_255
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return re.findall(r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9]{2,}", text)


# %% grade_id="tokenize"
def tokenize(text):
    text = text.lower().replace("<br />", " ")
    for mark in ".,;:!?\"'()-":
        text = text.replace(mark, "")
    return text.split()


# %% grade_id="label_encode"
def label_encode(labels):
    number_of = {label: number for number, label in enumerate(sorted(set(labels)))}
    return np.array(list(map(number_of.get, labels))).astype("int8")


# %% grade_id="bag_of_words"
import collections


def bag_of_words(documents):
    vocabulary = sorted(set().union(*documents))
    counts = np.empty((len(documents), len(vocabulary)), np.int64)
    for row, document in zip(counts, documents, strict=True):
        counter = collections.Counter(document)
        row[:] = [counter[token] for token in vocabulary]
    return counts.astype(np.uint8), vocabulary
