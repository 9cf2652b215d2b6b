"""A sample of news that nobody reported: 5,000 short articles, written by a grammar.

Each article is a headline and one or two sentences; its words and sentences were made up for this
course. The classes are AG News' four topics, and what makes an article easy or hard is known:

``topic`` (three quarters)
    The words decide. Everything but a neutral sentence or headline speaks of one topic, so a bag
    of words is enough.
``contrast``, ``turn``, ``reference`` (a twelfth each)
    Two things happened, in two topics, and the article is about one of them. Which one, only a cue
    together with the order says: "Not that the league leaders lost the trophy but that the airline
    cut its dividend filled the front pages" is about business; exchange the two clauses, and it is
    about sports, with the very same words. Averages over all words cannot tell the two apart, and
    neither can attention before it knows positions.

    ``contrast``: the cue ties a main to a minor clause ("not that ... but that", "rather than").
    ``turn``: a phrase between two sentences plays the first or the second down ("All this was
    forgotten when", "Hardly anyone noticed that").
    ``reference``: two plain sentences, and the cue stands far from them, in the headline ("The real
    story came last") or at the end ("It is the former that Tarnwick will remember"). A convolution
    with a short window does not see both.

    In each, the first of the two is the subject as often as the second, and every topic is subject
    as often as it is not.
"""

import functools
import random

from course.datasets import grammar
from course.datasets.ag_news import CLASS_NAMES

SEED = 20_240_917
SIZES = {"train": 4_000, "test": 1_000}
TOPIC = "topic"
HARD = ("contrast", "turn", "reference")

