"""How the models in ``course/models`` were trained: ``make models`` does it again."""
