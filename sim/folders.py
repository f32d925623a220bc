"""Result folders: a manifest beside integer counters, each file whole or not at all.

A folder holds at least

``manifest.json``
    What was made, with which versions, how long it took, whether it is partial, and the digest of the
    counters.
``counters.npz``
    The counters by name.

What else, and what the names mean, is the business of :mod:`sim.results` (runs),
:mod:`sim.three_two_five.book.folder` (opening books) and :mod:`sim.three_two_five.ladder.folder`.
"""

import hashlib
import json
import os
import platform
import shutil
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

MANIFEST, COUNTERS = "manifest.json", "counters.npz"
KIND = "kind"
"""Entry of a manifest that says what the folder holds; runs, the first kind there was, have none."""
RUN = "run"
_LIBRARIES = ("dealworth", "numpy", "numba", "llvmlite", "joblib", "pandas", "pyarrow")


def counters_digest(counters: Mapping[str, np.ndarray]) -> str:
    """Hash integer counters; equal for equal results on any machine."""
    digest = hashlib.sha256()
    for name, counter in sorted(counters.items()):
        digest.update(f"{name}{counter.shape}".encode())
        digest.update(np.ascontiguousarray(counter, dtype="<i8").tobytes())
    return digest.hexdigest()[:32]


def versions() -> dict[str, str]:
    """Versions of what makes a result, for its manifest."""
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def write(folder: str | Path, manifest: Mapping[str, Any], counters: Mapping[str, np.ndarray]) -> Path:
    """Write both files into a folder, replacing those of an earlier state of the result."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    replace(folder / COUNTERS, lambda path: _write_arrays(path, counters))
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    replace(folder / MANIFEST, lambda path: path.write_text(text, encoding="utf-8"))
    return folder


@contextmanager
def reading(folder: Path, kind: str) -> Iterator[tuple[dict[str, Any], dict[str, np.ndarray]]]:
    """Read manifest and counters of a folder; whatever is wrong with them is told in one line.

    Raises
    ------
    ValueError
        If the folder holds nothing of this kind, or it cannot be read, here or by who asked.
    """
    try:
        manifest = _read_manifest(folder)
        if (found := manifest.get(KIND, RUN)) != kind:
            raise _Unfit(f"{str(folder)!r} holds a {found}, not a {kind}")
        # Opened here: numpy leaves the file of a broken archive open.
        with (folder / COUNTERS).open("rb") as stream, np.load(stream) as stored:
            arrays = {name: stored[name] for name in stored.files}
        yield manifest, arrays
    except FileNotFoundError:
        raise ValueError(f"{str(folder)!r} is no {kind} folder: it needs {MANIFEST} and {COUNTERS}") from None
    except _Unfit:
        raise
    except KeyError as error:
        raise ValueError(f"{kind} folder {str(folder)!r} cannot be read: {error} is missing") from None
    except (OSError, EOFError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{kind} folder {str(folder)!r} cannot be read: {error}") from None


def _read_manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except RecursionError:
        raise ValueError(f"{MANIFEST} is nested too deeply") from None
    if not isinstance(manifest, dict):
        raise ValueError(f"{MANIFEST} holds no object")
    timing = manifest.get("timing", {})
    if not isinstance(timing, dict):
        raise ValueError(f"{MANIFEST} has timing {timing!r}: names and numbers are needed")
    for name, value in timing.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{MANIFEST} has timing {name} {value!r}: a number is needed")
    if not isinstance(manifest.get("versions", {}), dict):
        raise ValueError(f"{MANIFEST} has versions {manifest['versions']!r}: names and numbers are needed")
    return manifest


class _Unfit(ValueError):
    """The folder holds something else."""


def check_digest(folder: Path, kind: str, digest: str, promised: str) -> None:
    """Refuse counters that are not those of the manifest.

    Raises
    ------
    ValueError
        If the digests differ.
    """
    if digest != promised:
        raise ValueError(f"{kind} folder {str(folder)!r}: {COUNTERS} does not have the digest of {MANIFEST}")


class ResultFolder:
    """A folder that a result is written to while it is made.

    Parameters
    ----------
    folder : path
        Where; it must not hold anything yet, unless ``force`` or ``resume`` is given.
    kind : str
        What is written there.
    files : sequence of str
        Files that it may hold.
    force : bool
        Throw away what the folder holds.
    resume : bool
        Go on with what the folder holds.

    Raises
    ------
    ValueError
        If the folder holds something and neither was given.
    """

    def __init__(
        self,
        folder: str | Path,
        kind: str,
        files: Sequence[str],
        force: bool = False,
        resume: bool = False,
    ):
        self.folder = Path(folder)
        self._fresh = not self.folder.exists()
        if not resume:
            _claim(self.folder, kind, files, force)

    def abandon(self) -> None:
        """Leave nothing half-written: remove a folder that was made for a result and never got one."""
        if self._fresh and not (self.folder / MANIFEST).exists():
            shutil.rmtree(self.folder, ignore_errors=True)


def replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file beside its place and move it there in one step."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _claim(folder: Path, kind: str, files: Sequence[str], force: bool) -> None:
    """Make the folder ours, or refuse."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{str(folder)!r} is a file, not a folder")
    if folder.exists() and any(folder.iterdir()):
        if not force:
            raise ValueError(
                f"{str(folder)!r} exists already: choose another folder, or --force to replace it"
            )
        if kind_of(folder) not in (kind, None):
            raise ValueError(f"{str(folder)!r} is not a {kind} folder, so --force will not replace it")
        for name in files:
            (folder / name).unlink(missing_ok=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"cannot create {str(folder)!r}: {error.strerror}") from None


def kind_of(folder: Path) -> str | None:
    """Return the kind of result that a folder holds: empty if none, None if its manifest is broken."""
    try:
        return str(_read_manifest(folder).get(KIND, RUN))
    except FileNotFoundError:
        return ""
    except ValueError:
        return None


def compact(counters: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Store counters in the narrowest integers that hold them; they are read back as int64."""
    return {name: _narrow(counter) for name, counter in counters.items()}


def _narrow(counter: np.ndarray) -> np.ndarray:
    if not counter.size:
        return counter
    least, most = counter.min(), counter.max()
    for width in (np.int8, np.int16, np.int32):
        if np.iinfo(width).min <= least and most <= np.iinfo(width).max:
            return counter.astype(width)
    return counter


def _write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    with path.open("wb") as stream:
        np.savez(stream, **arrays)
