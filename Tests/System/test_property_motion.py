"""`parallaxctl process` against a second implementation, on random settings and random traces.

PARALLAXD_SEED repeats a run; PARALLAXD_PROPERTY_CASES sets how many cases are tried.
"""

import math
import os
import random
import subprocess
from pathlib import Path

import pytest
from oracle import naive_motion

SEED = int(os.environ.get("PARALLAXD_SEED", random.SystemRandom().randrange(2**32)))
CASES = int(os.environ.get("PARALLAXD_PROPERTY_CASES", "120"))
GROUPS = 10
HEADER = "sequence,timestamp_ns,x,y,gap,tilt_x,tilt_y"


def random_settings(rng: random.Random) -> dict:
    """Some of the settings, at ordinary values and at the ends of their ranges."""
    axes = list("xyz")
    rng.shuffle(axes)

    def small() -> float:
        return rng.choice([0.0, 0.001, rng.uniform(0, 0.5), rng.uniform(0, 5)])

    def bound() -> float:
        return rng.choice([float("inf"), 1e-3, rng.uniform(0.01, 3), rng.uniform(1, 100)])

    values = {
        "motion.update_interval": rng.choice(
            [0.0, 0.001, 0.01, 1 / 60, 0.1, 1.0, 10.0, rng.uniform(0.001, 0.2)]
        ),
        "motion.max_gap": rng.choice([0.02, 0.05, 60.0, rng.uniform(0.02, 1)]),
        "motion.threshold": small(),
        "motion.dead_zone": rng.choice(["hard", "soft"]),
        "motion.threshold_recovery": small(),
        "motion.multiplier": rng.choice([0.0, 1.0, 10000.0, rng.uniform(0, 100)]),
        "motion.gain_x": rng.choice([0.0, 100.0, rng.uniform(0, 3)]),
        "motion.gain_y": rng.choice([0.0, 100.0, rng.uniform(0, 3)]),
        "motion.invert_x": rng.random() < 0.5,
        "motion.invert_y": rng.random() < 0.5,
        "motion.smoothing": rng.choice([0.0, 0.02, 10.0, rng.uniform(0, 1)]),
        "motion.integration": rng.choice(["per-update", "angle"]),
        "motion.sample": rng.choice(["mean", "latest"]),
        "motion.max_step": bound(),
        "motion.limit": bound(),
        "motion.limit_mode": rng.choice(["clamp", "elastic"]),
        "motion.recenter_time": rng.choice([0.0, 0.3, 3600.0, rng.uniform(0.01, 20)]),
        "tilt.recenter_time": rng.choice([0.0, 0.01, 3600.0, rng.uniform(0.01, 20)]),
        "tilt.range": rng.choice([0.01, 3.14, rng.uniform(0.01, 3.14)]),
        "sensor.axes": "".join(rng.choice([a, a.upper()]) for a in axes),
        "sensor.screen_rotation": rng.choice([0, 90, 180, 270]),
        "sensor.mount_matrix": [float(rng.choice([-1, 0, 1, rng.uniform(-1, 1)])) for _ in range(9)],
        "calibration.mode": rng.choice(["off", "fixed", "auto"]),
        "calibration.max_bias": rng.choice([0.0, 1.0, rng.uniform(0, 0.1)]),
        "calibration.bias": [rng.choice([0.0, rng.uniform(-1, 1)]) for _ in range(3)],
        "accessibility.reduced_motion": rng.random() < 0.5,
        "accessibility.reduced_motion_scale": rng.choice([0.0, 1.0, rng.random()]),
    }
    share = rng.choice([0.0, 0.15, 0.5, 1.0])
    chosen = {key: value for key, value in values.items() if rng.random() < share}
    if abs(determinant(*chosen.get("sensor.mount_matrix", [1, 0, 0, 0, 1, 0, 0, 0, 1]))) < 0.01:
        del chosen["sensor.mount_matrix"]  # it maps space into a plane and is refused
    if chosen.get("calibration.mode") == "fixed":
        chosen["calibration.bias"] = values["calibration.bias"]
    return chosen


