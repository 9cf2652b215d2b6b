"""What people get wrong about text preprocessing."""

from __future__ import annotations

from functools import partial

from autograder.misconceptions.bank import Bank

bank = Bank("preprocessing")


# --- find_emails ----------------------------------------------------------------------------------

_emails = partial(bank.mistake, "find_emails")

_PATTERN = r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}"

_emails(
    "words_with_an_at",
    "The text was split at white space: the punctuation around an address came along, and so did "
    "words with an @ that are no address.",
    "re.findall(pattern, text)",
    '[word for word in text.split() if "@" in word]',
    alone=True,
)
_emails(
    "anything_around_the_at",
    "Anything but white space was allowed around the @: which characters may an address have?",
    _PATTERN,
    r"\S+@\S+",
)
_emails(
    "word_characters_only",
    "Only letters, digits and underscores were allowed: dots, plus signs and hyphens cut an "
    "address short.",
    _PATTERN,
    r"\w+@\w+\.\w+",
)
_emails(
    "dots_and_hyphens_only",
    "Signs that an address may have cut it short, and anything with dots was taken for a domain: "
    "compare with the task what may stand before the @, and with what an address must end.",
    _PATTERN,
    r"[\w.-]+@[\w.-]+",
)
_emails(
    "only_the_group",
    "A group in parentheses came back in the place of the whole match: what does findall return "
    "when a pattern has groups?",
    "(?:",
    "(",
)
_emails(
    "first_address_only",
    "Only the first address was returned: the search must go on after it.",
    "re.findall(pattern, text)",
    "re.findall(pattern, text)[:1]",
)
_emails(
    "small_letters_only",
    "Capital letters are letters as well: they were left out.",
    _PATTERN,
    r"[a-z0-9._%+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}",
)
_emails(
    "single_label_domain",
    "Only one dot was expected after the @: a domain may have several labels.",
    r"(?:[A-Za-z0-9-]+\.)+",
    r"[A-Za-z0-9-]+\.",
)
_emails(
    "full_stop_included",
    "The domain was allowed to end with any of its characters: a full stop after the address was "
    "taken for a part of it. With what must an address end?",
    r"(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}",
    r"[A-Za-z0-9-]+\.[A-Za-z0-9.-]+",
)
_emails(
    "any_character_for_the_dot",
    "The dot of the domain was not escaped: an unescaped dot stands for any character.",
    r"(?:[A-Za-z0-9-]+\.)+",
    "[A-Za-z0-9.-]+.",
)
_emails(
    "matched_at_the_start",
    "The pattern was tried at the start of the text only: match and search look in different "
    "places.",
    "re.findall(pattern, text)",
    "[found.group() for found in [re.match(pattern, text)] if found]",
    alone=True,
)
_emails(
    "each_address_once",
    "Each address was returned only once: one that comes back counts again.",
    "re.findall(pattern, text)",
    "list(dict.fromkeys(re.findall(pattern, text)))",
)
_emails(
    "whole_words_only",
    "Only words that are an address from end to end were found: what may stand right beside an "
    "address in a sentence?",
    "re.findall(pattern, text)",
    "[word for word in text.split() if re.fullmatch(pattern, word)]",
    alone=True,
)
_emails(
    "empty_labels",
    "Two dots in a row were taken for a part of a domain: each dot has a label before it.",
    r"(?:[A-Za-z0-9-]+\.)+",
    r"[A-Za-z0-9.-]+\.",
)
_emails(
    "pattern_of_the_web",
    "This pattern is copied all over the web, and is not the task's: it wants the border of a word "
    "in front, and lets two dots in a row and a bar through.",
    _PATTERN,
    r"\b[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Z|a-z]{2,}\b",
)
_emails(
    "word_characters_in_the_domain",
    "The domain was allowed to hold more than letters, digits and hyphens: which other sign does "
    "the class for word characters have?",
    r"[A-Za-z0-9-]+\.",
    r"[\w-]+\.",
)

# --- tokenize -------------------------------------------------------------------------------------

_tokens = partial(bank.mistake, "tokenize")

_BARE = 'words.translate(str.maketrans("", "", string.punctuation))'

