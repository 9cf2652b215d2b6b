"""The benchmarks that run lessons' cells still find in them what they need.

In full they take an hour, on data that most machines lack; here they do so at smoke size, on the
samples.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from course.data import datasets


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    """Smoke runs on the samples, whatever data this machine has."""
    monkeypatch.setenv("COURSE_BUDGET", "smoke")
    monkeypatch.setenv("TFDS_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("COURSE_SOURCE", "sample")


@pytest.fixture
def recipes(monkeypatch):
    from benchmarks import recipes

    def load(name, source):
        return datasets.load(name, source="sample")

    monkeypatch.setattr(recipes, "datasets", SimpleNamespace(load=load))
    monkeypatch.setattr(recipes, "SEEDS", range(1, 3))
    monkeypatch.setattr(recipes, "LENGTHS", (256,))
    # In this process, which has the samples.
    monkeypatch.setattr(recipes, "side_by_side", recipes.one_by_one)
    yield recipes
    for cached in (
        recipes.texts,
        recipes.wordpunct_sequences,
        recipes.long_readers,
        recipes.ways_to_tell_positions,
    ):
        cached.cache_clear()


def test_recipes_compare_ways_to_tell_positions(recipes):
    page = recipes.positions(recipes.Kept())
    rows = [line for line in page if line.startswith("| ")]
    assert [row.split(" | ")[0] for row in rows[:2]] == ["| positions", "| none"]
    assert len(rows) == 1 + 7
    assert all("±" in row for row in rows[1:])


def test_recipes_train_readers_of_long_texts(recipes):
    found = recipes.chain_accuracies("Fastformer", 1)
    assert found.keys() == {"whole", "cut"}
    assert all(0 <= shares["256"] <= 1 for shares in found.values())
    seconds, megabytes = recipes.step_cost("Fastformer", 256)
    assert seconds > 0
    assert 0 < megabytes < 1000


def test_recipes_that_are_stopped_go_on(tmp_path):
    from benchmarks import recipes

    def measured(job):
        done.append(job)
        if len(done) == 3:
            raise KeyboardInterrupt
        return {"score": job / 2}

    done, file = [], tmp_path / "figures.json"
    jobs = [(1,), (2,), (3,), (4,)]
    with pytest.raises(KeyboardInterrupt):
        recipes.Kept(file).each(measured, jobs, recipes.one_by_one)
    kept = recipes.Kept(file)
    assert kept.earlier == 2
    found = kept.each(measured, jobs, recipes.one_by_one)
    assert found == [{"score": score} for score in (0.5, 1, 1.5, 2)]
    assert done == [1, 2, 3, 3, 4]


def test_recipes_run_side_by_side_in_order():
    from benchmarks import recipes

    jobs = [(7, 2), (9, 4), (2, 2)]
    assert list(recipes.side_by_side(divmod, jobs)) == [divmod(*job) for job in jobs]


def test_the_encoder_learns_from_few_labels():
    from benchmarks import few_labels

    of = few_labels.lesson()
    right = of.measured_frozen() | {"fine-tuned": of.measured_tuned()}
    assert right.keys() == {*of.C, "fine-tuned"}
    assert {found.shape for found in right.values()} == {
        (len(of.SIZES), of.DRAWS, len(of.test_labels))
    }


def test_chains_are_read():
    from benchmarks import chain_readers

    of = chain_readers.lesson()
    plan = tuple(stage for stage in of.PLAN if stage[0] <= chain_readers.TRAINED_UPTO)
    model = of.trained_reader(1, plan=plan, **chain_readers.READERS["no blocks"])
    assert np.all(model.predict(of.test_chains[256].ids[:2], verbose=0) >= 0)
