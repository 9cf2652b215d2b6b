"""What people get wrong about text preprocessing."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograder.misconceptions.bank import Bank
from autograder.reference.preprocessing import (
    ADDRESS,
    bag_of_words,
    inverse_document_frequency,
    label_encode,
    lemmatize,
    one_hot,
    remove_stopwords,
    stem,
    tf_idf,
    tokenize,
    unit_rows,
    vocabulary_of,
)
from course import language

bank = Bank("preprocessing")

Outputs = Mapping[str, Any]

_PUNCTUATION = str.maketrans("", "", string.punctuation)

# --- find_emails ---------------------------------------------------------------------------------


def _matches(pattern: str, text: str) -> Outputs:
    return {"addresses": re.findall(pattern, text)}


@bank.add(
    "find_emails",
    "The text was split at white space: the punctuation around an address came along, and so did "
    "words with an @ that are no address.",
)
def words_with_an_at(text):
    return {"addresses": [word for word in text.split() if "@" in word]}


@bank.add(
    "find_emails",
    "Anything but white space was allowed around the @: which characters may an address have?",
)
def anything_around_the_at(text):
    return _matches(r"\S+@\S+", text)


@bank.add(
    "find_emails",
    "Only letters, digits and underscores were allowed: dots, plus signs and hyphens cut an "
    "address short.",
)
def word_characters_only(text):
    return _matches(r"\w+@\w+\.\w+", text)


@bank.add(
    "find_emails",
    "Signs that an address may have cut it short, and anything with dots was taken for a domain: "
    "compare with the task what may stand before the @, and with what an address must end.",
)
def dots_and_hyphens_only(text):
    return _matches(r"[\w.-]+@[\w.-]+", text)


@bank.add(
    "find_emails",
    "A group in parentheses came back in the place of the whole match: what does findall return "
    "when a pattern has groups?",
)
def only_the_group(text):
    return _matches(r"[A-Za-z0-9._%+-]+@([A-Za-z0-9-]+\.)+[A-Za-z]{2,}", text)


@bank.add("find_emails", "Only the first address was returned: the search must go on after it.")
def first_address_only(text):
    return {"addresses": ADDRESS.findall(text)[:1]}


@bank.add("find_emails", "Capital letters are letters as well: they were left out.")
def small_letters_only(text):
    return _matches(r"[a-z0-9._%+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}", text)


@bank.add(
    "find_emails",
    "Only one dot was expected after the @: a domain may have several labels.",
)
def single_label_domain(text):
    return _matches(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z]{2,}", text)


@bank.add(
    "find_emails",
    "The domain was allowed to end with any of its characters: a full stop after the address was "
    "taken for a part of it. With what must an address end?",
)
def full_stop_included(text):
    return _matches(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z0-9.-]+", text)


@bank.add(
    "find_emails",
    "The dot of the domain was not escaped: an unescaped dot stands for any character.",
)
def any_character_for_the_dot(text):
    return _matches(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+.[A-Za-z]{2,}", text)


@bank.add(
    "find_emails",
    "The pattern was tried at the start of the text only: match and search look in different "
    "places.",
)
def matched_at_the_start(text):
    found = ADDRESS.match(text)
    return {"addresses": [found.group()] if found else []}


@bank.add("find_emails", "Each address was returned only once: one that comes back counts again.")
def each_address_once(text):
    return {"addresses": list(dict.fromkeys(ADDRESS.findall(text)))}


@bank.add(
    "find_emails",
    "Only words that are an address from end to end were found: what may stand right beside an "
    "address in a sentence?",
)
def whole_words_only(text):
    return {"addresses": [word for word in text.split() if ADDRESS.fullmatch(word)]}


@bank.add(
    "find_emails",
    "Two dots in a row were taken for a part of a domain: each dot has a label before it.",
)
def empty_labels(text):
    return _matches(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}", text)


@bank.add(
    "find_emails",
    "This pattern is copied all over the web, and is not the task's: it wants the border of a word "
    "in front, and lets two dots in a row and a bar through.",
)
def pattern_of_the_web(text):
    return _matches(r"\b[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Z|a-z]{2,}\b", text)


@bank.add(
    "find_emails",
    "The domain was allowed to hold more than letters, digits and hyphens: which other sign does "
    "the class for word characters have?",
)
def word_characters_in_the_domain(text):
    return _matches(r"[A-Za-z0-9._%+-]+@(?:[\w-]+\.)+[A-Za-z]{2,}", text)


# --- tokenize ------------------------------------------------------------------------------------


@bank.add("tokenize", "The text was not put into lower case.")
def capitals_kept(text):
    return {"tokens": text.replace("<br />", " ").translate(_PUNCTUATION).split()}


@bank.add(
    "tokenize",
    "Punctuation became white space: it is to vanish, so that a contraction stays one word.",
)
def punctuation_to_spaces(text):
    spaces = str.maketrans(dict.fromkeys(string.punctuation, " "))
    return {"tokens": text.lower().replace("<br />", " ").translate(spaces).split()}


@bank.add(
    "tokenize",
    "The line breaks vanished without leaving white space: the words around them grew together.",
)
def line_breaks_deleted(text):
    return tokenize(text.replace("<br />", ""))


@bank.add(
    "tokenize",
    "A token holds what is left of a line break: is it replaced before the punctuation goes, and "
    "is the text without it kept?",
)
def line_breaks_left(text):
    return {"tokens": text.lower().translate(_PUNCTUATION).split()}


@bank.add(
    "tokenize",
    "The text was split at single spaces: two spaces in a row leave an empty token, tabs and line "
    "ends are overlooked.",
)
def split_at_single_spaces(text):
    words = text.lower().replace("<br />", " ").translate(_PUNCTUATION)
    return {"tokens": words.split(" ")}


@bank.add(
    "tokenize",
    "Runs of word characters were taken: an apostrophe or hyphen then separates, and an underscore "
    "stays.",
)
def runs_of_word_characters(text):
    return {"tokens": re.findall(r"\w+", text.lower().replace("<br />", " "))}


@bank.add(
    "tokenize",
    "Punctuation was removed at both ends of each word only: look inside the words as well.",
)
def punctuation_stripped_at_the_ends(text):
    words = text.lower().replace("<br />", " ").split()
    stripped = [word.strip(string.punctuation) for word in words]
    return {"tokens": [word for word in stripped if word]}


@bank.add("tokenize", "More than punctuation was removed: digits belong to the tokens.")
def digits_lost(text):
    return {"tokens": re.sub(r"[^a-z\s]", "", text.lower().replace("<br />", " ")).split()}


@bank.add(
    "tokenize",
    "Letters with accents vanished, and so did other signs: only what is on the list of "
    "punctuation is to go.",
)
def ascii_only(text):
    return {"tokens": re.sub(r"[^a-z0-9\s]", "", text.lower().replace("<br />", " ")).split()}


@bank.add(
    "tokenize",
    "Signs vanished that the list of punctuation does not have: dashes and quotation marks of "
    "print stay.",
)
def letters_and_digits_only(text):
    words = text.lower().replace("<br />", " ").split()
    bare = ["".join(filter(str.isalnum, word)) for word in words]
    return {"tokens": [word for word in bare if word]}


@bank.add("tokenize", "Other markup than the line break was cut out: the task names it alone.")
def every_tag_cut_out(text):
    return tokenize(re.sub(r"<[^>]+>", " ", text))


@bank.add("tokenize", "One text came back: a list of its words is asked for.")
def one_text(text):
    return {"tokens": " ".join(tokenize(text)["tokens"])}


# --- remove_stopwords ----------------------------------------------------------------------------


def _kept(kept: Any, tokens: list[str], stopwords: set[str], changed: bool = False) -> Outputs:
    """The outputs of a function that returns ``kept``, and leaves the same in its input or not."""
    afterwards = list(kept if changed else tokens)
    return {"kept": kept, "tokens": afterwards, "stopwords": sorted(stopwords)}


@bank.add(
    "remove_stopwords",
    "The list was changed while a loop ran over it: after each removal the loop skips one token.",
)
def removed_while_iterating(tokens, stopwords):
    left = list(tokens)
    for token in left:
        if token in stopwords:
            left.remove(token)
    return _kept(left, tokens, stopwords, changed=True)


@bank.add(
    "remove_stopwords",
    "The tokens of the caller were changed: build a new list.",
)
def tokens_changed(tokens, stopwords):
    kept = remove_stopwords(tokens, stopwords)["kept"]
    return _kept(kept, tokens, stopwords, changed=True)


@bank.add(
    "remove_stopwords",
    "Sets have neither order nor repetition: the tokens lost both.",
)
def sorted_set_difference(tokens, stopwords):
    return _kept(sorted(set(tokens) - stopwords), tokens, stopwords)


@bank.add("remove_stopwords", "Tokens that came twice were kept once: all of them stay.")
def repetitions_lost(tokens, stopwords):
    kept = [token for token in dict.fromkeys(tokens) if token not in stopwords]
    return _kept(kept, tokens, stopwords)


@bank.add("remove_stopwords", "The stop words were kept and the other tokens removed.")
def stopwords_kept(tokens, stopwords):
    return _kept([token for token in tokens if token in stopwords], tokens, stopwords)


@bank.add(
    "remove_stopwords",
    "Stop words were cut out of longer words: compare whole tokens, not pieces of text.",
)
def cut_out_of_the_text(tokens, stopwords):
    text = " ".join(tokens)
    for word in sorted(stopwords):
        text = text.replace(word, "")
    return _kept(text.split(), tokens, stopwords)


@bank.add(
    "remove_stopwords",
    "Words that merely contain a stop word were removed: compare whole tokens.",
)
def words_containing_one_removed(tokens, stopwords):
    kept = [token for token in tokens if not any(word in token for word in stopwords)]
    return _kept(kept, tokens, stopwords)


@bank.add(
    "remove_stopwords",
    "Words that are a part of some stop word were removed: did the set become one text?",
)
def looked_up_in_one_text(tokens, stopwords):
    text = " ".join(sorted(stopwords))
    return _kept([token for token in tokens if token not in text], tokens, stopwords)


@bank.add(
    "remove_stopwords",
    "Other words were removed than those handed over: which list does the function look at?",
)
def another_list(tokens, stopwords):
    return _kept(
        [token for token in tokens if token not in language.stopwords()], tokens, stopwords
    )


@bank.add("remove_stopwords", "Each stop word was removed only once: it may come back later.")
def removed_once_each(tokens, stopwords):
    seen: set[str] = set()
    kept = [t for t in tokens if t not in stopwords or t in seen or seen.add(t)]
    return _kept(kept, tokens, stopwords)


# --- stem ----------------------------------------------------------------------------------------


def _stems(by: Callable[[str], str], tokens: list[str]) -> Outputs:
    return {"stems": [by(token) for token in tokens]}


@bank.add("stem", "The tokens came back as they were: nothing was stemmed.")
def tokens_not_stemmed(tokens):
    return {"stems": list(tokens)}


@bank.add(
    "stem",
    "The whole sentence was stemmed as one word, which changes its end only: stem each token.",
)
def sentence_stemmed(tokens):
    return {"stems": stem([" ".join(tokens)])["stems"][0].split()}


@bank.add("stem", "Only the last token's stem is there: where is the list made?")
def only_the_last(tokens):
    return {"stems": stem(tokens)["stems"][-1:]}


@bank.add("stem", "These are the stems of Lancaster's stemmer, which cuts more than Porter's.")
def lancaster(tokens):
    from nltk.stem import LancasterStemmer

    return _stems(LancasterStemmer().stem, tokens)


@bank.add(
    "stem",
    "These are the stems of Snowball, Porter's second stemmer: the first one is asked for.",
)
def snowball(tokens):
    from nltk.stem import SnowballStemmer

    return _stems(SnowballStemmer("english").stem, tokens)


@bank.add(
    "stem",
    "Letters were stripped from both ends of the words: strip takes a set of letters, not an "
    "ending, and cutting an ending is not yet Porter's algorithm.",
)
def letters_stripped(tokens):
    return _stems(lambda token: token.strip("ing"), tokens)


@bank.add(
    "stem",
    "Endings were cut off without Porter's rules, which also repair what is left.",
)
def endings_cut(tokens):
    return _stems(lambda token: re.sub("(ing|ed|s)$", "", token), tokens)


@bank.add("stem", "There are fewer stems than tokens: a repeated token has its stem again.")
def stems_once_each(tokens):
    return {"stems": list(dict.fromkeys(stem(tokens)["stems"]))}


@bank.add("stem", "One text came back: a list with one stem for each token is asked for.")
def stems_in_one_text(tokens):
    return {"stems": " ".join(stem(tokens)["stems"])}


# --- lemmatize -----------------------------------------------------------------------------------


@bank.add(
    "lemmatize",
    "The part of speech was not passed on: without it every word is taken for a noun.",
)
def all_as_nouns(tokens, pos):
    return lemmatize(tokens, "n")


@bank.add("lemmatize", "Every word was looked up as a verb: use the part of speech you are given.")
def all_as_verbs(tokens, pos):
    return lemmatize(tokens, "v")


@bank.add("lemmatize", "These are stems: a lemma is a word that a dictionary has.")
def stemmed(tokens, pos):
    return {"lemmas": stem(tokens)["stems"]}


@bank.add(
    "lemmatize",
    "The tokens came back as they were: was a whole sentence looked up as one word?",
)
def sentence_lemmatized(tokens, pos):
    return {"lemmas": list(tokens)}


@bank.add(
    "lemmatize",
    "Endings were cut off: a lemmatizer looks words up, and knows the irregular ones.",
)
def endings_cut_off(tokens, pos):
    return {"lemmas": [re.sub("(ing|ed|s)$", "", token) for token in tokens]}


@bank.add(
    "lemmatize",
    "The first part of speech that changes a word was taken: use the one you are given.",
)
def any_part_of_speech(tokens, pos):
    def lemma(token: str) -> str:
        tried = (lemmatize([token], each)["lemmas"][0] for each in "nvar")
        return next((found for found in tried if found != token), token)

    return {"lemmas": [lemma(token) for token in tokens]}


@bank.add("lemmatize", "There are fewer lemmas than tokens: a repeated token has its lemma again.")
def lemmas_once_each(tokens, pos):
    return {"lemmas": list(dict.fromkeys(lemmatize(tokens, pos)["lemmas"]))}


# --- one_hot -------------------------------------------------------------------------------------


@bank.add(
    "one_hot",
    "The vocabulary was sorted first: its order says which column a word has.",
)
def vocabulary_sorted(words, vocabulary):
    return one_hot(words, sorted(vocabulary))


@bank.add(
    "one_hot",
    "The columns are those of the words at hand: the vocabulary that is given says how many there "
    "are.",
)
def vocabulary_of_the_words(words, vocabulary):
    return one_hot(words, sorted(set(words)))


@bank.add("one_hot", "Rows and columns are exchanged: each word has a row.")
def words_as_columns(words, vocabulary):
    return {"vectors": one_hot(words, vocabulary)["vectors"].T}


@bank.add(
    "one_hot",
    "A word outside the vocabulary was counted as its first entry: what does your look-up give for "
    "it?",
)
def unknown_as_first(words, vocabulary):
    return one_hot([w if w in vocabulary else vocabulary[0] for w in words], vocabulary)


@bank.add(
    "one_hot",
    "A word outside the vocabulary was counted as its last entry: an index of minus one counts "
    "from the end.",
)
def unknown_as_last(words, vocabulary):
    return one_hot([w if w in vocabulary else vocabulary[-1] for w in words], vocabulary)


@bank.add("one_hot", "Words outside the vocabulary have no row: every word needs one.")
def unknown_left_out(words, vocabulary):
    return one_hot([word for word in words if word in vocabulary], vocabulary)


@bank.add(
    "one_hot",
    "All words share one row: that is a bag of words. Each word has its own row here.",
)
def one_row_for_all(words, vocabulary):
    return {"vectors": one_hot(words, vocabulary)["vectors"].max(axis=0)}


@bank.add(
    "one_hot",
    "The ones follow the position in the list of words: they belong where the vocabulary has the "
    "word.",
)
def position_in_the_words(words, vocabulary):
    return {"vectors": np.eye(len(words), len(vocabulary))}


@bank.add(
    "one_hot",
    "The places in the vocabulary came back: each of them becomes a row of zeros with a single 1.",
)
def places_in_the_vocabulary(words, vocabulary):
    places = [vocabulary.index(w) if w in vocabulary else -1 for w in words]
    return {"vectors": np.array(places, np.float64)}


# --- label_encode --------------------------------------------------------------------------------


def _numbered(labels: list[str], classes: list[str]) -> Outputs:
    return {"numbers": np.array([classes.index(label) for label in labels], np.float64)}


@bank.add(
    "label_encode",
    "The classes were numbered as they appear: the alphabet decides, not the order of the data.",
)
def in_order_of_appearance(labels):
    return _numbered(labels, list(dict.fromkeys(labels)))


@bank.add("label_encode", "The numbers start at 1: the first class is number 0.")
def from_one(labels):
    return {"numbers": label_encode(labels)["numbers"] + 1}


@bank.add("label_encode", "The alphabet runs backwards: the first class in it is number 0.")
def backwards(labels):
    return _numbered(labels, sorted(set(labels), reverse=True))


@bank.add("label_encode", "The classes were numbered by how often they come: use the alphabet.")
def by_frequency(labels):
    return _numbered(labels, [label for label, _ in Counter(labels).most_common()])


@bank.add(
    "label_encode",
    "Every label got a number of its own: equal labels are one class and share a number.",
)
def each_its_own(labels):
    return {"numbers": np.argsort(np.argsort(labels, kind="stable")).astype(np.float64)}


@bank.add("label_encode", "The labels were numbered by their place in the list, not by class.")
def places_in_the_list(labels):
    return {"numbers": np.arange(len(labels), dtype=np.float64)}


@bank.add("label_encode", "The labels were one-hot encoded: one number for each is asked for.")
def one_hot_rows(labels):
    return {"numbers": one_hot(labels, sorted(set(labels)))["vectors"]}


# --- bag_of_words --------------------------------------------------------------------------------


def _counted(documents: list[list[str]], vocabulary: list[str]) -> Outputs:
    counts = [[float(document.count(token)) for token in vocabulary] for document in documents]
    return {"counts": np.array(counts), "vocabulary": vocabulary}


def _by_default_pattern(documents: list[list[str]]) -> list[list[str]]:
    """The tokens that scikit-learn's default pattern finds in the documents as text."""
    return [re.findall(r"(?u)\b\w\w+\b", " ".join(document)) for document in documents]