_tokens(
    "capitals_kept",
    "The text was not put into lower case.",
    ".lower()",
    "",
)
_tokens(
    "punctuation_to_spaces",
    "Punctuation became white space: it is to vanish, so that a contraction stays one word.",
    'str.maketrans("", "", string.punctuation)',
    'str.maketrans(dict.fromkeys(string.punctuation, " "))',
)
_tokens(
    "line_breaks_deleted",
    "The line breaks vanished without leaving white space: the words around them grew together.",
    '"<br />", " "',
    '"<br />", ""',
)
_tokens(
    "line_breaks_left",
    "A token holds what is left of a line break: is it replaced before the punctuation goes, and "
    "is the text without it kept?",
    '.replace("<br />", " ")',
    "",
)
_tokens(
    "split_at_single_spaces",
    "The text was split at single spaces: two spaces in a row leave an empty token, tabs and line "
    "ends are overlooked.",
    "bare.split()",
    'bare.split(" ")',
)
_tokens(
    "runs_of_word_characters",
    "Runs of word characters were taken: an apostrophe or hyphen then separates, and an underscore "
    "stays.",
    _BARE,
    r'" ".join(re.findall(r"\w+", words))',
    alone=True,
)
_tokens(
    "punctuation_stripped_at_the_ends",
    "Punctuation was removed at both ends of each word only: look inside the words as well.",
    _BARE,
    '" ".join(word.strip(string.punctuation) for word in words.split())',
    alone=True,
)
_tokens(
    "digits_lost",
    "More than punctuation was removed: digits belong to the tokens.",
    _BARE,
    r're.sub(r"[^a-z\s]", "", words)',
)
_tokens(
    "ascii_only",
    "Letters with accents vanished, and so did other signs: only what is on the list of "
    "punctuation is to go.",
    _BARE,
    r're.sub(r"[^a-z0-9\s]", "", words)',
)
_tokens(
    "letters_and_digits_only",
    "Signs vanished that the list of punctuation does not have: dashes and quotation marks of "
    "print stay.",
    _BARE,
    '" ".join("".join(filter(str.isalnum, word)) for word in words.split())',
    alone=True,
)
_tokens(
    "every_tag_cut_out",
    "Other markup than the line break was cut out: the task names it alone.",
    'text.lower().replace("<br />", " ")',
    're.sub(r"<[^>]+>", " ", text.lower())',
)
_tokens(
    "one_text",
    "One text came back: a list of its words is asked for.",
    "bare.split()",
    '" ".join(bare.split())',
)

# --- remove_stopwords -----------------------------------------------------------------------------

_stopwords = partial(bank.mistake, "remove_stopwords")

_KEPT = "kept = [token for token in tokens if token not in stopwords]"

_stopwords(
    "removed_while_iterating",
    "The list was changed while a loop ran over it: after each removal the loop skips one token.",
    _KEPT,
    "kept = tokens = list(tokens)\n"
    "    for token in kept:\n"
    "        if token in stopwords:\n"
    "            kept.remove(token)",
    alone=True,
)
_stopwords(
    "tokens_changed",
    "The tokens of the caller were changed: build a new list.",
    "list(tokens)",
    "list(kept)",
)
_stopwords(
    "sorted_set_difference",
    "Sets have neither order nor repetition: the tokens lost both.",
    "[token for token in tokens if token not in stopwords]",
    "sorted(set(tokens) - stopwords)",
)
_stopwords(
    "repetitions_lost",
    "Tokens that came twice were kept once: all of them stay.",
    "for token in tokens",
    "for token in dict.fromkeys(tokens)",
)
_stopwords(
    "stopwords_kept",
    "The stop words were kept and the other tokens removed.",
    "not in",
    "in",
)
_stopwords(
    "cut_out_of_the_text",
    "Stop words were cut out of longer words: compare whole tokens, not pieces of text.",
    _KEPT,
    'text = " ".join(tokens)\n'
    "    for word in sorted(stopwords):\n"
    '        text = text.replace(word, "")\n'
    "    kept = text.split()",
)
_stopwords(
    "words_containing_one_removed",
    "Words that merely contain a stop word were removed: compare whole tokens.",
    "token not in stopwords",
    "not any(word in token for word in stopwords)",
)
_stopwords(
    "looked_up_in_one_text",
    "Words that are a part of some stop word were removed: did the set become one text?",
    "not in stopwords",
    'not in " ".join(sorted(stopwords))',
)
_stopwords(
    "another_list",
    "Other words were removed than those handed over: which list does the function look at?",
    "not in stopwords",
    "not in language.stopwords()",
)
_stopwords(
    "removed_once_each",
    "Each stop word was removed only once: it may come back later.",
    _KEPT,
    "seen: set[str] = set()\n"
    "    kept = [t for t in tokens if t not in stopwords or t in seen or seen.add(t)]",
)

