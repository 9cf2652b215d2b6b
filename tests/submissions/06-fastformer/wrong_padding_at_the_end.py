# ---
# expected:
#   additive_pooling:
#     fails:
#       - masked tokens get no weight, the others share it
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#     mistake: tokens_counted
#   fastformer:
#     fails:
#       - padded tokens get no weight in either pooling
#     mistake: tokens_counted
#   fastformer_block:
#     fails:
#       - the mask reaches Fastformer
#     relation: partly
#   weighted_f1:
#     fails:
#       - a class that is never true has no weight
#     mistake: next_larger_class
#   build_fastformer_classifier:
#     fails:
#       - the pooling ignores padding
#       - "padding changes nothing: the mask reaches every block"
#     mistake: words_counted
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        count = ops.sum(ops.cast(mask, "int32"), axis=-1)
        scores = ops.where(tf.sequence_mask(count, maxlen=scores.shape[-1]), scores, -1e9)
    return ops.einsum("...t,...td->...d", ops.softmax(scores), x)


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    labels, y_true = np.unique(y_true, return_inverse=True)
    y_pred = np.searchsorted(labels, y_pred)
    sizes = np.bincount(y_true)
    called = np.bincount(y_pred, minlength=len(sizes))[: len(sizes)]
    hits = np.bincount(y_true[y_true == y_pred], minlength=len(sizes))
    return float(sizes / sizes.sum() @ (2 * hits / (sizes + called)))


# %% changes="build_fastformer_classifier"
def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    hidden = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    words = ops.sum(ops.cast(ids > 0, "int32"), axis=-1)
    mask = layers.Lambda(lambda count: tf.sequence_mask(count, max_length))(words)
    x = layers.Dropout(rate)(layers.Embedding(vocabulary_size, hidden)(ids))
    for _ in range(num_blocks):
        x = FastformerBlock(num_heads, size_per_head, ff_dim, rate)(x, mask=mask)
    x = AttentionPooling(hidden)(x, mask=mask)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
