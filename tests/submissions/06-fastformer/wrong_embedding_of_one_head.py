# ---
# expected:
#   build_fastformer_classifier:
#     fails: everything
#     mistake: embedding_as_wide_as_a_head
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
    words = layers.Embedding(vocabulary_size, size_per_head)(ids)
    x = layers.Dropout(rate)(words)
    for _ in range(num_blocks):
        block = FastformerBlock(num_heads, size_per_head, ff_dim, rate)
        x = block(x, mask=mask)
    text = AttentionPooling(hidden_size)(x, mask=mask)
    outputs = layers.Dense(num_classes, activation="softmax")(text)
    model = keras.Model(ids, outputs)
    return model
