"""Text preprocessing in plain Python: regular expressions, counting, TF-IDF.

A document is a list of tokens; N is the number of documents, df(t) the number of those that hold
the token t.
"""
