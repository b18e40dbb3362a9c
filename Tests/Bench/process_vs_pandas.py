"""`parallaxctl process` beside pandas' C reader, which only reads: medians and their ratio, as Markdown.

Usage: process_vs_pandas.py [--rows N] [--runs N] [--program PATH]

Needs pandas (`pip install pandas`) and a release build. Both run in turn, each in a process of its own, so
that the state of the machine is the same for both; pandas times its own read_csv, without its import.
"""

import argparse
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PANDAS = """
import sys, time
import pandas
start = time.perf_counter()
table = pandas.read_csv(sys.argv[1], engine="c")
print(time.perf_counter() - start, len(table), pandas.__version__)
"""


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


def run_pandas(trace: Path) -> tuple[float, int, str]:
    """Seconds of read_csv alone, the rows it found, and the version of pandas."""
    done = subprocess.run(
        [sys.executable, "-c", PANDAS, trace], capture_output=True, text=True, check=True
    )
    seconds, rows, version = done.stdout.split()
    return float(seconds), int(rows), version


def main() -> None:
    """Makes the file, runs both, prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--program", type=Path, default=ROOT / ".build" / "release" / "parallaxctl")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.csv"
        output = Path(folder) / "offsets.csv"
        make_trace(trace, options.rows)
        ours: list[float] = []
        theirs: list[float] = []
        version = ""
        for _ in range(options.runs):
            ours.append(run_process(options.program, trace, output))
            seconds, rows, version = run_pandas(trace)
            assert rows == options.rows
            theirs.append(seconds)
        events = output.read_bytes().count(b"\n") - 1
        megabytes = trace.stat().st_size / 1e6
    own, other = statistics.median(ours), statistics.median(theirs)
    print(f"{options.rows} rows, {megabytes:.0f} MB, {events} events written; medians of {options.runs} runs in")
    print(f"turn on {platform.machine()}, {os.cpu_count()} cores.\n")
    print("| program | seconds | rows/s | ratio |")
    print("| --- | --- | --- | --- |")
    print(f"| `parallaxctl process` (reads, processes, writes) | {own:.3f} | {options.rows / own:.0f} | {own / other:.2f} |")
    print(f"| pandas {version} `read_csv` (reads) | {other:.3f} | {options.rows / other:.0f} | 1 |")


if __name__ == "__main__":
    main()