_DEFAULT_PATTERN = (
    "The documents were joined and cut into words again: the default pattern drops words of one "
    "letter and splits at hyphens."
)


@bank.add("bag_of_words", "Each word counts once a document at most: repeated words count again.")
def present_or_not(documents):
    bag = bag_of_words(documents)
    return bag | {"counts": np.minimum(bag["counts"], 1.0)}


@bank.add("bag_of_words", "The vocabulary is in the order of the documents: it is to be sorted.")
def vocabulary_as_it_appears(documents):
    return _counted(documents, list(dict.fromkeys(t for document in documents for t in document)))


@bank.add("bag_of_words", "The vocabulary has repeated words: each has one entry and one column.")
def vocabulary_with_repetitions(documents):
    return _counted(documents, sorted(token for document in documents for token in document))


@bank.add("bag_of_words", "Rows and columns are exchanged: each document has a row.")
def documents_as_columns(documents):
    bag = bag_of_words(documents)
    return bag | {"counts": bag["counts"].T}


@bank.add("bag_of_words", "The counts were divided by the length of the document: just count.")
def shares_of_the_document(documents):
    bag = bag_of_words(documents)
    lengths = np.maximum([[len(document)] for document in documents], 1)
    return bag | {"counts": bag["counts"] / lengths}


