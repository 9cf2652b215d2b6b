"""Data prepared by TensorFlow Datasets: where they lie, making them once, reading them.

TensorFlow Datasets is imported inside the functions: the sample does without it.
"""

import contextlib
import io
import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from course.data.datasets.errors import DatasetError

SPLITS = ("train", "test")


def data_dir() -> Path:
    """Say where TensorFlow Datasets keeps its data: ``TFDS_DATA_DIR``, or else in the home folder.

    The variable is read every time; TensorFlow Datasets itself only reads it once, when imported.

    Raises:
        DatasetError: ``TFDS_DATA_DIR`` is not set and there is no home folder.
    """
    folder = Path(os.environ.get("TFDS_DATA_DIR") or "~/tensorflow_datasets")
    try:
        return folder.expanduser()
    except RuntimeError as error:
        raise DatasetError(
            f"There is no home folder for {folder}. Name a folder for prepared data in"
            " TFDS_DATA_DIR."
        ) from error


def find(name: str, version: str = "*") -> Path | None:
    """Find what TensorFlow Datasets has prepared.

    Args:
        name: The builder's name.
        version: Its version; the newest by default.

    Returns:
        The folder with the prepared data, or None.
    """
    # A folder gets its final name when it is complete; without its description it is no data set.
    # Folders that may not be looked into hold nothing for us.
    with contextlib.suppress(OSError, DatasetError):
        found = sorted((data_dir() / name).glob(f"{version}/dataset_info.json"))
        return found[-1].parent if found else None
    return None


@contextlib.contextmanager
def work_folder() -> Iterator[Path]:
    """Open a folder of this process' own inside the data folder, and remove it afterwards.

    Yields:
        The folder.

    Raises:
        DatasetError: The data folder cannot be written to.
    """
    root = data_dir()
    try:
        is_new = not root.exists()
        root.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix="incomplete.course_", dir=root))
    except OSError as error:
        raise _cannot_write(root, error) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if is_new:  # then nobody misses it, as long as nothing was put into it
            with contextlib.suppress(OSError):
                root.rmdir()


def prepare(builder_class: type, archive: Path, work: Path) -> Path:
    """Let TensorFlow Datasets prepare the data of an archive.

    Everything is made in ``work`` and moved to its place when complete. So a broken archive leaves
    nothing behind, and of two processes that prepare at once one is first and the other takes its
    data. (TensorFlow Datasets has folders for work in progress too, but draws their names from
    Python's random numbers: two notebooks with the same seed would share one.)

    Args:
        builder_class: The builder of the data set.
        archive: The publisher's archive; its folder is handed to the builder as the manual one.
        work: A folder in the data folder.

    Returns:
        The folder with the prepared data.

    Raises:
        DatasetError: The archive is broken, or there is no room or no right to write.
    """
    import tensorflow as tf
    import tensorflow_datasets as tfds

    root = data_dir()
    write_errors = (OSError, tf.errors.OpError)
    # Bars and banners are for a terminal. Keras draws its seeds from Python's random numbers, and
    # the first run of a lesson must see the same ones as the later runs.
    tfds.disable_progress_bar()
    random_state = random.getstate()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            builder = builder_class(data_dir=work)
            builder.download_and_prepare(
                download_config=tfds.download.DownloadConfig(
                    manual_dir=archive.parent, try_download_gcs=False
                )
            )
        place = root / Path(builder.data_dir).relative_to(work)
        place.parent.mkdir(exist_ok=True)
        try:
            Path(builder.data_dir).rename(place)
        except OSError:
            if find(builder.name, place.name) is None:
                raise
    except DatasetError:
        raise
    except Exception as error:
        # TensorFlow Datasets packs some errors into others.
        if not isinstance(error, write_errors) and not isinstance(error.__cause__, write_errors):
            raise
        raise _cannot_write(root, error) from error
    finally:
        random.setstate(random_state)
    return place


def read(folder: Path) -> tuple[tuple[str, ...], dict[str, dict]]:
    """Read prepared data into memory.

    Args:
        folder: What ``find`` or ``prepare`` returned.

    Returns:
        The names of the classes, and for "train" and "test" a dictionary of the features: each a
        tensor of shape (texts,).

    Raises:
        DatasetError: The prepared data are damaged.
    """
    import tensorflow_datasets as tfds

    tfds.disable_progress_bar()
    try:
        builder = tfds.builder_from_directory(folder)
        # All at once: taking a few texts from a data set that TensorFlow Datasets caches on the way
        # prints a warning, and taking them from memory does not.
        splits = {
            split: builder.as_dataset(
                split=split, batch_size=-1, read_config=tfds.ReadConfig(try_autocache=False)
            )
            for split in SPLITS
        }
        return tuple(builder.info.features["label"].names), splits
    except ImportError:
        raise
    except Exception as error:  # a damaged file shows as almost anything
        raise DatasetError(
            f"The prepared data in {folder} cannot be read: {error}\n"
            "Expected what TensorFlow Datasets writes. Delete this folder and load again."
        ) from error


def _cannot_write(root: Path, error: Exception) -> DatasetError:
    return DatasetError(
        f"Data cannot be prepared in {root}: {error}.\n"
        "Set the environment variable TFDS_DATA_DIR to a folder that can be written to and has"
        " room."
    )
