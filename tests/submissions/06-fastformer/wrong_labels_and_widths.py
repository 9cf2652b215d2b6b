# ---
# expected:
#   additive_pooling:
#     fails:
#       - "any leading axes: (batch, heads, time) works too"
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#     mistake: two_numbers_of_axes_only
#   fastformer:
#     fails:
#       - "the inputs' width may differ from hidden_size"
#     mistake: depth_of_the_inputs
#   weighted_f1:
#     fails:
#       - classes may have any numbers
#     mistake: labels_up_to_a_limit
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores)
    if len(x.shape) == 4:
        return ops.einsum("ijt,ijtk->ijk", weights, x)
    return ops.einsum("it,itk->ik", weights, x)


# %% changes="fastformer"
class Fastformer(layers.Layer):
    def call(self, inputs, mask=None):
        root = (inputs.shape[-1] / self.num_heads) ** 0.5
        lowered = 0.0 if mask is None else ops.where(mask, 0.0, -1e9)[:, :, None]

        def pooled(x, scores):
            weights = ops.softmax(scores / root + lowered, axis=1)
            wide = ops.repeat(weights, self.size_per_head, axis=-1)
            return ops.sum(wide * x, axis=1, keepdims=True)

        q = self.query_linear(inputs)
        p = pooled(q, self.query_score(q)) * self.key_linear(inputs)
        u = pooled(p, self.key_score(p)) * q
        return self.output_linear(u) + q


# %% grade_id="weighted_f1"
NUM_CATEGORIES = 38


def weighted_f1(y_true, y_pred):
    score = 0.0
    for label in range(NUM_CATEGORIES):
        of_class, called = y_true == label, y_pred == label
        both = of_class.sum() + called.sum()
        if both:
            score += of_class.sum() * 2 * (of_class & called).sum() / both
    return score / len(y_true)