# One entry a class, in the order of CLASS_NAMES. A body and a deed make a clause: "the army lifted
# the curfew". Nothing here fits another topic.
_TOPICS = (
    {  # World
        "event": (
            "election",
            "summit",
            "ceasefire",
            "referendum",
            "uprising",
            "coup",
            "siege",
            "recount",
            "peace conference",
            "state visit",
            "treaty signing",
            "border dispute",
            "street protest",
            "evacuation",
        ),
        "person": (
            "minister",
            "ambassador",
            "diplomat",
            "senator",
            "governor",
            "general",
            "peacekeeper",
            "chancellor",
            "dissident",
            "envoy",
            "rebel commander",
            "election observer",
        ),
        "body": (
            "the foreign ministry",
            "the parliament of {place}",
            "the opposition",
            "the border guard",
            "the electoral commission",
            "the peace mission",
            "the interim government",
            "the army",
            "the embassy in {place}",
            "the ruling coalition",
        ),
        "deed": (
            "signed a ceasefire with the rebels of the northern valley",
            "called for a fresh election after the disputed ballot",
            "protested to the ambassador against the new sanctions",
            "reopened the border crossing to refugees",
            "sent peacekeepers to the besieged province",
            "lifted the curfew imposed during the uprising",
            "urged lawmakers to ratify the treaty",
            "refused asylum to the exiled general",
            "accused foreign troops of breaking the truce",
            "offered an amnesty to jailed dissidents",
            "walked out of the hostage negotiations",
            "demanded a recount of the presidential vote",
            "ordered the militia to lay down its weapons",
            "freed the political prisoners held since the coup",
        ),
        "detail": (
            "Diplomats of {number} nations will discuss the embargo in {place}.",
            "The opposition said that the constitution left no other choice.",
            "Soldiers withdrew from the capital and aid convoys reached the refugee camp.",
            "An embassy spokesman would not comment on the hostages.",
            "Voters go to the polls in {month}, {number} months after the coup.",
            "The decree ends martial law in the disputed region.",
            "Observers had reported unrest and shelling near the frontier.",
            "Both governments promised to exchange prisoners and reopen consulates.",
            "The rebels want autonomy for their province and seats in parliament.",
            "Sanctions remain until the junta hands power to elected civilians.",
        ),
        "headline": (
            "Parliament in {place} votes on disputed treaty",
            "Army and rebels agree on truce near {place}",
            "Envoy flies to {place} for hostage negotiations",
            "Sanctions against junta eased after {place} summit",
            "Thousands march in {place} against rigged ballot",
            "New coalition government sworn in in {place}",
            "Refugees cross border after shelling of {place}",
            "Exiled dissident {surname} returns to {place}",
            "President {surname} dissolves parliament",
            "Peacekeepers enter besieged {place}",
        ),
    },
    {  # Sports
        "event": (
            "match",
            "cup final",
            "tournament",
            "derby",
            "playoff",
            "relay",
            "regatta",
            "marathon",
            "qualifier",
            "boxing bout",
            "cycling tour",
            "downhill race",
            "swimming gala",
            "penalty shootout",
        ),
        "person": (
            "goalkeeper",
            "striker",
            "sprinter",
            "referee",
            "rower",
            "cyclist",
            "boxer",
            "gymnast",
            "swimmer",
            "skier",
            "football coach",
            "tennis player",
        ),
        "body": (
            "the national squad",
            "the football club of {place}",
            "the league leaders",
            "the visiting team",
            "the relay quartet",
            "the women's eight",
            "the defending champions",
            "the hockey side from {place}",
            "the newly promoted club",
            "the home team",
        ),
        "deed": (
            "scored twice in extra time to reach the semifinal",
            "won the gold medal by {number} hundredths of a second",
            "lost the trophy in a penalty shootout",
            "set a league record with an unbeaten season",
            "missed the podium after a fall on the final lap",
            "came back from two goals behind before halftime",
            "signed a young striker before the derby",
            "took the title in straight sets",
            "saved a penalty in the last minute of the match",
            "pulled out of the tournament with a knee injury",
            "beat the reigning champions in a sold out stadium",
            "broke away on the climb to win the stage",
            "fired the coach after the ninth defeat of the season",
            "qualified for the championship with a late goal",
        ),
        "detail": (
            "Fans stayed in the stadium and sang long after the whistle.",
            "The coach praised his defenders and blamed the muddy pitch.",
            "The captain left the field with an ankle injury at halftime.",
            "A rematch in {place} closes the season in {month}.",
            "It was the {number}th win in a row for the unbeaten athletes.",
            "The referee showed seven yellow cards and one red.",
            "The goalkeeper had trained alone since his shoulder operation.",
            "The quarterfinal against {place} will be played on {day}.",
            "Spectators threw scarves when the equaliser hit the net.",
            "The team climbs to second place in the standings.",
        ),
        "headline": (
            "Late goal sends {place} into semifinal",
            "Champions stumble at home against {place}",
            "{Surname} sprints to gold in {place}",
            "Goalkeeper {surname} out for season with injury",
            "Unbeaten {place} tops league standings",
            "Rowers from {place} take regatta title",
            "Coach {surname} quits after ninth defeat",
            "Striker {surname} transfers to {place}",
            "Skiers wait for snow before {place} downhill",
            "Penalty drama decides cup tie in {place}",
        ),
    },
    {  # Business
        "event": (
            "merger",
            "takeover",
            "bond sale",
            "bankruptcy",
            "share offering",
            "audit",
            "price war",
            "bailout",
            "shareholder meeting",
            "tender offer",
            "factory closure",
            "dividend vote",
            "debt auction",
            "stock market crash",
        ),
        "person": (
            "banker",
            "investor",
            "broker",
            "retailer",
            "shareholder",
            "accountant",
            "economist",
            "trader",
            "auditor",
            "exporter",
            "fund manager",
            "chief executive",
        ),
        "body": (
            "the central bank",
            "the stock exchange of {place}",
            "the low cost airline",
            "the family brewery",
            "the steelmaker",
            "the supermarket chain",
            "the insurance company",
            "the carmaker",
            "the pension fund",
            "the clothing retailer from {place}",
        ),
        "deed": (
            "raised interest rates to slow inflation",
            "reported a quarterly profit above forecasts",
            "agreed to buy a rival for {number} billion crowns",
            "cut its dividend after weak sales",
            "filed for bankruptcy with unpaid debts",
            "sold bonds to pay for a takeover",
            "lowered the earnings forecast for the year",
            "announced a merger that investors had expected",
            "closed {number} factories to reduce costs",
            "moved the headquarters to {place} for lower taxes",
            "told shareholders that revenue had doubled",
            "settled a lawsuit over hidden losses",
            "won a contract to export steel and timber",
            "rejected a hostile bid from a private equity fund",
        ),
        "detail": (
            "Shares fell {number} percent in early trading.",
            "Analysts had forecast lower earnings and a smaller dividend.",
            "The merger creates the largest lender in the region.",
            "Consumer prices rose again in {month} and wages did not.",
            "The board will ask creditors to write off a third of the loans.",
            "Investors moved their savings into bonds and gold.",
            "Regulators are expected to examine the deal before {month}.",
            "Oil prices and a weak currency made imports expensive.",
            "The company employs {number} thousand workers and has no debt.",
            "Retail sales and export orders recovered for the second quarter.",
        ),
        "headline": (
            "Shares in {place} steelmaker slide",
            "Airline warns of quarterly loss",
            "Central bank holds interest rates",
            "{Surname} Brewery buys rival in {place}",
            "Inflation in {place} slows for {number}th month",
            "Retailer {surname} closes {number} stores",
            "Carmaker profit beats forecasts",
            "Insurer to pay higher dividend",
            "Creditors back rescue of {place} shipyard",
            "Investors reject bid for {surname} Holdings",
        ),
    },
    {  # Sci/Tech
        "event": (
            "satellite launch",
            "software update",
            "lunar eclipse",
            "spacewalk",
            "fossil dig",
            "data breach",
            "robot demonstration",
            "gene study",
            "comet sighting",
            "browser release",
            "vaccine trial",
            "telescope repair",
            "chip unveiling",
            "laboratory experiment",
        ),
        "person": (
            "engineer",
            "astronomer",
            "programmer",
            "biologist",
            "physicist",
            "chemist",
            "geologist",
            "astronaut",
            "mathematician",
            "web designer",
            "robot builder",
            "computer scientist",
        ),
        "body": (
            "the space agency",
            "the observatory above {place}",
            "the physics laboratory",
            "the software developers",
            "the research station",
            "the institute of genetics",
            "the polar expedition",
            "the makers of the browser",
            "the robotics team from {place}",
            "the marine biologists",
        ),
        "deed": (
            "launched a satellite that measures sea ice",
            "found water vapour around a distant planet",
            "released a browser that blocks spyware",
            "decoded the genome of an alpine beetle",
            "built a robot that sorts plastic by smell",
            "fixed a security hole in the operating system",
            "photographed a comet through a homemade telescope",
            "tested a battery that charges in {number} seconds",
            "dug up the skeleton of a feathered dinosaur",
            "published an algorithm that compresses video",
            "grew a heart valve from stem cells",
            "lost contact with the probe orbiting Mercury",
            "cooled a gas to the edge of absolute zero",
            "traced the computer virus to a stolen password",
        ),
        "detail": (
            "The sensor sends {number} gigabytes of data to the laboratory every day.",
            "Physicists will repeat the experiment with a stronger magnet.",
            "The code is open and runs on any wireless phone.",
            "The probe carries a camera and {number} solar panels.",
            "Earlier fossils of the species were {number} million years younger.",
            "Users should install the patch before opening attachments.",
            "The molecule may explain how cells repair their membranes.",
            "Astronomers expect a clearer image from the orbiting telescope in {month}.",
            "The prototype recognises speech and draws {number} watts.",
            "Servers in {place} were offline while engineers removed the worm.",
        ),
        "headline": (
            "Telescope above {place} spots icy planet",
            "New browser closes security hole",
            "Robot from {place} learns to fold paper",
            "Probe sends first images of asteroid",
            "Fossil found near {place} puzzles biologists",
            "Software patch stops password worm",
            "Engineers test silent drone in {place}",
            "Genome of rare orchid decoded",
            "Satellite {surname} reaches orbit",
            "Chip designers promise faster laptops",
        ),
    },
)

