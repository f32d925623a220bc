"""Rows and folders under kills: the state at every change on disk is gone on with to the same result."""

import os
import shutil
from contextlib import contextmanager

import pyarrow.parquet as pq
import pytest

from sim import RunFolder, experiment, load, run, save
from sim.results import COUNTERS, MANIFEST
from sim.rows import PIECES, ROWS

PIECE = 10
CHANGES = ("replace", "rename", "unlink", "rmdir", "mkdir")


@pytest.fixture(scope="module")
def made():
    return experiment("three-two-five", units=500, seed=3, strategies="random")


@pytest.fixture(scope="module")
def whole(made):
    return run(made, piece=PIECE)


@pytest.fixture(scope="module")
def rows(made, tmp_path_factory):
    """Rows of the run that nobody stops."""
    return read(play(made, tmp_path_factory.mktemp("unbroken") / "run", keep_rows=True))


def read(folder):
    return pq.read_table(folder / ROWS).to_pylist()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def lasting(folder):
    """Names without the hidden ones that a kill just before the end may leave."""
    return [name for name in names(folder) if not name.startswith(".")]


def play(made, place, pieces=99, **options):
    """Play into a folder, a checkpoint a piece, as the command does; stop after some pieces."""
    with RunFolder(place, **options) as folder:
        if folder.resumed is None:
            folder.begin(folder_blank(made))
        left = iter(range(pieces))

        def checkpoint(state):
            folder.checkpoint(state)
            if next(left, None) is None:
                raise KeyboardInterrupt

        take = folder.add_rows if folder.keeps_rows else None
        return folder.finish(
            run(made, piece=PIECE, resume=folder.resumed, on_rows=take, on_checkpoint=checkpoint)
        )


def folder_blank(made):
    return type(run(made, piece=PIECE)).blank(made)


@contextmanager
def snapshots(monkeypatch, place, into):
    """Copy a folder before every change on disk: what a kill at that moment leaves."""
    busy = []

    def before(change):
        def changed(*words, **options):
            if not busy and place.exists():
                busy.append(True)
                shutil.copytree(place, into / f"{len(os.listdir(into)):03d}")
                busy.clear()
            return change(*words, **options)

        return changed

    into.mkdir()
    with monkeypatch.context() as patched:
        for name in CHANGES:
            patched.setattr(os, name, before(getattr(os, name)))
        yield


def was_begun(folder):
    return (folder / MANIFEST).exists()


# Kills (case 29).


def test_case_29_a_kill_at_any_change_on_disk_loses_no_rows(made, whole, rows, monkeypatch, tmp_path):
    with snapshots(monkeypatch, tmp_path / "run", tmp_path / "killed"):
        play(made, tmp_path / "run", pieces=2, keep_rows=True)
        play(made, tmp_path / "run", resume=True)
    assert read(tmp_path / "run") == rows and names(tmp_path / "run") == [COUNTERS, MANIFEST, ROWS]
    killed = sorted((tmp_path / "killed").iterdir())
    assert len(killed) > 60
    for folder in killed:
        if was_begun(folder) and (load(folder).partial or (folder / PIECES).exists()):
            play(made, folder, resume=True)
        elif not was_begun(folder):
            play(made, folder, keep_rows=True, force=(folder / COUNTERS).exists())
        assert load(folder).digest == whole.digest and read(folder) == rows
        assert lasting(folder) == [COUNTERS, MANIFEST, ROWS]


def test_a_kill_while_rows_are_left_out_loses_no_counters(made, whole, monkeypatch, tmp_path):
    play(made, tmp_path / "run", pieces=2, keep_rows=True)
    with snapshots(monkeypatch, tmp_path / "run", tmp_path / "killed"):
        play(made, tmp_path / "run", resume=True, keep_rows=False)
    for folder in (tmp_path / "run", *(tmp_path / "killed").iterdir()):
        if load(folder).partial:
            play(made, folder, resume=True, keep_rows=False)
        assert load(folder).digest == whole.digest and lasting(folder) == [COUNTERS, MANIFEST]


def test_only_what_was_begun_can_be_gone_on_with(tmp_path):
    (tmp_path / "run").mkdir()
    for name in (".lock", f".{COUNTERS}.123.part"):
        (tmp_path / "run" / name).write_text("")
    with pytest.raises(ValueError, match="is no run folder"):
        RunFolder(tmp_path / "run", resume=True)
    RunFolder(tmp_path / "run").abandon()
    assert not list((tmp_path / "run").iterdir())


