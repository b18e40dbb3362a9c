"""`make bench`: parallaxd beside what people would use instead, in one run, written to docs/benchmarks.md.

    bench.py [--quick] [--output FILE]

The servers take turns within each round, so that the state of the machine is the same for all; figures are medians
of the rounds and ratios the medians of the rounds' own ratios. PARALLAXD_BIN is where the release build is.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Tests" / "System"))

import servers  # noqa: E402
from figures import Failed, Figures, measure  # noqa: E402
from process_rows import Rows, measure_rows  # noqa: E402
from progress import Progress  # noqa: E402
from report import write  # noqa: E402
from support import c_source  # noqa: E402
from support.process import context_switches  # noqa: E402

COUNTS = [1, 10, 100, 1000]
RATES = [200, 1000, 4000]
PAGE_READERS, PAGE_RATE = 1000, 1000


@dataclass
class Plan:
    """How much is measured."""

    rounds: int = 5
    seconds: float = 1.5
    counts: list[int] = field(default_factory=lambda: COUNTS)
    rates: list[int] = field(default_factory=lambda: RATES)
    rows: int = 2_000_000
    runs: int = 5
    idle_seconds: float = 10


QUICK = Plan(rounds=1, seconds=0.5, counts=[1, 10, 1000], rates=[200, 1000], rows=200_000, runs=3, idle_seconds=3)


@dataclass
class Results:
    """All that was measured."""

    plan: Plan
    # By rate, count and server: the rounds.
    cells: dict[tuple[int, int, str], list[Figures]] = field(default_factory=lambda: defaultdict(list))
    # Why a server has none there.
    failures: dict[tuple[int, int, str], str] = field(default_factory=dict)
    pages: list[Figures] = field(default_factory=list)
    loops: list[Figures] = field(default_factory=list)
    idle_wakeups: int = 0
    rows: Rows | None = None
    program_bytes: int = 0
    # What else ran on the machine when the run began.
    load_before: float = field(default_factory=lambda: os.getloadavg()[0])


class Bench:
    """One run."""

    def __init__(self, plan: Plan, folder: Path, parallaxd: Path) -> None:
        self.plan, self.folder = plan, folder
        self.results = Results(plan)
        self.servers = servers.available()
        self.stretch = 0
        include = f"-I{REPOSITORY / 'include'}"
        channels = str(Path(__file__).with_name("channels.c"))
        self.programs = servers.Programs(
            parallaxd,
            c_source.build("subscribers.c", folder / "subscribers", channels, include, "-pthread"),
            c_source.build("bare_loop.c", folder / "bare_loop"),
            c_source.build("iio_loop.c", folder / "iio_loop", "-Wl,--no-as-needed", "-liio"),
        )

    def steps(self) -> list:
        """What is done, in its order; each a function without arguments."""
        plan = self.plan
        todo = [
            lambda key=(rate, count, name): self.cell(*key)
            for _ in range(plan.rounds) for rate in plan.rates for count in plan.counts for name in self.servers
        ]
        todo += [step for _ in range(plan.rounds) for step in (self.page, self.loop)]
        return [*todo, self.idle]

    def fresh(self) -> Path:
        """A folder for a stretch."""
        self.stretch += 1
        path = self.folder / str(self.stretch)
        path.mkdir(mode=0o755)
        return path

    def cell(self, rate: int, count: int, name: str) -> None:
        """A stretch of one server; after its first failure larger counts are not tried."""
        failures = self.results.failures
        if any(failures.get((rate, fewer, name)) for fewer in self.plan.counts if fewer <= count):
            failures.setdefault((rate, count, name), "not tried: it failed with fewer")
            return
        try:
            with self.servers[name](self.programs, self.fresh(), rate, count) as server:
                figures = measure(self.programs, server, rate, count, self.plan.seconds)
            self.results.cells[rate, count, name].append(figures)
        except (Failed, AssertionError, OSError) as error:
            failures[rate, count, name] = str(error).splitlines()[0]

    def page(self) -> None:
        """A thousand who have the page open."""
        with servers.parallaxd(self.programs, self.fresh(), PAGE_RATE, PAGE_READERS, "page") as server:
            self.results.pages.append(measure(self.programs, server, PAGE_RATE, PAGE_READERS, self.plan.seconds))

    def loop(self) -> None:
        """The bare libiio loop at the same rate."""
        with servers.iio_loop(self.programs, self.fresh(), PAGE_RATE) as server:
            self.results.loops.append(measure(self.programs, server, PAGE_RATE, 0, self.plan.seconds))

    def idle(self) -> None:
        """Connections that ask for nothing."""
        with servers.parallaxd(self.programs, self.fresh(), 200, 10) as server, ExitStack() as stack:
            from support.client import Client

            for _ in range(10):
                stack.enter_context(Client(server.channel[1])).call("GetMotion")
            time.sleep(1)
            before = context_switches(server.pid)
            time.sleep(self.plan.idle_seconds)
            self.results.idle_wakeups = context_switches(server.pid) - before

    def run(self) -> Results:
        """All of it, with a bar."""
        steps = self.steps()
        progress = Progress(len(steps) + 2 * self.plan.runs)
        for step in steps:
            step()
            progress.advance()
        parallaxctl = self.programs.parallaxd.with_name("parallaxctl")
        self.results.rows = measure_rows(parallaxctl, self.plan.rows, self.plan.runs, progress.advance)
        progress.finish()
        stripped = self.folder / "stripped"
        subprocess.run(["strip", "-o", stripped, self.programs.parallaxd], check=True)
        self.results.program_bytes = stripped.stat().st_size
        return self.results


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer cells, once: to see that it runs")
    parser.add_argument("--output", type=Path, default=REPOSITORY / "docs" / "benchmarks.md")
    options = parser.parse_args()
    binaries = Path(os.environ.get("PARALLAXD_BIN") or REPOSITORY / ".build" / "release").resolve()
    with tempfile.TemporaryDirectory(prefix="parallaxd-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        results = Bench(QUICK if options.quick else Plan(), folder, binaries / "parallaxd").run()
    write(results, options.output, "make bench QUICK=1" if options.quick else "make bench")
    print(f"Written: {options.output}")


if __name__ == "__main__":
    main()
