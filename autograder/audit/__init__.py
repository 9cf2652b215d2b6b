"""Test the judge on answers whose worth is known, and on solutions with a slip (mutants)."""
