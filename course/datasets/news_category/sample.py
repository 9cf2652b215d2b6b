"""A sample of news that nobody reported, in 38 categories: 3,800 short texts, written by a grammar.

Each text is a headline and a short description; words and sentences were made up for this course,
and only some names of categories are the data set's. The sizes of the categories are skewed as in
the real data: the largest has a seventh of the texts, the smallest less than a hundredth. What
makes a text easy or hard is known:

``topic`` (three quarters)
    The words decide: everything that is not neutral speaks of one category.
``mixed`` (a quarter)
    The words are of two categories, and the text belongs to one of them. Which one, only the order
    says: "The landlord raised the rent while Tarnwick looked at how the choir sang a psalm" is
    about religion; exchange the two clauses, and it is about the home, with the very same words.

    For each two categories as many texts belong to the one as to the other, and the first of the
    two clauses decides about as often as the second.
"""

import functools
import random
import string
from itertools import accumulate

from course.datasets import grammar

SEED = 20_241_019
SIZES = {"train": 3_000, "test": 800}
TOPIC = "topic"
MIXED = "mixed"

# The largest category first. "who" and "did" make a clause: "the senator lost a primary". Nothing
# in one category is to be found in another.
_TOPICS = {
    "POLITICS": {
        "who": ("the senator", "the governor", "a cabinet minister", "the opposition leader"),
        "did": (
            "lost a primary by {number} votes",
            "vetoed the budget bill",
            "promised a referendum",
            "resigned over a donor list",
            "won the parliamentary vote",
        ),
        "about": ("election campaign", "coalition agreement", "party congress", "tax reform bill"),
    },
    "ENTERTAINMENT": {
        "who": ("the film star", "a soap opera actress", "the talent show judge", "the director"),
        "did": (
            "walked the red carpet",
            "signed up for a sequel",
            "left the cast of a series",
            "presented the award for best actor",
            "began shooting a thriller",
        ),
        "about": ("film premiere", "season finale", "celebrity interview", "box office record"),
    },
    "WELLNESS": {
        "who": ("the yoga instructor", "a mindfulness coach", "the sleep researcher", "a masseur"),
        "did": (
            "taught a breathing exercise",
            "recommended {number} minutes of meditation",
            "opened a quiet room for stressed clerks",
            "wrote a guide to restful nights",
            "explained how to calm a racing mind",
        ),
        "about": ("meditation retreat", "burnout study", "stretching routine", "relaxation course"),
    },
    "SPORTS": {
        "who": ("the goalkeeper", "the relay team", "a marathon runner", "the hockey coach"),
        "did": (
            "saved a penalty",
            "won the cup final",
            "broke the national record",
            "was substituted at halftime",
            "tore a ligament in training",
        ),
        "about": ("league match", "championship semifinal", "transfer deadline", "overtime win"),
    },
    "WORLD NEWS": {
        "who": ("the ambassador", "a peacekeeper", "the exiled king", "the foreign ministry"),
        "did": (
            "signed a ceasefire",
            "crossed the frontier with an aid convoy",
            "called for sanctions",
            "recalled its diplomats",
            "mediated between two armies",
        ),
        "about": ("border dispute", "refugee summit", "peace treaty", "hostage negotiation"),
    },
    "PARENTING": {
        "who": ("the mother of twins", "a stay at home father", "the midwife", "a babysitter"),
        "did": (
            "sang a lullaby to the toddler",
            "swapped nappies for a potty",
            "wrote about tantrums at bedtime",
            "packed the pram for a newborn",
            "limited screen time for teenagers",
        ),
        "about": ("baby shower", "bedtime story", "playground quarrel", "breastfeeding advice"),
    },
    "BUSINESS": {
        "who": ("the airline", "the chief executive", "a supermarket chain", "the carmaker"),
        "did": (
            "cut its profit forecast",
            "announced a merger",
            "closed {number} branches",
            "hired a new head of marketing",
            "filed for bankruptcy",
        ),
        "about": ("quarterly report", "takeover bid", "shareholder meeting", "factory closure"),
    },
    "TRAVEL": {
        "who": ("the tour guide", "a backpacker", "the hotel concierge", "the cruise passenger"),
        "did": (
            "hiked along the coast",
            "lost a suitcase at the airport",
            "booked a cabin with an ocean view",
            "reviewed {number} hostels",
            "found an empty beach",
        ),
        "about": ("island getaway", "city break", "passport queue", "sightseeing itinerary"),
    },
    "FOOD & DRINK": {
        "who": ("the pastry chef", "a sommelier", "the baker", "the street food vendor"),
        "did": (
            "baked a lemon tart",
            "roasted a pumpkin with garlic",
            "poured a glass of cider",
            "shared a recipe for noodle soup",
            "pickled {number} jars of cabbage",
        ),
        "about": ("cooking class", "brunch menu", "chocolate cake recipe", "wine tasting"),
    },
    "CRIME": {
        "who": ("the detective", "a burglar", "the prosecutor", "the getaway driver"),
        "did": (
            "found a stolen necklace",
            "was arrested after a robbery",
            "confessed to the fraud",
            "charged {number} suspects",
            "escaped from a prison van",
        ),
        "about": ("bank robbery", "murder trial", "police raid", "forgery ring"),
    },
    "STYLE & BEAUTY": {
        "who": ("the fashion designer", "a hairdresser", "the model", "the make-up artist"),
        "did": (
            "wore a velvet dress",
            "launched a lipstick",
            "dyed {number} wigs silver",
            "showed a summer collection",
            "brought back platform shoes",
        ),
        "about": ("runway show", "skin care line", "haircut trend", "vintage handbag"),
    },
    "COMEDY": {
        "who": ("the stand-up comedian", "a satirist", "the late night host", "the clown"),
        "did": (
            "told a joke about penguins",
            "mocked the weather forecast in a sketch",
            "parodied an opera",
            "made the audience laugh for {number} minutes",
            "forgot the punchline",
        ),
        "about": ("improv night", "cabaret parody", "slapstick routine", "open mic evening"),
    },
    "HEALTHY LIVING": {
        "who": ("the dietician", "a heart surgeon", "the vaccination centre", "the pharmacist"),
        "did": (
            "warned of high blood pressure",
            "tested a flu vaccine",
            "prescribed less salt",
            "screened {number} patients for diabetes",
            "replaced a worn hip",
        ),
        "about": ("allergy season", "cholesterol test", "clinic opening", "vitamin study"),
    },
    "SCIENCE": {
        "who": ("the astronomer", "a particle physicist", "the fossil hunter", "the geneticist"),
        "did": (
            "photographed a comet",
            "decoded a genome",
            "measured a gravitational wave",
            "dug up a dinosaur jaw",
            "discovered {number} exoplanets",
        ),
        "about": ("telescope launch", "laboratory experiment", "moon mission", "quantum theory"),
    },
    "TECH": {
        "who": ("the software engineer", "a chip designer", "the app developer", "the hacker"),
        "did": (
            "patched a security hole",
            "unveiled a folding phone",
            "trained a robot arm",
            "encrypted {number} servers",
            "released a web browser",
        ),
        "about": ("smartphone update", "data leak", "chatbot test", "battery breakthrough"),
    },
    "MEDIA": {
        "who": ("the newspaper editor", "a news anchor", "the press council", "the columnist"),
        "did": (
            "corrected a front page article",
            "moved to a radio station",
            "fired {number} reporters",
            "bought a weekly magazine",
            "protected an anonymous source",
        ),
        "about": ("press freedom award", "broadcast licence", "newsroom strike", "podcast deal"),
    },
    "HOME & LIVING": {
        "who": ("the landlord", "an interior decorator", "the carpenter", "the tenant"),
        "did": (
            "raised the rent",
            "painted the kitchen yellow",
            "built {number} bookshelves",
            "moved the sofa to the balcony",
            "cleared out the attic",
        ),
        "about": ("bathroom makeover", "storage idea", "furniture sale", "wallpaper trend"),
    },
    "RELIGION": {
        "who": ("the bishop", "a rabbi", "the imam", "the choir"),
        "did": (
            "blessed the new chapel",
            "sang a psalm",
            "invited {number} pilgrims to pray",
            "translated a gospel",
            "broke the fast at sunset",
        ),
        "about": ("church roof", "interfaith prayer", "monastery garden", "sermon contest"),
    },
    "EDUCATION": {
        "who": ("the headmistress", "a primary school teacher", "the school board", "the pupil"),
        "did": (
            "corrected {number} spelling tests",
            "cancelled homework",
            "bought tablets for every classroom",
            "taught fractions with apples",
            "passed the final exam",
        ),
        "about": ("school curriculum", "reading contest", "teacher shortage", "kindergarten plan"),
    },
    "MONEY": {
        "who": ("the financial adviser", "a thrifty saver", "the credit union", "the pension fund"),
        "did": (
            "paid off a mortgage",
            "compared {number} savings accounts",
            "raised the interest rate on loans",
            "kept a household budget",
            "invested in bonds",
        ),
        "about": ("credit card debt", "retirement savings", "insurance bill", "inheritance rule"),
    },
    "GREEN": {
        "who": ("the solar installer", "a recycling plant", "the wind farm", "the cycling mayor"),
        "did": (
            "banned plastic bags",
            "turned waste into compost",
            "replaced {number} oil heaters",
            "cut carbon emissions in half",
            "insulated the town hall",
        ),
        "about": ("climate pledge", "renewable energy fair", "zero waste shop", "bottle deposit"),
    },
    "ENVIRONMENT": {
        "who": ("the forest ranger", "a marine biologist", "the beekeeper", "the river patrol"),
        "did": (
            "released {number} young otters",
            "counted the storks in the wetland",
            "cleaned oil from a reef",
            "replanted a burnt hillside",
            "tracked a lynx by its footprints",
        ),
        "about": ("national park", "whale migration", "bird sanctuary", "endangered frog"),
    },
    "BOOKS": {
        "who": ("the novelist", "a librarian", "the literary critic", "the bookseller"),
        "did": (
            "finished a trilogy",
            "signed {number} paperbacks",
            "translated a book of fairy tales",
            "burned the first draft of a memoir",
            "reissued a forgotten classic",
        ),
        "about": ("book fair", "poetry reading", "library reopening", "bestseller list"),
    },
    "MUSIC": {
        "who": ("the violinist", "a jazz trio", "the conductor", "the punk band"),
        "did": (
            "recorded an album in a barn",
            "played {number} encores",
            "tuned a grand piano",
            "cancelled a stadium concert",
            "composed a symphony for whistles",
        ),
        "about": ("orchestra tour", "guitar festival", "vinyl revival", "choral debut"),
    },
    "ARTS & CULTURE": {
        "who": ("the sculptor", "a museum curator", "the ballet company", "the portrait painter"),
        "did": (
            "carved a marble bear",
            "hung {number} watercolours",
            "danced in a disused quarry",
            "restored a fresco",
            "lent a drawing to the gallery",
        ),
        "about": ("sculpture park", "gallery opening", "theatre revival", "mural project"),
    },
    "TRANSPORT": {
        "who": ("the train driver", "a ferry captain", "the bus company", "the bridge engineer"),
        "did": (
            "reopened the tunnel",
            "delayed {number} commuters",
            "repaired the tram tracks",
            "added a night line",
            "closed a lane of the motorway",
        ),
        "about": ("railway timetable", "ticket price", "traffic jam", "harbour tunnel"),
    },
    "WEIRD NEWS": {
        "who": ("a runaway llama", "the ghost hunter", "a man in a lobster costume", "the mystic"),
        "did": (
            "blocked the doors of a car wash",
            "ate {number} doughnuts in an elevator",
            "found a message in a toaster",
            "married a lamp post",
            "mistook a balloon for a spaceship",
        ),
        "about": ("haunted vending machine", "giant cucumber", "flying sofa", "yodelling parrot"),
    },
    "WEDDINGS": {
        "who": ("the bride", "a best man", "the wedding planner", "the flower girl"),
        "did": (
            "dropped the ring in the fountain",
            "chose a bouquet of thistles",
            "seated {number} guests in a greenhouse",
            "said yes in a hot air balloon",
            "tore the veil before the vows",
        ),
        "about": ("honeymoon plan", "bridal gown", "engagement party", "wedding cake"),
    },
    "COLLEGE": {
        "who": ("the freshman", "a dean", "the doctoral student", "the campus radio"),
        "did": (
            "raised tuition fees",
            "moved into a dormitory",
            "defended a thesis on moss",
            "awarded {number} scholarships",
            "overslept the first lecture",
        ),
        "about": ("graduation ceremony", "student loan", "fraternity ball", "lecture hall"),
    },
    "IMPACT": {
        "who": ("the charity", "a volunteer", "the homeless shelter", "the foundation"),
        "did": (
            "donated {number} blankets",
            "dug a well in a dry village",
            "collected coins for orphans",
            "gave out free meals",
            "found flats for rough sleepers",
        ),
        "about": ("fundraising dinner", "soup kitchen", "clothing drive", "donor appeal"),
    },
    "FIFTY": {
        "who": ("the retired plumber", "a great grandmother", "the widower", "the pensioner"),
        "did": (
            "learned to tap dance at seventy",
            "moved in with {number} grandchildren",
            "went grey with pride",
            "met a first love again after decades",
            "celebrated a golden jubilee",
        ),
        "about": ("midlife change", "empty nest", "class reunion", "menopause talk"),
    },
    "DIVORCE": {
        "who": ("the former husband", "an ex-wife", "the family lawyer", "the custody judge"),
        "did": (
            "split the silver spoons",
            "agreed on alimony",
            "spent {number} weekends in mediation",
            "changed back to a maiden name",
            "shared the dog after the separation",
        ),
        "about": ("custody hearing", "prenuptial contract", "separation notice", "broken marriage"),
    },
    "PETS": {
        "who": ("the veterinarian", "a dog walker", "the cat breeder", "the hamster"),
        "did": (
            "clipped a poodle",
            "adopted a three legged kitten",
            "walked {number} terriers at once",
            "treated a goldfish",
            "chewed through a leash",
        ),
        "about": ("puppy school", "litter box", "aquarium show", "rabbit hutch"),
    },
    "GARDENING": {
        "who": ("the rose grower", "an allotment holder", "the botanist", "the lawn keeper"),
        "did": (
            "pruned the hedge",
            "planted {number} tulip bulbs",
            "sowed radishes under glass",
            "fought slugs with coffee grounds",
            "grafted a pear tree",
        ),
        "about": ("flower bed", "herb pot", "greenhouse tip", "orchard walk"),
    },
    "WEATHER": {
        "who": ("the meteorologist", "a storm chaser", "the snow plough crew", "the rain gauge"),
        "did": (
            "measured {number} inches of hail",
            "forecast fog and drizzle",
            "recorded the hottest night",
            "followed a tornado",
            "warned of icy gusts",
        ),
        "about": ("heat wave", "thunderstorm warning", "early frost", "flood alert"),
    },
    "GAMES": {
        "who": ("the chess grandmaster", "a puzzle maker", "the dice club", "the arcade owner"),
        "did": (
            "sacrificed a queen",
            "solved {number} crosswords",
            "invented a card trick",
            "reached the last level",
            "lost at dominoes",
        ),
        "about": ("board game evening", "console release", "quiz marathon", "jigsaw record"),
    },
    "HISTORY": {
        "who": ("the archaeologist", "an archivist", "the coin collector", "the castle keeper"),
        "did": (
            "unearthed a Bronze Age sword",
            "deciphered {number} clay tablets",
            "opened a medieval tomb",
            "dated a Viking ship",
            "mapped a Roman road",
        ),
        "about": ("ancient temple", "battlefield dig", "royal archive", "knight's armour"),
    },
    "GOOD NEWS": {
        "who": ("the lost hiker", "a kind stranger", "the lifeguard", "the honest finder"),
        "did": (
            "returned a wallet with every note in it",
            "was rescued after {number} days",
            "pulled a child from the lake",
            "thanked a secret helper",
            "mended a neighbour's fence overnight",
        ),
        "about": ("happy ending", "act of kindness", "surprise reunion", "lucky rescue"),
    },
}
CLASS_NAMES = tuple(sorted(_TOPICS))
_LABELS = {name: label for label, name in enumerate(CLASS_NAMES)}

