"""The key of ``preprocessing.find_emails``."""

from __future__ import annotations

import re
import string

from autograder.judging.keys import SLIP, Key
from course.exercises.preprocessing.common import (
    NOTHING,
    SOMETHING,
)
from course.exercises.preprocessing.find_emails import EXERCISE
from keys.preprocessing.common import KEPT_BETWEEN_CALLS, in_the_text


def find_emails(text: str) -> dict[str, list[str]]:
    """All e-mail addresses of a text, in its order: letters, digits and ._%+- before the @, labels
    joined by dots after it, the last of letters.

    Returns:
        addresses.

    Example:
        >>> find_emails("Ask ann@x.org, or (bob@mail.y.com).")["addresses"]
        ['ann@x.org', 'bob@mail.y.com']
    """
    pattern = r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}"
    return {"addresses": re.findall(pattern, text), "remembered": NOTHING}


KEY = Key(EXERCISE, find_emails)

_PATTERN = r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}"

_ANYTHING = (
    "You allowed anything but white space around the @: which characters may an address contain?"
)

KEY.mistake(
    "words_with_an_at",
    "You split the text at white space: that keeps the punctuation around an address, and also "
    "words with an @ that aren't addresses.",
    "re.findall(pattern, text)",
    '[word for word in text.split() if "@" in word]',
)
KEY.mistake(
    "anything_around_the_at",
    _ANYTHING,
    _PATTERN,
    r"\S+@\S+",
    paired=True,
)
for _name, _pattern in (
    ("anything_with_a_dot", r"\S+@\S+\.\S+"),
    ("anything_but_another_at", r"[^@\s]+@[^@\s]+\.[^@\s]+"),
):
    KEY.mistake(_name, _ANYTHING, _PATTERN, _pattern)
KEY.mistake(
    "word_characters_only",
    "You allowed only letters, digits and underscores: dots, plus signs and hyphens cut an "
    "address short.",
    _PATTERN,
    r"\w+@\w+\.\w+",
    paired=True,
)
_DOTS_AND_HYPHENS = (
    "Some characters that an address may contain cut it short, and anything with dots passed "
    "as a domain: check in the task what may come before the @, and what an address must end "
    "with."
)
KEY.mistake("dots_and_hyphens_only", _DOTS_AND_HYPHENS, _PATTERN, r"[\w.-]+@[\w.-]+", paired=True)
KEY.mistake(
    "dots_and_hyphens_before_a_dot",
    _DOTS_AND_HYPHENS,
    _PATTERN,
    r"[\w.-]+@[\w.-]+\.\w+",
)
KEY.mistake(
    "only_the_group",
    "You got a group in parentheses instead of the whole match: what does findall return when "
    "a pattern has groups?",
    "(?:",
    "(",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "first_address_only",
    "You returned only the first address: the search must continue after it.",
    "re.findall(pattern, text)",
    "re.findall(pattern, text)[:1]",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "small_letters_only",
    "You left out capital letters: they're letters, too.",
    _PATTERN,
    r"[a-z0-9._%+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "single_label_domain",
    "You expected only one dot after the @: a domain may have several labels.",
    r"(?:[A-Za-z0-9-]+\.)+",
    r"[A-Za-z0-9-]+\.",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "full_stop_included",
    "You let the domain end with any of its characters, so a full stop after the address "
    "became part of it. What must an address end with?",
    r"(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}",
    r"[A-Za-z0-9-]+\.[A-Za-z0-9.-]+",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "any_character_for_the_dot",
    "You didn't escape the dot in the domain: an unescaped dot matches any character.",
    r"(?:[A-Za-z0-9-]+\.)+",
    "[A-Za-z0-9.-]+.",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "matched_at_the_start",
    "The pattern was tried only at the start of the text: match and search look in different "
    "places.",
    "re.findall(pattern, text)",
    "[found.group() for found in [re.match(pattern, text)] if found]",
    cost=SLIP,
)
KEY.mistake(
    "each_address_once",
    "You returned each address only once: one that appears again counts again.",
    "re.findall(pattern, text)",
    "list(dict.fromkeys(re.findall(pattern, text)))",
    cost=SLIP,
)
KEY.mistake(
    "whole_words_only",
    "You found only words that are an address from start to end: what may be right next to an "
    "address in a sentence?",
    "re.findall(pattern, text)",
    "[word for word in text.split() if re.fullmatch(pattern, word)]",
)
KEY.mistake(
    "empty_labels",
    "You accepted two dots in a row in a domain: there must be a label before each dot.",
    r"(?:[A-Za-z0-9-]+\.)+",
    r"[A-Za-z0-9.-]+\.",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "pattern_of_the_web",
    "This pattern is copied all over the web, but it isn't the one in the task: it requires a "
    "word boundary in front, and lets through two dots in a row.",
    _PATTERN,
    r"\b[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Z|a-z]{2,}\b",
    paired=True,
)
KEY.mistake(
    "word_characters_in_the_domain",
    "You allowed more than letters, digits and hyphens in the domain: which other character is "
    "in the class of word characters?",
    r"[A-Za-z0-9-]+\.",
    r"[\w-]+\.",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "word_characters_before_the_at",
    r"You used \w before the @: it also matches letters such as é, which aren't between a and z.",
    "[A-Za-z0-9._%+-]",
    r"[\w.%+-]",
    cost=SLIP,
)
for _name, _pattern in (
    ("another_pattern_of_the_web", r"[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+\.[A-Za-z0-9-.]+"),
    ("shorter_pattern_of_the_web", r"[\w.+-]+@[\w-]+\.[\w.-]+"),
):
    KEY.mistake(
        _name,
        "This pattern is copied all over the web, but it isn't the one in the task: it leaves out "
        "the percent sign, and lets an address end with a dot, a digit or a hyphen.",
        _PATTERN,
        _pattern,
    )
