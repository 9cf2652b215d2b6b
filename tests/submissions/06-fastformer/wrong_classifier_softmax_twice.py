# ---
# expected:
#   build_fastformer_classifier:
#     fails:
#       - embeddings are dropped at the given rate, in training only
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the pooling ignores padding
#       - without blocks, the words are pooled by their scores
#       - without blocks, words that score alike are averaged
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: softmax_twice
# ---

# %% changes="build_fastformer_classifier"
def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    size = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ids != 0
    x = layers.Dropout(rate)(layers.Embedding(vocabulary_size, size)(ids))
    for _ in range(num_blocks):
        x = FastformerBlock(num_heads, size_per_head, ff_dim, rate)(x, mask=mask)
    x = layers.Dense(num_classes, activation="softmax")(AttentionPooling(size)(x, mask=mask))
    return keras.Model(ids, layers.Softmax()(x))
