# ---
# expected:
#   fastformer:
#     fails:
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: products_of_padding_set_to_zero
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
        x = self.separate_heads(x)  # (B, H, T, d)
        s = ops.transpose(scores, (0, 2, 1))  # (B, H, T)
        s = s / ops.sqrt(float(self.size_per_head))
        m = None if mask is None else ops.expand_dims(mask, 1)
        vector = additive_pooling(x, s, m)  # (B, H, d)
        vector = ops.reshape(vector, (-1, 1, self.hidden_size))
        return vector

    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        # steps 1 and 2
        q = self.query_linear(inputs)
        k = self.key_linear(inputs)
        global_q = self.global_vector(q, self.query_score(q), mask)
        # step 3; from here on there's nothing left of the padding
        p = global_q * k
        if mask is not None:
            p = p * ops.cast(mask, "float32")[..., None]
        # step 4
        global_k = self.global_vector(p, self.key_score(p), None)
        # steps 5 and 6
        u = global_k * q
        output = self.output_linear(u) + q
        return output
