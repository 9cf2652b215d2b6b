# ---
# expected:
#   fastformer:
#     fails: everything
#     mistake: mask_not_given
#   fastformer_block:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - both together are right
#       - in training, outputs of Fastformer and of the network are dropped at the given rate
#       - nothing else is dropped, and nothing when predicting
#       - output has the shape (batch, time, hidden_size)
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - the feed-forward half is right when Fastformer adds nothing
#       - the mask reaches Fastformer
#   build_fastformer_classifier:
#     fails:
#       - each row is a distribution
#       - 'padding changes nothing: the mask reaches every block'
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - there are num_blocks Fastformer blocks
#       - there is one row of num_classes numbers per text
# ---

# %% changes="fastformer"
class Fastformer(layers.Layer):
    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        query, key = self.query_linear(inputs), self.key_linear(inputs)
        global_query = self.global_vector(query, self.query_score(query), mask)
        product = global_query * key
        global_key = self.global_vector(product, self.key_score(product))
        output = self.output_linear(global_key * query) + query
        return output