_NEUTRAL = grammar.NAMES | {
    "teaser": (
        "a {day} to remember in {place}",
        "what {place} is talking about",
        "news from {place}",
        "{place} looks back on {month}",
        "{number} things we learned on {day}",
        "why nobody in {place} slept on {day}",
        "what {surname} told us on {day}",
    ),
    "remark": (
        "Nobody in {place} had expected it before {month}.",
        "People in {place} heard of it on {day}.",
        "{Surname} has the details.",
        "There is more to come in {month}.",
        "It took {number} days until {place} knew.",
        '"We had waited since {month}," said {surname}.',
        "{Place} will talk about it for {number} weeks.",
        "{Surname} saw it happen.",
    ),
}

# Headline and description.
_TOPIC_TEXTS = (
    ("{surname} on the {about} in {place}", "{Who} {did}. {remark}"),
    ("What the {about} means for {place}", "In {month}, {who} {did}."),
    ("{teaser}", "{Who} {did}. {remark}"),
    ("{place} prepares for its {about}", "{Who} {did} on {day}."),
    ("{teaser}", "It was the week of the {about}: {who} {did}. {remark}"),
    ("{number} questions about the {about}", "{Surname} asked them when {who} {did}."),
)

# {first} and {second} are clauses of two categories. The descriptions of texts that belong to the
# first, then of those that belong to the second.
_MIXED_TEXTS = (
    (
        "{First}, and few in {place} cared how {second}.",
        "It is news that {first}, not that {second}. {remark}",
        "{First}. Only a footnote said that {second}.",
    ),
    (
        "{First} while all of {place} looked at how {second}.",
        "It is not that {first}, it is news that {second}. {remark}",
        "Never mind that {first}. The headline is that {second}.",
    ),
)


