"""The judge tried on answers whose worth is known, and on solutions with a slip."""