# Words of no topic.
_NEUTRAL = grammar.NAMES | {
    "adjective": (
        "late",
        "long",
        "noisy",
        "quiet",
        "unexpected",
        "historic",
        "second",
        "third",
        "delayed",
        "local",
        "strange",
        "small",
        "much discussed",
        "rainy",
        "early",
        "sudden",
        "famous",
        "unusual",
    ),
    "character": (
        "patient",
        "popular",
        "stubborn",
        "little known",
        "respected",
        "talented",
        "soft spoken",
        "restless",
        "celebrated",
        "careful",
        "cheerful",
        "self taught",
    ),
    "effect": (
        "kept {place} awake on {day}",
        "filled the front pages in {place}",
        "was the talk of {place} all week",
        "drew visitors from as far as {place}",
        "surprised everyone in {place} on {day}",
        "went on until {day} morning",
        "divided families in {place}",
        "brought {place} to a standstill",
        "ended with applause in {place}",
        "will be remembered in {place}",
    ),
    "impression": (
        "kept {place} awake on {day}",
        "filled the front pages in {place}",
        "was the talk of {place} all week",
        "surprised everyone in {place} on {day}",
        "divided families in {place}",
        "will be remembered in {place}",
    ),
    "remark": (
        "Nobody in {place} had expected it before {month}.",
        "The news reached {place} on {day} morning.",
        "People in {place} heard about it on the radio.",
        "{Surname} gave no further details.",
        "A second announcement is due on {day}.",
        "Neighbours from {place} talked of little else.",
        "More is to be made public in {month}.",
        "It had rained since {day}, and few complained.",
        "Letters to the editor have been arriving since {day}.",
        "Those who were there will tell it for years.",
        "Some had travelled {number} hours to be there.",
        "Photographs from {place} were printed the next morning.",
    ),
    "teaser": (
        "A {day} to remember in {place}",
        "What {place} talked about on {day}",
        "Surprise in {place}",
        "{Place} looks back on an eventful {month}",
        "Letter from {place}",
        "The story of the week from {place}",
    ),
}

