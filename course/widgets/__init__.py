"""What a reader can use: a guess before a demonstration, a look into a model.

Controls where a front end shows them; elsewhere, what a page can show.
"""
