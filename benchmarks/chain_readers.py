"""How three kinds of layer read chains of articles: full attention, chunked, and Fastformer.

``COURSE_DATA=<folder> python -m benchmarks.chain_readers`` trains lesson 06's readers on AG News'
articles in the lesson's own cells, all kinds on the same chains, none of which has more than 512
tokens: beyond these, full attention takes longer than a lesson may. They're tested on the lesson's
300 chains of 256, 512 and 1,024 tokens. It takes some eleven CPU minutes, and fails if Fastformer
is behind by more than a share's standard error, since the lesson says it isn't.
``benchmarks/chain_readers.md`` has the figures, made with a copy of AG News that has 41,713 of the
120,000 training articles.
"""

from __future__ import annotations

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import argparse
import time
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.recipes import demonstrations, spread
from course.data import datasets, word_ids

LENGTHS = 256, 512, 1024
TRAINED_UPTO = 512
"""Tokens of the longest chains to learn from."""
READERS: dict[str, dict[str, Any]] = {
    "no blocks": {"num_blocks": 0},
    "chunked attention": {"kind": "chunked attention"},
    "Fastformer": {},
    "full attention": {"kind": "full attention"},
}
"""By name, what is passed to the lesson's ``trained_reader``."""
STANDARD_ERROR = 0.03
"""Of a share of 300 chains, at most."""


def lesson() -> SimpleNamespace:
    """The lesson's readers and chains."""
    return demonstrations(
        "06-fastformer",
        ("readers", "chain-data", "chain-reader"),
        arrays=word_ids.arrays,
        datasets=datasets,
        ids_of=word_ids.ids_of,
        lengths=LENGTHS,
        padded=word_ids.padded,
        predict=SimpleNamespace(answer=lambda name, **measured: None),
        word_index=word_ids.word_index,
    )


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    seeds = range(1, parser.parse_args().seeds + 1)
    of = lesson()
    plan = tuple(stage for stage in of.PLAN if stage[0] <= TRAINED_UPTO)
    print("tokens, steps, texts per step:", plan, flush=True)
    right: dict[str, list[list[float]]] = {name: [] for name in READERS}
    for seed in seeds:  # all kinds of one seed first, so that a run cut short compares them
        for name, options in READERS.items():
            started = time.process_time()
            model = of.trained_reader(seed, plan=plan, **options)
            seconds = time.process_time() - started
            right[name].append([of.share_right(model, of.test_chains[n]) for n in LENGTHS])
            found = np.round(right[name][-1], 3).tolist()
            print(f"{name}, seed {seed}: {found}, {seconds:.0f} CPU seconds", flush=True)
    print("| layer |" + "".join(f" {length:,} |" for length in LENGTHS))
    print("|---|" + "---|" * len(LENGTHS))
    for name, runs in right.items():
        cells = (spread(list(values), 3) for values in zip(*runs, strict=True))
        print(f"| {name} | {' | '.join(cells)} |")
    means = {name: np.mean(runs, axis=0) for name, runs in right.items()}
    least = means["Fastformer"] + STANDARD_ERROR
    ahead = [name for name in READERS if (means[name] > least).any()]
    if ahead:
        raise SystemExit(f"ahead of Fastformer: {', '.join(ahead)}")


if __name__ == "__main__":
    main()