def determinant(a: float, b: float, c: float, d: float, e: float, f: float, *last: float) -> float:
    """Of nine numbers by rows."""
    g, h, i = last
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def random_trace(rng: random.Random, settings: dict) -> list[tuple]:
    """Rest, motion, rates at the dead zone's edges themselves, and clocks that do what clocks do."""
    config = {**naive_motion.DEFAULTS, **settings}
    inner = config["motion.threshold"]
    outer = inner + config["motion.threshold_recovery"]
    max_gap = naive_motion.nanoseconds(config["motion.max_gap"])
    spacing = rng.choice([1_000_000, 2_500_000, 5_000_000, 10_000_000, 30_000_000, 33_333_333])
    spacing = rng.choice([spacing, spacing, rng.randrange(1, 700_000_000)])
    jitter = rng.choice([0, 1, spacing // 20, spacing // 2])
    trouble = rng.choice([0.0, 0.01, 0.1])
    time = rng.choice([0, 10**9, 1_403_636_579_758_555_392, -(10**12), rng.randrange(2**50)])
    rate = [0.0, 0.0, 0.0]
    bias = [rng.gauss(0, 0.05) for _ in range(3)]
    noise = rng.choice([0.001, 0.01, 0.02])
    resolved = rng.choice([0.0, 0.0, 0.0005, 0.01])
    mode = "rest"
    rows = []
    # Now and then long rests, and long enough for the bias to be learned.
    restless = rng.choice([0.03, 0.03, 0.001])
    for _ in range(rng.randrange(1, rng.choice([400, 4000]))):
        if rng.random() < restless:
            mode = rng.choice(["rest", "turn", "edge", "still", "wild"])
            if rng.random() < 0.2:
                bias = [rng.gauss(0, 0.05) for _ in range(3)]
        if mode == "rest":
            rate = [rng.gauss(middle, noise) for middle in bias]
            if resolved:
                rate = [round(value / resolved) * resolved for value in rate]
        elif mode == "turn":
            rate = [0.97 * r + rng.gauss(0, 0.3) for r in rate]
        elif mode == "edge":
            rate = [rng.choice([-1, 1, 0.999, 1.001]) * rng.choice([inner, outer]) for _ in range(3)]
        elif mode == "wild":
            rate = [rng.choice([0.0, -0.0, 1e-300, -35.0, 1e6, rng.uniform(-9, 9)]) for _ in range(3)]
        rows.append((time, *rate))
        time += max(0, spacing + rng.randint(-jitter, jitter))
        if rng.random() < trouble:
            time += rng.choice(
                [
                    -spacing,
                    -2 * spacing,
                    -rng.randrange(1, 10**9),
                    rng.randrange(10**9),
                    3 * spacing,
                    max_gap - spacing,
                    max_gap + 1 - spacing,
                    -max_gap - spacing,
                    -max_gap - 1 - spacing,
                    -(10**12),
                    10**12,
                    rng.choice([-1, 1]) * 2**61,
                ]
            )
        # A trace may not say more: beyond is a broken row.
        time = max(-(2**62), min(2**62, time))
    return rows


def resting_trace(rng: random.Random) -> list[tuple]:
    """Long rests with a bias that changes, between short turns, taps, silences and scans that hang."""
    spacing = rng.choice([4_000_000, 10_000_000, 20_000_000, 56_000_000])
    noise = rng.choice([0.0005, 0.002, 0.01])
    resolved = rng.choice([0.0, 0.0, 0.001, 0.01])
    bias = [rng.gauss(0, 0.05) for _ in range(3)]
    time = rng.choice([0, 10**18, -(10**12)])
    rows = []
    while len(rows) < 12000 and len(rows) * spacing < 200 * 10**9:
        kind = rng.choice(["rest", "rest", "turn", "tap", "hang", "silence", "other", "drift"])
        seconds = rng.uniform(0.1, 2)
        if kind in ("rest", "other", "drift"):
            seconds = rng.choice([0.3, 2.0, 10.0, 70.0])
        if kind == "silence":
            time += round(seconds * 10**9)
        if kind == "other":
            bias = [value + rng.choice([0.0, 0.004, 0.006, 0.02]) for value in bias]
        for index in range(round(seconds * 10**9 / spacing)):
            rate = [rng.gauss(value, noise) for value in bias]
            if kind == "turn":
                rate[rng.randrange(3)] += math.sin(index * spacing / 3e8)
            elif kind == "tap" and index == 1:
                rate[rng.randrange(3)] += 0.2
            elif kind == "hang" and rows:
                rate = list(rows[-1][1:])
            elif kind == "drift":
                bias = [value + spacing * 1e-13 for value in bias]
            if resolved and kind != "hang":
                rate = [round(value / resolved) * resolved for value in rate]
            rows.append((time, *rate))
            time += spacing + rng.randrange(-spacing // 10, spacing // 10)
    return rows


def toml(value) -> str:
    """A setting's value as it stands behind `--set section.key=`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(toml(part) for part in value) + "]"
    return value if isinstance(value, str) else repr(value)


def process(parallaxctl: Path, path: Path, settings: dict) -> list[str]:
    """The rows that the program writes, after its header."""
    command = [str(parallaxctl), "process", "--tilt", str(path)]
    for key, value in settings.items():
        command += ["--set", f"{key}={toml(value)}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"{done.stderr}\n{' '.join(command)}"
    header, *rows = done.stdout.splitlines()
    assert header == HEADER
    return rows


def key_of(row: str) -> tuple:
    """A row as numbers, of the same form as `Event.key`."""
    sequence, time, x, y, gap, tilt_x, tilt_y = row.split(",")
    assert gap in ("0", "1")
    return (int(sequence), int(time), float(x), float(y), gap == "1", float(tilt_x), float(tilt_y))


def assert_equal(parallaxctl: Path, path: Path, settings: dict, trace: list[tuple], where: str) -> None:
    """Every row of the program's is the naive implementation's, bit for bit."""
    lines = [f"{time},{x!r},{y!r},{z!r}\n" for time, x, y, z in trace]
    path.write_text("timestamp_ns,x,y,z\n" + "".join(lines))
    got = [key_of(row) for row in process(parallaxctl, path, settings)]
    expected = [event.key() for event in naive_motion.run(trace, settings)]
    where = f"{where}, settings {settings}, trace {path}"
    for index, (one, other) in enumerate(zip(got, expected)):
        assert one == other, f"event {index} of {where}"
    assert len(got) == len(expected), where


@pytest.mark.parametrize("group", range(GROUPS))
def test_process_equals_the_naive_implementation(group: int, parallaxctl: Path, tmp_path: Path) -> None:
    """On traces of all kinds."""
    print(f"PARALLAXD_SEED={SEED}")
    for case in range(group, CASES, GROUPS):
        rng = random.Random(f"{SEED}/{case}")
        settings = random_settings(rng)
        trace = random_trace(rng, settings)
        assert_equal(parallaxctl, tmp_path / f"{case}.csv", settings, trace, f"seed {SEED}, case {case}")


@pytest.mark.parametrize("group", range(GROUPS))
def test_the_bias_equals_the_naive_implementations(group: int, parallaxctl: Path, tmp_path: Path) -> None:
    """On traces with long rests, from which it is learned, and everything of it shows."""
    print(f"PARALLAXD_SEED={SEED}")
    for case in range(group, max(1, CASES // 6), GROUPS):
        rng = random.Random(f"{SEED}/rest/{case}")
        settings = {
            "motion.threshold": 0.0,
            "motion.integration": rng.choice(["angle", "per-update"]),
            "calibration.max_bias": rng.choice([0.05, 0.2]),
        }
        trace = resting_trace(rng)
        assert_equal(parallaxctl, tmp_path / f"{case}.csv", settings, trace, f"seed {SEED}, rest {case}")


def with_accelerations(rng: random.Random, trace: list[tuple]) -> list[tuple]:
    """The trace beside an accelerometer that is at rest, shaken, falling, hit, stuck or silent for a while."""
    rows = []
    mode = "rest"
    up = [rng.gauss(0, 1) for _ in range(3)]
    for row in trace:
        if rng.random() < 0.02:
            mode = rng.choice(["rest", "shaken", "falling", "hit", "stuck", "stuck", "silent", "silent"])
        size = {"falling": 0.1, "hit": 300.0}.get(mode, 9.81)
        length = math.hypot(*up)
        noise = 3.0 if mode == "shaken" else 0.05
        if mode != "stuck" or not rows or len(rows[-1]) == 4:
            acceleration = [part / length * size + rng.gauss(0, noise) for part in up]
        rows.append(row if mode == "silent" else (*row, *acceleration))
    return rows


@pytest.mark.parametrize("group", range(GROUPS))
def test_tilt_with_gravity_equals_the_naive_filter(group: int, parallaxctl: Path, tmp_path: Path) -> None:
    """The tilt is the same but for the rounding of another way to compute it; all else is bit for bit."""
    print(f"PARALLAXD_SEED={SEED}")
    used = 0
    for case in range(group, CASES, GROUPS):
        rng = random.Random(f"{SEED}/gravity/{case}")
        settings = random_settings(rng)
        trace = with_accelerations(rng, random_trace(rng, settings))
        path = tmp_path / f"{case}.csv"
        lines = [",".join(repr(value) for value in row) + "," * (7 - len(row)) + "\n" for row in trace]
        path.write_text("timestamp_ns,x,y,z,ax,ay,az\n" + "".join(lines))
        got = [key_of(row) for row in process(parallaxctl, path, settings)]
        expected = [event.key() for event in naive_motion.run(trace, settings)]
        plain = [event.key() for event in naive_motion.run([row[:4] for row in trace], settings)]
        where = f"seed {SEED}, case {case}, settings {settings}, trace {path}"
        assert [row[:5] for row in got] == [row[:5] for row in expected], where
        for index, (one, other) in enumerate(zip(got, expected)):
            assert one[5:] == pytest.approx(other[5:], rel=1e-7, abs=1e-9), f"event {index} of {where}"
        used += expected != plain
    assert used > 0, "gravity had something to say"
