"""What ``preprocessing.lemmatize`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from course.exercises.invented import written
from course.exercises.preprocessing.common import draw, draw_unlike, listed, shuffled, some_tokens
from selfcheck.aspects import equals
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise

# The course's small WordNet knows all words below and agrees with the full one, as whatever part
# of speech they are looked up.
_NOUNS_IN_IES = listed(
    "abilities armies categories cherries cities comedies countries dictionaries enemies "
    "energies factories families hobbies industries juries ladies libraries memories mysteries "
    "policies ponies puppies secretaries stories strategies theories universities victories"
)

_NOUNS = listed(
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

_IRREGULAR_NOUNS = listed(
    "cacti children crises criteria feet geese grandchildren hypotheses knives loaves matrices "
    "mice oxen phenomena scarves wolves"
)

_IRREGULAR_VERBS = listed(
    "ate became been began beginning begun bit bitten blew blown bought broke broken brought "
    "built burnt came caught chose chosen done drank drawn drew driven drove drunk dug eaten "
    "fallen flew flown forgave forgiven forgot forgotten fought found fried froze frozen gave "
    "given gone got grew grown heard held hidden knew known letting made meant paid proven ran "
    "rang ridden risen rode rose rung said sang sank sat seen sent shaken shone shook shown "
    "slept sold spent spoke spoken stole stolen stood sung sunk swam swum taken taught thought "
    "threw thrown told took tore torn went wept woke woken won wore worn written wrote"
)

_REGULAR_VERBS = listed(
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

_ADJECTIVES = listed(
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

# As verbs, these nouns have another lemma, and these verbs have another one as nouns.
_NOUNS_LIKE_VERBS = listed(
    "beginning building drawing dressing evening feeling finding hearing meeting opening painting "
    "recording training"
)
_VERBS_LIKE_NOUNS = listed("halves leaves lives shelves")

_SINGULARS_IN_S = listed("address bus class focus gas glass grass lens princess virus")

_PLAIN_ADVERBS = listed(
    "again almost always carefully early finally gently happily loudly nearly never often "
    "perhaps quickly quietly quite rarely really sadly seldom slowly sometimes still there "
    "today together tomorrow yesterday"
)

_INVENTED = ("§w§o§v§ps", "§w§o§v§ped", "§w§o§v§ping")


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
    axes = {"lemmas": ()}
    aspects = (
        Aspect("regular plurals become singulars", 20, ("nouns",), equals("lemmas")),
        Aspect("irregular plurals become singulars", 20, ("irregular nouns",), equals("lemmas")),
        Aspect("verb forms become infinitives", 30, ("verbs",), equals("lemmas")),
        Aspect("adjectives return to the base form", 10, ("adjectives",), equals("lemmas")),
        Aspect("adverbs aren't adjectives", 10, ("adverbs",), equals("lemmas")),
        Aspect("unknown words stay as they are", 10, ("unknown words",), equals("lemmas")),
    )

    input_classes: ClassVar = {
        "each part of speech": lambda cases: {case.inputs["pos"] for case in cases} >= {*"nvar"},
        "plurals in s and in ies": _given("n", _NOUNS, _NOUNS_IN_IES),
        "irregular plurals": _given("n", _IRREGULAR_NOUNS),
        "a noun that is also a verb form": _given("n", _NOUNS_LIKE_VERBS),
        "a singular in s": _given("n", _SINGULARS_IN_S),
        "irregular and regular verb forms": _given("v", _IRREGULAR_VERBS, _REGULAR_VERBS),
        "a verb form that is also a plural": _given("v", _VERBS_LIKE_NOUNS),
        "adjectives, a regular and an irregular one": _given("a", _ADJECTIVES, ("better",)),
        "adverbs, with and without a shorter form": _given("r", _PLAIN_ADVERBS, ("harder",)),
        "a plural that isn't looked up as a noun": _given("r", ("mice",)),
        "the same word as adjective and as adverb": lambda cases: all(
            _given(pos, ("better",))(cases) for pos in "ar"
        ),
        "unknown words that look like plurals and verb forms": some_tokens(
            r"\w{6,}[ao](lk|lt|nd|lm)s\Z", r"\w{6,}[ao](lk|lt|nd|lm)ed\Z"
        ),
        "a token again": lambda cases: any(
            len(set(case.inputs["tokens"])) < len(case.inputs["tokens"]) for case in cases
        ),
    }

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens and their part of speech."""
        random = random_state(seed)
        nouns = draw_unlike(
            lambda: [
                *draw(random, _NOUNS_IN_IES, 2),
                *draw(random, _NOUNS, 3),
                *draw(random, _NOUNS_LIKE_VERBS, 1),
                *draw(random, _SINGULARS_IN_S, 1),
            ]
        )
        verbs = draw(random, _IRREGULAR_VERBS, 3) + draw(random, _REGULAR_VERBS, 2)
        verbs += draw(random, _VERBS_LIKE_NOUNS, 1)
        adjectives = draw_unlike(lambda: ["better", *draw(random, _ADJECTIVES, 3)])
        adverbs = ["harder", "better", "mice", *draw(random, _PLAIN_ADVERBS, 2)]
        inputs = {
            "nouns": (shuffled(random, nouns), "n"),
            "irregular nouns": (draw(random, _IRREGULAR_NOUNS, 4), "n"),
            "verbs": (shuffled(random, [*verbs, verbs[0]]), "v"),
            "adjectives": (shuffled(random, adjectives), "a"),
            "adverbs": (shuffled(random, adverbs), "r"),
            "unknown words": (
                [written(random, kind) for kind in shuffled(random, _INVENTED)],
                draw(random, ("n", "v"), 1)[0],
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


EXERCISE = Lemmatize()