for _name, _ending in (("on_both_sides", "[A-Za-z]"), ("everywhere", r"\w")):
    KEY.mistake(
        f"word_characters_{_name}",
        r"You used \w before and after the @: it also matches letters such as é, which aren't "
        "between a and z, and the underscore.",
        _PATTERN,
        rf"[\w.%+-]+@(?:[\w-]+\.)+{_ending}{{2,}}",
        cost=SLIP,
    )
KEY.mistake(
    "group_with_any_character",
    "You didn't escape the dot behind a label: an unescaped dot matches any character, even a "
    "space.",
    r"\.)+",
    ".)+",
    cost=SLIP,
)
KEY.mistake(
    "single_label_and_any_character",
    "You expected one label and then any character: the dot isn't escaped, and a domain may have "
    "several labels.",
    r"(?:[A-Za-z0-9-]+\.)+",
    "[A-Za-z0-9-]+.",
)
KEY.mistake(
    "no_hyphen_in_the_domain",
    "You left the hyphen out of the labels after the @: it may be in a label, even as its first "
    "character.",
    r"[A-Za-z0-9-]+\.",
    r"[A-Za-z0-9]+\.",
    cost=SLIP,
)
KEY.mistake(
    "no_digits_in_the_domain",
    "You left digits out of the labels after the @: what may a label consist of?",
    r"[A-Za-z0-9-]+\.",
    r"[A-Za-z-]+\.",
    cost=SLIP,
)
KEY.mistake(
    "nothing_found",
    "You found no address in any text: try each part of the pattern on a short text before you put "
    "the parts together.",
    "re.findall(pattern, text)",
    "[]",
)
KEY.mistake(
    "words_with_an_at_stripped",
    "You took words with an @ and stripped punctuation from their ends: not every word with an @ "
    "is an address, and two addresses may have no space between them.",
    "re.findall(pattern, text)",
    '[word.strip(string.punctuation) for word in text.split() if "@" in word]',
)
KEY.mistake(
    "addresses_sorted",
    "You sorted the addresses: they stay in the order of the text.",
    "re.findall(pattern, text)",
    "sorted(re.findall(pattern, text))",
    cost=SLIP,
)
KEY.mistake(
    "addresses_in_lower_case",
    "You changed capital letters to small ones: an address comes back as it is in the text.",
    "re.findall(pattern, text)",
    "re.findall(pattern, text.lower())",
    cost=SLIP,
)
KEY.mistake(
    "only_the_name",
    "You got only the part in parentheses, which ends before the @: what does findall return when "
    "a pattern has a group?",
    "[A-Za-z0-9._%+-]+@",
    "([A-Za-z0-9._%+-]+)@",
    cost=SLIP,
)
KEY.mistake(
    "names_and_domains",
    "You got each address in two pieces: what does findall return when a pattern has two groups?",
    _PATTERN,
    r"([A-Za-z0-9._%+-]+)@((?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,})",
    cost=SLIP,
)
KEY.mistake(
    "one_address_per_word",
    "You searched each piece between white space only once: two addresses may have just a comma "
    "or another sign between them.",
    "re.findall(pattern, text)",
    "[found.group() for word in text.split() if (found := re.search(pattern, word))]",
    cost=SLIP,
)
_BEFORE = "[A-Za-z0-9._%+-]"
_LABELS = r"(?:[A-Za-z0-9-]+\.)+"
_ENDING = "[A-Za-z]{2,}"

