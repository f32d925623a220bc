"""The yardstick of speed: random play of a game as a hand-written C loop, compiled where it runs."""

import platform
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import llvmlite.binding as llvm

_SOURCES = Path(__file__).with_name("yardsticks")
_OPTIONS = ("-O3", "-march=native")


@dataclass(frozen=True)
class CLoop:
    """A compiled loop.

    Parameters
    ----------
    program : Path
        What was compiled.
    """

    program: Path

    def __call__(self, *words: object) -> tuple[float, list[float]]:
        """Run it with the arguments that its source names; returns units a second, and the check figures."""
        command = [str(self.program), *(str(word) for word in words)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True)
        rate, *figures = (float(number) for number in printed.stdout.split())
        return rate, figures


@contextmanager
def c_loop(name: str) -> Iterator[CLoop | None]:
    """Compile the loop of a game, for as long as it is used.

    Parameters
    ----------
    name : str
        The game's name, and that of the source.

    Yields
    ------
    CLoop or None
        None where there is no C compiler, or the processor lacks the instructions (BMI2) that it needs.
    """
    compiler = shutil.which("cc")
    with TemporaryDirectory(prefix="dealworth-") as folder:
        program = Path(folder) / name
        command = [compiler or "", *_OPTIONS, "-o", str(program), str(_SOURCES / f"{name}.c")]
        made = compiler and subprocess.run(command, capture_output=True).returncode == 0
        yield CLoop(program) if made else None


def processor() -> str:
    """Return the processor as its maker calls it, with LLVM's name of its kind."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    name = next(named, "") or platform.processor() or platform.machine()
    return f"{name} ({llvm.get_host_cpu_name()})"
