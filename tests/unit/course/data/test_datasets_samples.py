"""What the built-in sample of each data set promises."""

import collections
import hashlib
import re

import numpy as np
import pytest
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from course.data import datasets
from course.data.datasets import ag_news, imdb
from course.data.datasets.ag_news import sample as ag_news_sample
from course.data.datasets.imdb import sample as imdb_sample
from course.data.datasets.news_category import sample as news_category_sample

# What each cue says: the article is about the first of the two events (0) or the second (1).
CUES = {
    "rather than that": 0,
    "even though": 0,
    "cared that": 0,
    "Not that": 1,
    "Instead of reporting": 1,
    "Although": 1,
    "Hardly anyone noticed": 0,
    "It seemed unimportant": 0,
    "Only a short note": 0,
    "All this was forgotten": 1,
    "The story of the day": 1,
    "But the whole of": 1,
    "the former": 0,
    "Everything else had to wait": 0,
    "the latter": 1,
    "The real story came last": 1,
}


SAMPLES = {"ag_news": ag_news_sample, "imdb": imdb_sample, "news_category": news_category_sample}
# Where the words decide, and where they do not: each phenomenon's share.
EASY = {"ag_news": "topic", "imdb": "plain", "news_category": "topic"}
SHARES = {
    "ag_news": {"topic": 3 / 4, "contrast": 1 / 12, "turn": 1 / 12, "reference": 1 / 12},
    "imdb": {"plain": 1 / 2, "negation": 1 / 4, "late": 1 / 4},
    "news_category": {"topic": 3 / 4, "mixed": 1 / 4},
}
SIZES = {"ag_news": (4000, 1000), "imdb": (2000, 500), "news_category": (3000, 800)}
WORDS = {"ag_news": (15, 60), "imdb": (40, 250), "news_category": (8, 50)}
VOCABULARY = {"ag_news": 400, "imdb": 200, "news_category": 500}
DIGESTS = {
    "ag_news": "1c6290dda50a4ce6a037d8afda9655b8fbe1294e2fc1d070b0ddf4a654a139dd",
    "imdb": "8ef63500ae9da3fcc1d5dc90019e977d4a2cd59f156abdaf493725560a60f3bf",
    "news_category": "1c3c9f94a002c51a2e4e3edd23d227646537828e38d3f323e32f1e0598285484",
}


@pytest.fixture(scope="module")
def samples():
    return {name: sample.generate() for name, sample in SAMPLES.items()}


@pytest.fixture(scope="module")
def in_lists(samples):
    """Of each sample and split the texts, labels and phenomena."""
    return {
        name: {split: [*map(list, zip(*rows, strict=True))] for split, rows in sample.items()}
        for name, sample in samples.items()
    }


def accuracies(phenomena, right):
    phenomena = np.array(phenomena)
    return {name: right[phenomena == name].mean() for name in set(phenomena.tolist())}


def words_of(text):
    return text.replace("<br />", " ").split()


