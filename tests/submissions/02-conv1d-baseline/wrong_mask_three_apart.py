# ---
# expected:
#   build_conv1d_classifier:
#     fails:
#       - windows of nothing but padding aren't pooled
#     mistake: mask_three_words_apart
# ---

# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    class Classifier(keras.Model):
        def __init__(self):
            super().__init__()
            self.table = layers.Embedding(vocabulary_size, embedding_dim)
            self.conv = [layers.Conv1D(128, 7, strides=3, activation="relu") for _ in range(2)]
            self.drop = [layers.Dropout(0.5), layers.Dropout(0.5)]
            self.dense = layers.Dense(128, activation="relu")
            self.out = layers.Dense(1, activation="sigmoid")

        def call(self, ids, training=False):
            x = self.drop[0](self.table(ids), training=training)
            x = self.conv[1](self.conv[0](x))
            x = masked_max_pooling(x, ids[:, ::3][:, : x.shape[1]] != 0)
            return self.out(self.drop[1](self.dense(x), training=training))

    return Classifier()