def generate() -> dict[str, list[tuple[str, int, str]]]:
    """Write the whole sample: the same 3,800 texts at every call and on every machine.

    No text occurs twice, neither within a split nor across the two.

    Returns:
        For "train" and "test" the list of ``(text, label, phenomenon)``: the label is an index into
        ``CLASS_NAMES``, the phenomenon ``TOPIC`` or ``MIXED``.

    Example:
        >>> news = generate()
        >>> {split: len(rows) for split, rows in news.items()}
        {'train': 3000, 'test': 800}
        >>> sorted({phenomenon for _, _, phenomenon in news["train"]})
        ['mixed', 'topic']
    """
    rng = random.Random(SEED)
    written: set[str] = set()
    news = {}
    for split, size in SIZES.items():
        pairs = size // 8  # of mixed texts: each two categories once in this role and once in that
        subjects = _skewed(size - 2 * pairs)
        rows = []
        for name in subjects:
            text = grammar.unseen(written, functools.partial(_topic, rng, name))
            rows.append((text, _LABELS[name], TOPIC))
        for _ in range(pairs):
            one = other = grammar.pick(rng, subjects)
            while other == one:
                other = grammar.pick(rng, subjects)
            for name, background in ((one, other), (other, one)):
                text = grammar.unseen(written, functools.partial(_mixed, rng, name, background))
                rows.append((text, _LABELS[name], MIXED))
        grammar.shuffle(rng, rows)
        news[split] = rows
    return news


