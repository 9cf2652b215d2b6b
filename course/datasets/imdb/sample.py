"""A sample of reviews of films that nobody made: 2,500 of them, written by a grammar.

Words and sentences were made up for this course. As in the real reviews, lengths differ (40 to 250
words), paragraphs are parted by ``<br /><br />``, and most of a review tells the story, the evening
in the cinema and other things that are no opinion. What makes a review easy or hard is known:

``plain`` (half)
    The words decide: all opinions are of one kind, so a bag of words is enough.
``negation`` (a quarter)
    Opinions come in twos, of which one is denied and the other is not: "The music is far from dull
    and the ending is truly gripping" is positive; exchange "dull" and "gripping", and it is
    negative, with the very same words. Two to four neighbouring words tell the two apart, as a
    convolution sees them and a bag of words does not.
``late`` (a quarter)
    A long review whose opening announces a change of mind. Its first opinions are of one kind, its
    last ones of the other, as many and of the same forms, and the last ones are the verdict. At
    least 60 words lie between the opening with its opinions and the verdict, and nothing close to
    an opinion says which of the two it is: a convolution with a short window does not see it. What
    helps is to know where in the review a word is.

Both classes are equally frequent in each phenomenon, and denials, openings and paragraphs are drawn
without regard to the class.
"""

import functools
import random
from collections.abc import Mapping, Sequence

from course.datasets import grammar
from course.datasets.imdb import CLASS_NAMES

SEED = 20_241_009
SIZES = {"train": 2_000, "test": 500}
PLAIN = "plain"
HARD = ("negation", "late")
BREAK = "<br /><br />"

# One entry a class, in the order of CLASS_NAMES: the words that make an opinion one or the other.
_OPINIONS = (
    {  # neg
        "adjective": (
            "dull",
            "clumsy",
            "tedious",
            "lifeless",
            "shallow",
            "predictable",
            "wooden",
            "silly",
            "boring",
            "lazy",
            "incoherent",
            "pointless",
            "forgettable",
            "tasteless",
            "unconvincing",
            "ridiculous",
            "stale",
            "dreary",
            "awful",
            "bland",
            "irritating",
            "cheap",
            "bad",
            "muddled",
        ),
        "noun": (
            "disaster",
            "failure",
            "waste",
            "disappointment",
            "mess",
            "bore",
            "let-down",
            "flop",
            "nuisance",
            "catastrophe",
        ),
        "moved": (
            "bored",
            "annoyed",
            "exhausted",
            "disappointed",
            "irritated",
            "depressed",
            "tired",
            "bothered",
        ),
        "liked": ("disliked", "regretted", "hated", "loathed", "resented", "detested"),
    },
    {  # pos
        "adjective": (
            "gripping",
            "elegant",
            "moving",
            "lively",
            "profound",
            "surprising",
            "subtle",
            "witty",
            "thrilling",
            "inventive",
            "brilliant",
            "touching",
            "memorable",
            "tasteful",
            "convincing",
            "delightful",
            "fresh",
            "charming",
            "wonderful",
            "rich",
            "captivating",
            "superb",
            "good",
            "clever",
        ),
        "noun": (
            "masterpiece",
            "triumph",
            "treasure",
            "joy",
            "gem",
            "feast",
            "marvel",
            "delight",
            "treat",
            "milestone",
        ),
        "moved": (
            "moved",
            "enchanted",
            "thrilled",
            "amused",
            "delighted",
            "inspired",
            "fascinated",
            "dazzled",
        ),
        "liked": ("liked", "enjoyed", "loved", "admired", "treasured", "applauded"),
    },
)

# An opinion as it stands in plain and late reviews.
_VERDICTS = (
    "The {aspect} {is} {adjective} and the {aspect} {is} {adjective}.",
    "What a {noun}, the {aspect} above all!",
    "{Surname} gives a {adjective} performance as the {role}.",
    "I {liked} the {aspect} and the scenes with the {role}.",
    "The {aspect} {moved} me, and so did the {adjective} {aspect}.",
    "It is a {adjective} film, a {noun} of its kind.",
    "To me the {aspect} was a {noun}.",
    "The {adjective} {aspect} {moved} all of us.",
    "My {friend} and I {liked} the {adjective} {aspect}.",
    "The work of {surname} behind the camera is {adjective}.",
)