_TOPIC_ARTICLES = (
    "{headline} The {person} {surname} {deed} on {day}. {detail}",
    "{headline} {Body} {deed} on {day}. {detail}",
    "{headline} In {place}, {body} {deed}. {remark}",
    "{headline} {Surname}, a {person} from {place}, {deed} in {month}. {remark}",
    "{headline} {detail} It was the week in which {body} {deed}.",
    "{headline} The {adjective} {event} {effect}. {detail}",
    "{teaser} The {adjective} {event} {effect}. {detail}",
    "{teaser} In the week of the {event} in {place}, {body} {deed}. {remark}",
    "{teaser} {Body} {deed} in {month}. {detail}",
    "{teaser} The {character} {person} {surname} {deed}. {detail}",
)

# {first} and {second} are what happened, in the order in which the article tells it: clauses of two
# topics. Each phenomenon has the articles about the first of the two, then those about the second.
_HARD_ARTICLES = {
    "contrast": (
        (
            "{teaser} That {first}, rather than that {second}, {impression}. {remark}",
            "{teaser} {First}, and this {impression}, even though {second}.",
            "{teaser} People in {place} cared that {first}, not that {second}. {remark}",
        ),
        (
            "{teaser} Not that {first} but that {second} {impression}. {remark}",
            "{teaser} Instead of reporting that {first}, newspapers in {place} wrote only that"
            " {second}.",
            "{teaser} Although {first}, people in {place} spoke only of how {second}. {remark}",
        ),
    ),
    "turn": (
        (
            "{teaser} {First}. Hardly anyone noticed that on {day} {second}.",
            "{teaser} {First}. It seemed unimportant in {place} that {second}.",
            "{teaser} {First}. Only a short note on the last page said that {second}.",
        ),
        (
            "{teaser} {First}. All this was forgotten on {day} when {second}.",
            "{teaser} {First}. The story of the day came later, when {second}.",
            "{teaser} {First}. But the whole of {place} wanted to hear how {second}.",
        ),
    ),
    "reference": (
        (
            "{teaser} {First}. On {day}, {second}. It is the former that {place} will remember.",
            "{teaser} {First}. On {day}, {second}. In {place} they still talk about the former.",
            "Everything else had to wait in {place} {First}. On {day}, {second}.",
        ),
        (
            "{teaser} {First}. On {day}, {second}. It is the latter that {place} will remember.",
            "{teaser} {First}. On {day}, {second}. In {place} they still talk about the latter.",
            "The real story came last in {place} {First}. On {day}, {second}.",
        ),
    ),
}


def generate() -> dict[str, list[tuple[str, int, str]]]:
    """Write the whole sample: the same 5,000 articles at every call and on every machine.

    Classes are balanced within each split and each phenomenon, as far as whole numbers allow;
    no text occurs twice, neither within a split nor across the two.

    Returns:
        For "train" and "test" the list of ``(text, label, phenomenon)``: the label is 0 to 3, the
        phenomenon ``TOPIC`` or one of ``HARD``.

    Example:
        >>> articles = generate()
        >>> {split: len(rows) for split, rows in articles.items()}
        {'train': 4000, 'test': 1000}
        >>> sorted({phenomenon for _, _, phenomenon in articles["train"]})
        ['contrast', 'reference', 'topic', 'turn']
    """
    rng = random.Random(SEED)
    written: set[str] = set()
    articles = {}
    for split, size in SIZES.items():
        rows = []
        for number in range(size):
            label = number % len(CLASS_NAMES)
            turn = number // len(CLASS_NAMES)
            phenomenon = HARD[turn // 4 % len(HARD)] if turn % 4 == 3 else TOPIC
            text = grammar.unseen(written, functools.partial(_article, rng, label, phenomenon))
            rows.append((text, label, phenomenon))
        grammar.shuffle(rng, rows)
        articles[split] = rows
    return articles


def _article(rng: random.Random, label: int, phenomenon: str) -> str:
    topic = _TOPICS[label]
    if phenomenon == TOPIC:
        return grammar.fill(rng, grammar.pick(rng, _TOPIC_ARTICLES), _NEUTRAL | topic)
    other = _TOPICS[(label + 1 + int(rng.random() * 3)) % len(_TOPICS)]
    about_second = rng.random() < 0.5
    first, second = (other, topic) if about_second else (topic, other)
    words = {
        "first": ("{first_body} {first_deed}",),
        "first_body": first["body"],
        "first_deed": first["deed"],
        "second": ("{second_body} {second_deed}",),
        "second_body": second["body"],
        "second_deed": second["deed"],
    }
    template = grammar.pick(rng, _HARD_ARTICLES[phenomenon][about_second])
    return grammar.fill(rng, template, _NEUTRAL | words)
