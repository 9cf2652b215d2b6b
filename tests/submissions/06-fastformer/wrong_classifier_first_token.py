# ---
# expected:
#   build_fastformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - there are num_blocks Fastformer blocks
#       - embeddings are dropped at the given rate, in training only
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - without blocks, words that score alike are averaged
#       - without blocks, the words are pooled by their scores
#       - the pooling ignores padding
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: first_word_instead_of_pooling
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
        x = FastformerBlock(num_heads, size_per_head, ff_dim, rate)(x, mask=mask)
    x = x[:, 0]
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
