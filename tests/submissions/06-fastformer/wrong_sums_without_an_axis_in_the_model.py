# ---
# expected:
#   build_fastformer_classifier:
#     fails:
#       - there is one row of num_classes numbers per text
#       - each row is a distribution
#       - the model has exactly the weights of these layers
#       - there are num_blocks Fastformer blocks
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the probabilities are right
#       - 'padding changes nothing: the mask reaches every block'
#     mistake: blocks_made_with_other_arguments
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
    hidden_size = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    words = layers.Embedding(vocabulary_size, hidden_size)(ids)
    x = layers.Dropout(rate)(words)
    for _ in range(num_blocks):
        block = FastformerBlock(num_heads, hidden_size, ff_dim, rate)
        x = block(x, mask=mask)
    text = AttentionPooling(hidden_size)(x, mask=mask)
    outputs = layers.Dense(num_classes, activation="softmax")(text)
    model = keras.Model(ids, outputs)
    return model
