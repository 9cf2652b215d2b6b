# ---
# expected:
#   build_vectorizer:
#     fails:
#       - the vocabulary is padding, unknown, then words by frequency
#       - words have their ids, padding is 0
#       - unknown words get id 1
#       - texts that are too long are truncated
#       - max_tokens limits the vocabulary, including padding and unknown
#       - texts go through your standardize
#       - all texts count, however many
#     mistake: adapted_on_different_words
# ---

# %% grade_id="build_vectorizer"
def build_vectorizer(
    texts,
    max_tokens: int,
    sequence_length: int,
) -> layers.TextVectorization:
    """Learn a vocabulary."""
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens,
        standardize=standardize,
        output_sequence_length=sequence_length,
    )
    all_words = set()
    for text in standardize(tf.constant(texts)).numpy():
        all_words.update(text.decode().split())
    vectorizer.adapt(sorted(all_words))
    return vectorizer
