"""What solutions about preprocessing share."""

from __future__ import annotations


def vocabulary_of(documents: list[list[str]]) -> list[str]:
    """All tokens of the documents, each once, sorted."""
    return sorted({token for document in documents for token in document})


# Of the known mistakes of more than one exercise.
KEPT_BETWEEN_CALLS = (
    "Your list keeps what earlier calls put into it: create it inside the function, so that every "
    "call begins with an empty one."
)
VOCABULARY = "sorted({token for document in documents for token in document})"
DEFAULT_PATTERN = (
    "You joined the documents and split them into words again: the default settings make them "
    "lower-case, drop one-letter words and split at hyphens."
)
CUT_AGAIN = (
    'texts = [" ".join(words).lower() for words in documents]\n'
    '    documents = [re.findall(r"(?u)\\b\\w\\w+\\b", text) for text in texts]\n    '
)
WORDS_OF_EARLIER_CALLS = (
    "Your function keeps words from earlier calls: start from scratch in every call, so that only "
    "the words of its own documents have columns."
)
WORDS_LIMITED = (
    "You limited how many words get a column: every token gets one, however many there are."
)
CAPITALS_LOST = "You made the tokens lower-case: the task counts them as they are."
STOP_WORDS_LOST = "You left out stop words: the task counts all tokens."
LETTERS_ONLY = "You left out tokens that aren't made of letters only: the task counts all tokens."
LOWER_CASE = "documents = [[word.lower() for word in words] for words in documents]\n    "
# Those of the stop words that the cases have: judging need not wait for the whole list.
WITHOUT_STOP_WORDS = (
    """stop = {"a", "i", "the", "don't"}\n"""
    "    documents = [[word for word in words if word not in stop] for words in documents]\n    "
)
WITH_LETTERS_ONLY = "documents = [[w for w in words if w.isalpha()] for words in documents]\n    "
# Of two words that differ in a capital only, either may come first.
SORTED_WITHOUT_CAPITALS = "sorted({t for d in documents for t in d}, key=lambda t: (t.lower(), t))"
SORTED_SMALL_FIRST = SORTED_WITHOUT_CAPITALS.replace("lower(), t)", "lower(), t.swapcase())")
