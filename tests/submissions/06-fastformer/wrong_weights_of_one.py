# ---
# expected:
#   additive_pooling:
#     fails:
#       - identical tokens come back unchanged
#       - the numbers are right
#       - each head has its own weights
#       - masked tokens get no weight, the others share it
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: weights_all_one
#   fastformer:
#     fails:
#       - "identical tokens: query, key and value are multiplied"
#       - the global query is pooled from the queries, in each head
#       - the global key is pooled from the products of the global query and the keys, in each head
#       - both poolings together are right, also while training
#       - "the inputs' width may differ from hidden_size"
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: weights_all_one
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: weights_all_one_in_the_layer
#   weighted_f1:
#     fails:
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: macro
#   build_fastformer_classifier:
#     fails:
#       - without blocks, words that score alike are averaged
#       - without blocks, the words are pooled by their scores
#       - the pooling ignores padding
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: weights_all_one_in_the_blocks
# ---

# %% grade_id="additive_pooling"
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
