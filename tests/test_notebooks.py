"""The notebooks run from the first cell to the last, at a small size, and say what they should."""

import shutil
from itertools import groupby
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).resolve().parent.parent / "notebooks").glob("*.ipynb"))
SMALL = {
    "DEALWORTH_NOTEBOOK_MATCHES": "60",
    "DEALWORTH_NOTEBOOK_HANDS": "40",
    "DEALWORTH_NOTEBOOK_COMPLETIONS": "16",
    "DEALWORTH_NOTEBOOK_EVERY": "4000",
}


def outputs_of(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def kinds_of(notebook):
    """Kinds of output by cell; printed text may arrive in several pieces, which count as one."""
    return [
        [kind for kind, _ in groupby(output["output_type"] for output in cell.get("outputs", []))]
        for cell in notebook.cells
    ]


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_committed_with_its_outputs(path):
    """Who reads a notebook without running it sees answers, pictures and no error."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    outputs = outputs_of(notebook)
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 5
    assert not any(output["output_type"] == "error" or output.get("name") == "stderr" for output in outputs)
    assert "/tmp" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_and_ends(path, tmp_path, monkeypatch):
    """Case 27: runs on all cores inside a notebook end; every cell gives the kind of output committed."""
    for name, value in SMALL.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(path.parent.parent))
    shutil.copy(path, tmp_path)
    notebook = nbformat.read(tmp_path / path.name, as_version=4)
    committed = kinds_of(notebook)
    client = NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    assert kinds_of(notebook) == committed
    warned = [o["text"] for o in outputs_of(notebook) if o.get("name") == "stderr"]
    assert not warned