# --- stem -----------------------------------------------------------------------------------------

_stems = partial(bank.mistake, "stem")

_stems(
    "tokens_not_stemmed",
    "The tokens came back as they were: nothing was stemmed.",
    "stemmer.stem(token)",
    "token",
    alone=True,
)
_stems(
    "sentence_stemmed",
    "The whole sentence was stemmed as one word, which changes its end only: stem each token.",
    "[stemmer.stem(token) for token in tokens]",
    'stemmer.stem(" ".join(tokens)).split()',
)
_stems(
    "only_the_last",
    "Only the last token's stem is there: where is the list made?",
    '{"stems": stems}',
    '{"stems": stems[-1:]}',
)
_stems(
    "lancaster",
    "These are the stems of Lancaster's stemmer, which cuts more than Porter's.",
    "stemmer = PorterStemmer()",
    "from nltk.stem import LancasterStemmer\n    stemmer = LancasterStemmer()",
)
_stems(
    "snowball",
    "These are the stems of Snowball, Porter's second stemmer: the first one is asked for.",
    "stemmer = PorterStemmer()",
    'from nltk.stem import SnowballStemmer\n    stemmer = SnowballStemmer("english")',
)
_stems(
    "letters_stripped",
    "Letters were stripped from both ends of the words: strip takes a set of letters, not an "
    "ending, and cutting an ending is not yet Porter's algorithm.",
    "stemmer.stem(token)",
    'token.strip("ing")',
    alone=True,
)
_stems(
    "endings_cut",
    "Endings were cut off without Porter's rules, which also repair what is left.",
    "stemmer.stem(token)",
    're.sub("(ing|ed|s)$", "", token)',
    alone=True,
)
_stems(
    "stems_once_each",
    "There are fewer stems than tokens: a repeated token has its stem again.",
    '{"stems": stems}',
    '{"stems": list(dict.fromkeys(stems))}',
)
_stems(
    "stems_in_one_text",
    "One text came back: a list with one stem for each token is asked for.",
    '{"stems": stems}',
    '{"stems": " ".join(stems)}',
)

# --- lemmatize ------------------------------------------------------------------------------------

_lemmas = partial(bank.mistake, "lemmatize")

_lemmas(
    "all_as_nouns",
    "The part of speech was not passed on: without it every word is taken for a noun.",
    "(token, pos)",
    '(token, "n")',
)
_lemmas(
    "all_as_verbs",
    "Every word was looked up as a verb: use the part of speech you are given.",
    "(token, pos)",
    '(token, "v")',
)
_lemmas(
    "stemmed",
    "These are stems: a lemma is a word that a dictionary has.",
    "[lemmatizer.lemmatize(token, pos) for token in tokens]",
    'stem(tokens)["stems"]',
)
_lemmas(
    "sentence_lemmatized",
    "The tokens came back as they were: was a whole sentence looked up as one word?",
    "[lemmatizer.lemmatize(token, pos) for token in tokens]",
    'lemmatizer.lemmatize(" ".join(tokens), pos).split()',
)
_lemmas(
    "endings_cut_off",
    "Endings were cut off: a lemmatizer looks words up, and knows the irregular ones.",
    "lemmatizer.lemmatize(token, pos)",
    're.sub("(ing|ed|s)$", "", token)',
)
_lemmas(
    "any_part_of_speech",
    "The first part of speech that changes a word was taken: use the one you are given.",
    "lemmatizer.lemmatize(token, pos)",
    'next((x for x in (lemmatizer.lemmatize(token, p) for p in "nvar") if x != token), token)',
)
_lemmas(
    "lemmas_once_each",
    "There are fewer lemmas than tokens: a repeated token has its lemma again.",
    '{"lemmas": lemmas}',
    '{"lemmas": list(dict.fromkeys(lemmas))}',
)

# --- one_hot --------------------------------------------------------------------------------------

_one_hot = partial(bank.mistake, "one_hot")

