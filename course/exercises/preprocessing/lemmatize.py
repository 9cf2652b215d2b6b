"""What ``preprocessing.lemmatize`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from course.exercises.invented import written
from course.exercises.preprocessing.common import (
    draw,
    draw_unlike,
    listed,
    own_items,
    remembers_nothing,
    shuffled,
    some_tokens,
)
from selfcheck.aspects import equals
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import random_state

# The course's small WordNet knows all words below and agrees with the full one, as whatever part
# of speech they are looked up.
_NOUNS_IN_IES = listed(
    "abilities armies categories cherries cities comedies countries dictionaries enemies "
    "energies factories families hobbies industries juries ladies libraries memories mysteries "
    "policies ponies puppies secretaries stories strategies theories universities victories"
)

_NOUNS = listed(
    "accidents actors animals artists articles aunts bottles brothers buildings cameras "
    "candles chapters colleges computers concerts cousins daughters desks doctors dogs "
    "dictionaries editors elephants engines farmers feathers flowers forests friends gardens "
    "girls gloves guitars hospitals hotels husbands insects islands jackets kitchens kittens "
    "lakes lamps languages lawyers lessons lions machines magazines markets methods "
    "mirrors mountains museums neighbors newspapers novels nurses oceans offices oranges "
    "painters passengers pencils pianos pictures pilots planets pockets poems poets problems "
    "rabbits restaurants rivers robots roofs salads schools scientists sisters soldiers spiders "
    "students teachers teams theaters tickets towers trains uncles videos "
    "villages voters winters workers writers"
)

_IRREGULAR_NOUNS = listed("cacti children criteria feet grandchildren phenomena")

# A stemmer turns these into something that isn't a word. The other nouns, and all adjectives
# below, stay words.
_NOUNS_WITH_OTHER_STEMS = listed("crises geese hypotheses knives loaves matrices scarves wolves")

_TWO_FORMS = (
    "began begun", "blew blown", "broke broken", "chose chosen", "drew drawn", "drove driven",
    "flew flown", "forgave forgiven", "froze frozen", "gave given", "grew grown", "rode ridden",
    "sang sung", "shook shaken", "spoke spoken", "stole stolen", "swam swum", "threw thrown",
    "took taken", "wore worn", "wrote written",
)  # fmt: skip

_REGULAR_VERBS = listed(
    "admired announced arranging arrived arriving attacked baking believed believing borrowed "
    "burning called carried celebrated changed changing collecting compared continued copied "
    "dancing dared decided denied described divided earned escaped examined existed expected "
    "exploring hurried imagined improved included invited introduced judged kicked laughed "
    "learned lived losing loved managed married moved noticed planned prepared "
    "produced promised protected reduced refused removed replied rescued returned ruled saved "
    "served smiled solved started stopped studied supplied tasted thanked tried trusted turned "
    "voted walked walking wanted warned worked worried yelled inviting studying carrying "
    "solving saving planning"
)

# Some leave short words as they are.
_SHORT_VERBS = listed("ate bit dug got ran sat won")
_VERBS_OF_TWO_LETTERS = listed("am is")

# The lemmas of these have another lemma themselves: feed has fee.
_VERBS_WITH_TWO_STEPS = listed("fed feeding founded founding grounded grounding wounded wounding")
# pass, pas, pa
_NOUN_WITH_THREE_STEPS = "passes"

_ADJECTIVES_IN_Y = listed(
    "angrier angriest busier busiest crazier dirtier dirtiest easier easiest friendlier funnier "
    "funniest happier happiest heavier heaviest hungrier lazier laziest luckier "
    "luckiest noisier prettier prettiest scarier sillier tastier tidier tinier uglier wealthier"
)

_ADJECTIVES = listed(
    "bolder boldest braver brighter brightest calmer cheaper cheapest cleaner colder coldest "
    "darker darkest fatter flattest gentler greatest greener hotter hottest kinder largest "
    "loudest narrower neater nicer nobler paler politest poorer proudest redder richer richest "
    "ruder sadder saddest safer sharper simplest slimmer smallest smoother softest strangest "
    "stronger strongest taller tallest thicker thinnest warmer weaker wettest wider wildest wiser "
    "wisest worst younger youngest biggest"
)

# As verbs, these nouns have another lemma, and these verbs have another one as nouns.
NOUNS_LIKE_VERBS = listed(
    "beginning building drawing dressing evening feeling finding hearing meeting opening painting "
    "recording training"
)
_VERBS_LIKE_NOUNS = listed("halves leaves shelves")

_SINGULARS_IN_S = listed("address bus class focus gas glass grass lens princess virus")

_ADVERBS_IN_LY = listed(
    "carefully early finally gently happily loudly nearly quickly quietly rarely really sadly "
    "slowly"
)

_PLAIN_ADVERBS = listed(
    "again almost always never often perhaps quite seldom sometimes still there today together "
    "tomorrow yesterday"
)

# The part after the hyphen has a lemma, as a noun and as a verb.
_UNKNOWN = ("§w§o§v§ps", "§w§o§v§ped", "§w§o§v§ping", "§c", "§w-leaves", "§w§o§vé")


def _given(pos: str, *lists: Sequence[str]) -> Callable[[Sequence[Case]], bool]:
    """Whether words of each list are looked up as a part of speech."""

    def holds(cases: Sequence[Case]) -> bool:
        tokens = {
            token for case in cases if case.inputs["pos"] == pos for token in case.inputs["tokens"]
        }
        return all(tokens & {*words} for words in lists)

    return holds


class Lemmatize(Exercise):
    """WordNet's lemma of each token, with the part of speech that is given."""

    name = "preprocessing.lemmatize"
    lesson = "01-text-preprocessing"
    section = 5
    axes = {"lemmas": (), "remembered": ()}
    aspects = (
        Aspect("regular plurals become singulars", 20, ("nouns",), equals("lemmas")),
        Aspect("irregular plurals become singulars", 20, ("irregular nouns",), equals("lemmas")),
        Aspect("verb forms become infinitives", 30, ("verbs",), equals("lemmas")),
        Aspect("adjectives return to the base form", 10, ("adjectives",), equals("lemmas")),
        Aspect("adverbs aren't adjectives", 10, ("adverbs",), equals("lemmas")),
        Aspect(
            "unknown words stay as they are",
            10,
            ("unknown words",),
            remembers_nothing(equals("lemmas")),
        ),
    )

    input_classes: ClassVar = {
        "each part of speech": lambda cases: {case.inputs["pos"] for case in cases} >= {*"nvar"},
        "plurals in s and in ies": _given("n", _NOUNS, _NOUNS_IN_IES),
        "irregular plurals": _given("n", _IRREGULAR_NOUNS, _NOUNS_WITH_OTHER_STEMS),
        "a noun that is also a verb form": _given("n", NOUNS_LIKE_VERBS),
        "a verb form whose lemma has another one as a noun": _given("v", (_NOUN_WITH_THREE_STEPS,)),
        "a singular in s": _given("n", _SINGULARS_IN_S),
        "a noun and a verb form whose lemmas have another lemma": lambda cases: (
            _given("n", (_NOUN_WITH_THREE_STEPS,))(cases)
            and _given("v", _VERBS_WITH_TWO_STEPS)(cases)
        ),
        "verb forms of two and of three letters": _given("v", _VERBS_OF_TWO_LETTERS, _SHORT_VERBS),
        "regular verb forms, and two irregular ones of the same verb": lambda cases: (
            _given("v", _REGULAR_VERBS)(cases)
            and any(_given("v", *([form] for form in both.split()))(cases) for both in _TWO_FORMS)
        ),
        "a verb form that is also a plural": _given("v", _VERBS_LIKE_NOUNS),
        "adjectives, a regular and an irregular one": _given(
            "a", _ADJECTIVES, _ADJECTIVES_IN_Y, ("better",)
        ),
        "adverbs, with and without a shorter form": _given(
            "r", _PLAIN_ADVERBS, _ADVERBS_IN_LY, ("harder",)
        ),
        "a plural as a noun and as an adverb": lambda cases: all(
            _given(pos, ("mice",))(cases) for pos in "nr"
        ),
        "the same word as noun and as verb": lambda cases: any(
            all(_given(pos, (word,))(cases) for pos in "nv") for word in NOUNS_LIKE_VERBS
        ),
        "the same word as adjective and as adverb": lambda cases: all(
            _given(pos, ("better",))(cases) for pos in "ar"
        ),
        "unknown words that look like plurals and verb forms": some_tokens(
            r"\w{6,}[ao](lk|lt|nd|lm)s\Z", r"\w{6,}[ao](lk|lt|nd|lm)ed\Z"
        ),
        "a word with an apostrophe, with a hyphen before a known word, with an accent": some_tokens(
            r"\w'\w", r"\w-leaves\Z", r"\wé\Z"
        ),
        "a token again": lambda cases: any(
            len(set(case.inputs["tokens"])) < len(case.inputs["tokens"]) for case in cases
        ),
    }

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens and their part of speech."""
        random = random_state(seed)
        # In one case it is a noun, and in another one a verb.
        (verbal,) = draw(random, NOUNS_LIKE_VERBS, 1)
        nouns = draw_unlike(
            lambda: [
                *draw(random, _NOUNS_IN_IES, 2),
                *draw(random, _NOUNS, 3),
                *draw(random, _SINGULARS_IN_S, 1),
                _NOUN_WITH_THREE_STEPS,
                verbal,
            ]
        )
        irregular = draw(random, _IRREGULAR_NOUNS, 1) + draw(random, _NOUNS_WITH_OTHER_STEMS, 2)
        verbs = draw(random, _TWO_FORMS, 1)[0].split() + draw(random, _REGULAR_VERBS, 2)
        for words in (_VERBS_LIKE_NOUNS, _VERBS_WITH_TWO_STEPS, _SHORT_VERBS):
            verbs += draw(random, words, 1)
        verbs += [*draw(random, _VERBS_OF_TWO_LETTERS, 1), _NOUN_WITH_THREE_STEPS, verbal]
        adjectives = draw_unlike(
            lambda: ["better", *draw(random, _ADJECTIVES_IN_Y, 1), *draw(random, _ADJECTIVES, 2)]
        )
        adverbs = ["harder", "better", "mice"]
        adverbs += draw(random, _ADVERBS_IN_LY, 1) + draw(random, _PLAIN_ADVERBS, 1)
        inputs = {
            "nouns": (shuffled(random, nouns), "n"),
            "irregular nouns": (
                shuffled(random, ["mice", *irregular]),
                "n",
            ),
            "verbs": (shuffled(random, [*verbs, verbs[0]]), "v"),
            "adjectives": (shuffled(random, adjectives), "a"),
            "adverbs": (shuffled(random, adverbs), "r"),
            "unknown words": (
                [written(random, kind) for kind in shuffled(random, _UNKNOWN)],
                draw(random, ("n", "v"), 1)[0],
            ),
        }
        return tuple(
            Case(name, {"tokens": tokens, "pos": pos}) for name, (tokens, pos) in inputs.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of tokens and a part of speech."""
        from course.data import language

        # Afterwards NLTK has a WordNet, for those as well who make their own lemmatizer.
        language.lemmatizer()
        lemmas, remembered = own_items(
            lambda: obj(list(case.inputs["tokens"]), case.inputs["pos"]),
            small=lambda: obj(["k"], "n"),
        )
        return {"lemmas": lemmas, "remembered": remembered}


EXERCISE = Lemmatize()
