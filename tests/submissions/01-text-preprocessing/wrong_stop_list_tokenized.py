# ---
# expected:
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: stop_words_tokenized
# ---

# %% grade_id="remove_stopwords"
def remove_stopwords(tokens: list[str], stopwords: set[str]) -> list[str]:
    # a stop list must be tokenised like the texts
    stop_list = {"".join(tokenize(word)) for word in stopwords}
    kept = [token for token in tokens if token not in stop_list]
    return kept
