# ---
# expected:
#   build_vectorizer:
#     fails:
#       - all texts count, however many
#     mistake: bytes_as_they_are_printed
# ---

# %% grade_id="build_vectorizer"
def build_vectorizer(
    texts,
    max_tokens: int,
    sequence_length: int,
) -> layers.TextVectorization:
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens,
        standardize=standardize,
        output_sequence_length=sequence_length,
    )
    as_strings = [str(text) for text in texts]
    vectorizer.adapt(as_strings)
    return vectorizer
