# ---
# attack: The notebook names a kernel that is not there, and says how to start one.
# ---
import nbformat


def submit(notebook, folder):
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {
                "name": "../../../bin/sh",
                "display_name": "\x1b[2J",
                "language": "sh",
                "argv": ["sh", "-c", "touch ~/hostile-was-here"],
                "metadata": {"kernel_provisioner": {"provisioner_name": "local-provisioner"}},
            },
            "language_info": {"name": "../../x", "pygments_lexer": "x" * 10_000},
            "authors": [{"name": "x"}],
            "title": ["no", "text"],
        }
    )
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