_one_hot(
    "vocabulary_sorted",
    "The vocabulary was sorted first: its order says which column a word has.",
    "for entry in vocabulary",
    "for entry in sorted(vocabulary)",
)
_one_hot(
    "vocabulary_of_the_words",
    "The columns are those of the words at hand: the vocabulary that is given says how many there "
    "are.",
    "for entry in vocabulary",
    "for entry in sorted(set(words))",
)
_one_hot(
    "words_as_columns",
    "Rows and columns are exchanged: each word has a row.",
    '{"vectors": vectors}',
    '{"vectors": vectors.T}',
)
_one_hot(
    "unknown_as_first",
    "A word outside the vocabulary was counted as its first entry: what does your look-up give for "
    "it?",
    "for word in words",
    "for word in [w if w in vocabulary else vocabulary[0] for w in words]",
    alone=True,
)
_one_hot(
    "unknown_as_last",
    "A word outside the vocabulary was counted as its last entry: an index of minus one counts "
    "from the end.",
    "for word in words",
    "for word in [w if w in vocabulary else vocabulary[-1] for w in words]",
)
_one_hot(
    "unknown_left_out",
    "Words outside the vocabulary have no row: every word needs one.",
    "for word in words",
    "for word in words if word in vocabulary",
)
_one_hot(
    "one_row_for_all",
    "All words share one row: that is a bag of words. Each word has its own row here.",
    '{"vectors": vectors}',
    '{"vectors": vectors.max(axis=0)}',
    alone=True,
)
_one_hot(
    "position_in_the_words",
    "The ones follow the position in the list of words: they belong where the vocabulary has the "
    "word.",
    "np.array([[float(word == entry) for entry in vocabulary] for word in words])",
    "np.eye(len(words), len(vocabulary))",
)
_one_hot(
    "places_in_the_vocabulary",
    "The places in the vocabulary came back: each of them becomes a row of zeros with a single 1.",
    "np.array([[float(word == entry) for entry in vocabulary] for word in words])",
    "np.array([vocabulary.index(w) if w in vocabulary else -1.0 for w in words], np.float64)",
    alone=True,
)

# --- label_encode ---------------------------------------------------------------------------------

_labels = partial(bank.mistake, "label_encode")

_labels(
    "in_order_of_appearance",
    "The classes were numbered as they appear: the alphabet decides, not the order of the data.",
    "sorted(set(labels))",
    "list(dict.fromkeys(labels))",
)
_labels(
    "from_one",
    "The numbers start at 1: the first class is number 0.",
    '{"numbers": numbers}',
    '{"numbers": numbers + 1}',
)
_labels(
    "backwards",
    "The alphabet runs backwards: the first class in it is number 0.",
    "sorted(set(labels))",
    "sorted(set(labels), reverse=True)",
)
_labels(
    "by_frequency",
    "The classes were numbered by how often they come: use the alphabet.",
    "sorted(set(labels))",
    "[label for label, _ in Counter(labels).most_common()]",
)
_labels(
    "each_its_own",
    "Every label got a number of its own: equal labels are one class and share a number.",
    "np.array([classes.index(label) for label in labels], np.float64)",
    'np.argsort(np.argsort(labels, kind="stable")).astype(np.float64)',
    alone=True,
)
_labels(
    "places_in_the_list",
    "The labels were numbered by their place in the list, not by class.",
    "np.array([classes.index(label) for label in labels], np.float64)",
    "np.arange(len(labels), dtype=np.float64)",
    alone=True,
)
_labels(
    "one_hot_rows",
    "The labels were one-hot encoded: one number for each is asked for.",
    "np.array([classes.index(label) for label in labels], np.float64)",
    'one_hot(labels, classes)["vectors"]',
)

# --- bag_of_words ---------------------------------------------------------------------------------

_bag = partial(bank.mistake, "bag_of_words")

_VOCABULARY = "sorted({token for document in documents for token in document})"

_DEFAULT_PATTERN = (
    "The documents were joined and cut into words again: the default pattern drops words of one "
    "letter and splits at hyphens."
)

_bag(
    "present_or_not",
    "Each word counts once a document at most: repeated words count again.",
    "Counter(document)[token]",
    "int(token in document)",
)
_bag(
    "vocabulary_as_it_appears",
    "The vocabulary is in the order of the documents: it is to be sorted.",
    _VOCABULARY,
    "list(dict.fromkeys(token for document in documents for token in document))",
)
_bag(
    "vocabulary_with_repetitions",
    "The vocabulary has repeated words: each has one entry and one column.",
    _VOCABULARY,
    "sorted(token for document in documents for token in document)",
)
_bag(
    "documents_as_columns",
    "Rows and columns are exchanged: each document has a row.",
    '{"counts": counts',
    '{"counts": counts.T',
)
_bag(
    "shares_of_the_document",
    "The counts were divided by the length of the document: just count.",
    "Counter(document)[token]",
    "Counter(document)[token] / max(len(document), 1)",
)
_bag(
    "words_cut_again",
    _DEFAULT_PATTERN,
    "vocabulary = vocabulary_of(documents)",
    'documents = [re.findall(r"(?u)\\b\\w\\w+\\b", " ".join(words)) for words in documents]\n'
    "    vocabulary = vocabulary_of(documents)",
)
_bag(
    "counted_together",
    "All documents were counted together: each has a row of its own.",
    '{"counts": counts',
    '{"counts": counts.sum(axis=0)',
)
_bag(
    "empty_document_left_out",
    "A document without tokens has no row: it needs one, of zeros.",
    "for document in documents]",
    "for document in documents if document]",
)
_bag(
    "vocabulary_first",
    "The pair is in the other order: the counts come first.",
    '{"counts": counts, "vocabulary": vocabulary}',
    '{"counts": vocabulary}',
    alone=True,
)

