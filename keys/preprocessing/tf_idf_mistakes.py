"""Wrong lengths of rows, and a wrong quotient, by name. Each is a hint, and an edit of the
solution: what is there, and what takes its place. Not looked for in pairs."""

from __future__ import annotations

LENGTHS = {
    "one_norm_for_all": (
        "You divided everything by one length: each row has its own.",
        "(weights**2).sum(axis=1, keepdims=True)",
        "(weights**2).sum(keepdims=True)",
    ),
    "root_missing": (
        "You divided by the sum of the squares: the length of a row is its square root.",
        "np.sqrt((weights**2).sum(axis=1, keepdims=True))",
        "(weights**2).sum(axis=1, keepdims=True)",
    ),
    "divided_by_the_largest": (
        "You divided each row by its largest weight: divide it by its length.",
        "np.sqrt((weights**2).sum(axis=1, keepdims=True))",
        "weights.max(axis=1, keepdims=True)",
    ),
    "norm_without_axis": (
        "You divided all rows by the same number: name the axis in NumPy's norm, whose second "
        "argument is something else.",
        "np.sqrt((weights**2).sum(axis=1, keepdims=True))",
        "np.abs(weights).sum(axis=0, keepdims=True).max(keepdims=True)",
    ),
    "columns_normalised": (
        "You normalised the columns: each row (a document) must have length 1.",
        "axis=1, keepdims",
        "axis=0, keepdims",
    ),
    "one_added_to_the_length": (
        "You added something to the lengths before you divided by them: only a length of 0 needs "
        "another divisor.",
        "np.where(lengths == 0, 1.0, lengths)",
        "lengths + 1.0",
    ),
    "not_divided_beside_an_empty_document": (
        "If one document has no tokens, no row is divided by its length: decide row by row.",
        "np.where(lengths == 0, 1.0, lengths)",
        "lengths if lengths.all() else 1.0",
    ),
    "largest_length_for_all": (
        "You divided all rows by the largest length: each row has its own.",
        "np.where(lengths == 0, 1.0, lengths)",
        "lengths.max()",
    ),
}

QUOTIENTS = {
    "denominator_without_parentheses": (
        "In the logarithm, df is added to a quotient, because the denominator has no parentheses: "
        "it is 1 + df.",
        "(1 + len(documents)) / (1 + holding)",
        "(1 + len(documents)) / 1 + holding",
    ),
}
