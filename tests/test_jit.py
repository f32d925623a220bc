"""The folder of compiled kernels, and kernels rebuilt around a user's functions."""

import os
import shutil
import threading
from pathlib import Path

import numba
import pytest

from sim import experiment, run
from sim.core import jit
from sim.core.jit import compile_lock, helper, is_compiled, routine, specialise
from sim.three_two_five import kernel, options, tally

ROOT = Path(__file__).resolve().parent.parent
PROBE = '''
"""A small kernel that scores deals by the rule of another module."""
from sim.core.jit import CACHE_FOLDER, is_compiled, kernel
from sim.three_two_five.kernel import score_of

@kernel
def score_all(quota):
    total = 0
    for tricks in range(11):
        total += score_of(tricks, quota, 1)
    return total
'''
RUN_PROBE = """
from sim.probe import CACHE_FOLDER, is_compiled, score_all
before = is_compiled(score_all)
print(CACHE_FOLDER, before, score_all(3), is_compiled(score_all), len(score_all.stats.cache_hits))
"""

needs_compiler = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
needs_cache = pytest.mark.skipif(jit.CACHE_FOLDER is None, reason="no cache can be written here")


@pytest.fixture
def copy(tmp_path):
    """Copy of the sources with a small kernel in it, and a cache of its own: their folders."""
    folder = tmp_path / "copy"
    shutil.copytree(ROOT / "sim", folder / "sim", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "sim" / "probe.py").write_text(PROBE, encoding="utf-8")
    return folder, tmp_path / "cache"


def run_probe(python, copy, **environment):
    folder, cache = copy
    used, *answers = python(
        RUN_PROBE, folder=folder, **{"DEALWORTH_CACHE_DIR": str(cache), **environment}
    ).split()
    return used, *answers


def test_case_23_an_edited_scoring_helper_counts_in_the_next_run(python, copy):
    """The helper is in another file than the kernel; the second run loads it, the third has the new rule."""
    surplus = sum(max(0, tricks - 3) for tricks in range(11))
    first = run_probe(python, copy)
    assert first[1:] == ("False", str(surplus), "True", "0")
    assert run_probe(python, copy) == (first[0], "True", str(surplus), "True", "1")
    source = copy[0] / "sim" / "three_two_five" / "kernel.py"
    text = source.read_text(encoding="utf-8")
    assert text.count("return max(0, tricks - quota)") == 1
    text = text.replace("max(0, tricks - quota)", "max(0, tricks - quota) + 100")
    source.write_text(text, encoding="utf-8")
    edited = run_probe(python, copy)
    assert edited[1:] == ("False", str(surplus + 11 * 100), "True", "0")
    assert edited[0] != first[0]


def test_any_source_and_any_setting_of_the_compiler_starts_a_new_folder(monkeypatch, tmp_path):
    shutil.copytree(ROOT / "sim", tmp_path / "sim", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(jit, "_SOURCES", tmp_path / "sim")
    seen = {jit.source_digest()}
    sources = sorted((tmp_path / "sim").rglob("*.py"))
    for source in sources:
        source.write_text(source.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
        seen.add(jit.source_digest())
    (tmp_path / "sim" / "more.py").write_text("", encoding="utf-8")
    seen.add(jit.source_digest())
    for setting in ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "DEALWORTH_PORTABLE"):
        monkeypatch.setenv(setting, "1")
        seen.add(jit.source_digest())
    assert len(seen) == 1 + len(sources) + 1 + 3
    assert jit.source_digest() in seen, "and nothing else does"


def test_a_cache_that_cannot_be_written_is_done_without(python, copy):
    """The cache's place is a file: kernels compile, run, and say that they will have to compile again."""
    blocked = copy[1]
    blocked.write_text("in the way", encoding="utf-8")
    surplus = sum(max(0, tricks - 3) for tricks in range(11))
    for _ in range(2):
        assert run_probe(python, copy) == ("None", "False", str(surplus), "True", "0")
    assert blocked.read_text(encoding="utf-8") == "in the way"


def test_only_the_folders_used_last_are_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("DEALWORTH_CACHE_DIR", str(tmp_path))
    (tmp_path / "someone else's").mkdir()
    for number in range(9):
        (tmp_path / f"kernels-{number}").mkdir()
        os.utime(tmp_path / f"kernels-{number}", (number, number))
    folder = jit._open_cache()
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {folder.name, "someone else's", *(f"kernels-{number}" for number in range(4, 9))}


@needs_cache
def test_other_caches_of_numba_stay_where_they_are():
    before = numba.config.CACHE_DIR
    own = jit.kernel(lambda number: number + 1)
    assert numba.config.CACHE_DIR == before
    assert str(jit.CACHE_FOLDER) in own.stats.cache_path


@needs_cache
def test_the_lock_is_nested_by_one_thread_and_waited_for_by_another():
    entered, order = threading.Event(), []

    def other():
        entered.wait()
        with compile_lock():
            order.append("other")

    thread = threading.Thread(target=other)
    thread.start()
    with compile_lock():
        with compile_lock():
            entered.set()
            thread.join(0.2)
        order.append("first")
    thread.join(10)
    assert order == ["first", "other"]


def test_a_kernel_that_ran_needs_no_lock():
    add = routine(lambda number: number + 1)
    assert not is_compiled(add)
    assert add(1) == 2 and is_compiled(add)
    held, free = threading.Event(), threading.Event()

    def hold():
        with compile_lock():
            held.set()
            free.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    with compile_lock(add):
        free.set()
    thread.join(10)
    assert not thread.is_alive()


@helper
def base(number):
    return number + 1


@helper
def between(number):
    return 10 * base(number)


@helper
def apart(number):
    return number


@helper
def top(number):
    return between(number) + base(0) + apart(number)


def test_a_rebuilt_kernel_asks_the_replacement_wherever_it_was_asked():
    other = helper(lambda number: number + 2)
    rebuilt = specialise(top, {base: other})
    assert top(1) == 20 + 1 + 1
    assert rebuilt(1) == 30 + 2 + 1
    assert top(1) == 22, "the kernel itself is as it was"
    assert specialise(base, {base: other}) is other


@needs_compiler
def test_a_helper_is_compiled_without_wrappers_and_called_by_a_twin():
    """Each wrapper would hold a copy of the function and of all that is inlined into it."""
    triple = helper(lambda number: 3 * number)
    assert triple(4) == 12 and not triple.signatures
    triple.compile((numba.types.int64,))
    (made,) = triple.overloads.values()
    code = str(made.library._get_module_for_linking())
    assert made.fndesc.llvm_func_name in code
    assert (
        made.fndesc.llvm_cpython_wrapper_name not in code and made.fndesc.llvm_cfunc_wrapper_name not in code
    )


def test_a_kernel_that_asks_nobody_replaced_stays_itself():
    assert specialise(apart, {base: top}) is apart
    assert specialise(top, {}) is top


def test_every_kernel_has_one_signature_after_whole_runs():
    """Integers, arrays and flags of every caller agree, so that nothing compiles twice."""
    for strategies, sizes in (
        ("random", {"units": 100}),
        (["heuristic", "random", "first-suit"], {"matches": 3, "hands": 2}),
        ("heuristic+always-reveal", {"hands": 2, "completions": 4}),
    ):
        made = experiment("three-two-five", strategies=strategies, **sizes)
        run(made)
        if made.matches:
            made.game.replay(made, 0)
        run(made, jobs=2, piece=1)
    for compiled in (kernel.play_matches, tally.tally, options.play_options):
        assert len(compiled.signatures) == 1
