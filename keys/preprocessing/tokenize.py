"""The key of ``preprocessing.tokenize``."""

from __future__ import annotations

import html
import re
import string
import unicodedata

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.preprocessing.common import (
    NOTHING,
    SOMETHING,
)
from course.exercises.preprocessing.tokenize import EXERCISE
from keys.preprocessing.common import KEPT_BETWEEN_CALLS, in_the_text


def tokenize(text: str) -> dict[str, list[str]]:
    """Lower-case words without punctuation; ``<br />`` separates as white space does.

    Returns:
        tokens.

    Example:
        >>> tokenize("I don't!<br />You do.")["tokens"]
        ['i', 'dont', 'you', 'do']
    """
    words = text.lower().replace("<br />", " ")
    bare = words.translate(str.maketrans("", "", string.punctuation))
    return {"tokens": bare.split(), "remembered": NOTHING}


KEY = Key(EXERCISE, tokenize)

_BARE = 'words.translate(str.maketrans("", "", string.punctuation))'

KEY.mistake(
    "capitals_kept",
    "You didn't convert the text to lower case.",
    ".lower()",
    "",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "punctuation_to_spaces",
    "You replaced punctuation with white space: delete it instead, so that a contraction stays "
    "one word.",
    'str.maketrans("", "", string.punctuation)',
    'str.maketrans(dict.fromkeys(string.punctuation, " "))',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "line_breaks_deleted",
    "You removed the line breaks without leaving white space: the words around them ran together.",
    '"<br />", " "',
    '"<br />", ""',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "line_breaks_left",
    "A token contains the remains of a line break: do you replace it before you remove the "
    "punctuation, and do you keep the resulting text?",
    '.replace("<br />", " ")',
    "",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "split_at_single_spaces",
    "You split the text at single spaces: two spaces in a row leave an empty token, and tabs "
    "and line ends are missed.",
    "bare.split()",
    'bare.split(" ")',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "runs_of_word_characters",
    "You took runs of word characters: that splits at apostrophes and hyphens, and keeps "
    "underscores.",
    _BARE,
    r'" ".join(re.findall(r"\w+", words))',
)
KEY.mistake(
    "punctuation_stripped_at_the_ends",
    "You removed punctuation only at the ends of each word: look inside the words as well.",
    _BARE,
    '" ".join(word.strip(string.punctuation) for word in words.split())',
)
KEY.mistake(
    "digits_lost",
    "You removed more than punctuation: digits are part of the tokens.",
    _BARE,
    r're.sub(r"[^a-z\s]", "", words)',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "ascii_only",
    "You removed accented letters and other characters: only what's in the list of punctuation "
    "should go.",
    _BARE,
    r're.sub(r"[^a-z0-9\s]", "", words)',
    paired=True,
)
KEY.mistake(
    "all_but_letters_and_digits_deleted",
    "You removed characters that aren't in the list of punctuation: dashes and curly quotation "
    "marks stay.",
    _BARE,
    '" ".join("".join(filter(str.isalnum, word)) for word in words.split())',
)
KEY.mistake(
    "every_tag_cut_out",
    "You removed other markup besides the line break: the task names only the line break.",
    'text.lower().replace("<br />", " ")',
    're.sub(r"<[^>]+>", " ", text.lower())',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "one_text",
    "You returned a single text: the task asks for a list of its words.",
    "bare.split()",
    '" ".join(bare.split())',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "word_characters_and_spaces_kept",
    "You kept word characters and white space only: that keeps underscores, and removes signs that "
    "aren't in string.punctuation, such as dashes and curly quotation marks.",
    _BARE,
    r're.sub(r"[^\w\s]", "", words)',
)
KEY.mistake(
    "backslash_left",
    "You didn't escape the punctuation inside the brackets of your pattern: the backslash there "
    "escapes the mark behind it, and is never removed itself.",
    _BARE,
    're.sub(f"[{string.punctuation}]", "", words)',
    cost=SLIP,
)
KEY.mistake(
    "common_marks_only",
    "You removed only some of the marks: string.punctuation has 32.",
    _BARE,
    r"""re.sub(r"[.,;:!?'\"()-]", "", words)""",
    cost=SLIP,
)
KEY.mistake(
    "apostrophes_kept",
    "You kept the apostrophes: they're punctuation, too.",
    _BARE,
    """words.translate(str.maketrans("", "", string.punctuation.replace("'", "")))""",
    cost=SLIP,
)
KEY.mistake(
    "hyphens_kept",
    "You kept the hyphens: they're punctuation, too.",
    _BARE,
    'words.translate(str.maketrans("", "", string.punctuation.replace("-", "")))',
    cost=SLIP,
)
KEY.mistake(
    "hyphens_to_spaces",
    "You split words at hyphens: a hyphen is deleted like the other marks.",
    _BARE,
    'words.replace("-", " ").translate(str.maketrans("", "", string.punctuation))',
    cost=SLIP,
)
KEY.mistake(
    "apostrophes_and_hyphens_kept",
    "You kept the apostrophes and the hyphens: they're punctuation, too.",
    _BARE,
    """words.translate(str.maketrans("", "", re.sub("['-]", "", string.punctuation)))""",
    cost=SLIP,
)
KEY.mistake(
    "underscores_kept",
    "You kept the underscores: they're punctuation, too.",
    _BARE,
    'words.translate(str.maketrans("", "", string.punctuation.replace("_", "")))',
    cost=SLIP,
)
KEY.mistake(
    "punctuation_kept",
    "You didn't remove the punctuation.",
    _BARE,
    "words",
    cost=PART,
)
KEY.mistake(
    "first_line_break_only",
    "You replaced only the first line break of a text: there may be more.",
    '"<br />", " ")',
    '"<br />", " ", 1)',
    cost=SLIP,
)
KEY.mistake(
    "double_line_breaks_only",
    "You replaced line breaks only where two of them are together: there may be one alone.",
    '"<br />", " "',
    '"<br /><br />", " "',
    cost=SLIP,
)
KEY.mistake(
    "line_breaks_in_capitals_left",
    "You replaced the line breaks before you made the text lower-case: then one in capitals isn't "
    "found.",
    'text.lower().replace("<br />", " ")',
    'text.replace("<br />", " ").lower()',
    cost=SLIP,
    paired=True,
)
for _name, _letters, _hint in (
    ("br_cut_out_of_words", "br", "wherever they are, also inside words"),
    ("br_cut_off_words", "br ", "before a space, also at the end of words"),
):
    KEY.mistake(
        _name,
        f"You removed the letters br {_hint}: replace the whole <br /> while its punctuation is "
        "still there.",
        _BARE,
        f'{_BARE}.replace("{_letters}", " ")',
        '.replace("<br />", " ")',
        "",
    )
