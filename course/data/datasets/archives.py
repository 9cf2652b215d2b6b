"""Publishers' archives: fetching one, and reading its members without unpacking it."""

import fnmatch
import gzip
import hashlib
import http.client
import tarfile
import time
import urllib.parse
import urllib.request
import zlib
from collections.abc import Collection
from pathlib import Path

from course.data.datasets.errors import DatasetError

# Without a network, falling back must not keep anybody waiting; a slow network may take its time.
ANSWER_TIMEOUT_S = 5
DOWNLOAD_TIMEOUT_S = 300
_CHUNK_BYTES = 1 << 16


def download(url: str, sha256: str, target: Path) -> None:
    """Fetch a file and make sure that it is the one its publisher offers.

    Args:
        url: Where the publisher offers it.
        sha256: Its SHA-256, in hexadecimal.
        target: The file to write.

    Raises:
        DatasetError: No answer within ``ANSWER_TIMEOUT_S`` seconds, an interrupted or endless
            answer, no room for it, or something else than the publisher's file.
    """
    host = urllib.parse.urlsplit(url).netloc
    deadline = time.monotonic() + DOWNLOAD_TIMEOUT_S
    digest = hashlib.sha256()
    try:
        with (
            urllib.request.urlopen(url, timeout=ANSWER_TIMEOUT_S) as answer,
            target.open("wb") as file,
        ):
            while chunk := answer.read(_CHUNK_BYTES):
                digest.update(chunk)
                file.write(chunk)
                if time.monotonic() > deadline:
                    raise TimeoutError(f"not finished after {DOWNLOAD_TIMEOUT_S} seconds")
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise DatasetError(f"the download from {host} failed ({reason})") from error
    if digest.hexdigest() != sha256:
        raise DatasetError(
            f"{host} sent something else than the archive (SHA-256 {digest.hexdigest()[:12]}...,"
            f" expected {sha256[:12]}...)"
        )


def read_members(path: Path, patterns: Collection[str]) -> dict[str, bytes]:
    """Read files out of a .tar.gz archive, and the archive to its end to see that it is whole.

    Args:
        path: The archive.
        patterns: The files to read, by their full names inside the archive. A "*" stands for any
            characters.

    Returns:
        The content of each file, by name.

    Raises:
        DatasetError: The archive is not a .tar.gz, is cut off or damaged, or has no file for one of
            the patterns.
    """
    contents = {}
    missing = dict.fromkeys(patterns)
    try:
        with gzip.open(path) as stream:
            with tarfile.open(fileobj=stream, mode="r|") as archive:
                for member in archive:
                    for pattern in patterns:
                        if member.isfile() and fnmatch.fnmatchcase(member.name, pattern):
                            contents[member.name] = archive.extractfile(member).read()
                            missing.pop(pattern, None)
                            break
            # Only at its end does gzip compare the checksum, and that is behind the tar's end.
            while stream.read(_CHUNK_BYTES):
                pass
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        raise DatasetError(
            f"{path} cannot be read as a .tar.gz archive: {error}.\n"
            "Expected the publisher's file, whole and unchanged. Fetch it again, or take it away."
        ) from error
    if missing:
        raise DatasetError(
            f"{path} lacks {', '.join(missing)}. Expected the publisher's file with"
            f" {', '.join(patterns)}.\nFetch it again, or take it away."
        )
    return contents
