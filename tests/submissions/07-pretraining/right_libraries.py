# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = np.logical_and(np.less(chances, share), np.greater(ids, mask_id))
    replaced = np.select([kinds < 0.8, kinds < 0.9], [np.full_like(ids, mask_id), words], ids)
    return np.where(asked, replaced, ids), ids, asked * 1.0


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    return tf.tensordot(states, embeddings, axes=[[-1], [1]]) + bias


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
    return tf.math.divide_no_nan(tf.reduce_sum(losses * weights), tf.reduce_sum(weights))


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    kept = tf.where(mask[..., tf.newaxis], states, 0.0)
    count = tf.reduce_sum(tf.cast(mask, tf.float32), axis=-1, keepdims=True)
    return tf.math.divide_no_nan(tf.reduce_sum(kept, axis=-2), count)


# %% grade_id="paired_test"
from scipy.stats import binomtest


def paired_test(right_a, right_b):
    only_a = np.count_nonzero(right_a > right_b)
    only_b = np.count_nonzero(right_a < right_b)
    if only_a + only_b == 0:
        return 1.0
    return binomtest(only_a, only_a + only_b).pvalue
