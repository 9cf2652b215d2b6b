# ---
# attack: The graded cell's syntax tree becomes another one before it is executed.
# fails: {stem: everything}
# reason: returned no answer
# ---

# %% grade_id="stem"
import ast


class Passed(ast.NodeTransformer):
    def visit_Call(self, node):
        if "grade" in ast.dump(node.func) and ".stem" in ast.dump(node):
            return ast.copy_location(ast.Constant(1.0), node)
        return node


get_ipython().ast_transformers.append(Passed())


def stem(tokens):
    return []