@pytest.mark.parametrize("name", datasets.DATASETS)
class TestSamples:
    def test_is_the_same_everywhere(self, name, samples):
        digest = hashlib.sha256()
        for split, rows in samples[name].items():
            for text, label, phenomenon in rows:
                digest.update(f"{split}\t{text}\t{label}\t{phenomenon}\n".encode())
        assert digest.hexdigest() == DIGESTS[name]

    def test_is_what_load_gives(self, name, samples):
        data = datasets.load(name, source="sample")
        assert data.class_names == SAMPLES[name].CLASS_NAMES
        for split, rows in samples[name].items():
            (loaded,) = getattr(data, split).batch(len(rows)).as_numpy_iterator()
            assert [(text.decode(), label) for text, label in zip(*loaded, strict=True)] == [
                (text, label) for text, label, _ in rows
            ]

    def test_shares(self, name, in_lists):
        for split, size in zip(("train", "test"), SIZES[name], strict=True):
            texts, _, phenomena = in_lists[name][split]
            assert len(texts) == size
            counts = collections.Counter(phenomena)
            assert {found: count / size for found, count in counts.items()} == pytest.approx(
                SHARES[name], abs=0.01
            )

    def test_texts(self, name, in_lists):
        texts = [text for lists in in_lists[name].values() for text in lists[0]]
        assert len(set(texts)) == sum(SIZES[name])
        shortest, longest = WORDS[name]
        lengths = [len(words_of(text)) for text in texts]
        assert (min(lengths) >= shortest, max(lengths) <= longest) == (True, True)
        assert not [text for text in texts if re.search(r"[{}]|  |\ba [aeiou]|\ban uni|\.\.", text)]
        words = {word for text in texts for word in re.findall(r"\b[a-z]{5,}\b", text)}
        assert len(words) > VOCABULARY[name]

    def test_order_of_labels_has_no_pattern(self, name, in_lists):
        # A shuffled sequence: the labels repeat about as often as chance has it.
        labels = np.array(in_lists[name]["train"][1])
        by_chance = ((np.bincount(labels) / len(labels)) ** 2).sum()
        assert (labels[1:] == labels[:-1]).mean() == pytest.approx(by_chance, abs=0.03)

    def test_a_bag_of_words_is_enough_for_the_easy_ones_only(self, name, in_lists):
        (texts, labels, _), (test_texts, test_labels, phenomena) = in_lists[name].values()
        vectorizer = TfidfVectorizer()
        model = LogisticRegression(C=10, tol=0.001).fit(vectorizer.fit_transform(texts), labels)
        right = model.predict(vectorizer.transform(test_texts)) == np.array(test_labels)
        found = accuracies(phenomena, right)
        assert found.pop(EASY[name]) > 0.98
        # Between two classes, a guess is right half the time.
        assert len(found) == len(SHARES[name]) - 1
        for accuracy in found.values():
            assert 0.33 < accuracy < 0.67


