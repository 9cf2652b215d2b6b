# ---
# expected:
#   build_fastformer_classifier:
#     fails:
#       - embeddings are dropped at the given rate, in training only
#       - the blocks drop at the given rate, and nothing is dropped after them
#     mistake: one_minus_rate_everywhere
# ---

# %% changes="build_fastformer_classifier"
def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    hidden = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Dropout(1 - rate)(layers.Embedding(vocabulary_size, hidden)(ids))
    for _ in range(num_blocks):
        x = FastformerBlock(num_heads, size_per_head, ff_dim, 1 - rate)(x, mask=mask)
    x = AttentionPooling(hidden)(x, mask=mask)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
