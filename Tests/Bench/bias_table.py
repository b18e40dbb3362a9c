"""`make docs-bias`: what each way to take the bias off makes of real recordings, written to docs/bias.md.

PARALLAXD_TRACES is the folder of the recordings, PARALLAXD_BIN where the programs are. VQF is that of PyPI.
"""

import csv
import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean, pstdev

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Tests" / "System"))

import numpy  # noqa: E402
from support.drift import SECOND, Processed, process  # noqa: E402
from support.recordings import RECORDINGS, read  # noqa: E402
from vqf import VQF  # noqa: E402

BEGIN, END = "<!-- made by `make docs-bias` -->", "<!-- end of what `make docs-bias` made -->"
HONOR, ONEPLUS = (
    "android/sensorkinetics_honor10_rest.csv",
    "android/sensorkinetics_oneplus6_rest_semicolon-comma.csv",
)
TMCG, AYAAN = "mcu/tmcg_roadbike_ms-epoch.csv", "mcu/ayaan_mpu6050_deg.csv"
ETHZ = "sensorlogger/ethz_galaxyA5_gyro-uncalibrated.csv"
KIMERA, XIO = "euroc/kimera_real_data_10us-stamps.csv", "vendor/xio_fusion_sensor_data.csv"
REFERENCE = "euroc/kimera_real_data_groundtruth.csv"
SEWONM, KUNDIILONA = "sensorlogger/sewonm_robot.csv", "phyphox/kundiilona_gyro.csv"
# Columns of the acceleration, from 0, and m/s² per unit.
GRAVITY = 9.80665
ACCELERATION = {
    TMCG: ((1, 2, 3), GRAVITY),
    AYAAN: ((1, 2, 3), GRAVITY),
    KIMERA: ((4, 5, 6), 1),
    XIO: ((4, 5, 6), GRAVITY),
}
FIXED_SECONDS = 10
VQF_BIAS_CLIP = 11.5

Row = tuple[int, float, float, float]
Biases = list[tuple[float, float, float]]


@dataclass
class Case:
    """A recording, and the acceleration of each row where it has that, m/s²."""

    name: str
    rows: list[Row]
    acceleration: list[tuple[float, float, float]] | None

    @property
    def seconds(self) -> list[float]:
        """From the first row on."""
        return [(row[0] - self.rows[0][0]) / SECOND for row in self.rows]


def load(traces: Path, name: str) -> Case:
    """In the order of time: what the pipeline would drop is left out."""
    rows = read(traces / name, RECORDINGS[name])
    acceleration = None
    if name in ACCELERATION:
        places, unit = ACCELERATION[name]
        with open(traces / name, newline="", encoding="utf-8-sig") as file:
            lines = [line for line in list(csv.reader(file))[RECORDINGS[name].header :] if line]
        acceleration = [tuple(float(line[place]) * unit for place in places) for line in lines]
    kept = [0]
    for index in range(1, len(rows)):
        if rows[index][0] > rows[kept[-1]][0]:
            kept.append(index)
    return Case(name, [rows[i] for i in kept], [acceleration[i] for i in kept] if acceleration else None)


def turned(case: Case) -> tuple[Case, float]:
    """With a turn of 0.05 rad/s about y from 10 s to 30 s added; and the angle of it."""
    added = [0.05 * max(0.0, min(1.0, (t - 10) / 0.5, (30 - t) / 0.5)) for t in case.seconds]
    rows = [(t, x, y + turn, z) for (t, x, y, z), turn in zip(case.rows, added)]
    return Case(case.name, rows, case.acceleration), integral(case.seconds, added)


def integral(times: list[float], values: list[float]) -> float:
    """By trapezoids."""
    pairs = zip(zip(times, values), zip(times[1:], values[1:]))
    return sum((u - t) * (a + b) / 2 for (t, a), (u, b) in pairs)


