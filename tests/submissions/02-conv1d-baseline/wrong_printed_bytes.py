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
    """Learn a vocabulary.

    Args:
        texts: the training texts, a list of strings or a NumPy array of
            bytes. Shape: (texts,).
        max_tokens: entries of the vocabulary at most, padding and unknown
            included.
        sequence_length: ids of each text, T.

    Returns:
        The adapted layer: string tensor (B,) to ids (B, T).
    """
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens,
        standardize=standardize,
        output_sequence_length=sequence_length,
    )
    as_strings = [str(text) for text in texts]
    vectorizer.adapt(as_strings)
    return vectorizer
