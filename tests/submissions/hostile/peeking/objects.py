# ---
# attack: Frames up the stack, modules and every object in memory are searched for the reference.
# fails: {stem: everything}
# reason: stems
# ---

# %% grade_id="stem"
import gc
import sys


def stem(tokens):
    frame = sys._getframe()
    while frame is not None:
        names = {name: repr(value)[:300] for name, value in frame.f_locals.items()}
        print(frame.f_code.co_filename, names, (frame.f_globals.get("__doc__") or "")[:500])
        for name, value in frame.f_locals.items():
            if name == "expected" and isinstance(value, dict) and "stems" in repr(value):
                print("reached".upper())
        frame = frame.f_back
    return []


print([name for name in sys.modules if "autograder" in name])
for module in list(sys.modules.values()):
    if "grader" in getattr(module, "__name__", ""):
        print("reached".upper(), module.__name__, module.__doc__)
gc.unfreeze()
for thing in gc.get_objects():
    if str(type(thing).__module__).startswith("autograder") or type(thing).__name__ == "Gradebook":
        print("reached".upper(), type(thing))
    elif isinstance(thing, dict) and "INSTRUCTOR_TOKEN" in thing:
        print(thing["INSTRUCTOR_TOKEN"])
print(In, Out, get_ipython().history_manager.input_hist_raw)