def _skewed(size: int) -> list[str]:
    """List category names, ``size`` in all: the r-th as often as 1 / (r + 1) says."""
    shares = list(accumulate(10_000 // (rank + 1) for rank in range(1, len(_TOPICS) + 1)))
    ends = [size * share // shares[-1] for share in shares]
    return [
        name
        for name, start, end in zip(_TOPICS, [0, *ends], ends, strict=False)
        for _ in range(end - start)
    ]


def _topic(rng: random.Random, name: str) -> str:
    headline, description = grammar.pick(rng, _TOPIC_TEXTS)
    return _text(rng, headline, description, _TOPICS[name])


def _mixed(rng: random.Random, name: str, background: str) -> str:
    about_second = rng.random() < 0.5
    first, second = (background, name) if about_second else (name, background)
    words = {
        "first": ("{first_who} {first_did}",),
        "first_who": _TOPICS[first]["who"],
        "first_did": _TOPICS[first]["did"],
        "second": ("{second_who} {second_did}",),
        "second_who": _TOPICS[second]["who"],
        "second_did": _TOPICS[second]["did"],
    }
    return _text(rng, "{teaser}", grammar.pick(rng, _MIXED_TEXTS[about_second]), words)


def _text(rng: random.Random, headline: str, description: str, words: dict) -> str:
    words = _NEUTRAL | words
    headline = string.capwords(grammar.fill(rng, headline, words))
    return f"{headline} {grammar.fill(rng, description, words)}"
