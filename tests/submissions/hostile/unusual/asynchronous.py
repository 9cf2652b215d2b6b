# ---
# attack: None; the cell awaits, and the answer runs coroutines in a thread.
# ---

# %% grade_id="stem"
import asyncio
import threading

await asyncio.sleep(0.01)


async def stems(tokens):
    stemmer = PorterStemmer()
    await asyncio.sleep(0)
    return [stemmer.stem(token) for token in tokens]


def stem(tokens):
    found = []
    thread = threading.Thread(target=lambda: found.extend(asyncio.run(stems(tokens))))
    thread.start()
    thread.join()
    return found
