"""What the bias does to a recording: `parallaxctl process` with its estimates, and figures of both."""

import csv
import math
import subprocess
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

SECOND = 1_000_000_000


@dataclass(frozen=True)
class Estimate:
    """The bias from after the sample at `time` on, rad/s."""

    time: int
    bias: tuple[float, float, float]
    confidence: float | None


@dataclass(frozen=True)
class Processed:
    """What `process` wrote: events as (ns, x, y), and the bias at each change."""

    events: list[tuple[int, float, float]]
    estimates: list[Estimate]

    def bias_at(self, time: int) -> tuple[float, float, float]:
        """What was taken off of a sample at `time`."""
        place = bisect_right(self.estimates, time - 1, key=lambda estimate: estimate.time)
        return self.estimates[place - 1].bias if place else self.estimates[0].bias

    def drift(self) -> float:
        """M: points a minute that the offset moves, from ten seconds after the start on."""
        start = next(event for event in reversed(self.events) if event[0] - self.events[0][0] <= 10 * SECOND)
        end = self.events[-1]
        minutes = (end[0] - start[0]) / SECOND / 60
        return math.hypot(end[1] - start[1], end[2] - start[2]) / minutes


def process(
    parallaxctl: Path, trace: Path, folder: Path, columns: str | None = None, **settings
) -> Processed:
    """The recording through the pipeline; settings as section__key=value."""
    offsets, estimates = folder / "offsets.csv", folder / "estimates.csv"
    command = [parallaxctl, "process", trace, "--output", offsets, "--estimates", estimates]
    if columns:
        command += ["--columns", columns]
    for name, value in settings.items():
        command += ["--set", f"{name.replace('__', '.')}={value}"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    with open(offsets, newline="") as file:
        rows = csv.DictReader(file)
        events = [(int(row["timestamp_ns"]), float(row["x"]), float(row["y"])) for row in rows]
    with open(estimates, newline="") as file:
        changes = [
            Estimate(
                int(row["timestamp_ns"]),
                (float(row["x"]), float(row["y"]), float(row["z"])),
                float(row["confidence"]) if row["confidence"] else None,
            )
            for row in csv.DictReader(file)
        ]
    return Processed(events, changes)
