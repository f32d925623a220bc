"""Result folders: a manifest beside integer counters, each file whole or not at all, one writer at a time.

A folder holds at least

``manifest.json``
    What was made, with which versions, how long it took, whether it is partial, the digest of the counters,
    and one of the settings: all that fixes the numbers.
``counters.npz``
    The counters by name, and under ``seal`` a digest of them and of the settings that they belong to. They
    are written first: a process killed between the two files leaves an older manifest, and loses nothing.
``.lock``
    While somebody writes. The lock is the operating system's and ends with its process; the file may stay.

What else, and what the names mean, is the business of :mod:`sim.results` (runs),
:mod:`sim.book.folder` (opening books) and :mod:`sim.ladder.folder`.
"""

import hashlib
import json
import os
import platform
import shutil
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from filelock import FileLock, Timeout

MANIFEST, COUNTERS, LOCK = "manifest.json", "counters.npz", ".lock"
FORMAT = 2
KIND = "kind"
"""Entry of a manifest that says what the folder holds; runs, the first kind there was, have none."""
RUN = "run"
ROWS_WANTED = "rows"
"""Entry of a run's manifest. A run may go on without its rows: it is a setting, but not of the counters."""
SETTINGS_DIGEST = "settings_digest"
_STATE = ("done", "partial", "play_outs", "deals", "played", "digest", "timing", "versions", SETTINGS_DIGEST)
"""Entries of manifests that say how far a result is and how it was made; all others are its settings."""
_SEAL, _PART = "seal", ".part"
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


def settings_digest(manifest: Mapping[str, Any], *without: str) -> str:
    """Hash what a manifest says of the settings, but for some entries."""
    settings = {name: value for name, value in manifest.items() if name not in (*_STATE, *without)}
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:32]