class Ways:
    """What can be done about the bias, and what comes of it."""

    def __init__(self, parallaxctl: Path, folder: Path) -> None:
        self.parallaxctl = parallaxctl
        self.folder = folder

    def run(self, rows: Iterable[Row], **settings) -> Processed:
        """Through the pipeline."""
        path = self.folder / "rows.csv"
        path.write_text("timestamp_ns,x,y,z\n" + "".join(f"{t},{x!r},{y!r},{z!r}\n" for t, x, y, z in rows))
        return process(self.parallaxctl, path, self.folder, **settings)

    def biases(self, way: str, case: Case) -> Biases | None:
        """What is taken off of each sample; None where the recording has not what that takes."""
        return getattr(self, way)(case)

    def none(self, case: Case) -> Biases:
        """Nothing is taken off."""
        return [(0.0, 0.0, 0.0)] * len(case.rows)

    def fixed(self, case: Case) -> Biases:
        """The mean of the first seconds, as a person would configure it, who cannot know whether it was still then."""
        first = [row[1:] for row, t in zip(case.rows, case.seconds) if t < FIXED_SECONDS]
        return [tuple(fmean(axis) for axis in zip(*first))] * len(case.rows)

    def vqf(self, case: Case) -> Biases | None:
        """What VQF knew before each sample."""
        if case.acceleration is None:
            return None
        spacing = case.seconds[-1] / (len(case.rows) - 1)
        filter_ = VQF(spacing, biasClip=VQF_BIAS_CLIP)
        found: Biases = []
        for row, acceleration in zip(case.rows, case.acceleration):
            found.append(tuple(float(value) for value in filter_.getBiasEstimate()[0]))
            filter_.update(numpy.array(row[1:]), numpy.array(acceleration))
        return found

    def ours(self, case: Case) -> Biases:
        """The same of `parallaxctl process`."""
        done = self.run(case.rows)
        return [done.bias_at(row[0]) for row in case.rows]

    # Figures

    def drift(self, way: str, case: Case, threshold: float = 0) -> float | None:
        """M: what the offset moves in a minute, from ten seconds on, in points."""
        biases = self.biases(way, case)
        if biases is None:
            return None
        rows = [(t, x - a, y - b, z - c) for (t, x, y, z), (a, b, c) in zip(case.rows, biases)]
        return self.run(rows, motion__threshold=threshold, calibration__mode="off").drift()

    def kept(self, way: str, case: Case) -> float | None:
        """How much of a slow turn that is added is not taken for a bias, in percent."""
        turning, angle = turned(case)
        with_, without = self.biases(way, turning), self.biases(way, case)
        if with_ is None or without is None:
            return None
        eaten = [one[1] - other[1] for one, other in zip(with_, without)]
        return 100 * (1 - integral(case.seconds, eaten) / angle)

    def walking(self, way: str, case: Case) -> float | None:
        """How far the mean bias of somebody who walks is from what it was at rest, mrad/s, on the worst axis."""
        biases = self.biases(way, case)
        if biases is None:
            return None
        late = [bias for bias, t in zip(biases, case.seconds) if t >= 185]
        return 1000 * max(abs(fmean(axis) - math.radians(true)) for axis, true in zip(zip(*late), (-3.55, 2.83, 3.79)))

    def error(self, way: str, case: Case, expected: tuple[float, ...] | None = None) -> float | None:
        """How far the bias is off on average, mrad/s, on the worst axis."""
        biases = self.biases(way, case)
        if biases is None:
            return None
        expected = expected or still_mean(case)
        return 1000 * max(fmean(abs(value - true) for value in axis) for axis, true in zip(zip(*biases), expected))

    def largest(self, way: str, case: Case) -> float | None:
        """The largest bias that was ever taken off, mrad/s."""
        biases = self.biases(way, case)
        return biases and 1000 * max(abs(value) for bias in biases for value in bias)


def still_mean(case: Case) -> tuple[float, ...]:
    """The mean of the seconds in which no axis varies by more than 0.004 rad/s."""
    seconds: dict[int, list] = {}
    for row, t in zip(case.rows, case.seconds):
        seconds.setdefault(int(t), []).append(row[1:])
    still = [rate for one in seconds.values() if all(pstdev(axis) < 0.004 for axis in zip(*one)) for rate in one]
    return tuple(fmean(axis) for axis in zip(*still))


def figures(ways: Ways, traces: Path) -> list[tuple[str, str, int, Callable[[str, Case], float | None]]]:
    """Recording, what is measured, decimals, and how it is measured."""
    reference = read(traces / REFERENCE, RECORDINGS[REFERENCE])[0][1:]
    rest = [(name, "at rest: points a minute", 2, ways.drift) for name in (HONOR, ONEPLUS, TMCG, AYAAN)]
    turns = [(name, "of a slow turn passes, %", 1, ways.kept) for name in (HONOR, ONEPLUS, AYAAN)]
    return [
        *rest,
        (TMCG, "the same, threshold 0.03", 2, partial(ways.drift, threshold=0.03)),
        *turns,
        (ETHZ, "walking: error of the mean bias, mrad/s", 2, ways.walking),
        (KIMERA, "flying: mean error of the bias, mrad/s", 2, partial(ways.error, expected=reference)),
        (XIO, "turned by hand: mean error of the bias, mrad/s", 2, ways.error),
        (SEWONM, "moved by hand: mean error of the bias, mrad/s", 2, ways.error),
        (KUNDIILONA, "never still: largest bias, mrad/s", 2, ways.largest),
    ]


def make(parallaxctl: Path, traces: Path) -> str:
    """The table."""
    lines = [
        "| recording | figure | no correction | fixed average | VQF | parallaxd |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for name, what, decimals, measure in figures(Ways(parallaxctl, Path(folder)), traces):
            case = load(traces, name)
            values = [measure(way, case) for way in ("none", "fixed", "vqf", "ours")]
            cells = ["–" if value is None else f"{value + 0.0:.{decimals}f}" for value in values]
            lines.append(f"| {Path(name).name.split('.')[0]} | {what} | {' | '.join(cells)} |")
            print(lines[-1])
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes what is between the marks anew."""
    traces = Path(os.environ["PARALLAXD_TRACES"])
    document = REPOSITORY / "docs" / "bias.md"
    before, _, rest = document.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    table = make(Path(os.environ["PARALLAXD_BIN"]) / "parallaxctl", traces)
    document.write_text(f"{before}{BEGIN}\n\n{table}\n{END}{after}")


if __name__ == "__main__":
    try:
        main()
    except FileNotFoundError as error:
        sys.exit(f"PARALLAXD_TRACES: {error.filename} is missing")
