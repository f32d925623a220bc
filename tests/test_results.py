"""Run folders: what is written reads back, broken ones are named, nothing is overwritten or half-written."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim import RunFolder, experiment, find_game, load, run, save
from sim.results import COUNTERS, MANIFEST, ROWS

GAME = "three-two-five"
OPTIONS = {
    "units": 500,
    "seed": 2**62,
    "strategies": ["heuristic", "random", "first-suit"],
    "rules": {"sevens": "hearts_high", "scoring": "tricks"},
    "hands": 3,
    "completions": 4,
}


@pytest.fixture(scope="module")
def made():
    return experiment(GAME, **OPTIONS)


@pytest.fixture(scope="module")
def whole(made):
    return run(made, 2, piece=10)


@pytest.fixture
def saved(whole, tmp_path):
    """Folder of the whole run."""
    return save(whole, tmp_path / "run")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def stop_after(pieces):
    """Return a callback that interrupts a run after some pieces, as Ctrl-C does."""
    seen = []

    def report(progress):
        seen.append(progress)
        if len([one for one in seen if one.stage != "compile"]) == pieces:
            raise KeyboardInterrupt

    return report


# Saving and loading.


def test_a_run_reads_back(made, whole, saved):
    again = load(saved)
    assert names(saved) == [COUNTERS, MANIFEST]
    assert again.digest == whole.digest and again.manifest() == whole.manifest()
    assert (again.matches, again.units, again.hands, again.partial) == (56, 500, 3, False)
    for name, counter in whole.counters.items():
        np.testing.assert_array_equal(again.counters[name], counter)
    for name, counter in whole.study_counters().items():
        np.testing.assert_array_equal(again.study_counters()[name], counter)
    assert again.experiment == made and again.rules == made.rules and again.game is made.game
    assert again.strategies == ["heuristic", "random", "first-suit"]


def test_the_manifest_says_what_was_played(whole, saved):
    manifest = json.loads((saved / MANIFEST).read_text(encoding="utf-8"))
    given = ("seed", "units", "hands", "completions", "strategies")
    assert manifest["game"] == "three_two_five" and manifest["matches"] == 56
    assert {name: manifest[name] for name in given} == {name: OPTIONS[name] for name in given}
    assert manifest["rules"] == {**OPTIONS["rules"], "pulls": True, "deals_per_match": 9}
    assert manifest["done"] == {"matches": 56, "units": 500, "hands": 3} and manifest["partial"] is False
    assert manifest["digest"] == whole.digest and manifest["format"] == 2
    assert manifest["rows"] is False and len(manifest["settings_digest"]) == 32
    timing = manifest["timing"]
    assert timing.keys() == {"seconds", "warm_up_seconds", "jobs"}
    assert timing["jobs"] == 2 and timing["seconds"] > 0
    assert {"python", "machine", "numpy", "numba", "joblib"} <= manifest["versions"].keys()


def test_the_digest_is_of_the_counters_alone(whole):
    other = whole.copy()
    other.seconds, other.jobs, other.versions = 99.0, 7, {}
    assert other.digest == whole.digest and len(whole.digest) == 32
    for name in whole.counters:
        changed = whole.copy()
        changed.counters[name].flat[0] += 1
        assert changed.digest != whole.digest
    changed = whole.copy()
    changed.study["sums"][0] = changed.study["sums"][0] + 1
    assert changed.digest != whole.digest and whole.digest == run(whole.experiment).digest


def test_a_copy_shares_no_counters(whole):
    before, copied = whole.digest, whole.copy()
    copied.counters["totals"] += 1
    copied.study["sums"].append(copied.study["sums"][0])
    assert whole.digest == before


def test_a_partial_run_says_so(made, tmp_path):
    part = run(made, piece=10, on_progress=stop_after(3))
    manifest = json.loads((save(part, tmp_path) / MANIFEST).read_text(encoding="utf-8"))
    assert manifest["partial"] is True and manifest["done"] == {"matches": 30, "units": 270, "hands": 0}
    again = load(tmp_path)
    assert again.partial and run(made, resume=again).digest == run(made).digest


def test_saving_replaces_an_earlier_state_whole(made, whole, tmp_path):
    save(run(made, piece=10, on_progress=stop_after(2)), tmp_path)
    save(whole, tmp_path)
    assert load(tmp_path).digest == whole.digest and names(tmp_path) == [COUNTERS, MANIFEST]


def test_a_file_that_cannot_be_finished_leaves_the_old_one(whole, saved, monkeypatch):
    before = {path.name: path.read_bytes() for path in saved.iterdir()}

    def full(stream, **arrays):
        stream.write(b"half")
        raise OSError("no space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="no space left"):
        save(whole, saved)
    assert {path.name: path.read_bytes() for path in saved.iterdir()} == before


# Broken folders.


def test_no_run_folder_is_named(tmp_path):
    for folder in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(ValueError) as caught:
            load(folder)
        assert str(caught.value) == f"'{folder}' is no run folder: it needs {MANIFEST} and {COUNTERS}"
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="file' cannot be read"):
        load(tmp_path / "file")


def without(key):
    """Return a change that takes a key out of the manifest."""

    def change(folder):
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        del manifest[key]
        (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")

    return change


def put(key, value):
    """Return a change that gives a key of the manifest another value."""

    def change(folder):
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        (folder / MANIFEST).write_text(json.dumps(manifest | {key: value}), encoding="utf-8")

    return change


def cut(name, part):
    """Return a change that keeps only the first part of a file."""

    def change(folder):
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: int(len(content) * part)])

    return change


def edit_counters(folder):
    with np.load(folder / COUNTERS) as stored:
        arrays = {name: stored[name] for name in stored.files}
    arrays["clusters"] = arrays["clusters"] + 1
    np.savez(folder / COUNTERS, **arrays)


SETTINGS = {
    "game": "fives_and_threes",
    "rules": {**OPTIONS["rules"], "pulls": False, "deals_per_match": 9},
    "strategies": ["heuristic", "random", "heuristic"],
    "seed": 2,
    "units": 501,
    "matches": 57,
    "hands": 4,
    "completions": 5,
    "rows": True,
}


@pytest.mark.parametrize("key", SETTINGS)
def test_what_fixes_the_numbers_is_not_believed_if_changed(saved, key):
    put(key, SETTINGS[key])(saved)
    with pytest.raises(ValueError) as caught:
        load(saved)
    assert "manifest.json' was changed: its settings do not have its settings_digest" in str(caught.value)


def test_counters_of_other_settings_are_refused(made, saved, tmp_path):
    """Also where the manifest could be an older one of the same run."""
    other = experiment(GAME, **{**OPTIONS, "seed": 7})
    save(run(other, piece=10, on_progress=stop_after(2)), tmp_path / "other")
    (tmp_path / "other" / COUNTERS).replace(saved / COUNTERS)
    with pytest.raises(ValueError, match=r"counters\.npz was changed, or belongs to another manifest\.json"):
        load(saved)


def test_folders_of_another_version_are_named(saved):
    put("format", 1)(saved)
    with pytest.raises(ValueError) as caught:
        load(saved)
    assert str(caught.value) == (
        f"'{saved}' was written by another version of dealworth (format 1, here 2):"
        f" make the run again, as its {MANIFEST} says"
    )


NEEDED = ("game", "rules", "done", "digest", "timing", "versions", "seed")
BROKEN = {
    **{f"no {key}": without(key) for key in NEEDED},
    "versions that are none": put("versions", None),
    "timing that is none": put("timing", None),
    "time that is no number": put("timing", {"seconds": "x", "warm_up_seconds": 0, "jobs": 1}),
    "manifest nested too deeply": lambda folder: (folder / MANIFEST).write_text("[" * 100_000),
    "empty manifest": cut(MANIFEST, 0),
    "half a manifest": cut(MANIFEST, 0.5),
    "manifest of another kind": lambda folder: (folder / MANIFEST).write_text("[1, 2]"),
    "manifest that is no text": lambda folder: (folder / MANIFEST).write_bytes(b"\xff\xfe\x00"),
    "empty counters": cut(COUNTERS, 0),
    "half the counters": cut(COUNTERS, 0.5),
    "counters that are none": lambda folder: (folder / COUNTERS).write_text("not counters"),
    "counters missing": lambda folder: (folder / COUNTERS).unlink(),
    "manifest missing": lambda folder: (folder / MANIFEST).unlink(),
    "edited counters": edit_counters,
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_a_broken_folder_is_named_in_one_line(saved, change):
    change(saved)
    with pytest.raises(ValueError) as caught:
        load(saved)
    assert str(saved) in str(caught.value) and "\n" not in str(caught.value)


# The folder of a run that is being played.


def test_a_folder_that_holds_something_is_refused_and_left_alone(saved):
    before = {path.name: path.read_bytes() for path in saved.iterdir()}
    with pytest.raises(ValueError, match="exists already: choose another folder, or --force"):
        RunFolder(saved)
    assert {path.name: path.read_bytes() for path in saved.iterdir()} == before


def test_force_replaces_a_run_and_nothing_else(saved, tmp_path, made, whole):
    (saved / "notes.txt").write_text("mine")
    RunFolder(saved, force=True).finish(run(experiment(GAME, units=9, strategies="random")))
    assert load(saved).units == 9 and (saved / "notes.txt").read_text() == "mine"
    other = tmp_path / "photos"
    other.mkdir()
    (other / "cat.png").write_text("cat")
    with pytest.raises(ValueError, match="photos' is not a run folder, so --force will not replace it"):
        RunFolder(other, force=True)
    assert names(other) == ["cat.png"]


def test_an_empty_folder_and_one_below_folders_that_are_not_there_are_taken(tmp_path, whole):
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "empty", tmp_path / "a" / "b"):
        assert load(RunFolder(folder).finish(whole)).digest == whole.digest


def test_a_file_in_the_way_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="file' is a file, not a folder"):
        RunFolder(tmp_path / "file")
    with pytest.raises(ValueError, match=r"cannot create .*below'"):
        RunFolder(tmp_path / "file" / "below")


def test_an_abandoned_folder_leaves_nothing(tmp_path, whole):
    folder = RunFolder(tmp_path / "run", keep_rows=True)
    run(experiment(GAME, units=90, strategies="random"), on_rows=folder.add_rows)
    folder.abandon()
    assert not (tmp_path / "run").exists()
    kept = RunFolder(tmp_path / "kept")
    kept.checkpoint(whole)
    kept.abandon()
    assert names(tmp_path / "kept") == [COUNTERS, MANIFEST]


# Rows.


def write_rows(folder, made, **options):
    kept = RunFolder(folder, keep_rows=True, **options)
    kept.finish(run(made, 2, piece=10, resume=kept.resumed, on_rows=kept.add_rows))
    return pq.ParquetFile(folder / ROWS)


def test_rows_have_the_documented_columns_in_pieces(made, whole, tmp_path):
    """One row a deal, in order, a row group a piece; their sums are those of the counters."""
    stored = write_rows(tmp_path / "run", made)
    table = stored.read()
    assert table.column_names == list(find_game(GAME).row_columns)
    assert stored.metadata.num_row_groups == 6 and table.num_rows == 500
    assert names(tmp_path / "run") == [COUNTERS, MANIFEST, ROWS]
    rows = table.to_pandas()
    assert (rows["match"] * 9 + rows["deal"]).tolist() == list(range(500))
    assert set(rows["choice"]) == {"call", "reveal"} and set(rows["trump"]) == set("SHDC")
    assert rows["dealer"].isin([0, 1, 2]).all()
    totals = whole.counters["totals"][2].tolist()
    assert [len(rows), *(rows[f"tricks_{seat}"].sum() for seat in ("five", "three", "two"))] == totals[:4]
    assert [rows[f"score_{seat}"].sum() for seat in ("five", "three", "two")] == totals[4:7]
    assert not rows[[f"pulls_{seat}" for seat in ("five", "three", "two")]].sum(axis=1).any()


def test_rows_do_not_hang_on_jobs_or_pieces(made, tmp_path):
    kept = RunFolder(tmp_path / "two", keep_rows=True)
    kept.finish(run(made, piece=3, on_rows=kept.add_rows))
    rows = pq.read_table(tmp_path / "two" / ROWS).to_pylist()
    assert rows == write_rows(tmp_path / "one", made).read().to_pylist()


def test_rows_of_a_resumed_run_are_those_of_a_whole_one(made, tmp_path):
    folder = RunFolder(tmp_path / "run", keep_rows=True)
    folder.finish(run(made, piece=10, on_rows=folder.add_rows, on_progress=stop_after(2)))
    assert load(tmp_path / "run").partial and pq.read_metadata(tmp_path / "run" / ROWS).num_rows == 180
    resumed = write_rows(tmp_path / "run", made, resume=True).read().to_pylist()
    assert resumed == write_rows(tmp_path / "whole", made).read().to_pylist()
    assert not load(tmp_path / "run").partial


def test_memory_does_not_grow_with_the_rows(tmp_path):
    """Arrow holds no more after two million rows than after a tenth of them."""
    made = experiment(GAME, units=2_000_000, strategies="random", rules={"pulls": False})
    folder, held = RunFolder(tmp_path / "run", keep_rows=True), []

    def take(rows):
        folder.add_rows(rows)
        held.append(pa.total_allocated_bytes())

    folder.finish(run(made, piece=2_000, on_rows=take))
    assert len(held) == 112 and pq.read_metadata(tmp_path / "run" / ROWS).num_rows == 2_000_000
    assert max(held[-20:]) <= max(held[:20]) + 2**20


def test_a_killed_process_between_two_files_loses_nothing(made, whole, saved):
    """Counters newer than the manifest carry their own numbers, so the run is read and resumed."""
    part = run(made, piece=10, on_progress=stop_after(3))
    newer = save(part, saved.parent / "newer")
    older = (newer / MANIFEST).read_text(encoding="utf-8")
    save(run(made, piece=10, on_progress=stop_after(4)), newer)
    (newer / MANIFEST).write_text(older, encoding="utf-8")
    read = load(newer)
    assert read.partial and read.matches == 40
    assert run(made, resume=read).digest == whole.digest