def check_settings(place: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse a manifest whose settings were changed after it was written.

    Raises
    ------
    ValueError
        If they do not have its digest of them.
    """
    if manifest.get(SETTINGS_DIGEST) != settings_digest(manifest):
        raise ValueError(
            f"{str(place)!r} was changed: its settings do not have its {SETTINGS_DIGEST};"
            " write them as they were, or make the result again"
        )


def _seal(manifest: Mapping[str, Any], counters: Mapping[str, np.ndarray]) -> str:
    return settings_digest(manifest, ROWS_WANTED) + counters_digest(counters)


def write(folder: Path, manifest: Mapping[str, Any], counters: Mapping[str, np.ndarray]) -> Path:
    """Write both files into a folder that is ours, replacing those of an earlier state of the result."""
    sealed = {**counters, _SEAL: np.array(_seal(manifest, counters))}
    replace(folder / COUNTERS, lambda path: _write_arrays(path, sealed))
    with_digest = {**manifest, SETTINGS_DIGEST: settings_digest(manifest)}
    text = json.dumps(with_digest, indent=2, ensure_ascii=False) + "\n"
    replace(folder / MANIFEST, lambda path: path.write_text(text, encoding="utf-8"))
    return folder


def save(folder: str | Path, manifest: Mapping[str, Any], counters: Mapping[str, np.ndarray]) -> Path:
    """Write both files into a folder that is made for them, or that nobody writes to.

    Raises
    ------
    ValueError
        If another process writes to it.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    held = _lock(folder)
    try:
        return write(folder, manifest, counters)
    finally:
        _unlock(held)


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
        if (form := manifest.get("format")) != FORMAT:
            raise _Unfit(
                f"{str(folder)!r} was written by another version of dealworth (format {form!r}, here"
                f" {FORMAT}): make the {kind} again, as its {MANIFEST} says"
            )
        check_settings(folder / MANIFEST, manifest)
        # Opened here: numpy leaves the file of a broken archive open.
        with (folder / COUNTERS).open("rb") as stream, np.load(stream) as stored:
            arrays = {name: stored[name] for name in stored.files}
        if arrays.pop(_SEAL) != _seal(manifest, arrays):
            raise ValueError(f"{COUNTERS} was changed, or belongs to another {MANIFEST}")
        yield manifest, arrays
    except FileNotFoundError:
        raise ValueError(f"{str(folder)!r} is no {kind} folder: it needs {MANIFEST} and {COUNTERS}") from None
    except _Unfit:
        raise
    except KeyError as error:
        raise ValueError(f"{kind} folder {str(folder)!r} cannot be read: {error} is missing") from None
    except (OSError, EOFError, TypeError, ValueError, RecursionError, zipfile.BadZipFile) as error:
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


class ResultFolder(ABC):
    """A folder that a result is written to while it is made, by one process.

    As a context manager it is released at the end; if that is an exception, it holds the last state that
    was kept, or nothing.

    Parameters
    ----------
    folder : path
        Where; it must not hold anything yet, unless ``force`` or ``resume`` is given.
    force : bool
        Throw away the result of this kind that the folder holds.
    resume : bool
        Go on with the unfinished result that the folder holds.

    Attributes
    ----------
    resumed : Any
        The result to go on with, or None.
    kept : bool
        Whether the folder holds anything worth going on with.

    Raises
    ------
    ValueError
        If the folder holds something and neither was given, holds nothing to resume, or another process
        writes to it. Nothing in it is changed.
    """

    kind: ClassVar[str]
    files: ClassVar[tuple[str, ...]] = (MANIFEST, COUNTERS)
    """Names of all that may be written there."""

    def __init__(self, folder: str | Path, force: bool = False, resume: bool = False):
        self.folder, self.kept = Path(folder), resume
        self.resumed: Any = None
        self._fresh = not self.folder.exists()
        if resume and not self.folder.is_dir():
            self.load()
        elif not resume:
            _make(self.folder)
        try:
            self._held = _lock(self.folder)
        except BaseException:
            self._leave()
            raise
        try:
            if resume:
                self.resumed = self._unfinished()
            else:
                self._claim(force)
            for name in self.files:
                for part in self.folder.glob(f".{name}.*.part"):
                    part.unlink()
        except BaseException:
            _unlock(self._held)
            raise

    @abstractmethod
    def load(self) -> Any:
        """Return what the folder holds."""

    @abstractmethod
    def _write(self, result: Any) -> None:
        """Write a state of the result."""

    def begin(self, result: Any) -> None:
        """Write the result before anything is made of it: after a kill it is gone on with from there."""
        self._write(result)

    def checkpoint(self, result: Any) -> None:
        """Write the result so far."""
        self._write(result)
        self.kept = True

    def finish(self, result: Any) -> Path:
        """Write the result for good, and let others write here."""
        self.checkpoint(result)
        self._put_together()
        _unlock(self._held)
        return self.folder

    def abandon(self) -> None:
        """Leave nothing half-written: remove what was begun and never got anything worth keeping."""
        if not self.kept:
            self._clear()
        _unlock(self._held)
        self._leave()

    def _leave(self) -> None:
        """Remove the folder if it was made for a result and holds nothing, of ours or of others."""
        if self._fresh and not self.kept:
            with suppress(OSError):
                self.folder.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            _unlock(self._held)
        else:
            self.abandon()

    def _unfinished(self) -> Any:
        """Return what there is to go on with."""
        result = self.load()
        if not (result.partial or self._is_in_pieces()):
            raise ValueError(f"{str(self.folder)!r} is complete: nothing to resume")
        return result

    def _put_together(self) -> None:  # noqa: B027 (most results are in one piece)
        """Make one whole of what was written in pieces."""

    def _is_in_pieces(self) -> bool:
        """Whether a result that has all its counters still is to be put together."""
        return False

    def _claim(self, force: bool) -> None:
        """Make the folder ours, or refuse."""
        found = {path.name for path in self.folder.iterdir() if not _is_left_over(path.name)}
        if not found:
            return
        if not force:
            raise ValueError(
                f"{str(self.folder)!r} exists already: choose another folder, or --force to replace it"
            )
        kind = kind_of(self.folder)
        if kind not in (self.kind, None) and (kind or not found <= set(self.files)):
            raise ValueError(
                f"{str(self.folder)!r} is not a {self.kind} folder, so --force will not replace it"
            )
        self._clear()

    def _clear(self) -> None:
        """Remove all that may have been written, the manifest first."""
        for name in self.files:
            remove(self.folder / name)


def _is_left_over(name: str) -> bool:
    """Whether a file is one that a process killed too early for any result leaves behind."""
    return name == LOCK or (name.startswith(".") and name.endswith(_PART))


def _make(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{str(folder)!r} is a file, not a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"cannot create {str(folder)!r}: {error.strerror}") from None


def _lock(folder: Path) -> FileLock:
    held = FileLock(folder / LOCK, timeout=0, thread_local=False)
    try:
        held.acquire()
    except Timeout:
        raise ValueError(
            f"{str(folder)!r} is being written by another process: wait for its end, or choose another folder"
        ) from None
    return held


def _unlock(held: FileLock) -> None:
    """Release a lock; its file goes while it still is ours."""
    if held.is_locked:
        # Some systems keep open files.
        with suppress(OSError):
            os.unlink(held.lock_file)
        held.release()


def remove(path: Path) -> None:
    """Remove a file or folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file beside its place and move it there in one step."""
    part = path.with_name(f".{path.name}.{os.getpid()}{_PART}")
    try:
        with named(path):
            write(part)
            os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Let errors of the disk name a file and its trouble; libraries leave out the one or the other."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno, reason, str(path)) from None


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