_LEFT_OUT = (
    "You left out some of the characters that may come before the @: compare your pattern with the "
    "list in the task."
)
_RANGE = (
    "Between two characters in brackets, a hyphen means all characters from one to the other: "
    "where in the brackets does it stand for itself?"
)
_BARS = (
    "You put a bar between the ranges: inside brackets it doesn't mean or, but stands for itself."
)
_COMMAS = "You put commas between what is in brackets: there, a comma stands for itself."
_CAPITAL_TO_SMALL = (
    "The range from capital A to small z also contains what is between capital and small letters, "
    "such as [ and _: write two ranges."
)
_OTHER_DIGITS = r"You used \d: it also matches digits of other scripts, which aren't 0 to 9."

CHARACTERS = {
    "no_dot_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z0-9_%+-]"),
    "no_underscore_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z0-9.%+-]"),
    "no_percent_sign_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z0-9._+-]"),
    "no_plus_sign_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z0-9._%-]"),
    "no_plus_and_percent_sign_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z0-9._-]"),
    "no_hyphen_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z0-9._%+]"),
    "no_digits_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z._%+-]"),
    "range_from_percent_to_plus": (_RANGE, _BEFORE, "[A-Za-z0-9._%-+]"),
    "range_from_dot_to_underscore": (_RANGE, _BEFORE, "[A-Za-z0-9.-_%+]"),
    # Commas between the signs add the same character.
    "range_from_plus_to_dot": (
        "You allowed a comma before the @: inside brackets it stands for itself, and a hyphen "
        "means all characters from one to the other.",
        _BEFORE,
        "[A-Za-z0-9_%+-.]",
    ),
    "commas_everywhere": (
        _COMMAS,
        _PATTERN,
        r"[A-Z,a-z0-9._%+-]+@(?:[A-Z,a-z0-9-]+\.)+[A-Z,a-z]{2,}",
    ),
    "commas_on_both_sides": (
        _COMMAS,
        _PATTERN,
        r"[A-Z,a-z0-9._%+-]+@(?:[A-Z,a-z0-9-]+\.)+[A-Za-z]{2,}",
    ),
    "bars_everywhere": (_BARS, _PATTERN, r"[A-Z|a-z0-9._%+-]+@(?:[A-Z|a-z0-9-]+\.)+[A-Z|a-z]{2,}"),
    "more_signs_before_the_at": (
        "You allowed more signs before the @ than the task lists.",
        _BEFORE,
        "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]",
    ),
    "range_from_plus_to_underscore": (_RANGE, _BEFORE, "[A-Za-z0-9.%+-_]"),
    "range_from_percent_to_underscore": (_RANGE, _BEFORE, "[A-Za-z0-9.+%-_]"),
    "range_from_percent_to_dot": (_RANGE, _BEFORE, "[A-Za-z0-9_+%-.]"),
    "range_from_capital_to_small": (
        _CAPITAL_TO_SMALL,
        _PATTERN,
        r"[A-z0-9._%+-]+@(?:[A-z0-9-]+\.)+[A-z]{2,}",
    ),
    "range_from_capital_to_small_before_the_at": (_CAPITAL_TO_SMALL, _BEFORE, "[A-z0-9._%+-]"),
    "range_from_capital_to_small_at_the_end": (_CAPITAL_TO_SMALL, _ENDING, "[A-z]{2,}"),
    "other_digits": (
        _OTHER_DIGITS,
        _PATTERN,
        r"[A-Za-z\d._%+-]+@(?:[A-Za-z\d-]+\.)+[A-Za-z]{2,}",
    ),
    "other_digits_before_the_at": (_OTHER_DIGITS, _BEFORE, r"[A-Za-z\d._%+-]"),
    "other_digits_in_the_domain": (_OTHER_DIGITS, r"[A-Za-z0-9-]+\.", r"[A-Za-z\d-]+\."),
    "letter_or_digit_first": (
        "You asked for a letter or a digit at the start of an address: the other signs may come "
        "first, too.",
        f"{_BEFORE}+",
        "[A-Za-z0-9][A-Za-z0-9._%+-]*",
    ),
    "letter_or_digit_before_the_at": (
        "You asked for a letter or a digit right before the @: the other signs may come last, too.",
        f"{_BEFORE}+",
        "[A-Za-z0-9._%+-]*[A-Za-z0-9]",
    ),
    "two_dots_refused_before_the_at": (
        "You refused two dots in a row before the @: only the labels after it need a character "
        "before each dot.",
        f"{_BEFORE}+",
        r"[A-Za-z0-9_%+-]+(?:\.[A-Za-z0-9_%+-]+)*",
    ),
    "underscore_in_the_domain": (
        "You allowed an underscore after the @: a label consists of letters, digits and hyphens.",
        r"[A-Za-z0-9-]+\.",
        r"[A-Za-z0-9_-]+\.",
    ),
    "signs_in_the_domain": (
        "You allowed the same signs after the @ as before it: a label consists of letters, digits "
        "and hyphens.",
        r"[A-Za-z0-9-]+\.",
        r"[A-Za-z0-9_%+-]+\.",
    ),
    "hyphens_inside_labels_only": (
        "You refused labels that begin or end with a hyphen: a label may be any row of letters, "
        "digits and hyphens.",
        r"[A-Za-z0-9-]+\.",
        r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.",
    ),
}

