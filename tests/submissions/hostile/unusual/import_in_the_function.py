# ---
# attack: None; the answer imports what it needs where it needs it, large packages included.
# ---

# %% grade_id="bag_of_words"
def bag_of_words(documents):
    import collections
    import decimal
    import sqlite3
    import xml.dom.minidom

    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(analyzer=lambda document: document)
    counts = vectorizer.fit_transform(documents).toarray()
    return counts, list(vectorizer.get_feature_names_out())
