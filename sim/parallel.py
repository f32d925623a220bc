"""The one place that knows joblib: calls on several cores, results in order."""

import os
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import nullcontext
from itertools import chain, islice
from typing import Any

import joblib

_CORES = ("LOKY_MAX_CPU_COUNT", "PYTHON_CPU_COUNT")


def core_count() -> int:
    """Count the cores that this process may use, as joblib does.

    The least of what the machine has, the affinity of the process, the quota of its container (cgroup) and
    the environment variables ``LOKY_MAX_CPU_COUNT`` and ``PYTHON_CPU_COUNT``, which Python itself reads from
    3.13 on.

    Raises
    ------
    ValueError
        If such a variable holds no whole number.
    """
    given = {name: os.environ[name].strip() for name in _CORES if name in os.environ}
    if given.get("PYTHON_CPU_COUNT") in ("", "default"):
        del given["PYTHON_CPU_COUNT"]
    for name, text in given.items():
        if not (text.isascii() and text.isdigit()):
            raise ValueError(f"{name}={text!r}: a whole number of cores is needed")
    return max(1, min([joblib.cpu_count(), *map(int, given.values())]))


def in_order(
    function: Callable,
    calls: Iterable[tuple],
    jobs: int,
    backend: str | None = None,
    ahead: int | None = None,
) -> Generator[Any, None, None]:
    """Call a function many times at once and yield what it returns in the order of the calls.

    Parameters
    ----------
    function : callable
        Called with each tuple's items; it should release the GIL, or the backend use processes.
    calls : iterable of tuple
        Taken lazily.
    jobs : int
        Calls at the same time; -1 for one a core. One job starts neither thread nor process.
    backend : str, optional
        A joblib backend; by default threads, unless ``joblib.parallel_config`` says otherwise.
    ahead : int, optional
        Most results a job that may wait for the reader, where they are large.

    Raises
    ------
    ValueError
        If the backend cannot hand over results one by one.
    """
    calls = iter(calls)
    jobs = _jobs(jobs, backend)
    if jobs == 1:
        for call in calls:
            yield function(*call)
        return
    # A backend of None would mean joblib's default, processes, whatever is preferred.
    where = {"backend": backend} if backend else {"prefer": "threads"}
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator", **where)
    more = ahead * jobs - 1 if ahead else None
    for first in calls:
        yield from _finished(parallel, function, chain([first], islice(calls, more)))


def _jobs(jobs: int, backend: str | None) -> int:
    """Return how many calls the backend makes at a time; see :func:`in_order`."""
    wanted = core_count() if jobs == -1 else jobs
    if wanted == 1:
        return 1
    with joblib.parallel_config(backend=backend) if backend else nullcontext():
        active, _ = joblib.parallel.get_active_backend(prefer="threads")
    able = active.effective_n_jobs(wanted)
    if able > 1 and not getattr(active, "supports_return_generator", True):
        name = type(active).__name__.removesuffix("Backend").lower()
        raise ValueError(
            f"joblib backend {name!r} hands over no result before the last one: valid are threading (the"
            " default), loky and sequential"
        )
    return able


def _finished(parallel: Any, function: Callable, calls: Iterator[tuple]) -> Generator[Any, None, None]:
    """Yield the results of one round of joblib."""
    results = parallel(joblib.delayed(function)(*call) for call in calls)
    try:
        # A plain loop: `yield from` would hand on the closing itself, outside of the guard below.
        for result in results:  # noqa: UP028
            yield result
    finally:
        with warnings.catch_warnings():
            # joblib warns of tasks that nobody waited for, which is what stopping early means.
            warnings.simplefilter("ignore")
            results.close()
