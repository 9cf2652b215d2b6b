"""Exercises of ``01-text-preprocessing``: from text to tokens, from tokens to numbers.

No case holds a fixed text: sentences and documents are put together from the word lists below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from course.exercises.aspects import as_array, describe, equals, has_shapes, numbers_agree
from course.exercises.base import (
    Aspect,
    Case,
    Exercise,
    Observation,
    WrongReturn,
    random_state,
)
from course.exercises.invented import written
from course.texts import say


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


WORDS = _listed(
    "anchor apple balcony barrel basket bicycle bottle bridge bucket button cabin camera "
    "canyon castle cherry circle coffee copper cotton dinner dragon engine garden guitar hammer "
    "harbour jacket kettle ladder lemon letter market melody mirror museum nickel orange paddle "
    "pencil pepper picnic pillow planet pocket river rocket saddle salmon school silver spider "
    "summer tailor temple ticket timber tunnel turtle valley velvet violin window winter"
)
"""No word holds another one or a stop word of the cases."""


def _draw(random: np.random.RandomState, words: Sequence[str], count: int) -> list[str]:
    """Different words in random order."""
    return [words[int(index)] for index in random.permutation(len(words))[:count]]


def _shuffled(random: np.random.RandomState, items: Sequence[Any]) -> list[Any]:
    return [items[int(index)] for index in random.permutation(len(items))]


def _deranged(random: np.random.RandomState, items: Sequence[str], than: Sequence[str]) -> list:
    """The items in an order in which none is where ``than`` has it."""
    order = _shuffled(random, items)
    while any(item == other for item, other in zip(order, than, strict=False)):
        order = _shuffled(random, items)
    return order


def _dense(value: Any) -> Any:
    """An array in the place of a sparse matrix; anything else as it is."""
    return value.toarray() if hasattr(value, "toarray") else value


# --- text to tokens ------------------------------------------------------------------------------


class FindEmails(Exercise):
    """All addresses of a text, by a regular expression."""

    name = "preprocessing.find_emails"
    lesson = "01-text-preprocessing"
    section = 1
    axes = {"addresses": ()}
    aspects = (
        Aspect("an address in running text is found", 20, ("running text",), equals("addresses")),
        Aspect(
            "the punctuation around an address does not belong to it",
            20,
            ("punctuation",),
            equals("addresses"),
        ),
        Aspect(
            "the part before the @ is whole",
            15,
            ("local part", "any sign first"),
            equals("addresses"),
        ),
        Aspect("the part after the @ is whole", 15, ("domain", "many labels"), equals("addresses")),
        Aspect("capital letters belong to it", 10, ("capital letters",), equals("addresses")),
        Aspect(
            "every address counts, in the order of the text", 10, ("repeated",), equals("addresses")
        ),
        Aspect(
            "what breaks a rule is no address",
            10,
            ("only an @", "no address", "broken rules"),
            equals("addresses"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """One text each."""
        random = random_state(seed)
        patterns = {
            "running text": "Please bring the §w to §w@§w.§t before the §w opens",
            "punctuation": (
                "Ask §w@§w.§t, then §w@§w.§t; or both (§w@§w.§t). Did you write to §w@§w.§t? "
                "Copies: §w@§w.§t,§w@§w.§t. The §w is with §w@§w.§t."
            ),
            "local part": ("from §w.§w+§w@§w.§t and §w_§n@§w.§t and §w-§w%§n@§w.§t here"),
            "domain": "from §w@mail.§w.§t and §w@§w-§w.§t and §w@§w§n.co.uk here",
            "capital letters": "from §C@§C.§t and §U@§U.§T here",
            "repeated": "from §w1@§w2.§t1 to §w@§w.§t and back to §w1@§w2.§t1 again",
            "only an @": (
                "Meet me @ the §w, thank @§w and §w@ for it, or log in as §w@§w or §w@§w.7 instead"
            ),
            "any sign first": "from +§w@§w.§t and -.§w@§w.§t and andré§w@§w.§t here",
            "many labels": "from §w@a.b.§w.§t and §w@§w.museum and §w@§w.§t|§w here",
            "broken rules": ("Neither §w@§w..§t nor §w@§w_§w.§t nor §w@§w.x can be written to"),
            "no address": "The §w and the §w are in the §w.",
        }
        texts = {name: written(random, pattern) for name, pattern in patterns.items()}
        return tuple(Case(name, {"text": text}) for name, text in texts.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a text."""
        return {"addresses": obj(case.inputs["text"])}


