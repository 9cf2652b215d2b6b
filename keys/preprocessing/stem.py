"""The key of ``preprocessing.stem``."""

from __future__ import annotations

import re
import unicodedata

from autograder.judging.keys import PART, SLIP, Key
from course.data import language
from course.exercises.preprocessing.common import (
    NOTHING,
    SOMETHING,
)
from course.exercises.preprocessing.stem import EXERCISE, IRREGULAR_PLURALS, IRREGULAR_VERBS
from keys.preprocessing.common import KEPT_BETWEEN_CALLS, in_the_tokens


def stem(tokens: list[str]) -> dict[str, list[str]]:
    """Each token's stem, by M. F. Porter, "An algorithm for suffix stripping" (1980).

    Returns:
        stems.

    Example:
        >>> stem(["ponies", "walked"])["stems"]
        ['poni', 'walk']
    """
    from nltk.stem import PorterStemmer  # takes a second, which other exercises need not wait for

    stemmer = PorterStemmer()
    stems = [stemmer.stem(token) for token in tokens]
    return {"stems": stems, "remembered": NOTHING}


KEY = Key(EXERCISE, stem)

KEY.mistake(
    "tokens_not_stemmed",
    "The tokens came back unchanged: nothing was stemmed.",
    "stemmer.stem(token)",
    "token",
    cost=PART,
)
KEY.mistake(
    "sentence_stemmed",
    "You stemmed the whole sentence as one word, which changes only its ending: stem each token.",
    "[stemmer.stem(token) for token in tokens]",
    'stemmer.stem(" ".join(tokens)).split()',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "only_the_last",
    "Only the last token's stem came back: where do you create the list?",
    '"stems": stems',
    '"stems": stems[-1:]',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "only_the_last_and_none_fails",
    "Only the last token's stem came back: where do you create the list?",
    '"stems": stems',
    '"stems": [stems[-1]]',
    failure="UnboundLocalError|not associated with a value|out of range",
    cost=SLIP,
)
KEY.mistake(
    "lancaster",
    "These are the stems of the Lancaster stemmer, which cuts off more than Porter's.",
    "stemmer = PorterStemmer()",
    "from nltk.stem import LancasterStemmer\n    stemmer = LancasterStemmer()",
    paired=True,
)
KEY.mistake(
    "snowball",
    "These are the stems of Snowball, Porter's second stemmer: the task asks for the first one.",
    "stemmer = PorterStemmer()",
    'from nltk.stem import SnowballStemmer\n    stemmer = SnowballStemmer("english")',
    paired=True,
)
KEY.mistake(
    "letters_stripped",
    "You stripped letters from both ends of the words: strip takes a set of letters, not an "
    "ending, and just cutting off an ending isn't Porter's algorithm yet.",
    "stemmer.stem(token)",
    'token.strip("ing")',
)
KEY.mistake(
    "endings_cut",
    "You cut off endings without Porter's rules, which also repair what's left.",
    "stemmer.stem(token)",
    're.sub("(ing|ed|s)$", "", token)',
)
KEY.mistake(
    "stems_once_each",
    "There are fewer stems than tokens: a repeated token gets its stem again.",
    '"stems": stems',
    '"stems": list(dict.fromkeys(stems))',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "stems_in_one_text",
    "You returned a single text: the task asks for a list with one stem per token.",
    '"stems": stems',
    '"stems": " ".join(stems)',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "stemmed_twice",
    "You stemmed the words more than once: a stem may lose more letters, so stem each token once.",
    "stemmer.stem(token)",
    "stemmer.stem(stemmer.stem(token))",
    cost=SLIP,
)
for _mode in ("ORIGINAL_ALGORITHM", "MARTIN_EXTENSIONS"):
    KEY.mistake(
        f"mode_{_mode.lower()}",
        "These are the stems of another mode of the stemmer: the task asks for its default "
        "settings.",
        "stemmer = PorterStemmer()",
        f"stemmer = PorterStemmer({_mode!r})",
        cost=SLIP,
    )
