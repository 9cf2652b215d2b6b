# ---
# expected:
#   build_fastformer_classifier:
#     fails:
#       - there are num_blocks Fastformer blocks
#       - the probabilities are right
#     mistake: weights_of_two_blocks
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
    settings = dict(num_heads=num_heads, size_per_head=size_per_head, ff_dim=ff_dim, rate=rate)
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Embedding(vocabulary_size, hidden_size)(ids)
    x = layers.Dropout(rate)(x)
    if num_blocks > 0:
        x = FastformerBlock(**settings)(x, mask=mask)
    following = FastformerBlock(**settings)
    for _ in range(num_blocks - 1):
        x = following(x, mask=mask)
    pooled = AttentionPooling(hidden_size)(x, mask=mask)
    probabilities = layers.Dense(num_classes, activation="softmax")(pooled)
    model = keras.Model(ids, probabilities)
    return model