_CUT = (
    "You limited the length of the last label: it has at least two letters, and there is no "
    "longest one."
)

ENDINGS = {
    "ending_cut_to_six": (_CUT, "{2,}", "{2,6}"),
    "ending_cut_to_five": (_CUT, "{2,}", "{2,5}"),
    "ending_cut_to_four": (_CUT, "{2,}", "{2,4}"),
    "ending_cut_to_three": (_CUT, "{2,}", "{2,3}"),
    "ending_of_two_letters": (_CUT, "{2,}", "{2}"),
    "ending_of_three_or_more_letters": (
        "You asked for at least three letters in the last label: two are enough.",
        "{2,}",
        "{3,}",
    ),
    "ending_of_one_letter": (
        "You accepted a last label of one letter: how many must it have?",
        "{2,}",
        "+",
    ),
    "bar_in_the_ending": (
        "You put a bar between the ranges of the last label: inside brackets it doesn't mean "
        "or, but stands for itself.",
        _ENDING,
        "[A-Z|a-z]{2,}",
    ),
    "ending_with_digits": (
        "You allowed digits in the last label: it consists of letters only.",
        _ENDING,
        "[A-Za-z0-9]{2,}",
    ),
    "ending_of_word_characters": (
        "You allowed any word character in the last label: that includes digits, the underscore "
        "and letters such as é.",
        _ENDING,
        r"\w{2,}",
    ),
    "ending_like_a_label": (
        "You allowed the same characters in the last label as in the ones before it: it has to "
        "consist of at least two letters.",
        _ENDING,
        "[A-Za-z0-9-]+",
    ),
}

