"""How many cores are counted, and which of joblib's backends can be had."""

import joblib
import pytest
from joblib.externals.loky.backend import context

from sim import experiment, run
from sim.parallel import core_count, in_order

CORES = ("LOKY_MAX_CPU_COUNT", "PYTHON_CPU_COUNT")


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch):
    for name in CORES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def eight(monkeypatch):
    """Give a machine of eight cores, whatever this one has."""
    monkeypatch.setattr(context.os, "cpu_count", lambda: 8)
    monkeypatch.setattr(context, "_cpu_count_affinity", lambda _cores: 8)
    monkeypatch.setattr(context, "_cpu_count_cgroup", lambda _cores: 8)


def test_cores_are_those_that_joblib_counts():
    assert core_count() == joblib.cpu_count()


@pytest.mark.usefixtures("eight")
@pytest.mark.parametrize("limit", ["_cpu_count_affinity", "_cpu_count_cgroup"])
def test_affinity_and_the_quota_of_a_container_count(monkeypatch, limit):
    monkeypatch.setattr(context, limit, lambda _cores: 3)
    assert core_count() == joblib.cpu_count() == 3


@pytest.mark.usefixtures("eight")
@pytest.mark.parametrize("name", CORES)
@pytest.mark.parametrize(("text", "cores"), [("5", 5), (" 1 ", 1), ("0", 1), ("99", 8)])
def test_the_environment_can_ask_for_fewer(monkeypatch, name, text, cores):
    monkeypatch.setenv(name, text)
    assert core_count() == cores


@pytest.mark.usefixtures("eight")
def test_the_least_of_both_counts(monkeypatch):
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "6")
    monkeypatch.setenv("PYTHON_CPU_COUNT", "4")
    assert core_count() == 4
    for text in ("default", ""):
        monkeypatch.setenv("PYTHON_CPU_COUNT", text)
        assert core_count() == 6


@pytest.mark.parametrize("name", CORES)
@pytest.mark.parametrize("text", ["two", "-1", "1.5", "٣"])
def test_a_number_of_cores_that_is_none_is_named(monkeypatch, name, text):
    monkeypatch.setenv(name, text)
    with pytest.raises(ValueError, match=f"{name}={text!r}: a whole number of cores is needed"):
        core_count()


def _square(number):
    return number**2


@pytest.mark.parametrize("backend", ["threading", "loky", "sequential"])
def test_results_come_in_order_from_every_backend_that_is_valid(backend):
    with joblib.parallel_config(backend=backend):
        assert list(in_order(_square, [(number,) for number in range(9)], 2)) == [n**2 for n in range(9)]


def test_a_backend_that_holds_results_back_is_named_with_those_that_do_not():
    said = (
        r"joblib backend 'multiprocessing' hands over no result before the last one: valid are threading"
        r" \(the default\), loky and sequential"
    )
    made = experiment("three-two-five", matches=40, strategies="random")
    with joblib.parallel_config(backend="multiprocessing"):
        with pytest.raises(ValueError, match=said) as caught:
            run(made, 2)
        assert run(made, 1).digest == run(made, 1, backend="threading").digest
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match=said):
        run(made, 2, backend="multiprocessing")
