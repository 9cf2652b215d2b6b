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

# %% grade_id="build_fastformer_classifier"
import keras
from keras import layers, ops


class AttentionPooling(layers.Layer):
    def __init__(self, hidden_size):
        super().__init__()
        self.hidden = layers.Dense(hidden_size, activation="tanh")
        self.score = layers.Dense(1)
        self.supports_masking = True

    def call(self, inputs, mask=None):
        scores = self.score(self.hidden(inputs))[..., 0]
        return additive_pooling(inputs, scores, mask)

    def compute_mask(self, inputs, mask=None):
        return None


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