@bank.add("bag_of_words", _DEFAULT_PATTERN)
def words_cut_again(documents):
    return bag_of_words(_by_default_pattern(documents))


@bank.add("bag_of_words", "All documents were counted together: each has a row of its own.")
def counted_together(documents):
    bag = bag_of_words(documents)
    return bag | {"counts": bag["counts"].sum(axis=0)}


@bank.add("bag_of_words", "A document without tokens has no row: it needs one, of zeros.")
def empty_document_left_out(documents):
    return bag_of_words([document for document in documents if document])


@bank.add("bag_of_words", "The pair is in the other order: the counts come first.")
def vocabulary_first(documents):
    return {"counts": bag_of_words(documents)["vocabulary"]}


# --- tf_idf --------------------------------------------------------------------------------------


def _document_frequency(documents: list[list[str]]) -> np.ndarray:
    return np.minimum(bag_of_words(documents)["counts"], 1.0).sum(axis=0)


def _weighted(documents: list[list[str]], idf: np.ndarray | float) -> Outputs:
    """The right TF-IDF but for the given inverse document frequencies."""
    return {"weights": unit_rows(bag_of_words(documents)["counts"] * idf)}


@bank.add(
    "tf_idf",
    "This is the textbook's idf, the logarithm of N over df: scikit-learn adds 1 in three places.",
)
def textbook_idf(documents):
    return _weighted(documents, np.log(len(documents) / _document_frequency(documents)))