# Two opinions of one kind; {no} and {yes} stand for opposite words. Half of them deny the first.
_DENIALS = (
    "The {aspect} is {denial} {no} and the {aspect} is {assertion} {yes}.",
    "It is {denial} {no}, this {aspect}, it is {assertion} {yes}.",
    "The {aspect} by {surname} is {denial} {no}. The {aspect} is {assertion} {yes}.",
    "I found the {role} {denial} {no} and the {aspect} {assertion} {yes}.",
    "The {aspect} is {assertion} {yes} and the {aspect} is {denial} {no}.",
    "It is {assertion} {yes}, this {aspect}, it is {denial} {no}.",
    "The {aspect} by {surname} is {assertion} {yes}. The {aspect} is {denial} {no}.",
    "I found the {role} {assertion} {yes} and the {aspect} {denial} {no}.",
)

# Sentences without an opinion.
_NEUTRAL = (
    "The story begins in {month} in {place}, where a {role} finds a letter in an old {thing}.",
    "A {role} called {surname} comes back to {place} after {number} years abroad.",
    "On the way to {place} the {role} meets a {role}, and the two travel on together.",
    "Nobody in the village knows that the {role} has hidden the {thing} under the floor.",
    "When the {role} disappears on a {day} night, the {role} begins to ask questions.",
    "There is a wedding, a flood and a journey by {vehicle}.",
    "The second half takes place in {place}, {number} years after the war.",
    "The {role} sells the {thing} to pay for the {vehicle}.",
    "A {thing} changes hands {number} times before anyone looks inside.",
    "The {role} wants to leave for {place}, and the {role} wants to stay.",
    "In the {number}th chapter we learn who owns the {thing}.",
    "The last train to {place} leaves without the {role}.",
    "It is the story of a {role}, a {role} and the {thing} that they share.",
    "The {role} tells the police one thing and the {role} tells them another.",
    "I saw it on a {day} in {month} with {number} other people in the room.",
    "The cinema in {place} shows it in the small hall upstairs.",
    "It runs for two hours and {number} minutes, with a short break.",
    "{Surname} wrote the script from a novel of the same name.",
    "It was shot in {place} in {number} weeks, mostly at night.",
    "My {friend} had bought the tickets in {month}.",
    "The director, {surname}, was born in {place} and used to be a {role}.",
    "We sat in row {number}, next to a family from {place}.",
    "The music was recorded in a church in {place}.",
    "This is the {number}th film that {surname} made with the same crew.",
    "The subtitles are white, and the credits last {number} minutes.",
    "Outside it was raining, and the {vehicle} home was late.",
    "It was first shown in {place} in {month}, then on television.",
    "{Surname} plays the {role}, and {surname} plays the {role}.",
)
# How a late review opens: nothing in it depends on the class.
_CHANGES = (
    "My view of this film changed while I watched it, so I will tell it in order.",
    "I have to take back what I told my {friend} after the first reel.",
    "This review has two halves, because I changed my mind on the way.",
    "Read on to the end, because my first thoughts did not last.",
    "I wrote down my thoughts at the start and again when the lights went on.",
)

_SLOTS = grammar.NAMES | {
    "denial": ("not", "hardly", "never", "far from", "by no means", "anything but", "not at all"),
    "assertion": (
        "truly",
        "really",
        "simply",
        "always",
        "plainly",
        "decidedly",
        "in every way",
    ),
    "aspect": (
        "acting",
        "plot",
        "script",
        "dialogue",
        "music",
        "camera work",
        "editing",
        "ending",
        "pacing",
        "set design",
        "opening scene",
        "soundtrack",
        "story",
        "direction",
        "humour",
        "final act",
    ),
    "is": ("is", "was", "seemed", "felt"),
    "role": (
        "lighthouse keeper",
        "baker",
        "detective",
        "widow",
        "pianist",
        "smuggler",
        "teacher",
        "sailor",
        "clockmaker",
        "nurse",
        "farmer",
        "painter",
        "postman",
        "lawyer",
        "gardener",
        "soldier",
        "mayor",
        "twin sister",
        "fortune teller",
        "student",
    ),
    "thing": (
        "suitcase",
        "violin",
        "map",
        "clock",
        "diary",
        "key",
        "painting",
        "radio",
        "cupboard",
        "photograph",
        "coat",
        "ring",
    ),
    "vehicle": ("boat", "train", "bus", "bicycle", "steamer", "lorry", "tram", "horse cart"),
    "friend": ("brother", "neighbour", "sister", "colleague", "daughter", "uncle", "flatmate"),
}


