"""`parallaxctl process`, which reads, processes and writes, beside the CSV readers of pandas and polars, which only
read: medians of runs in turn, each in a process of its own.
"""

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

# Each times its own reading, without its import.
READERS = {
    "pandas": """
import sys, time
import pandas
start = time.perf_counter()
table = pandas.read_csv(sys.argv[1], engine="c")
print(time.perf_counter() - start, len(table), pandas.__version__)
""",
    "polars": """
import sys, time
import polars
start = time.perf_counter()
table = polars.read_csv(sys.argv[1])
print(time.perf_counter() - start, len(table), polars.__version__)
""",
}


@dataclass
class Rows:
    """Seconds by program."""

    rows: int
    megabytes: float
    events: int = 0
    seconds: dict[str, list[float]] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    def median(self, name: str) -> float:
        """Of the runs."""
        return statistics.median(self.seconds[name])

    def ratio(self, name: str, other: str) -> float:
        """How much longer than another one takes."""
        return statistics.median(a / b for a, b in zip(self.seconds[name], self.seconds[other]))


def make_trace(path: Path, rows: int) -> None:
    """A plain CSV at 200 Hz: rest and slow turns, ten significant digits."""
    rng = random.Random(1)
    stamp = 1_403_715_273_262_142_976
    rates = [0.0, 0.0, 0.0]
    with path.open("w") as file:
        file.write("timestamp_ns,x,y,z\n")
        for _ in range(rows):
            rates = [0.995 * rate + rng.gauss(0, 0.02) for rate in rates]
            file.write(f"{stamp},{rates[0]:.7f},{rates[1]:.7f},{rates[2]:.7f}\n")
            stamp += 5_000_000 + rng.randrange(-500, 500)


def run_process(program: Path, trace: Path, output: Path) -> float:
    """Seconds from start to exit, reading, processing and writing."""
    start = time.perf_counter()
    with output.open("wb") as file:
        subprocess.run([program, "process", trace], stdout=file, check=True)
    return time.perf_counter() - start


def run_reader(name: str, trace: Path, rows: int) -> tuple[float, str]:
    """Seconds of reading alone, and the reader's version."""
    done = subprocess.run([sys.executable, "-c", READERS[name], trace], capture_output=True, text=True, check=True)
    seconds, found, version = done.stdout.split()
    assert int(found) == rows
    return float(seconds), version


def measure_rows(program: Path, rows: int, runs: int, did_run: Callable[[], None]) -> Rows:
    """All of them, `runs` times in turn; `did_run` is called twice a run."""
    with tempfile.TemporaryDirectory() as name:
        trace, output = Path(name) / "trace.csv", Path(name) / "offsets.csv"
        make_trace(trace, rows)
        result = Rows(rows, trace.stat().st_size / 1e6, seconds={"process": [], **{name: [] for name in READERS}})
        for _ in range(runs):
            result.seconds["process"].append(run_process(program, trace, output))
            did_run()
            for reader in READERS:
                seconds, result.versions[reader] = run_reader(reader, trace, rows)
                result.seconds[reader].append(seconds)
            did_run()
        result.events = output.read_bytes().count(b"\n") - 1
    return result
