"""The card of a trained model: what it read, how it was trained, what it completes."""

from __future__ import annotations

import json
from pathlib import Path

from course.models.encoder import Encoder, read_encoder
from course.models.sentences import SENTENCES
from course.models.words import BLANK, split

_SHOWN = 20
_HERE = Path(__file__).parent


def write(folder: Path) -> None:
    """Write ``card.md`` beside a model.

    Args:
        folder: the model's, as training leaves it.
    """
    about = json.loads((folder / "about.json").read_text("utf8"))
    log = [json.loads(line) for line in (folder / "epochs.jsonl").read_text("utf8").splitlines()]
    encoder = read_encoder("news-encoder", folder)
    epochs = (
        f"| {each['epoch']} | {each['loss']:.3f} | {each['held_out_loss']:.3f} | "
        f"{each['held_out_right']:.3f} | {each['seconds']:.0f} |"
        for each in log
    )
    shipped = [folder / "weights.npz", folder / "vocabulary.txt"]
    template = (_HERE / "card.md").read_text("utf8")
    card = template.format(
        **about.pop("sizes"),
        **about.pop("training"),
        **about.pop("rows"),
        **about,
        parameters=sum(array.size for array in encoder.weights.values()),
        megabytes=sum(path.stat().st_size for path in shipped) / 1e6,
        held_out_loss=log[-1]["held_out_loss"],
        held_out_right=log[-1]["held_out_right"],
        seconds=sum(each["seconds"] for each in log),
        log="\n".join(epochs),
        completions="\n".join(_completion(encoder, sentence) for sentence in SENTENCES[:_SHOWN]),
        tried=(_HERE / "tried.md").read_text("utf8").strip(),
    )
    (folder / "card.md").write_text(card, "utf8")


def _completion(encoder: Encoder, sentence: str) -> str:
    (guesses,) = encoder.fill(sentence)
    unknown = [word for word in split(sentence) if word != BLANK and word not in encoder.vocabulary]
    note = f" (it doesn't know: {', '.join(unknown)})" if unknown else ""
    shown = sentence.replace("_", r"\_")
    return f"| {shown}{note} | {', '.join(map(str, guesses))} |"
