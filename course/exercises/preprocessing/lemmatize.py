"""What ``preprocessing.lemmatize`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.invented import written
from course.exercises.preprocessing.common import (
    draw,
    draw_unlike,
    listed,
    own_items,
    remembers_nothing,
    shuffled,
)
from selfcheck.aspects import equals
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import random_state

# The course's small WordNet knows all words below and agrees with the full one, as whatever part
# of speech they are looked up.
NOUNS_IN_IES = listed(
    "abilities armies categories cherries cities comedies countries dictionaries enemies "
    "energies factories families hobbies industries juries ladies libraries memories mysteries "
    "policies ponies puppies secretaries stories strategies theories universities victories"
)

NOUNS = listed(
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

IRREGULAR_NOUNS = listed("cacti children criteria feet grandchildren phenomena")

# A stemmer turns these into something that isn't a word. The other nouns, and all adjectives
# below, stay words.
NOUNS_WITH_OTHER_STEMS = listed("crises geese hypotheses knives loaves matrices scarves wolves")

TWO_FORMS = (
    "began begun", "blew blown", "broke broken", "chose chosen", "drew drawn", "drove driven",
    "flew flown", "forgave forgiven", "froze frozen", "gave given", "grew grown", "rode ridden",
    "sang sung", "shook shaken", "spoke spoken", "stole stolen", "swam swum", "threw thrown",
    "took taken", "wore worn", "wrote written",
)  # fmt: skip

REGULAR_VERBS = listed(
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
SHORT_VERBS = listed("ate bit dug got ran sat won")
VERBS_OF_TWO_LETTERS = listed("am is")

# The lemmas of these have another lemma themselves: feed has fee.
VERBS_WITH_TWO_STEPS = listed("fed feeding founded founding grounded grounding wounded wounding")
# pass, pas, pa
NOUN_WITH_THREE_STEPS = "passes"

ADJECTIVES_IN_Y = listed(
    "angrier angriest busier busiest crazier dirtier dirtiest easier easiest friendlier funnier "
    "funniest happier happiest heavier heaviest hungrier lazier laziest luckier "
    "luckiest noisier prettier prettiest scarier sillier tastier tidier tinier uglier wealthier"
)

ADJECTIVES = listed(
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
VERBS_LIKE_NOUNS = listed("halves leaves shelves")

SINGULARS_IN_S = listed("address bus class focus gas glass grass lens princess virus")

ADVERBS_IN_LY = listed(
    "carefully early finally gently happily loudly nearly quickly quietly rarely really sadly "
    "slowly"
)

PLAIN_ADVERBS = listed(
    "again almost always never often perhaps quite seldom sometimes still there today together "
    "tomorrow yesterday"
)

# The part after the hyphen has a lemma, as a noun and as a verb.
_UNKNOWN = ("§w§o§v§ps", "§w§o§v§ped", "§w§o§v§ping", "§c", "§w-leaves", "§w§o§vé")


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

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens and their part of speech."""
        random = random_state(seed)
        # In one case it is a noun, and in another one a verb.
        (verbal,) = draw(random, NOUNS_LIKE_VERBS, 1)
        nouns = draw_unlike(
            lambda: [
                *draw(random, NOUNS_IN_IES, 2),
                *draw(random, NOUNS, 3),
                *draw(random, SINGULARS_IN_S, 1),
                NOUN_WITH_THREE_STEPS,
                verbal,
            ]
        )
        irregular = draw(random, IRREGULAR_NOUNS, 1) + draw(random, NOUNS_WITH_OTHER_STEMS, 2)
        verbs = draw(random, TWO_FORMS, 1)[0].split() + draw(random, REGULAR_VERBS, 2)
        for words in (VERBS_LIKE_NOUNS, VERBS_WITH_TWO_STEPS, SHORT_VERBS):
            verbs += draw(random, words, 1)
        verbs += [*draw(random, VERBS_OF_TWO_LETTERS, 1), NOUN_WITH_THREE_STEPS, verbal]
        adjectives = draw_unlike(
            lambda: ["better", *draw(random, ADJECTIVES_IN_Y, 1), *draw(random, ADJECTIVES, 2)]
        )
        adverbs = ["harder", "better", "mice"]
        adverbs += draw(random, ADVERBS_IN_LY, 1) + draw(random, PLAIN_ADVERBS, 1)
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
