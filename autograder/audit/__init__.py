"""Test the judge on answers whose worth is known, and on mutants of solutions."""
