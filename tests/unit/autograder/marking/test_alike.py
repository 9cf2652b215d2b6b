"""Which answers are alike."""

from autograder.marking.alike import AlikeAnswers

ROOT = "A score is a sum of 256 products, so its variance is 256 and the softmax saturates."
TYPED = "a score is the sum of 256 products so it's varianse is 256 and the softmax saturates"
TURNED = "The softmax saturates. Its variance is 256, so a score is a sum of 256 products."
OTHER = "The heads look at different aspects of the sentence, as in the paper by Vaswani et al."


def test_copies_with_small_changes_are_alike_and_other_answers_are_not():
    alike = AlikeAnswers({"a": ROOT, "b": OTHER, "c": TURNED, "d": TYPED, "e": ROOT})
    assert alike.to("a")[0] == "e"
    assert set(alike.to("a")) == {"c", "d", "e"}
    assert alike.to("b") == []


def test_any_language_will_do():
    alike = AlikeAnswers({1: "方差随维度增长", 2: "方差随维度增长。", 3: "我不知道"})
    assert alike.to(1) == [2]


def test_answers_without_words_are_alike_to_nothing():
    assert AlikeAnswers({1: " ", 2: ""}).to(1) == []
    assert AlikeAnswers({1: " ", 2: "", 3: "No idea."}).to(1) == []