KEY.mistake(
    "stems_sorted",
    "You sorted the stems: they stay in the order of the tokens.",
    '"stems": stems',
    '"stems": sorted(stems)',
    cost=SLIP,
)
KEY.mistake(
    "short_words_left",
    "You left short words as they are: the stemmer decides which ones it changes.",
    "stemmer.stem(token)",
    "stemmer.stem(token) if len(token) > 3 else token",
    cost=SLIP,
)
KEY.mistake(
    "short_words_dropped",
    "There are fewer stems than tokens: short words keep their place, too.",
    "for token in tokens",
    "for token in tokens if len(token) > 2",
    cost=SLIP,
)
KEY.mistake(
    "ending_removed",
    "You removed an ending from the text of the word: that isn't Porter's algorithm, which also "
    "looks at what's left.",
    "stemmer.stem(token)",
    'token.removesuffix("ing")',
)
KEY.mistake(
    "nouns_looked_up_first",
    "You looked up the lemma of each token before you stemmed it: the stemmer gets the token as it "
    "is.",
    "stemmer.stem(token)",
    "stemmer.stem(language.lemmatizer().lemmatize(token))",
    cost=SLIP,
)
KEY.mistake(
    "verbs_looked_up_first",
    "You looked up the lemma of each token, as a verb, before you stemmed it: the stemmer gets the "
    "token as it is.",
    "stemmer.stem(token)",
    'stemmer.stem(language.lemmatizer().lemmatize(token, "v"))',
    cost=SLIP,
)
KEY.mistake(
    "lemmatized",
    "These are lemmas, looked up in a dictionary: the task asks for stems.",
    "stemmer.stem(token)",
    "language.lemmatizer().lemmatize(token)",
)
KEY.mistake(
    "only_the_first",
    "Only the first token's stem came back: is the return inside the loop?",
    '"stems": stems',
    '"stems": stems[:1]',
    cost=SLIP,
)
KEY.mistake(
    "only_the_first_and_nothing_of_none",
    "Only the first token's stem came back: is the return inside the loop?",
    '"stems": stems',
    '"stems": stems[:1] or None',
    cost=SLIP,
)
KEY.mistake(
    "regexp_stemmer",
    "You cut off endings that match a regular expression: Porter's rules also look at what's left, "
    "and repair it.",
    "stemmer = PorterStemmer()",
    "from nltk.stem import RegexpStemmer\n"
    '    stemmer = RegexpStemmer("ing$|s$|e$|able$", min=4)',  # NLTK's own example
)
# The first list is that of NLTK's book.
for _name, _endings in (
    ("of_the_book", "ing|ly|ed|ious|ies|ive|es|s|ment"),
    ("of_nouns_and_verbs", "ions|ing|ion|ed|es|s"),
    ("with_es", "ing|ed|es|s"),
    ("with_ly", "ing|ly|ed|es|s"),
):
    KEY.mistake(
        f"endings_{_name}",
        "You cut off endings from a list of your own: Porter's rules also look at what's left, and "
        "repair it.",
        "stemmer.stem(token)",
        f're.sub("({_endings})$", "", token)',
    )