class Tokenize(Exercise):
    """Lower-case, without line breaks and punctuation, split at white space."""

    name = "preprocessing.tokenize"
    lesson = "01-text-preprocessing"
    section = 2
    axes = {"tokens": ()}
    aspects = (
        Aspect("tokens are in lower case", 20, ("capital letters",), equals("tokens")),
        Aspect("a <br /> separates words and vanishes", 20, ("line breaks",), equals("tokens")),
        Aspect(
            "apostrophes and hyphens vanish without separating",
            20,
            ("apostrophes and hyphens",),
            equals("tokens"),
        ),
        Aspect(
            "all other punctuation vanishes as well, and nothing else",
            20,
            ("punctuation", "beyond ASCII"),
            equals("tokens"),
        ),
        Aspect("any white space separates, once", 10, ("white space",), equals("tokens")),
        Aspect("punctuation alone leaves no tokens", 10, ("only punctuation",), equals("tokens")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """One text each."""
        random = random_state(seed)
        patterns = {
            "capital letters": "§C §w §U §w",
            "line breaks": "§w §w<br />§w <br /><br />§w §w<br />",
            "apostrophes and hyphens": "§w §c §w-§w §w",
            "punctuation": '§w1, (§w2): "§w3" §w_§w! §d.§d §w1/§w2; #§w3?',
            # Letters and signs that string.punctuation does not have, and another tag.
            "beyond ASCII": "café §w – “§w” <b>§w</b> naïve §w",
            "white space": "  §w  §w\t§w\n§w\n\n§w ",
            "only punctuation": "".join(_shuffled(random, (" ", "...", "!", "?", " - ", "' "))),
        }
        texts = {name: written(random, pattern) for name, pattern in patterns.items()}
        return tuple(Case(name, {"text": text}) for name, text in texts.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a text."""
        return {"tokens": obj(case.inputs["text"])}


class RemoveStopwords(Exercise):
    """Tokens without stop words; neither input is changed."""

    name = "preprocessing.remove_stopwords"
    lesson = "01-text-preprocessing"
    section = 3
    axes = {"kept": (), "tokens": (), "stopwords": ()}
    aspects = (
        Aspect(
            "single stop words are removed, and these alone",
            20,
            ("plain", "other words"),
            equals("kept"),
        ),
        Aspect("neighbouring stop words are removed", 20, ("neighbours",), equals("kept")),
        Aspect("only whole tokens are stop words", 20, ("parts of words",), equals("kept")),
        Aspect("repeated tokens are treated alike", 20, ("repeated",), equals("kept")),
        Aspect("the result may be empty", 10, ("nothing left",), equals("kept")),
        Aspect("the inputs are not changed", 10, ("plain",), equals("tokens", "stopwords")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens and a set of stop words."""
        random = random_state(seed)
        # Three of them are in words of the case "parts of words", and two hold words of it.
        stop = ["the", "for", "and", "that", "with"]
        others = _draw(random, ("from", "this", "was", "has", "into"), 2)
        rare, first, second = sorted(_draw(random, WORDS, 3), reverse=True)
        s = _shuffled(random, [*stop, *others])
        inside = ["theme", "forest", "sand", "hat", "wit"]
        mixed = [*inside, first, second]
        # The stop word gets the second place, whatever stands around it.
        order = [int(place) for place in random.permutation(len(mixed))]
        order.insert(1, len(mixed))
        tokens = {
            "plain": [rare, s[0], first, s[1], second, s[2]],
            "neighbours": [rare, s[0], s[1], first, s[2], s[3], s[4], second],
            "parts of words": [[*mixed, s[0]][place] for place in order],
            "repeated": [s[0], rare, s[1], first, s[0], rare, s[1], second, s[0], first],
            "nothing left": s[:4],
            # One that no list of stop words has, and one that every list has.
            "other words": [rare, "committee", first, "not", s[0], second],
        }
        return tuple(
            Case(name, {"tokens": words, "stopwords": {*stop, *others, "committee"}})
            for name, words in tokens.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on copies, and look at these afterwards."""
        tokens, stopwords = list(case.inputs["tokens"]), set(case.inputs["stopwords"])
        kept = obj(tokens, stopwords)
        # A function that returns its own input shows what is in it.
        return {"kept": kept, "tokens": list(tokens), "stopwords": sorted(stopwords)}


# NLTK's modes of the algorithm agree on all words of these patterns. In each list there are some
# on which other stemmers, or cutting off letters, come out differently.
_PLURALS = ("§y§o§v§ps", "§y§o§v§pons", "§y§o§vrses", "§y§o§vdges", "§y§o§vsses", "§y§o§vtches")
_PLURALS_IN_IES = ("§y§o§v§pies", "§y§o§vnnies")
_VERBS = ("§y§o§v§ped", "§y§o§v§ping", "§y§o§vnned", "§y§o§vmming", "§y§o§vlling")
_VERBS_IN_E = ("§o§v§sed", "§o§v§sing")
_DERIVED = (
    "§y§o§v§pational", "§y§o§v§pousness", "§y§o§v§pfulness", "§y§o§v§pality", "§y§o§v§pivity",
    "§y§o§v§pical", "§y§o§v§pation",
)  # fmt: skip
_ADVERB = "§y§o§v§ply"


_SEVERAL = (
    ("plurals", 0), ("plurals", -1), ("verbs", 0), ("verbs", -1), ("derived words", 0),
)  # fmt: skip


class Stem(Exercise):
    """Porter's stemmer on each token."""

    name = "preprocessing.stem"
    lesson = "01-text-preprocessing"
    section = 4
    axes = {"stems": ()}
    aspects = (
        Aspect("plurals are stemmed", 30, ("plurals",), equals("stems")),
        Aspect("forms of verbs are stemmed", 30, ("verbs",), equals("stems")),
        Aspect("derived words are stemmed", 30, ("derived words",), equals("stems")),
        Aspect("there is one stem a token, in order", 10, ("repeated",), equals("stems")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens."""
        random = random_state(seed)
        kinds = {
            "plurals": [*_draw(random, _PLURALS, 3), *_PLURALS_IN_IES],
            "verbs": [*_draw(random, _VERBS, 3), *_VERBS_IN_E],
            "derived words": [*_draw(random, _DERIVED, 3), _ADVERB, _ADVERB],
        }
        some = [kinds[name][place] for name, place in _SEVERAL]
        again, *others = [written(random, kind) for kind in _shuffled(random, some)]
        tokens = {
            name: [written(random, kind) for kind in _shuffled(random, patterns)]
            for name, patterns in kinds.items()
        }
        tokens["repeated"] = [again, others[0], again, *others[1:], others[0]]
        return tuple(Case(name, {"tokens": words}) for name, words in tokens.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of tokens."""
        return {"stems": obj(list(case.inputs["tokens"]))}


# The course's small WordNet knows all words below and agrees with the full one, as whatever part
# of speech they are looked up.
_NOUNS_IN_IES = _listed(
    "abilities armies categories cherries cities comedies countries dictionaries enemies "
    "energies factories families hobbies industries juries ladies libraries memories mysteries "
    "policies ponies puppies secretaries stories strategies theories universities victories"
)
_NOUNS = _listed(
    "accidents actors animals artists articles aunts bottles bridges brothers buildings cameras "
    "candles chapters colleges computers concerts cousins daughters desks doctors dogs "
    "dictionaries editors elephants engines farmers feathers flowers forests friends gardens "
    "girls gloves guitars hospitals hotels husbands insects islands jackets kitchens kittens "
    "lakes lamps languages lawyers lessons letters lions machines magazines markets methods "
    "mirrors mountains museums neighbors newspapers novels nurses oceans offices oranges "
    "painters passengers pencils pianos pictures pilots planets pockets poems poets problems "
    "rabbits restaurants rivers robots roofs salads schools scientists sisters soldiers spiders "
    "stations students teachers teams theaters tickets tigers towers trains uncles videos "
    "villages voters windows winters workers writers"
)
_IRREGULAR_NOUNS = _listed(
    "cacti children crises criteria feet geese grandchildren hypotheses knives loaves matrices "
    "mice oxen phenomena scarves wolves"
)
_IRREGULAR_VERBS = _listed(
    "ate became been began beginning begun bit bitten blew blown bought broke broken brought "
    "built burnt came caught chose chosen done drank drawn drew driven drove drunk dug eaten "
    "fallen flew flown forgave forgiven forgot forgotten fought found fried froze frozen gave "
    "given gone got grew grown heard held hidden knew known letting made meant paid proven ran "
    "rang ridden risen rode rose rung said sang sank sat seen sent shaken shone shook shown "
    "slept sold spent spoke spoken stole stolen stood sung sunk swam swum taken taught thought "
    "threw thrown told took tore torn went wept woke woken won wore worn written wrote"
)
_REGULAR_VERBS = _listed(
    "admired announced arranging arrived arriving attacked baking believed believing borrowed "
    "burning called carried celebrated changed changing collecting compared continued copied "
    "dancing dared decided denied described divided earned escaped examined existed expected "
    "exploring hurried imagined improved included invited introduced judged kicked laughed "
    "learned lived losing loved managed married moved noticed painting planned prepared "
    "produced promised protected reduced refused removed replied rescued returned ruled saved "
    "served smiled solved started stopped studied supplied tasted thanked tried trusted turned "
    "voted walked walking wanted warned worked worried yelled inviting studying carrying "
    "solving saving planning"
)
_ADJECTIVES = _listed(
    "angrier angriest bolder boldest braver brighter brightest busier busiest calmer cheaper "
    "cheapest cleaner colder coldest crazier darker darkest dirtier dirtiest easier easiest "
    "fatter flattest friendlier funnier funniest gentler greatest greener happier happiest "
    "heavier heaviest hotter hottest hungrier kinder largest lazier laziest lonelier lovelier "
    "loudest luckier luckiest narrower neater nicer noisier nobler paler politest poorer "
    "prettier prettiest proudest redder richer richest ruder sadder saddest safer scarier "
    "sharper sillier simplest slimmer smallest smoother softest strangest stronger strongest "
    "taller tallest tastier thicker thinnest tidier tinier uglier warmer weaker wealthier "
    "wettest wider wildest wiser wisest worse worst younger youngest biggest"
)
_PLAIN_ADVERBS = _listed(
    "again almost always carefully early finally gently happily loudly nearly never often "
    "perhaps quickly quietly quite rarely really sadly seldom slowly sometimes still there "
    "today together tomorrow yesterday"
)
_INVENTED = ("§w§o§v§ps", "§w§o§v§ped", "§w§o§v§ping")


class Lemmatize(Exercise):
    """WordNet's lemma of each token, with the part of speech that is given."""

    name = "preprocessing.lemmatize"
    lesson = "01-text-preprocessing"
    section = 5
    axes = {"lemmas": ()}
    aspects = (
        Aspect("regular plurals become singulars", 20, ("nouns",), equals("lemmas")),
        Aspect("irregular plurals become singulars", 20, ("irregular nouns",), equals("lemmas")),
        Aspect("forms of verbs become infinitives", 30, ("verbs",), equals("lemmas")),
        Aspect("adjectives lose their degree", 10, ("adjectives",), equals("lemmas")),
        Aspect("adverbs are no adjectives", 10, ("adverbs",), equals("lemmas")),
        Aspect("unknown words stay as they are", 10, ("unknown words",), equals("lemmas")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens and their part of speech."""
        random = random_state(seed)
        nouns = _draw(random, _NOUNS_IN_IES, 2) + _draw(random, _NOUNS, 3)
        verbs = _draw(random, _IRREGULAR_VERBS, 3) + _draw(random, _REGULAR_VERBS, 2)
        adverbs = ["harder", "better", *_draw(random, _PLAIN_ADVERBS, 2)]
        inputs = {
            "nouns": (_shuffled(random, nouns), "n"),
            "irregular nouns": (_draw(random, _IRREGULAR_NOUNS, 4), "n"),
            "verbs": (_shuffled(random, [*verbs, verbs[0]]), "v"),
            "adjectives": (_shuffled(random, ["better", *_draw(random, _ADJECTIVES, 3)]), "a"),
            "adverbs": (_shuffled(random, adverbs), "r"),
            "unknown words": (
                [written(random, kind) for kind in _shuffled(random, _INVENTED)],
                _draw(random, ("n", "v"), 1)[0],
            ),
        }
        return tuple(
            Case(name, {"tokens": tokens, "pos": pos}) for name, (tokens, pos) in inputs.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of tokens and a part of speech."""
        from course import language

        # Afterwards NLTK has a WordNet, for those as well who make their own lemmatizer.
        language.lemmatizer()
        return {"lemmas": obj(list(case.inputs["tokens"]), case.inputs["pos"])}


# --- tokens to numbers ---------------------------------------------------------------------------


class OneHot(Exercise):
    """A row for each word, a column for each entry of the vocabulary."""

    name = "preprocessing.one_hot"
    lesson = "01-text-preprocessing"
    section = 6
    axes = {"vectors": ("words", "vocabulary")}
    aspects = (
        Aspect("vectors has the shape (words, vocabulary)", 20, ("plain",), has_shapes(axes)),
        Aspect("each word has its 1 in its own column", 40, ("plain",), numbers_agree("vectors")),
        Aspect("a repeated word repeats its row", 20, ("repeated",), numbers_agree("vectors")),
        Aspect(
            "a word outside the vocabulary is a row of zeros",
            20,
            ("unknown words",),
            numbers_agree("vectors"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Words, and a vocabulary that is not sorted."""
        random = random_state(seed)
        size = int(random.choice([6, 7, 8]))
        drawn = _draw(random, WORDS, size + 2)
        vocabulary = _deranged(random, drawn[2:], sorted(drawn[2:]))
        words = _deranged(random, vocabulary[:4], vocabulary)
        inputs = {
            "plain": words,
            "repeated": [words[0], words[1], words[0], words[2], words[1]],
            "unknown words": [words[0], drawn[0], words[1], drawn[1], words[2]],
        }
        return tuple(
            Case(name, {"words": words, "vocabulary": vocabulary}) for name, words in inputs.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on lists of words."""
        return {"vectors": _dense(obj(list(case.inputs["words"]), list(case.inputs["vocabulary"])))}


def _one_number_for_each_label(observation: Observation) -> str:
    """Equal labels have equal numbers, different labels different ones."""
    seen = has_shapes({"numbers": ("labels",)})(observation)
    if seen:
        return seen
    numbers = as_array(observation.received["numbers"]).tolist()
    of: dict[str, float] = {}
    for label, number in zip(observation.case.inputs["labels"], numbers, strict=True):
        if of.setdefault(label, number) != number:
            return say(
                "{label} is {one} in one place and {other} in another",
                label=repr(label),
                one=f"{of[label]:g}",
                other=f"{number:g}",
            )
    if len(set(of.values())) < len(of):
        return say(
            "{labels} labels share {numbers} numbers",
            labels=len(of),
            numbers=len(set(of.values())),
        )
    return ""


class LabelEncode(Exercise):
    """Classes as numbers from 0, in alphabetical order."""

    name = "preprocessing.label_encode"
    lesson = "01-text-preprocessing"
    section = 6
    axes = {"numbers": ("labels",)}
    aspects = (
        Aspect("there is one number a label", 20, ("plain",), has_shapes(axes)),
        Aspect("each class has a number of its own", 20, ("plain",), _one_number_for_each_label),
        Aspect("the numbers follow the alphabet, from 0", 50, ("plain",), numbers_agree("numbers")),
        Aspect("a single class is number 0", 10, ("one class",), numbers_agree("numbers")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Labels of four classes and of one."""
        random = random_state(seed)
        classes = sorted(_draw(random, WORDS, 4))
        # The orders of the alphabet, of appearance and of frequency differ, also backwards.
        appearing, frequent = classes, classes
        while len({*map(tuple, (classes, classes[::-1], appearing, frequent, frequent[::-1]))}) < 5:
            appearing = _deranged(random, classes, classes)
            frequent = _shuffled(random, classes)
        more = [frequent[0]] * 3 + [frequent[1]] * 2 + [frequent[2]]
        labels = appearing + _shuffled(random, more)
        only = _draw(random, classes, 1) * int(random.randint(3, 6))
        return Case("plain", {"labels": labels}), Case("one class", {"labels": only})

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of labels."""
        return {"numbers": _dense(obj(list(case.inputs["labels"])))}


class _Documents(Exercise):
    """Documents as rows, words as columns."""

    lesson = "01-text-preprocessing"

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Lists of tokens. Numbers of documents, words and tokens are all different."""
        random = random_state(seed)
        own = _shuffled(random, [1, 3, 5, 7][: int(random.choice([3, 4]))])
        *words, shared, everywhere = _draw(random, WORDS, sum(own) + 2)
        # The alphabet's first word is in the last document only: columns in the order of the text
        # start with another document's word.
        if shared < min(words):
            shared, words[-1] = words[-1], shared
        first = words.index(min(words))
        words[first], words[-1] = words[-1], words[first]
        ends = np.cumsum(own)
        documents = [
            _shuffled(random, words[end - size : end] + [shared] * (row < 2))
            for row, (size, end) in enumerate(zip(own, ends, strict=True))
        ]
        longest = max(documents, key=len)
        vowels = _draw(random, ("a", "e", "i", "o", "u"), 2)
        odd = [[vowels[0]], [f"{vowels[1]}-{documents[1][0]}"]]
        place = int(random.randint(1, len(documents)))
        variants = {
            "plain": documents,
            # Two words of one document come back, one of them more often than the other.
            "repeated": [
                [*document, document[0], document[1], document[1], document[1]]
                if document is longest
                else document
                for document in documents
            ],
            "word in all documents": [[*document, everywhere] for document in documents],
            "unusual tokens": [
                document + (odd[row] if row < len(odd) else [])
                for row, document in enumerate(documents)
            ],
            "empty document": [*documents[:place], [], *documents[place:]],
        }
        used = {name for aspect in self.aspects for name in aspect.cases}
        return tuple(
            Case(name, {"documents": tokens}) for name, tokens in variants.items() if name in used
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of lists of tokens."""
        return self._outputs(obj([list(tokens) for tokens in case.inputs["documents"]]))

    def _outputs(self, result: Any) -> Mapping[str, Any]:
        raise NotImplementedError


def _each_word_counted(observation: Observation) -> str:
    """The counts are right for each word, in whatever order the returned vocabulary has them."""
    seen = has_shapes({"counts": BagOfWords.axes["counts"]})(observation)
    if seen:
        return seen
    expected = observation.expected.outputs
    words, named = expected["vocabulary"], observation.received.get("vocabulary")
    if not isinstance(named, list | tuple) or sorted(map(str, named)) != words:
        named = words
    counts = as_array(observation.received["counts"])[:, [list(named).index(w) for w in words]]
    wrong = np.argwhere(counts != expected["counts"])
    if not wrong.size:
        return ""
    row, column = wrong[0]
    return say(
        "counts has {count} for {word} in document {row}; expected {expected}",
        count=f"{counts[row, column]:g}",
        word=repr(words[column]),
        row=row,
        expected=f"{expected['counts'][row, column]:g}",
    )


class BagOfWords(_Documents):
    """How often each word of the vocabulary is in each document."""

    name = "preprocessing.bag_of_words"
    section = 7
    axes = {"counts": ("documents", "vocabulary"), "vocabulary": ()}
    aspects = (
        Aspect("the vocabulary holds each word once, sorted", 20, ("plain",), equals("vocabulary")),
        Aspect(
            "counts has the shape (documents, vocabulary)",
            10,
            ("plain",),
            has_shapes({"counts": axes["counts"]}),
        ),
        Aspect("each column counts its own word", 20, ("plain",), _each_word_counted),
        Aspect("repeated words are counted", 20, ("repeated",), _each_word_counted),
        Aspect(
            "short and hyphenated tokens count as they are",
            15,
            ("unusual tokens",),
            _each_word_counted,
        ),
        Aspect("an empty document is a row of zeros", 15, ("empty document",), _each_word_counted),
    )

    def _outputs(self, result: Any) -> Mapping[str, Any]:
        if not isinstance(result, tuple | list) or len(result) != 2:
            raise WrongReturn(
                say(
                    "returned {value}; expected the pair (counts, vocabulary), in this order",
                    value=describe(result),
                )
            )
        counts, vocabulary = result
        # scikit-learn gives the names of its columns as an array of objects.
        if isinstance(vocabulary, np.ndarray) and vocabulary.dtype.kind == "O":
            vocabulary = vocabulary.tolist()
        return {"counts": _dense(counts), "vocabulary": vocabulary}


def _rows_of_length_one(observation: Observation) -> str:
    """The squares of each row sum to 1."""
    seen = has_shapes(TfIdf.axes)(observation)
    if seen:
        return seen
    for row, weights in enumerate(as_array(observation.received["weights"]).astype(np.float64)):
        squares = float(weights @ weights)
        if not abs(squares - 1) < 1e-5:
            return say(
                "the squares of row {row} of weights sum to {sum}; expected 1",
                row=row,
                sum=f"{squares:.4g}",
            )
    return ""


def _right_proportions(observation: Observation) -> str:
    """The weights of each row stand to each other as they should, whatever the row's length."""
    seen = has_shapes(TfIdf.axes)(observation)
    if seen:
        return seen
    weights = as_array(observation.received["weights"]).astype(np.float64)
    # The factor that brings a row nearest to the expected one.
    factors = np.einsum("ij,ij->i", weights, observation.expected.outputs["weights"])
    scaled = [row / factor if factor else row for row, factor in zip(weights, factors, strict=True)]
    return _weights_finding(
        observation, np.stack(scaled), say("weights, but for the rows' lengths,")
    )


def _right_weights(observation: Observation) -> str:
    """All weights are right."""
    seen = has_shapes(TfIdf.axes)(observation)
    if seen:
        return seen
    weights = as_array(observation.received["weights"]).astype(np.float64)
    return _weights_finding(observation, weights, "weights")


def _weights_finding(observation: Observation, weights: np.ndarray, what: str) -> str:
    """The first wrong weight. The largest error would do as well, but many are equally large."""
    expected = observation.expected.outputs["weights"]
    wrong = np.argwhere(~(np.abs(weights - expected) <= observation.expected.tolerance["weights"]))
    if not wrong.size:
        return ""
    row, column = wrong[0]
    return say(
        "{what} has {weight} at [{row}, {column}]; expected {expected}",
        what=what,
        weight=f"{weights[row, column]:.4g}",
        row=row,
        column=column,
        expected=f"{expected[row, column]:.4g}",
    )


class TfIdf(_Documents):
    """TF-IDF as scikit-learn defines it: smoothed, rows of length 1."""

    name = "preprocessing.tf_idf"
    section = 8
    axes = {"weights": ("documents", "vocabulary")}
    aspects = (
        Aspect("weights has the shape (documents, vocabulary)", 10, ("plain",), has_shapes(axes)),
        Aspect(
            "the words of a document weigh in the right proportions",
            30,
            ("plain",),
            _right_proportions,
        ),
        Aspect("each row has the length 1", 15, ("plain",), _rows_of_length_one),
        Aspect("repeated words weigh more", 15, ("repeated",), _right_weights),
        Aspect(
            "a word in all documents keeps some weight",
            10,
            ("word in all documents",),
            _right_weights,
        ),
        Aspect(
            "short and hyphenated tokens count as they are",
            10,
            ("unusual tokens",),
            _right_weights,
        ),
        Aspect("an empty document is a row of zeros", 10, ("empty document",), _right_weights),
    )

    def _outputs(self, result: Any) -> Mapping[str, Any]:
        return {"weights": _dense(result)}


EXERCISES = (
    FindEmails(),
    Tokenize(),
    RemoveStopwords(),
    Stem(),
    Lemmatize(),
    OneHot(),
    LabelEncode(),
    BagOfWords(),
    TfIdf(),
)
