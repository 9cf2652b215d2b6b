# ---
# expected:
#   additive_pooling: {points: 0.6, mistake: weights_all_one}
#   fastformer: {points: 1, mistake: weights_all_one}
#   build_fastformer_classifier: {points: 3, mistake: weights_all_one_in_the_layers}
#   weighted_f1: {points: 0.4, mistake: macro}
# ---

# %% grade_id="additive_pooling"
import tensorflow as tf


def additive_pooling(x, scores, mask=None):
    scores = tf.expand_dims(scores, -1)
    if mask is not None:
        scores = tf.where(tf.expand_dims(mask, -1), scores, -1e9)
    weights = tf.nn.softmax(scores)
    return tf.reduce_sum(weights * x, axis=-2)


# %% grade_id="weighted_f1"
from sklearn.metrics import f1_score


def weighted_f1(y_true, y_pred):
    return f1_score(y_true, y_pred, average="macro")
