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
#     mistake: one_row_too_many
# ---

# %% changes="build_fastformer_classifier"
def build_fastformer_classifier(
    max_length: int,
    vocabulary_size: int,
    num_classes: int,
    num_heads: int,
    size_per_head: int,
    ff_dim: int,
    num_blocks: int,
    rate: float,
) -> keras.Model:
    hidden = num_heads * size_per_head
    tokens = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(tokens, 0)
    embedding = layers.Embedding(
        input_dim=vocabulary_size + 1,  # + 1 for the padding id 0
        output_dim=hidden,
    )
    x = layers.Dropout(rate)(embedding(tokens))
    for _ in range(num_blocks):
        layer = FastformerBlock(num_heads, size_per_head, ff_dim, rate)
        x = layer(x, mask=mask)
    x = AttentionPooling(hidden)(x, mask=mask)
    x = layers.Dense(num_classes)(x)
    x = layers.Softmax()(x)
    model = keras.Model(tokens, x)
    return model