@bank.add(
    "tf_idf",
    "The idf is not smoothed: N and df both grow by 1, as if one more document held every word.",
)
def idf_not_smoothed(documents):
    return _weighted(documents, np.log(len(documents) / _document_frequency(documents)) + 1)


@bank.add(
    "tf_idf",
    "The 1 that is added to the logarithm is missing: a word in all documents would weigh nothing.",
)
def no_one_added(documents):
    return _weighted(documents, inverse_document_frequency(documents) - 1)


def _smoothed(documents: list[list[str]], base: float) -> np.ndarray:
    return (inverse_document_frequency(documents) - 1) / np.log(base) + 1


@bank.add("tf_idf", "The logarithm has base 2: the natural one is asked for.")
def logarithm_of_base_2(documents):
    return _weighted(documents, _smoothed(documents, 2))


@bank.add("tf_idf", "The logarithm has base 10: the natural one is asked for.")
def logarithm_of_base_10(documents):
    return _weighted(documents, _smoothed(documents, 10))


@bank.add(
    "tf_idf",
    "The document frequency counted every occurrence of a word: count the documents that hold it.",
)
def occurrences_for_documents(documents):
    occurrences = bag_of_words(documents)["counts"].sum(axis=0)
    return _weighted(documents, np.log((1 + len(documents)) / (1 + occurrences)) + 1)


