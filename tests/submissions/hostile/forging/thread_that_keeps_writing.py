# ---
# attack: A thread goes on handing over responses and points while all later cells run.
# fails: {stem: everything}
# reason: stems|responses were sent
# ---

# %% grade_id="stem"
import threading
import time

from selfcheck import responses

kernel = get_ipython().kernel


def keep_writing(parent):
    forged = {"exercise": "preprocessing.stem", "cases": {}}
    content = {"data": {responses.MIME: forged, "text/plain": "1.0"}, "metadata": {}}
    while True:
        kernel.session.send(kernel.iopub_socket, "display_data", content, parent=parent)
        print("written")
        time.sleep(0.05)


def stem(tokens):
    threading.Thread(target=keep_writing, args=(kernel.get_parent(),), daemon=True).start()
    return []
