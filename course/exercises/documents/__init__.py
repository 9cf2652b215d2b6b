"""Exercises of ``05-long-documents``: chunks, relative positions, putting chunks together."""
