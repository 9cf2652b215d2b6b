# ---
# expected:
#   weighted_f1:
#     fails:
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: nan_for_absent_classes_of_a_table
#   build_fastformer_classifier:
#     fails:
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: embeddings_added_again
# ---

# %% changes="build_fastformer_classifier"
def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    hidden = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Dropout(rate)(layers.Embedding(vocabulary_size, hidden)(ids))
    for _ in range(num_blocks):
        x = x + FastformerBlock(num_heads, size_per_head, ff_dim, rate)(x, mask=mask)
    x = AttentionPooling(hidden)(x, mask=mask)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    table = tf.cast(tf.math.confusion_matrix(y_true, y_pred), tf.float32)
    hits = tf.linalg.diag_part(table)
    precision = hits / tf.reduce_sum(table, axis=0)
    recall = hits / tf.reduce_sum(table, axis=1)
    f1 = 2 * precision * recall / (precision + recall)
    weights = tf.reduce_sum(table, axis=1) / tf.reduce_sum(table)
    return float(tf.reduce_sum(weights * f1))