LENGTHS = {
    "nothing_before_the_at": (
        "You found addresses with nothing before the @: how often must a character come there?",
        f"{_BEFORE}+",
        f"{_BEFORE}*",
    ),
    "no_dot_after_the_at": (
        "You found addresses without a dot after the @: how many labels must come before the last?",
        r"\.)+",
        r"\.)*",
    ),
    "number_of_labels_limited": (
        "You limited the number of labels: an address may have any number of them.",
        r"[A-Za-z0-9-]+\.)+",
        r"[A-Za-z0-9-]+\.){1,3}",
    ),
    "only_letters_after_the_first_label": (
        "You allowed only letters in the labels after the first: each may have digits and hyphens.",
        rf"{_LABELS}{_ENDING}",
        r"[A-Za-z0-9-]+(?:\.[A-Za-z]{2,})+",
    ),
    "at_most_64_before_the_at": (
        "You limited the length of the part before the @: it may be of any length.",
        f"{_BEFORE}+",
        f"{_BEFORE}{{1,64}}",
    ),
    "length_of_labels_limited": (
        "You limited the length of a label: it may be of any length.",
        r"[A-Za-z0-9-]+\.",
        r"[A-Za-z0-9-]{1,63}\.",
    ),
    "ending_cut_to_63": (_CUT, "{2,}", "{2,63}"),
}

WHERE = {
    "boundary_in_front": (
        "You asked for a word boundary in front of an address: there is none before a sign such as "
        "+, and none between é and a letter.",
        _PATTERN,
        rf"\b{_PATTERN}",
    ),
    "boundary_behind": (
        "You asked for a word boundary behind an address: there is none between its last letter "
        "and a digit, an underscore or a letter such as é.",
        _PATTERN,
        rf"{_PATTERN}\b",
    ),
    "boundaries_on_both_sides": (
        "You asked for a word boundary on both sides of an address: there is none between a letter "
        "and a digit, an underscore or é, and none between a space and a sign such as +.",
        _PATTERN,
        rf"\b{_PATTERN}\b",
    ),
    "white_space_in_front": (
        "You asked for white space in front of an address: there may be any other character.",
        _PATTERN,
        rf"(?<!\S){_PATTERN}",
    ),
    "whole_text_only": (
        "You found an address only where it is the whole text: what do ^ and $ stand for?",
        _PATTERN,
        rf"^{_PATTERN}$",
    ),
}

for _name, (_hint, *_changes) in (CHARACTERS | ENDINGS | LENGTHS | WHERE).items():
    KEY.mistake(_name, _hint, *_changes, cost=SLIP)
KEY.mistake(
    "words_tested_whole",
    "You tested whole words after taking off the punctuation around them: an address may touch "
    "other characters, even another address after a comma. Search the text.",
    "re.findall(pattern, text)",
    "[word for word in (each.strip('.,;:!?()<>[]{}\"' + \"'\") for each in text.split())"
    " if re.fullmatch(pattern, word)]",
)
_FLAG_AS_POSITION = (
    "You passed a flag to the findall of a compiled pattern: there, the second argument is the "
    "place where the search begins. A flag belongs where the pattern is compiled."
)
KEY.mistake(
    "flag_as_position",
    _FLAG_AS_POSITION,
    "re.findall(pattern, text)",
    "re.compile(pattern).findall(text, 2)",  # re.IGNORECASE is 2
    cost=SLIP,
)
KEY.mistake(
    "flag_as_position_and_small_letters",
    _FLAG_AS_POSITION,
    _PATTERN,
    r"[a-z0-9._%+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}",
    "re.findall(pattern, text)",
    "re.compile(pattern).findall(text, 2)",
    cost=SLIP,
)
KEY.mistake(
    "kept_between_calls",
    KEPT_BETWEEN_CALLS,
    '"remembered": NOTHING',
    '"remembered": SOMETHING',
    cost=SLIP,
)


_ADDRESS = re.compile(r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}")