for _name, _break in (("too", "<br\\s*/?>"), ("with_a_slash_too", "<br\\s*/>")):
    KEY.mistake(
        f"other_line_breaks_{_name}",
        "You replaced line breaks that are written differently as well: the task names only one "
        "way, and calls the others ordinary text.",
        'text.lower().replace("<br />", " ")',
        f're.sub(r"{_break}", " ", text.lower())',
        cost=SLIP,
    )
KEY.mistake(
    "eszett_folded",
    "You changed more than capital letters: casefold, for example, also turns ß into ss. The task "
    "asks for lower().",
    ".lower()",
    ".casefold()",
    cost=SLIP,
)
KEY.mistake(
    "only_ascii_letters_lowered",
    "You made only the letters from A to Z lower-case: capitals with an accent are left.",
    ".lower()",
    ".translate(str.maketrans(string.ascii_uppercase, string.ascii_lowercase))",
    cost=SLIP,
)
KEY.mistake(
    "short_tokens_dropped",
    "You dropped tokens of one letter: the task keeps all tokens that aren't empty.",
    "bare.split()",
    "[token for token in bare.split() if len(token) > 1]",
    cost=SLIP,
)
KEY.mistake(
    "tokens_once_each",
    "You kept a repeated token only once: every word of the text gives a token.",
    "bare.split()",
    "list(dict.fromkeys(bare.split()))",
    cost=SLIP,
)
KEY.mistake(
    "tokens_sorted",
    "Your tokens are sorted, and repeated ones are lost: they stay in the order of the text.",
    "bare.split()",
    "sorted(set(bare.split()))",
    cost=SLIP,
)
KEY.mistake(
    "words_with_digits_dropped",
    "You dropped tokens that contain something other than letters: the task keeps them.",
    "bare.split()",
    "[token for token in bare.split() if token.isalpha()]",
    cost=SLIP,
)
KEY.mistake(
    "characters_for_tokens",
    "You returned single characters: split the text into words.",
    "bare.split()",
    'list(bare.replace(" ", ""))',
)
KEY.mistake(
    "all_but_letters_and_digits_to_spaces",
    "You replaced everything but a to z and digits with a space: delete only what's in "
    "string.punctuation, so that contractions stay one word and other letters stay.",
    _BARE,
    're.sub(r"[^a-z0-9]", " ", words)',
)
KEY.mistake(
    "all_but_letters_to_spaces",
    "You replaced everything but a to z with a space: delete only what's in string.punctuation, "
    "so that contractions stay one word, and digits and other letters stay.",
    _BARE,
    're.sub(r"[^a-z]", " ", words)',
)
KEY.mistake(
    "empty_tokens_left",
    "You removed the punctuation from each word after splitting the text: a word that's all "
    "punctuation leaves an empty token.",
    _BARE,
    "words",
    "bare.split()",
    '[word.translate(str.maketrans("", "", string.punctuation)) for word in bare.split()]',
    cost=SLIP,
)
KEY.mistake(
    "curly_quotes_removed",
    "You removed characters that aren't in the list of punctuation: dashes and curly quotation "
    "marks stay.",
    _BARE,
    'words.translate(str.maketrans("", "", string.punctuation + "“”‘’"))',
    cost=SLIP,
)
KEY.mistake(
    "words_matched",
    "You took runs of word characters from what the punctuation left, which also loses the signs "
    "that stay, and splits at them: only white space separates.",
    "bare.split()",
    're.findall(r"\\w+", bare)',
)
KEY.mistake(
    "signs_apart",
    "Signs that stay, such as dashes and curly quotation marks, became tokens of their own: only "
    "white space separates.",
    "bare.split()",
    're.findall(r"\\w+|[^\\w\\s]+", bare)',
)
KEY.mistake(
    "marks_as_tokens",
    "Punctuation became tokens: delete it, also inside words.",
    _BARE,
    "words",
    "bare.split()",
    're.findall(r"\\w+|[^\\w\\s]", bare)',
)
KEY.mistake(
    "numbers_dropped",
    "You dropped numbers: the task keeps all tokens that aren't empty.",
    "bare.split()",
    "[token for token in bare.split() if not token.isdigit()]",
    cost=SLIP,
)
KEY.mistake(
    "accents_lost",
    "You removed the accents from letters: only what's in string.punctuation is deleted.",
    _BARE,
    '"".join(c for c in unicodedata.normalize("NFKD", words) if not unicodedata.combining(c))'
    '.translate(str.maketrans("", "", string.punctuation))',
    cost=SLIP,
)
KEY.mistake(
    "entities_read",
    "You turned entities such as &amp; into the signs they stand for: the task calls them ordinary "
    "text.",
    "text.lower()",
    "html.unescape(text).lower()",
    cost=SLIP,
)
KEY.mistake(
    "two_line_breaks_only",
    "Only the first two line breaks of a text were replaced: the fourth argument of re.sub is a "
    "count, so name the flags.",
    '.replace("<br />", " ")',
    '.replace("<br />", " ", 2)',
    cost=SLIP,
)
CUTS = {
    "split_at_spaces_only": (
        "You split only at spaces: tabs and line ends are white space, too.",
        '[token for token in bare.split(" ") if token]',
    ),
    "split_at_spaces_and_line_ends": (
        "You split only at spaces and line ends: tabs and carriage returns are white space, too.",
        '[token for token in bare.replace("\\n", " ").split(" ") if token]',
    ),
    "split_at_spaces_tabs_and_line_ends": (
        "You split at some kinds of white space and left others, such as the carriage return: "
        "split knows them all.",
        '[token for token in re.split(r"[ \\t\\n]", bare) if token]',
    ),
    "empty_tokens_at_the_ends": (
        "You split the text by a pattern, which leaves an empty token before white space at the "
        "start and after white space at the end: drop empty tokens.",
        're.split(r"\\s+", bare)',
    ),
    "empty_token_of_nothing": (
        "Of a text without words, a split by a pattern leaves one empty token: drop empty tokens.",
        're.split(r"\\s+", bare.strip())',
    ),
    "split_at_each_white_space": (
        "You split the text at each single space, tab or line end: count several in a row as "
        "one, and drop empty tokens.",
        're.split(r"\\s", bare)',
    ),
}

