"""The one place that knows joblib: calls on several cores, results in order."""

import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain, islice
from typing import Any

import joblib


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
    """
    calls = iter(calls)
    if jobs == 1:
        for call in calls:
            yield function(*call)
        return
    # A backend of None would mean joblib's default, processes, whatever is preferred.
    where = {"backend": backend} if backend else {"prefer": "threads"}
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator", **where)
    more = ahead * joblib.effective_n_jobs(jobs) - 1 if ahead else None
    for first in calls:
        yield from _finished(parallel, function, chain([first], islice(calls, more)))


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
