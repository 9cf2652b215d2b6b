# ---
# expected:
#   build_fastformer_classifier:
#     fails:
#       - embeddings are dropped at the given rate, in training only
#       - the blocks drop at the given rate, and nothing is dropped after them
#     mistake: no_dropout
# ---

# %% grade_id="build_fastformer_classifier"
class Classifier(keras.Model):
    def __init__(self, vocabulary_size, num_classes, sizes, num_blocks, rate):
        super().__init__()
        hidden = sizes[0] * sizes[1]
        self.embedding = layers.Embedding(vocabulary_size, hidden)
        self.dropout = layers.Dropout(rate)
        self.block_list = [FastformerBlock(*sizes, rate) for _ in range(num_blocks)]
        self.hidden = layers.Dense(hidden, activation="tanh")
        self.score = layers.Dense(1)
        self.dense = layers.Dense(num_classes, activation="softmax")

    def call(self, ids, training=False):
        mask = ids != 0
        x = self.dropout(self.embedding(ids), training=False)
        for block in self.block_list:
            x = block(x, mask=mask, training=False)
        scores = self.score(self.hidden(x))[:, :, 0]
        return self.dense(additive_pooling(x, scores, mask))


def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    sizes = num_heads, size_per_head, ff_dim
    return Classifier(vocabulary_size, num_classes, sizes, num_blocks, rate)