for _name, (_hint, _cut) in CUTS.items():
    KEY.mistake(_name, _hint, "bare.split()", _cut, cost=SLIP)
KEY.mistake(
    "kept_between_calls",
    KEPT_BETWEEN_CALLS,
    '"remembered": NOTHING',
    '"remembered": SOMETHING',
    cost=SLIP,
)


INPUT_CLASSES = {
    "words in capitals, with a capital, mixed": in_the_text(
        r"\b[A-Z][a-z]+\b", r"\b[A-Z]{2,}\b", r"\b[a-z]+[A-Z]"
    ),
    "capitals and letters beyond ASCII": in_the_text("É", "ß", "é"),
    "a line break between words, without spaces": in_the_text(r"\w<br />\w"),
    "a line break with spaces around it": in_the_text(r" <br /> "),
    "two line breaks together": in_the_text(r"<br /><br />"),
    "a line break at the start and one at the end": in_the_text(r"\A<br />", r"<br />\Z"),
    "a line break in capitals": in_the_text(r"<BR />"),
    "br inside a word, and at the end of one": in_the_text(r"\w+br\w+", r"\wbr "),
    "other tags": in_the_text(r"\w<br>\w", r"\w<br/>\w", r"<b>\w+</b>"),
    "an entity": in_the_text(r"\w&amp;\w"),
    "each mark inside a word": in_the_text(
        *(rf"\w{re.escape(mark)}\w" for mark in string.punctuation)
    ),
    "marks at the start and the end of a word": in_the_text(r"[^\w\s]\w+[^\w\s]+\s"),
    "marks on their own": in_the_text(r"\s-\s", r"\s--\s"),
    "contractions and hyphens": in_the_text(r"\w'\w", r"\w's ", r"\w-\w"),
    "numbers, alone and in words": in_the_text(r"\s\d+\s", r"[a-z]\d"),
    "words of one letter": in_the_text(r"\sa\s", r"\AI\s"),
    "signs beyond ASCII": in_the_text("–", "“", "”", "’", "…"),
    "spaces in a row, tabs and line ends": in_the_text("  ", r"\t", r"\n\n", r"\r\n"),
    "white space at both ends": in_the_text(r"\A\s", r"\s\Z"),
    "a word again, out of alphabetical order": in_the_text(r"\b(z\w+) a\w+ \1\b"),
    "punctuation and white space only": in_the_text(r"\A[^\w]+\Z"),
}