def generate() -> dict[str, list[tuple[str, int, str]]]:
    """Write the whole sample: the same 2,500 reviews at every call and on every machine.

    Classes are balanced within each split and each phenomenon, as far as whole numbers allow;
    no text occurs twice, neither within a split nor across the two.

    Returns:
        For "train" and "test" the list of ``(text, label, phenomenon)``: the label is 0 or 1, the
        phenomenon ``PLAIN`` or one of ``HARD``.

    Example:
        >>> reviews = generate()
        >>> {split: len(rows) for split, rows in reviews.items()}
        {'train': 2000, 'test': 500}
        >>> sorted({phenomenon for _, _, phenomenon in reviews["train"]})
        ['late', 'negation', 'plain']
    """
    rng = random.Random(SEED)
    written: set[str] = set()
    reviews = {}
    for split, size in SIZES.items():
        rows = []
        for number in range(size):
            label = number % len(CLASS_NAMES)
            turn = number // len(CLASS_NAMES)
            phenomenon = HARD[turn // 2 % len(HARD)] if turn % 2 else PLAIN
            text = grammar.unseen(written, functools.partial(_review, rng, label, phenomenon, turn))
            rows.append((text, label, phenomenon))
        grammar.shuffle(rng, rows)
        reviews[split] = rows
    return reviews


def _review(rng: random.Random, label: int, phenomenon: str, turn: int) -> str:
    # No sentence is used twice in a review.
    neutral, verdicts, denials = (_Deck(rng, x) for x in (_NEUTRAL, _VERDICTS, _DENIALS))
    if phenomenon == "late":
        count = 2 + int(rng.random() * 2)
        opening, closing = (
            verdicts.draw(count, _OPINIONS[which]) + neutral.draw_words(10)
            for which in (1 - label, label)
        )
        grammar.shuffle(rng, opening)
        grammar.shuffle(rng, closing)
        middle = neutral.draw_words(60 + int(rng.random() * 35))
        # In turns, so that each announcement is as often in the one class as in the other.
        change = grammar.fill(rng, _CHANGES[turn // 4 % len(_CHANGES)], _SLOTS)
        # Neither the announcement nor the end of the text is next to an opinion.
        sentences = [change, *neutral.draw(1), *opening, *middle, *closing, *neutral.draw(1)]
    else:
        # Most are short, a few are as long as the late ones.
        length = 40 + int(rng.random() * rng.random() * 170)
        count = 3 + length // 50
        if phenomenon == PLAIN:
            opinions = verdicts.draw(count, _OPINIONS[label])
        else:
            no, yes = (_OPINIONS[which]["adjective"] for which in (1 - label, label))
            opinions = denials.draw(count - 1, {"no": no, "yes": yes})
        sentences = opinions + neutral.draw_words(length - _count_words(opinions))
        grammar.shuffle(rng, sentences)
    text = sentences[0]
    for sentence in sentences[1:]:
        text += (BREAK if rng.random() < 0.2 else " ") + sentence
    return text


class _Deck:
    """Sentences in random order, each to be drawn once."""

    def __init__(self, rng: random.Random, templates: Sequence[str]) -> None:
        self._rng = rng
        self._templates = list(templates)
        grammar.shuffle(rng, self._templates)

    def draw(self, count: int, slots: Mapping[str, Sequence[str]] = {}) -> list[str]:
        words = _SLOTS | slots
        return [grammar.fill(self._rng, self._templates.pop(), words) for _ in range(count)]

    def draw_words(self, count: int) -> list[str]:
        """Draw sentences until they have that many words."""
        sentences = []
        while _count_words(sentences) < count:
            sentences += self.draw(1)
        return sentences


def _count_words(sentences: list[str]) -> int:
    return sum(sentence.count(" ") + 1 for sentence in sentences)
