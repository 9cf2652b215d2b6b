"""Text preprocessing: the reference against scikit-learn, NLTK and numbers worked out by hand; the
exercises on answers as students write them."""

import subprocess
import sys
from math import log, sqrt

import numpy as np
import pytest
from nltk.stem import PorterStemmer
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.preprocessing import LabelEncoder, OneHotEncoder

from course import COURSE
from course.exercises.preprocessing.common import WORDS
from tests.conftest import responded
from tests.support import taught
from tests.support.submitted import Lesson
from tests.support.taught import judge

LESSON = Lesson("01-text-preprocessing")
SEEDS = range(5)


def cases(function, seed):
    return COURSE.get(f"preprocessing.{function}").cases(seed)


def given_tokens(tokens):
    return tokens


# --- the reference -------------------------------------------------------------------------------


def test_tf_idf_by_hand():
    # N = 3. "rain" is in all documents: ln(4/4) + 1 = 1. "cold" is in two of them: ln(4/3) + 1.
    # "wind" is in one: ln(4/2) + 1. The vocabulary is cold, rain, wind.
    cold, wind = log(4 / 3) + 1, log(2) + 1
    assert (round(cold, 4), round(wind, 4)) == (1.2877, 1.6931)
    first, second, third = sqrt(cold**2 + 4), sqrt(cold**2 + 1), sqrt(1 + wind**2)
    expected = [
        [cold / first, 2 / first, 0],
        [cold / second, 1 / second, 0],
        [0, 1 / third, wind / third],
    ]
    documents = [["rain", "cold", "rain"], ["cold", "rain"], ["wind", "rain"]]
    weights = taught.solution("preprocessing.tf_idf")(documents)["weights"]
    np.testing.assert_allclose(weights, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_tf_idf_agrees_with_scikit_learn(seed):
    for case in cases("tf_idf", seed):
        theirs = TfidfVectorizer(analyzer=given_tokens).fit_transform(case.inputs["documents"])
        ours = taught.solution("preprocessing.tf_idf")(**case.inputs)["weights"]
        np.testing.assert_allclose(ours, theirs.toarray(), rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_bag_of_words_agrees_with_scikit_learn(seed):
    for case in cases("bag_of_words", seed):
        vectorizer = CountVectorizer(analyzer=given_tokens)
        theirs = vectorizer.fit_transform(case.inputs["documents"]).toarray()
        ours = taught.solution("preprocessing.bag_of_words")(**case.inputs)
        np.testing.assert_array_equal(ours["counts"], theirs)
        assert ours["vocabulary"] == vectorizer.get_feature_names_out().tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_one_hot_agrees_with_scikit_learn(seed):
    for case in cases("one_hot", seed):
        vocabulary, words = case.inputs["vocabulary"], case.inputs["words"]
        encoder = OneHotEncoder(categories=[vocabulary], handle_unknown="ignore")
        theirs = encoder.fit_transform([[word] for word in words]).toarray()
        np.testing.assert_array_equal(
            taught.solution("preprocessing.one_hot")(**case.inputs)["rows"], theirs
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_label_encode_agrees_with_scikit_learn(seed):
    for case in cases("label_encode", seed):
        theirs = LabelEncoder().fit_transform(case.inputs["labels"])
        np.testing.assert_array_equal(
            taught.solution("preprocessing.label_encode")(**case.inputs)["codes"], theirs
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_tokens_agree_with_scikit_learns_where_there_is_no_punctuation(seed):
    analyze = CountVectorizer().build_analyzer()
    for case in cases("tokenize", seed):
        if case.name in ("capital letters", "white space", "only punctuation"):
            assert taught.solution("preprocessing.tokenize")(**case.inputs)["tokens"] == analyze(
                case.inputs["text"]
            )


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("mail a.b-c+d_e%f@x-1.y.co, or (g@h.org).", ["a.b-c+d_e%f@x-1.y.co", "g@h.org"]),
        ("A@B.DE,c@d.fr; e@f.info!", ["A@B.DE", "c@d.fr", "e@f.info"]),
        ("x@y x@y.z @y.com x@ 5 @ 3", []),
        ("", []),
    ],
)
def test_addresses_by_hand(text, addresses):
    assert taught.solution("preprocessing.find_emails")(text)["addresses"] == addresses


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("It's GREAT<br />isn't it?<br /><br />Yes -- 7.5/10!", "its great isnt it yes 7510"),
        ("state-of-the-art, snake_case", "stateoftheart snakecase"),
        ("\t one\n\ntwo  ", "one two"),
        ("?! ... <br />", ""),
    ],
)
def test_tokens_by_hand(text, tokens):
    assert taught.solution("preprocessing.tokenize")(text)["tokens"] == tokens.split()


def test_stop_words_by_hand():
    tokens = ["not", "the", "the", "other", "film", "film"]
    result = taught.solution("preprocessing.remove_stopwords")(tokens, {"the", "not"})
    assert result["kept"] == ["other", "film", "film"]
    assert result["tokens"] == tokens
    assert result["stopwords"] == ["not", "the"]


