"""What keys about preprocessing share."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial

from keys.input_classes import some_text
from selfcheck.exercise import Case


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

# --- kinds of input ------------------------------------------------------------------------------

in_the_text = partial(some_text, lambda given: [given["text"]])
in_the_tokens = partial(some_text, lambda given: given["tokens"])
_in_the_documents = partial(some_text, lambda given: itertools.chain(*given["documents"]))


def _given(cases: Sequence[Case]) -> list[list[list[str]]]:
    return [case.inputs["documents"] for case in cases]


DOCUMENT_CLASSES = {
    "documents of different length": lambda cases: any(
        len({len(document) for document in documents}) == len(documents) > 1
        for documents in _given(cases)
    ),
    "the alphabet's first word in the last document": lambda cases: any(
        documents[-1] and min(itertools.chain(*documents)) in documents[-1]
        for documents in _given(cases)
    ),
    "a word of two documents, and one of one document only": lambda cases: all(
        any(
            sum(word in document for document in documents) == count
            for documents in _given(cases)
            for word in documents[0]
        )
        for count in (1, 2)
    ),
    "a word twice in a document, and one four times": lambda cases: all(
        any(
            document.count(word) == count
            for documents in _given(cases)
            for document in documents
            for word in document
        )
        for count in (2, 4)
    ),
    "an empty document between others": lambda cases: any(
        [] in documents[1:-1] for documents in _given(cases)
    ),
    "a single document": lambda cases: any(len(documents) == 1 for documents in _given(cases)),
    "two equal documents": lambda cases: any(
        document and documents.count(document) > 1
        for documents in _given(cases)
        for document in documents
    ),
    "words of one letter": _in_the_documents(r"\A[aeiou]\Z"),
    "words with a hyphen, an apostrophe, an accent": _in_the_documents("-", "'", "é"),
    "a number, and a mark": _in_the_documents(r"\A\d+\Z", r"\A\W\Z"),
    "a stop word": _in_the_documents(r"\Athe\Z"),
    "a word with a capital, beside the same without": lambda cases: any(
        word != word.lower() and word.lower() in document
        for documents in _given(cases)
        for document in documents
        for word in document
    ),
    "a word inside another one of its document": lambda cases: any(
        len(one) > 3 and one != other and one in other and "-" not in other
        for documents in _given(cases)
        for document in documents
        for one, other in itertools.permutations(document, 2)
    ),
}