# What is wanted, and what is there.


def test_rows_go_on_unless_they_are_left_out(made, whole, rows, tmp_path):
    play(made, tmp_path / "run", pieces=2, keep_rows=True)
    assert len(read(tmp_path / "run")) == load(tmp_path / "run").units == 270
    shutil.copytree(tmp_path / "run", tmp_path / "without")
    play(made, tmp_path / "run", resume=True)
    assert read(tmp_path / "run") == rows
    play(made, tmp_path / "without", resume=True, keep_rows=False)
    assert names(tmp_path / "without") == [COUNTERS, MANIFEST]
    assert load(tmp_path / "without").digest == whole.digest


def test_a_run_without_rows_cannot_get_them(made, tmp_path):
    play(made, tmp_path / "run", pieces=2)
    before = contents(tmp_path / "run")
    with pytest.raises(ValueError, match="was played without rows: leave out --rows"):
        RunFolder(tmp_path / "run", resume=True, keep_rows=True)
    assert contents(tmp_path / "run") == before


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def cut_short(folder):
    pq.write_table(pq.read_table(folder / ROWS).slice(0, 269), folder / ROWS)


def in_pieces(change):
    """Return a damage to the second of three pieces."""

    def damage(folder):
        (folder / PIECES).mkdir()
        table = pq.read_table(folder / ROWS)
        for first in (0, 90, 180):
            pq.write_table(
                table.slice(first, 90), folder / PIECES / f"{first:014d}-{first + 90:014d}.parquet"
            )
        (folder / ROWS).unlink()
        change(folder / PIECES / "00000000000090-00000000000180.parquet")

    return damage


DAMAGE = {
    "a row missing": (cut_short, "has 269 rows, the run counted 270; --no-rows goes on"),
    "broken": (lambda folder: (folder / ROWS).write_bytes(b"PAR1"), "has -1 rows"),
    "missing": (lambda folder: (folder / ROWS).unlink(), "those from deal 0 on are missing in .*; --no-rows"),
    "a piece missing": (in_pieces(lambda path: path.unlink()), "those from deal 90 on are missing"),
    "a piece broken": (
        in_pieces(lambda path: path.write_bytes(b"PAR1")),
        "those from deal 90 on are missing",
    ),
}


@pytest.mark.parametrize(("damage", "complaint"), DAMAGE.values(), ids=DAMAGE)
def test_rows_that_are_not_all_there_are_refused_with_the_way_out(made, whole, tmp_path, damage, complaint):
    play(made, tmp_path / "run", pieces=2, keep_rows=True)
    damage(tmp_path / "run")
    before = contents(tmp_path / "run")
    with pytest.raises(ValueError, match=complaint):
        RunFolder(tmp_path / "run", resume=True)
    assert contents(tmp_path / "run") == before
    play(made, tmp_path / "run", resume=True, keep_rows=False)
    assert load(tmp_path / "run").digest == whole.digest


def test_rows_of_every_piece_are_needed(made, whole, tmp_path):
    with (
        pytest.raises(ValueError, match="0 rows were written of 500 deals"),
        RunFolder(tmp_path / "run", keep_rows=True) as folder,
    ):
        folder.finish(whole)
    assert not (tmp_path / "run").exists()


# One writer (cases 30 and 31).


@pytest.mark.parametrize("options", [{}, {"force": True}, {"resume": True}], ids=str)
def test_cases_30_and_31_a_folder_has_one_writer(made, whole, tmp_path, options):
    first = RunFolder(tmp_path / "run")
    first.checkpoint(run(made, piece=PIECE, on_checkpoint=stop))
    before = contents(tmp_path / "run")
    with pytest.raises(ValueError, match="run' is being written by another process"):
        RunFolder(tmp_path / "run", **options)
    with pytest.raises(ValueError, match="run' is being written by another process"):
        save(whole, tmp_path / "run")
    assert contents(tmp_path / "run") == before
    first.finish(whole)
    assert names(tmp_path / "run") == [COUNTERS, MANIFEST] and load(tmp_path / "run").digest == whole.digest


def stop(_state):
    raise KeyboardInterrupt


def test_who_fails_lets_others_write(made, tmp_path):
    play(made, tmp_path / "run", pieces=2)
    with pytest.raises(RuntimeError), RunFolder(tmp_path / "run", resume=True):
        raise RuntimeError
    assert not load(play(made, tmp_path / "run", resume=True)).partial