@bank.add("tf_idf", "The number of tokens stands where the number of documents belongs.")
def tokens_for_documents(documents):
    tokens = sum(len(document) for document in documents)
    frequency = _document_frequency(documents)
    return _weighted(documents, np.log((1 + tokens) / (1 + frequency)) + 1)


@bank.add("tf_idf", "The rows were not divided by their length: each must have the length 1.")
def rows_not_normalised(documents):
    counts = bag_of_words(documents)["counts"]
    return {"weights": counts * inverse_document_frequency(documents)}


@bank.add(
    "tf_idf",
    "The rows sum to 1: it is their squares that must, for a row of length 1.",
)
def rows_sum_to_one(documents):
    weights = rows_not_normalised(documents)["weights"]
    sums = weights.sum(axis=1, keepdims=True)
    return {"weights": weights / np.where(sums == 0, 1.0, sums)}


@bank.add("tf_idf", "The columns were normalised: each row, a document, must have the length 1.")
def columns_normalised(documents):
    return {"weights": unit_rows(rows_not_normalised(documents)["weights"].T).T}


@bank.add("tf_idf", "These are counts in rows of length 1: the idf is missing.")
def idf_missing(documents):
    return _weighted(documents, 1.0)


@bank.add("tf_idf", "Repeated words weigh no more than single ones: the term frequency is missing.")
def presence_for_frequency(documents):
    present = np.minimum(bag_of_words(documents)["counts"], 1.0)
    return {"weights": unit_rows(present * inverse_document_frequency(documents))}


@bank.add(
    "tf_idf",
    "A document without tokens gives zero divided by zero: keep its row at zero.",
)
def empty_row_not_finite(documents):
    weights = rows_not_normalised(documents)["weights"]
    return {"weights": weights / np.sqrt((weights**2).sum(axis=1, keepdims=True))}


@bank.add("tf_idf", _DEFAULT_PATTERN)
def tokens_cut_again(documents):
    return tf_idf(_by_default_pattern(documents))


@bank.add("tf_idf", "Rows and columns are exchanged: each document has a row.")
def words_as_rows(documents):
    return {"weights": tf_idf(documents)["weights"].T}


@bank.add("tf_idf", "The columns follow the order of the documents: they are to be alphabetical.")
def columns_as_they_appear(documents):
    appearing = list(dict.fromkeys(token for document in documents for token in document))
    columns = [vocabulary_of(documents).index(token) for token in appearing]
    return {"weights": tf_idf(documents)["weights"][:, columns]}
