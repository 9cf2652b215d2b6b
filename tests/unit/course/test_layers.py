"""The layers that the lessons import."""

import numpy as np
import pytest

from course.layers import (
    ChunkedAttention,
    FullAttention,
    PreNormEncoderLayer,
    WordDropout,
    WordsAndPositions,
)

IDS = np.array([[7, 8, 9, 0, 0]] * 2000, "int32")


def test_a_share_of_the_words_becomes_unknown_and_padding_stays():
    dropped = np.array(WordDropout(0.3, seed=4)(IDS, training=True))
    assert (dropped[:, 3:] == 0).all()
    kept = dropped[:, :3] == IDS[:, :3]
    assert (dropped[:, :3][~kept] == 1).all()
    # 6,000 draws: three standard deviations are 0.018.
    assert abs(1 - kept.mean() - 0.3) < 0.018


def test_another_call_drops_other_words():
    layer = WordDropout(0.3, seed=4)
    assert (np.array(layer(IDS, training=True)) != np.array(layer(IDS, training=True))).any()


@pytest.mark.parametrize(("rate", "left"), [(0.0, 7), (1.0, 1)])
def test_the_limits(rate, left):
    assert np.array(WordDropout(rate)(IDS, training=True))[0, 0] == left


def test_without_training_nothing_changes():
    assert (np.array(WordDropout(0.9)(IDS)) == IDS).all()


def test_a_rate_that_is_no_share_is_refused():
    with pytest.raises(ValueError, match="rate=30"):
        WordDropout(30)


class TestPreNormEncoderLayer:
    def test_it_is_what_the_formula_says(self):
        layer = PreNormEncoderLayer(4, 6, 2, 0.5)
        x = np.random.RandomState(0).standard_normal((2, 3, 4)).astype("float32")
        layer(x)
        random = np.random.RandomState(1)
        layer.set_weights([random.standard_normal(w.shape) for w in layer.get_weights()])

        def normalized(of, values):
            gamma, beta = (np.array(part) for part in (of.gamma, of.beta))
            mean, variance = values.mean(-1, keepdims=True), values.var(-1, keepdims=True)
            return gamma * (values - mean) / np.sqrt(variance + 1e-6) + beta

        normal = normalized(layer.norm_1, x)
        y = x + np.array(layer.attention(normal, normal))
        hidden = np.maximum(
            normalized(layer.norm_2, y) @ np.array(layer.expand.kernel)
            + np.array(layer.expand.bias),
            0,
        )
        expected = y + hidden @ np.array(layer.contract.kernel) + np.array(layer.contract.bias)
        np.testing.assert_allclose(layer(x), expected, atol=1e-5)

    def test_padding_changes_no_token(self):
        layer = PreNormEncoderLayer(4, 6, 2, 0.5)
        x = np.random.RandomState(0).standard_normal((1, 5, 4)).astype("float32")
        mask = np.array([[True, True, True, False, False]])
        padded = np.array(layer(x, mask=mask))[:, :3]
        np.testing.assert_allclose(padded, layer(x[:, :3]), atol=1e-5)
        assert np.abs(padded - np.array(layer(x))[:, :3]).max() > 1e-3

    def test_it_drops_in_training_only(self):
        layer = PreNormEncoderLayer(4, 6, 2, 0.5)
        x = np.random.RandomState(0).standard_normal((1, 5, 4)).astype("float32")
        np.testing.assert_array_equal(layer(x), layer(x))
        assert (np.array(layer(x, training=True)) != np.array(layer(x, training=True))).any()

    def test_it_is_made_again_from_its_configuration(self):
        again = PreNormEncoderLayer.from_config(PreNormEncoderLayer(4, 6, 2, 0.5).get_config())
        assert (again.sizes["ff_dim"], again.rate) == (6, 0.5)


class TestFullAndChunkedAttention:
    X = np.random.RandomState(3).standard_normal((2, 7, 6)).astype("float32")
    MASK = np.array([[True] * 7, [True] * 5 + [False] * 2])

    def changed(self, layer, place):
        """The tokens of the second text whose outputs change with the token at a place."""
        other = self.X.copy()
        other[1, place] += 1
        before, after = (np.array(layer(x, mask=self.MASK))[1] for x in (self.X, other))
        assert before.shape == (7, 6)
        return np.flatnonzero(np.abs(before - after).max(axis=-1) > 1e-6).tolist()

    def test_every_token_sees_every_one_that_is_no_padding(self):
        assert self.changed(FullAttention(2, 3), 1) == [*range(7)]
        assert self.changed(FullAttention(2, 3), 6) == [6]

    def test_a_token_sees_its_own_chunk(self):
        layer = ChunkedAttention(2, 3, 3)
        assert self.changed(layer, 1) == [0, 1, 2]
        assert self.changed(layer, 4) == [3, 4, 5]

    def test_what_fills_the_last_chunk_changes_nothing(self):
        layer = ChunkedAttention(2, 3, 5)
        whole = np.array(layer(self.X, mask=np.ones((2, 7), bool)))
        last = np.array(FullAttention.call(layer, self.X[:, 5:], np.ones((2, 2), bool)))
        np.testing.assert_allclose(whole[:, 5:], last, atol=1e-6)


class TestWordsAndPositions:
    TABLE = np.arange(12.0).reshape(3, 4)

    def test_words_are_scaled_by_the_root_of_their_width_and_positions_added(self):
        layer = WordsAndPositions(9, self.TABLE, trained=False)
        output = np.array(layer(np.array([[5, 7, 5]])))
        words = np.array(layer.words.embeddings)[[5, 7, 5]]
        np.testing.assert_allclose(output[0], 2 * words + self.TABLE, rtol=1e-6)

    @pytest.mark.parametrize("trained", [True, False])
    def test_the_table_is_trained_if_asked(self, trained):
        layer = WordsAndPositions(9, self.TABLE, trained=trained)
        layer(np.array([[5, 7, 5]]))
        assert len(layer.trainable_weights) == 1 + trained
