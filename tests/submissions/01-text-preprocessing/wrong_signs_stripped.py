# ---
# expected:
#   stem:
#     fails:
#       - every token has its stem, in order
#     mistake: signs_stripped
# ---

# %% grade_id="stem"


def stem(tokens: list[str]) -> list[str]:
    """Reduce each token to its Porter stem.

    Args:
        tokens: lower-case tokens.

    Returns:
        One stem per token.

    Example:
        >>> stem(["connected", "connections", "ponies"])
        ['connect', 'connect', 'poni']
    """
    stemmer = PorterStemmer()
    clean = [token.strip(string.punctuation) for token in tokens]
    stems = list(map(stemmer.stem, clean))
    return stems
