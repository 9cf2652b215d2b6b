# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: subtracted
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - then it falls with the square root of the step
#       - step 0 gives 0
#       - it works inside a compiled training step
#     mistake: bases_swapped
# ---

# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        positions = ops.arange(inputs.shape[1])
        return self.token_embedding(inputs) - self.position_embedding(positions)


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = ops.cast(step, "float32")
        falling = step**-0.5
        climbing = self.warmup_steps * step**-1.5
        return self.d_model**-0.5 * ops.minimum(falling, climbing)
