# ---
# expected:
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#       - only whole tokens are stop words
#     mistake: beginnings_matched
# ---

# %% grade_id="remove_stopwords"
def remove_stopwords(tokens: list[str], stopwords: set[str]) -> list[str]:
    stop_pattern = re.compile("|".join(re.escape(word) for word in stopwords))
    kept = []
    for token in tokens:
        if stop_pattern.match(token) is None:
            kept.append(token)
    return kept