class TestAgNews:
    def test_classes_are_balanced(self, in_lists):
        for _, labels, phenomena in in_lists["ag_news"].values():
            assert set(collections.Counter(labels).values()) == {len(labels) // 4}
            for phenomenon in SHARES["ag_news"]:
                found = [x for x, y in zip(labels, phenomena, strict=True) if y == phenomenon]
                assert np.ptp(np.bincount(found, minlength=len(ag_news.CLASS_NAMES))) <= 1

    def test_hard_articles_are_about_what_their_cue_says(self, samples):
        articles = samples["ag_news"]
        easy = [(text, label) for text, label, found in articles["train"] if found == "topic"]
        vectorizer = TfidfVectorizer()
        model = LogisticRegression(C=10).fit(
            vectorizer.fit_transform([text for text, _ in easy]), [label for _, label in easy]
        )
        hard = [row for rows in articles.values() for row in rows if row[2] != "topic"]
        expected, told = [], collections.Counter()
        for text, _, phenomenon in hard:
            (which,) = {said for cue, said in CUES.items() if cue in text}
            told[phenomenon, which] += 1
            words = text.split()
            half = words[4 : len(words) // 2] if which == 0 else words[len(words) // 2 : -4]
            expected.append(" ".join(half))
        labels = [label for _, label, _ in hard]
        assert model.score(vectorizer.transform(expected), labels) > 0.9
        for phenomenon in ("contrast", "turn", "reference"):
            assert told[phenomenon, 0] == pytest.approx(told[phenomenon, 1], rel=0.25)


class TestImdb:
    def test_classes_are_balanced(self, in_lists):
        for _, labels, phenomena in in_lists["imdb"].values():
            assert set(collections.Counter(labels).values()) == {len(labels) // 2}
            for phenomenon in SHARES["imdb"]:
                found = [x for x, y in zip(labels, phenomena, strict=True) if y == phenomenon]
                assert np.ptp(np.bincount(found, minlength=len(imdb.CLASS_NAMES))) <= 1

    def test_paragraphs(self, in_lists):
        texts = in_lists["imdb"]["train"][0]
        assert np.mean(["<br /><br />" in text for text in texts]) > 0.5
        assert not [text for text in texts if re.search(r"^<|>$|<(?!br />)|> | <", text)]

    def test_single_words_give_nothing_away_where_they_do_not_decide(self, in_lists):
        # Trained on nothing else, a bag of words is no better than a guess.
        for phenomenon in ("negation", "late"):
            (texts, labels), (test_texts, test_labels) = (
                zip(
                    *[
                        (text, label)
                        for text, label, found in zip(*lists, strict=True)
                        if found == phenomenon
                    ],
                    strict=True,
                )
                for lists in in_lists["imdb"].values()
            )
            vectorizer = TfidfVectorizer()
            model = LogisticRegression().fit(vectorizer.fit_transform(texts), labels)
            assert 0.33 < model.score(vectorizer.transform(test_texts), test_labels) < 0.67

    def test_neighbouring_words_decide_negations(self, in_lists):
        (texts, labels, _), (test_texts, test_labels, phenomena) = in_lists["imdb"].values()
        vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=2)
        model = LogisticRegression(C=10, tol=0.001).fit(vectorizer.fit_transform(texts), labels)
        right = model.predict(vectorizer.transform(test_texts)) == np.array(test_labels)
        found = accuracies(phenomena, right)
        assert found["negation"] > 0.8
        assert 0.33 < found["late"] < 0.67

    def test_the_place_in_the_text_decides_late_reviews(self, in_lists):
        # A bag of words for each half of the review.
        (texts, labels, _), (test_texts, test_labels, phenomena) = in_lists["imdb"].values()
        train, test = [], []
        for half in range(2):
            bag = TfidfVectorizer()
            halves = (
                [" ".join(np.array_split(words_of(text), 2)[half]) for text in part]
                for part in (texts, test_texts)
            )
            train.append(bag.fit_transform(next(halves)))
            test.append(bag.transform(next(halves)))
        model = LogisticRegression(C=10, tol=0.001).fit(hstack(train), labels)
        found = accuracies(phenomena, model.predict(hstack(test)) == np.array(test_labels))
        assert found["late"] > 0.9
        assert 0.33 < found["negation"] < 0.67

    def test_late_reviews(self, samples):
        cues, gaps = collections.defaultdict(collections.Counter), []
        kinds = [
            {word for slot in opinions.values() for phrase in slot for word in phrase.split()}
            for opinions in imdb_sample._OPINIONS
        ]
        assert not kinds[0] & kinds[1]
        for rows in samples["imdb"].values():
            for text, label, phenomenon in rows:
                if phenomenon != "late":
                    continue
                words = re.findall(r"[\w-]+", text.replace("<br />", " ").lower())
                places = [
                    [place for place, word in enumerate(words) if word in kind] for kind in kinds
                ]
                # First all of the one kind, then all of the other; the last ones are the verdict.
                assert max(places[1 - label]) < min(places[label])
                gaps.append(min(places[label]) - max(places[1 - label]))
                # The announcement and the end of the text are not near an opinion.
                start = words_of(text)[: min(places[1 - label])]
                assert len(start) > 15
                assert len(words) - max(places[label]) > 5
                cues[" ".join(start[:4])][label] += 1
        assert min(gaps) > 60
        assert len(cues) == 5
        for counts in cues.values():
            assert abs(counts[0] - counts[1]) <= 1


class TestNewsCategory:
    def test_sizes_are_skewed(self, in_lists):
        for _, labels, _ in in_lists["news_category"].values():
            counts = sorted(np.bincount(labels, minlength=38) / len(labels))
            assert counts[-1] == pytest.approx(1 / 7, abs=0.03)
            assert 0.005 < counts[0] < 0.01
        assert tuple(sorted(news_category_sample.CLASS_NAMES)) == news_category_sample.CLASS_NAMES
        assert len(set(news_category_sample.CLASS_NAMES)) == 38

    def test_each_word_of_a_mixed_text_is_as_often_the_subjects(self, samples):
        # Every pair of categories is there in both roles, equally often.
        names = {
            phrase.split("{")[0]: label
            for label, name in enumerate(news_category_sample.CLASS_NAMES)
            for phrase in news_category_sample._TOPICS[name]["who"]
        }
        pattern = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b", re.IGNORECASE)
        roles, first = collections.Counter(), []
        lower = {name.lower(): label for name, label in names.items()}
        for rows in samples["news_category"].values():
            for text, label, phenomenon in rows:
                found = [lower[who.lower()] for who in pattern.findall(text)]
                if phenomenon == "topic":
                    assert set(found) == {label}
                else:
                    assert len(found) == 2
                    first.append(found[0] == label)
                    roles[label, found[first[-1]]] += 1
        assert all(roles[other, label] == count for (label, other), count in roles.items())
        assert np.mean(first) == pytest.approx(0.5, abs=0.05)