def _is_out_of_order(text: str) -> bool:
    found = _ADDRESS.findall(text)
    return found != sorted(found)


INPUT_CLASSES = {
    "each sign of a local part": in_the_text(
        *(rf"{re.escape(sign)}\w*[^\s@]*@\w" for sign in "._%+-")
    ),
    "each sign first": in_the_text(*(rf"\s{re.escape(sign)}[\w.]*@" for sign in "._%+-")),
    "a sign last, and a dot": in_the_text(r"\w-@\w", r"\w\.@\w"),
    "two dots in a local part": in_the_text(r"\w\.\.\w+@"),
    "digits and one character as local part": in_the_text(r"\s\d+@\w", r"\s[a-z]@\w"),
    "capital letters everywhere": in_the_text(r"[A-Z]{2,}@[A-Z]{2,}\.[A-Z]{2,}", r"\.[A-Z][a-z]"),
    "two endings in one domain": in_the_text(r"@\w+\.co\.uk\b"),
    "hyphens and digits in a domain": in_the_text(
        r"@\w+-\w+\.", r"@-\w+-\.", r"@[a-z]+\d", r"@\d+\.", r"@\w+\.\w+-[a-z]+\d+\."
    ),
    "labels of one letter, and more of them than a limit": in_the_text(r"@([a-z]\.){10}"),
    "more than 64 characters before the @, in a label and in an ending": in_the_text(
        r"\s\w{65,}@", r"@\w{65,}\.", r"\.[a-z]{65,}\s"
    ),
    "signs of a local part in a domain": in_the_text(
        *(rf"@\w+{re.escape(sign)}\w+\." for sign in "_+%")
    ),
    "endings of two, three, four, six and more letters": in_the_text(
        *(rf"@[\w.]+\.[a-z]{{{size}}}\s" for size in (2, 3, 4, 6, 13))
    ),
    "each mark in front": in_the_text(
        *(rf"{re.escape(mark)}\w+@" for mark in "(,:<\"'[/=&*~!#|\\")
    ),
    "each mark behind": in_the_text(
        *(rf"@\w+\.[a-z]+{re.escape(mark)}" for mark in ",;).?!>\"']=&*:|")
    ),
    "a digit, sign or letter behind the ending": in_the_text(
        *(rf"@\w+\.[a-z]{{3}}{then}\b" for then in (r"\d", r"_\w+", r"-\w+", "é", r"\.x"))
    ),
    "letters beyond a to z": in_the_text(r"é\w+@", r"[a-z]é\s", r"@é"),
    "a digit beyond 0 to 9, before the @ and after": in_the_text(
        "\N{ARABIC-INDIC DIGIT THREE}\\w+@", "@\\w+\N{ARABIC-INDIC DIGIT THREE}"
    ),
    "two @ in a row of characters": in_the_text(r"\w@\w+@\w"),
    "an address right before an @": in_the_text(r"@\w+\.\w+@\w+\."),
    "an @ without an address": in_the_text(r"\s@\s", r"\s@\w+\s", r"\w@\w+\s"),
    "endings of digits and of one letter": in_the_text(r"@\w+\.\d\s", r"\.\d\d\s", r"@\w+\.x\s"),
    "empty labels": in_the_text(r"\.\.[a-z]+\s", r"@\.\w"),
    "white space inside": in_the_text(r"\w @\w", r"@ \w", r"@\w+\. \w"),
    "a comma in a domain": in_the_text(r"@\w+,\w+\.\w"),
    "several lines": in_the_text(r"\n"),
    "an address at the start of a text": in_the_text(rf"\A{_ADDRESS.pattern} "),
    "an address and nothing else": in_the_text(rf"\A{_ADDRESS.pattern}\Z"),
    "no @ at all": lambda cases: any("@" not in case.inputs["text"] for case in cases),
    "the same address again": in_the_text(rf"({_ADDRESS.pattern}) .*\1 "),
    "addresses out of alphabetical order": lambda cases: any(
        _is_out_of_order(case.inputs["text"]) for case in cases
    ),
}
