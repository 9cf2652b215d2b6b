# ---
# expected:
#   fastformer:
#     fails:
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#     mistake: masks_of_other_texts
#   fastformer_block:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - the mask reaches Fastformer
#   build_fastformer_classifier:
#     fails:
#       - "padding changes nothing: the mask reaches every block"
# ---

# %% changes="fastformer"
class Fastformer(layers.Layer):
    def global_vector(self, x: tf.Tensor, scores: tf.Tensor, mask):
        length = ops.shape(x)[1]
        if mask is not None:
            # one mask per head: (B, T) -> (H * B, T) -> (B, H, T)
            mask = ops.tile(mask, (self.num_heads, 1))
            mask = ops.reshape(mask, (-1, self.num_heads, length))
        scores = ops.transpose(scores, (0, 2, 1))
        scores = scores / math.sqrt(self.size_per_head)
        pooled = additive_pooling(self.separate_heads(x), scores, mask)
        return ops.reshape(pooled, (-1, 1, self.hidden_size))

    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        query = self.query_linear(inputs)
        key = self.key_linear(inputs)

        # the global query
        query_scores = self.query_score(query)
        global_query = self.global_vector(query, query_scores, mask)

        # the global key
        p = ops.multiply(global_query, key)
        key_scores = self.key_score(p)
        global_key = self.global_vector(p, key_scores, mask)

        # back to the tokens
        u = ops.multiply(global_key, query)
        return self.output_linear(u) + query
