"""The trained encoder: what it computes, what it completes, and somebody's attention inside it."""

import subprocess
import sys
import time
from pathlib import Path

import keras
import numpy as np
import pytest
from keras import layers, ops

from course import models
from course.models.encoder import read_encoder
from course.models.words import SPECIAL, Vocabulary, split

FOLDER = Path(models.__file__).parent / "news_encoder"
MEGABYTES = 6
SENTENCES = (
    "Oil prices rose to a record ___ on Monday.",
    "The ___ said it will cut 2,000 jobs.",
    "He scored twice in the ___ half.",
)


@pytest.fixture(scope="module")
def encoder():
    return models.load("news-encoder")


class TheirAttention(layers.Layer):
    """Keras' own attention, put together from what a lesson asks for."""

    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.query_linear = layers.Dense(hidden_size, use_bias=False)
        self.key_linear = layers.Dense(hidden_size, use_bias=False)
        self.value_linear = layers.Dense(hidden_size, use_bias=False)
        self.output_linear = layers.Dense(hidden_size)

    def by_head(self, x):
        return list(ops.split(x, self.num_heads, axis=-1))

    def call(self, inputs, mask=None):
        maps = [self.query_linear, self.value_linear, self.key_linear]
        attend = layers.Attention(score_mode="dot")
        found, weights = [], []
        for query, value, key in zip(*(self.by_head(each(inputs)) for each in maps), strict=True):
            scaled = query / ops.sqrt(float(query.shape[-1]))
            output, by_key = attend([scaled, value, key], return_attention_scores=True)
            found.append(output)
            weights.append(by_key)
        self.last_weights = ops.stack(weights, axis=1)
        return self.output_linear(ops.concatenate(found, axis=-1))


class HeadsCutWrongly(TheirAttention):
    """Every head gets every fourth column."""

    def by_head(self, x):
        return [x[..., head :: self.num_heads] for head in range(self.num_heads)]


class WithoutOutput(layers.Layer):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.query_linear = layers.Dense(hidden_size)

    def call(self, inputs):
        return self.query_linear(inputs)


class TestWords:
    @pytest.mark.parametrize(
        ("sentence", "words"),
        [
            ("Don’t PANIC!", ["don't", "panic", "!"]),
            ("A ___ and a ______", ["a", "[blank]", "and", "a", "[blank]"]),
            ("U.S. troops", ["u.s.", "troops"]),
            ("$1,200.50, in all", ["$", "1,200.50", ",", "in", "all"]),
            ("it's the dogs' bowl", ["it", "'s", "the", "dogs", "bowl"]),
            ("  ", []),
        ],
    )
    def test_a_sentence_is_split_into_words_numbers_and_punctuation(self, sentence, words):
        assert split(sentence) == words

    def test_what_is_not_known_has_an_id_of_its_own(self):
        assert Vocabulary([*SPECIAL, "a", "b"]).ids(["b", "c", "[blank]"]).tolist() == [4, 1, 2]