# --- tf_idf ---------------------------------------------------------------------------------------

_tf_idf = partial(bank.mistake, "tf_idf")

_tf_idf(
    "textbook_idf",
    "This is the textbook's idf, the logarithm of N over df: scikit-learn adds 1 in three places.",
    "np.log((1 + len(documents)) / (1 + holding)) + 1",
    "np.log(len(documents) / holding)",
)
_tf_idf(
    "idf_not_smoothed",
    "The idf is not smoothed: N and df both grow by 1, as if one more document held every word.",
    "(1 + len(documents)) / (1 + holding)",
    "len(documents) / holding",
)
_tf_idf(
    "no_one_added",
    "The 1 that is added to the logarithm is missing: a word in all documents would weigh nothing.",
    "(1 + holding)) + 1",
    "(1 + holding))",
)
_tf_idf(
    "logarithm_of_base_2",
    "The logarithm has base 2: the natural one is asked for.",
    "np.log(",
    "np.log2(",
)
_tf_idf(
    "logarithm_of_base_10",
    "The logarithm has base 10: the natural one is asked for.",
    "np.log(",
    "np.log10(",
)
_tf_idf(
    "occurrences_for_documents",
    "The document frequency counted every occurrence of a word: count the documents that hold it.",
    "token in document for document",
    "document.count(token) for document",
)
_tf_idf(
    "tokens_for_documents",
    "The number of tokens stands where the number of documents belongs.",
    "1 + len(documents)",
    "1 + sum(map(len, documents))",
)
_tf_idf(
    "rows_not_normalised",
    "The rows were not divided by their length: each must have the length 1.",
    "lengths = np.sqrt((weights**2).sum(axis=1, keepdims=True))\n"
    "    divisors = np.where(lengths == 0, 1.0, lengths)\n"
    "    return weights / divisors",
    "return weights",
)
_tf_idf(
    "rows_sum_to_one",
    "The rows sum to 1: it is their squares that must, for a row of length 1.",
    "np.sqrt((weights**2).sum(axis=1, keepdims=True))",
    "weights.sum(axis=1, keepdims=True)",
)
_tf_idf(
    "columns_normalised",
    "The columns were normalised: each row, a document, must have the length 1.",
    "axis=1, keepdims",
    "axis=0, keepdims",
    alone=True,
)
_tf_idf(
    "idf_missing",
    "These are counts in rows of length 1: the idf is missing.",
    " * inverse_document_frequency(documents)",
    "",
    alone=True,
)
_tf_idf(
    "presence_for_frequency",
    "Repeated words weigh no more than single ones: the term frequency is missing.",
    'bag_of_words(documents)["counts"]',
    'np.minimum(bag_of_words(documents)["counts"], 1.0)',
)
_tf_idf(
    "empty_row_not_finite",
    "A document without tokens gives zero divided by zero: keep its row at zero.",
    "np.where(lengths == 0, 1.0, lengths)",
    "lengths",
)
_tf_idf(
    "tokens_cut_again",
    _DEFAULT_PATTERN,
    "frequencies = bag_of_words",
    'documents = [re.findall(r"(?u)\\b\\w\\w+\\b", " ".join(words)) for words in documents]\n'
    "    frequencies = bag_of_words",
)
_tf_idf(
    "words_as_rows",
    "Rows and columns are exchanged: each document has a row.",
    '{"weights": weights}',
    '{"weights": weights.T}',
)
_tf_idf(
    "columns_as_they_appear",
    "The columns follow the order of the documents: they are to be alphabetical.",
    _VOCABULARY,
    "list(dict.fromkeys(token for document in documents for token in document))",
)