KEY.mistake(
    "letters_only",
    "There are fewer stems than tokens: tokens with non-letters keep their place, too.",
    "for token in tokens",
    "for token in tokens if token.isalpha()",
    cost=SLIP,
)
KEY.mistake(
    "stop_words_dropped",
    "You left out stop words: there is one stem per token.",
    "for token in tokens",
    "for token in tokens if token not in ('as', 'was', \"don't\")",
    cost=SLIP,
)
KEY.mistake(
    "only_letters_stemmed",
    "You left tokens with a digit, a hyphen or an apostrophe as they are: the stemmer decides what "
    "it changes.",
    "stemmer.stem(token)",
    "stemmer.stem(token) if token.isalpha() else token",
    cost=SLIP,
)
KEY.mistake(
    "no_tokens_fail",
    "Your code needs a first token: a list without tokens has no stems.",
    "for token in tokens",
    "for token in [tokens[0], *tokens[1:]]",
    failure="size 0|empty|out of range",
    cost=SLIP,
)
KEY.mistake(
    "signs_stripped",
    "You took the signs off the tokens before you stemmed them: give the stemmer the tokens as "
    "they are.",
    "stemmer.stem(token)",
    """stemmer.stem(token.strip('"(),.:;!?-' + "'"))""",
    cost=SLIP,
)
_A_TO_Z = 're.fullmatch("[a-z]+", token)'
KEY.mistake(
    "only_a_to_z_stemmed",
    "You left tokens with a character beyond a to z as they are: the stemmer decides what it "
    "changes.",
    "stemmer.stem(token)",
    f"stemmer.stem(token) if {_A_TO_Z} else token",
    cost=SLIP,
)
KEY.mistake(
    "a_to_z_only",
    "There are fewer stems than tokens: those with a character beyond a to z keep their place, "
    "too.",
    "for token in tokens",
    f"for token in tokens if {_A_TO_Z}",
    cost=SLIP,
)
KEY.mistake(
    "parts_stemmed",
    "You stemmed the parts of a token with a hyphen one by one: the stemmer gets the token as it "
    "is.",
    "stemmer.stem(token)",
    '"-".join(stemmer.stem(part) for part in token.split("-"))',
    cost=SLIP,
)
KEY.mistake(
    "accents_lost",
    "You took the accents off before you stemmed: the stemmer gets the token as it is.",
    "stemmer.stem(token)",
    'stemmer.stem(unicodedata.normalize("NFKD", token).encode("ascii", "ignore").decode())',
    cost=SLIP,
)
KEY.mistake(
    "endings_with_ies_to_i",
    "You cut off endings from a list of your own: Porter's rules also look at what's left, and "
    "repair it.",
    "stemmer.stem(token)",
    're.sub("(ions|ing|ed|s)$", "", token) if token[-3:] != "ies" else token[:-2]',
)
KEY.mistake(
    "kept_between_calls",
    KEPT_BETWEEN_CALLS,
    '"remembered": NOTHING',
    '"remembered": SOMETHING',
    cost=SLIP,
)


INPUT_CLASSES = {
    "plurals in ies, sses and es": in_the_tokens(r"ies\Z", r"[^s]es\Z"),
    "a short plural that keeps its e": in_the_tokens(r"\A[^aeiou]+[ao][bv]es\Z"),
    "plurals that lose more when stemmed again": in_the_tokens(r"rses\Z"),
    "verb forms with and without a double consonant": in_the_tokens(
        r"(nn|mm)(ed|ing)\Z", r"lling\Z", r"(lk|lt|nd|lm)(ed|ing)\Z"
    ),
    "verb forms that get an e back": in_the_tokens(r"[ao][bv]ed\Z", r"[ao][bv]ing\Z"),
    "an ending without a vowel in front": in_the_tokens(r"\A[^aeiou]+ing\Z", r"\A[^aeiou]+ed\Z"),
    "verb forms that lose more when stemmed again": in_the_tokens(r"eed\Z"),
    "derived words that lose more when stemmed again": in_the_tokens(r"seness\Z"),
    "an irregular plural and an irregular verb form": in_the_tokens(
        rf"\A({'|'.join(IRREGULAR_PLURALS)})\Z", rf"\A({'|'.join(IRREGULAR_VERBS)})\Z"
    ),
    "a noun in ion": in_the_tokens(r"ation\Z"),
    "adverbs": in_the_tokens(r"ly\Z"),
    "words on which the modes of the stemmer differ": in_the_tokens(r"oy\Z"),
    "a word of two letters": in_the_tokens(r"\A..\Z"),
    "a word of three letters that loses one": in_the_tokens(r"\A..s\Z"),
    "a number, and a word with an apostrophe": in_the_tokens(r"\A\d+\Z", r"\w'\w"),
    "a digit, a hyphen and an apostrophe before an ending": in_the_tokens(
        r"\d+s\Z", r"-[a-z]+ed\Z", r"[a-z]'s\Z"
    ),
    "an ending before a sign at the end": in_the_tokens(r"[a-z]s'\Z"),
    "an ending before a hyphen, and an ending after an accent": in_the_tokens(
        r"[a-z]ed-[a-z]+ed\Z", r"és\Z"
    ),
    "no tokens": lambda cases: any(case.inputs["tokens"] == [] for case in cases),
    "a token again, out of alphabetical order": lambda cases: any(
        len(set(tokens)) < len(tokens) and tokens != sorted(tokens)
        for tokens in (case.inputs["tokens"] for case in cases)
    ),
}