# --- the cases -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_the_modes_of_porters_stemmer_differ_on_derived_words_only(seed):
    modes = (
        PorterStemmer.NLTK_EXTENSIONS,
        PorterStemmer.MARTIN_EXTENSIONS,
        PorterStemmer.ORIGINAL_ALGORITHM,
    )
    for case in cases("stem", seed):
        stems = {
            tuple(PorterStemmer(mode).stem(token) for token in case.inputs["tokens"])
            for mode in modes
        }
        assert len(stems) == (3 if case.name == "derived words" else 1)


def test_no_word_of_the_cases_holds_another_one_or_a_stop_word():
    stop_words = {
        word
        for case in cases("remove_stopwords", 1)
        if case.name != "other words"  # where some are parts of words on purpose
        for word in case.inputs["stopwords"]
    }
    for word in WORDS:
        assert not any(part in word for part in {*WORDS, *stop_words} - {word}), word


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_a_set_never_decides_what_cutting_out_stop_words_costs(seed):
    def cut(in_order):
        def remove_stopwords(tokens, stopwords):
            text = " ".join(tokens)
            for word in in_order(stopwords):
                text = text.replace(word, "")
            return text.split()

        name = "preprocessing.remove_stopwords"
        return judge(name, seed, responded(name, remove_stopwords, seed))

    verdict = cut(sorted)
    assert verdict.mistakes == ("cut_out_of_the_text",)
    assert cut(lambda words: sorted(words, reverse=True)) == verdict


@pytest.mark.parametrize("seed", range(20))
def test_documents_differ_in_length_and_their_numbers_from_each_other(seed):
    for case in cases("tf_idf", seed):
        documents = case.inputs["documents"]
        tokens = [token for document in documents for token in document]
        if case.name != "one document":  # which has each word once
            assert len({len(documents), len(set(tokens)), len(tokens)}) == 3
        if case.name not in ("unusual tokens", "words inside others", "equal documents"):
            assert len({len(document) for document in documents}) == len(documents)


@pytest.mark.parametrize("seed", range(20))
def test_neither_vocabulary_nor_labels_come_in_alphabetical_order(seed):
    for case in cases("one_hot", seed):
        vocabulary = case.inputs["vocabulary"]
        assert all(a != b for a, b in zip(vocabulary, sorted(vocabulary), strict=True))
        assert len(vocabulary) != len(case.inputs["words"])
    labels = cases("label_encode", seed)[0].inputs["labels"]
    assert labels[0] != min(labels)
    assert len(set(labels)) < len(labels)


@pytest.mark.parametrize("function", LESSON.points)
def test_every_case_is_drawn_from_the_seed(function):
    for case, other in zip(cases(function, 1), cases(function, 2), strict=True):
        assert case.name == other.name
        if case.name not in ("only punctuation", "no tokens"):  # few ways to say nothing
            assert case.inputs != other.inputs


# --- answers -------------------------------------------------------------------------------------


def judged(function, answer):
    name = f"preprocessing.{function}"
    return judge(name, 1, responded(name, answer))


@pytest.mark.parametrize(
    ("function", "answer", "seen"),
    [
        ("find_emails", lambda text: None, "`addresses` is None; expected a list"),
        ("tokenize", lambda text: text.lower(), "`tokens` is a str; expected a list"),
        ("one_hot", lambda words, vocabulary: [1], "`rows` has shape (1,); expected (words, voc"),
        ("label_encode", lambda labels: labels, "`codes` has text in it, such as"),
        ("bag_of_words", lambda documents: [[0]] * 3, "returned a list of 3; expected the pair"),
        ("tf_idf", lambda documents: {}, "`weights` is a dict of 0; expected an array of numbers"),
    ],
)
def test_what_is_returned_is_described(function, answer, seen):
    verdict = judged(function, answer)
    assert verdict.percent == 0
    assert seen in verdict.findings[0].seen


def test_counts_are_judged_by_the_returned_vocabulary():
    def rotated(documents):
        result = taught.solution("preprocessing.bag_of_words")(documents)
        first, *others = result["vocabulary"]
        return np.roll(result["counts"], -1, axis=1), [*others, first]

    verdict = judged("bag_of_words", rotated)
    assert verdict.percent == 80
    assert verdict.explanation.startswith("`vocabulary` differs first at [0]")


def test_classes_in_the_order_of_a_set_are_told():
    def of_a_set(labels):
        first, *others = sorted(set(labels))
        classes = [*others[1:], first, *others[:1]]
        return np.array([classes.index(label) for label in labels])

    seen = [finding.seen for finding in judged("label_encode", of_a_set).findings]
    assert any(text.startswith("your classes 0, 1, ... are ") for text in seen)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (lambda labels: [sorted(set(labels)).index(label) for label in labels], "a list of"),
        (lambda labels: np.unique(labels, return_inverse=True)[1] * 1.0, "an array of float64"),
    ],
)
def test_labels_are_an_array_of_integers(answer, kind):
    verdict = judged("label_encode", answer)
    assert verdict.percent == 90
    assert kind in next(finding.seen for finding in verdict.findings if not finding.passed)


def test_judging_waits_for_nltk_only_where_it_is_the_definition():
    probe = (
        "import sys; from tests.support import taught as t; "
        "t.judge('preprocessing.tf_idf', 1, {}); "
        "[t.known(t.COURSE.get('preprocessing.' + f), 1).single for f in ('tokenize', 'tf_idf')]; "
        "sys.exit('nltk' in sys.modules or 'sklearn' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0