class TestTheFiles:
    def test_they_are_small(self):
        assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= MEGABYTES * 1e6

    def test_every_number_has_sixteen_bits(self):
        with np.load(FOLDER / "weights.npz", allow_pickle=False) as arrays:
            kinds = {arrays[name].dtype.name for name in arrays.files if name != "heads"}
        assert kinds == {"float16"}

    def test_it_loads_in_a_second_and_without_tensorflow(self):
        code = (
            "import sys, time; from course import models; t = time.perf_counter();"
            "models.load('news-encoder').fill('A ___.'); print(time.perf_counter() - t);"
            "sys.exit('tensorflow' in sys.modules)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert float(done.stdout) < 5  # a second, on a machine that does nothing else

    def test_the_card_says_what_it_is(self):
        card = (FOLDER / "card.md").read_text("utf8")
        for word in ("licence", "seed", "epoch", "seconds", "make models", "vocabulary"):
            assert word in card.lower()


def test_an_unknown_name_is_answered_with_the_names_that_there_are():
    with pytest.raises(ValueError, match=r"no model 'news'.*Did you mean 'news-encoder'\?"):
        models.load("news")


class TestFilling:
    def test_gives_words_by_probability(self, encoder):
        for sentence in SENTENCES:
            (guesses,) = encoder.fill(sentence, top=10)
            probabilities = [guess.probability for guess in guesses]
            assert probabilities == sorted(probabilities, reverse=True)
            assert 0 < sum(probabilities) <= 1
            assert not {guess.word for guess in guesses} & set(SPECIAL)

    def test_every_blank_has_its_own(self, encoder):
        assert len(encoder.fill("The ___ of the ___.")) == 2

    def test_depends_on_the_other_words(self, encoder):
        sports, money = (
            encoder.fill(f"The {subject} won the ___.")[0] for subject in ("team", "bank")
        )
        assert sports != money

    @pytest.mark.parametrize(
        ("sentence", "message"),
        [
            ("Nothing is missing.", "write ___"),
            ("", "1 to"),
            ("___ " * 100, "100 of them"),
        ],
    )
    def test_says_what_is_wrong_with_a_sentence(self, encoder, sentence, message):
        with pytest.raises(ValueError, match=message):
            encoder.fill(sentence)


class TestReading:
    def test_weights_are_rows_that_sum_to_one(self, encoder):
        reading = encoder.read(SENTENCES[0])
        time = len(reading.tokens)
        assert reading.weights.shape == (encoder.num_layers, encoder.num_heads, time, time)
        np.testing.assert_allclose(reading.weights.sum(axis=-1), 1, atol=1e-5)

    def test_an_unknown_word_is_marked(self, encoder):
        assert encoder.read("A xyzzyx.").tokens == ("a", "xyzzyx (?)", ".")

    def test_the_norms_and_the_network_are_those_of_keras(self, encoder):
        norm, expand, contract = (
            layers.LayerNormalization(epsilon=1e-6),
            *map(
                layers.Dense,
                (encoder.weights["layer_1.expand.kernel"].shape[1], encoder.hidden_size),
            ),
        )
        reading = encoder.read(SENTENCES[0])
        ids = encoder.vocabulary.ids(split(SENTENCES[0]))
        x = encoder.weights["token_embedding.embeddings"][ids]
        x = x + encoder.weights["position_embedding.embeddings"][: len(ids)]
        attention = TheirAttention(encoder.hidden_size, encoder.num_heads)
        attention(x[None])
        layer = {
            name.removeprefix("layer_1."): value
            for name, value in encoder.weights.items()
            if name.startswith("layer_1.")
        }
        for role in ("query", "key", "value", "output"):
            part = f"{role}_linear"
            weights = [layer[f"attention.{part}.kernel"]]
            weights += [layer["attention.output_linear.bias"]] if role == "output" else []
            getattr(attention, part).set_weights(weights)
        x = x[None] + attention(x[None])
        for part, name in ((norm, "norm_1"), (expand, "expand"), (contract, "contract")):
            part.build(x.shape if part is not contract else (1, len(ids), expand.units))
            ends = ("gamma", "beta") if name == "norm_1" else ("kernel", "bias")
            part.set_weights([layer[f"{name}.{end}"] for end in ends])
        x = norm(x)
        x = x + contract(keras.activations.relu(expand(x)))
        norm.set_weights([layer["norm_2.gamma"], layer["norm_2.beta"]])
        np.testing.assert_allclose(norm(x)[0], reading.states[0], atol=1e-4)


class TestSomebodysAttention:
    def test_with_the_trained_weights_gives_the_same_scores(self, encoder):
        inside = encoder.with_attention(TheirAttention)
        for sentence in SENTENCES:
            ours, theirs = encoder.read(sentence), inside.read(sentence)
            np.testing.assert_allclose(theirs.scores, ours.scores, atol=1e-4)
            np.testing.assert_allclose(theirs.weights, ours.weights, atol=1e-4)
            assert [guess.word for guess in inside.fill(sentence)[0]] == [
                guess.word for guess in encoder.fill(sentence)[0]
            ]

    def test_that_is_wrong_completes_otherwise(self, encoder):
        inside = encoder.with_attention(HeadsCutWrongly)
        changed = sum(
            inside.fill(sentence)[0][0].word != encoder.fill(sentence)[0][0].word
            for sentence in SENTENCES
        )
        assert changed >= 2

    def test_with_other_weights_is_refused(self, encoder):
        with pytest.raises(TypeError, match=r"Missing: key_linear\.kernel"):
            encoder.with_attention(WithoutOutput)

    def test_that_is_not_the_encoders_stays_out_of_it(self, encoder):
        before = encoder.read(SENTENCES[0]).scores
        encoder.with_attention(HeadsCutWrongly)
        np.testing.assert_array_equal(encoder.read(SENTENCES[0]).scores, before)


class TheirLayer(layers.Layer):
    """A whole encoder layer, with Keras' own attention."""

    def __init__(self, embedding_dim, ff_dim, num_heads, rate):
        super().__init__()
        self.attention = layers.MultiHeadAttention(num_heads, embedding_dim // num_heads)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.expand = layers.Dense(ff_dim, activation="relu")
        self.contract = layers.Dense(embedding_dim)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)

    def call(self, inputs):
        x = self.norm_1(inputs + self.attention(inputs, inputs))
        return self.norm_2(x + self.contract(self.expand(x)))


class NormFirst(TheirLayer):
    def call(self, inputs):
        x = self.norm_1(inputs)
        x = inputs + self.attention(x, x)
        return x + self.contract(self.expand(self.norm_2(x)))


class WithoutNetwork(TheirLayer):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        del self.expand

    def call(self, inputs):
        return self.norm_2(self.contract(self.norm_1(inputs + self.attention(inputs, inputs))))


class TestSomebodysLayers:
    def test_with_the_trained_weights_give_the_same_scores(self, encoder):
        inside = encoder.with_layers(TheirLayer)
        for sentence in SENTENCES:
            ours, theirs = encoder.read(sentence), inside.read(sentence)
            np.testing.assert_allclose(theirs.scores, ours.scores, atol=1e-4)
            np.testing.assert_allclose(theirs.states, ours.states, atol=1e-4)

    def test_in_another_order_complete_otherwise(self, encoder):
        inside = encoder.with_layers(NormFirst)
        for sentence in SENTENCES:
            assert inside.fill(sentence)[0][0].word != encoder.fill(sentence)[0][0].word

    def test_with_other_weights_are_refused(self, encoder):
        with pytest.raises(TypeError, match=r"Missing: expand\.(kernel|bias)"):
            encoder.with_layers(WithoutNetwork)

    def test_of_another_shape_are_refused(self, encoder):
        class Pooled(TheirLayer):
            def call(self, inputs):
                return super().call(inputs)[:, :1]

        with pytest.raises(ValueError, match="Pooled must give"):
            encoder.with_layers(Pooled).read(SENTENCES[0])


class TestAHeadThatIsSwitchedOff:
    def test_adds_nothing(self, encoder):
        every = [
            (layer, head)
            for layer in range(1, encoder.num_layers + 1)
            for head in range(1, encoder.num_heads + 1)
        ]
        silent = encoder.without_heads(*every)
        for sentence in SENTENCES:
            words = sentence.replace("Monday", "Friday")
            place = encoder.read(sentence).tokens.index("[blank]")
            # Without any head no word hears of another.
            np.testing.assert_allclose(
                silent.read(sentence).scores[place], silent.read(words).scores[place], atol=1e-5
            )

    def test_changes_what_the_others_give_somebodys_layer_too(self, encoder):
        ours, theirs = (
            one.without_heads((1, 2)).read(SENTENCES[0]).scores
            for one in (encoder, encoder.with_attention(TheirAttention))
        )
        np.testing.assert_allclose(theirs, ours, atol=1e-4)
        assert np.abs(ours - encoder.read(SENTENCES[0]).scores).max() > 1e-3

    def test_that_does_not_exist_is_refused(self, encoder):
        with pytest.raises(ValueError, match="layer 9, head 1"):
            encoder.without_heads((9, 1))


def test_a_reading_takes_no_longer_than_a_blink(encoder):
    encoder.fill(SENTENCES[0])
    began = time.process_time()
    for _ in range(10):
        encoder.fill(SENTENCES[0])
    assert (time.process_time() - began) / 10 < 0.5


def test_it_is_read_from_its_files_alone(tmp_path, encoder):
    for path in FOLDER.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    again = read_encoder("copy", tmp_path)
    assert again.fill(SENTENCES[0]) == encoder.fill(SENTENCES[0])


def test_heads_matter_as_the_lesson_says(encoder):
    """The prediction ``attention.one_head_off`` calls one choice right."""
    usual = [encoder.fill(sentence)[0][0].word for sentence in models.SENTENCES]
    changed = [
        np.mean(
            [
                silent.fill(sentence)[0][0].word != word
                for sentence, word in zip(models.SENTENCES, usual, strict=True)
            ]
        )
        for layer in range(1, encoder.num_layers + 1)
        for head in range(1, encoder.num_heads + 1)
        for silent in [encoder.without_heads((layer, head))]
    ]
    # The choice that the lesson calls right, and "without the least important one only".
    assert 0.2 < max(changed) < 0.6
    assert min(changed) < 0.15


def test_three_heads_look_at_a_neighbour_as_the_lesson_says(encoder):
    """Mean weight of the word before, and of the one after; layers and heads counted from 0."""
    readings = [encoder.read(sentence) for sentence in models.SENTENCES]
    before, after = (
        np.mean(
            [
                reading.weights.diagonal(offset, axis1=2, axis2=3).mean(axis=-1)
                for reading in readings
            ],
            axis=0,
        )
        for offset in (-1, 1)
    )
    assert {*zip(*np.nonzero(before > 0.85), strict=True)} == {(1, 0), (2, 3)}
    assert {*zip(*np.nonzero(after > 0.85), strict=True)} == {(1, 2)}


class TestEmbed:
    def test_is_the_mean_of_the_last_states(self, encoder):
        sentence = "Oil prices rose to a record high."
        (vector,) = encoder.embed([sentence])
        np.testing.assert_allclose(vector, encoder.read(sentence).states[-1].mean(axis=0))

    def test_reads_the_first_words_of_a_long_text(self, encoder):
        first = "one " * encoder.max_length
        long, short = encoder.embed([first + "two three", first])
        np.testing.assert_array_equal(long, short)

    def test_of_nothing_is_nothing(self, encoder):
        vectors = encoder.embed(["", "Oil"])
        assert vectors.shape == (2, encoder.hidden_size)
        assert not vectors[0].any() and vectors[1].any()
