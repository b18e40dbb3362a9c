"""The motion pipeline a second time, written from the contract's table and as plainly as it can be said.

Nothing is shared with the Swift implementation, not even the structure: everything is kept, and each
table row is a pass over the whole history. Python's floats are the same IEEE doubles and math.exp is the C
library's, so the results must be equal bit for bit.
"""

import math
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal

from . import naive_bias
from .naive_gravity import Gravity

STAMP_BOUND = 2**62

DEFAULTS: dict[str, object] = {
    "motion.update_interval": 0.03,
    "motion.max_gap": 0.25,
    "motion.threshold": 0.1,
    "motion.dead_zone": "hard",
    "motion.threshold_recovery": 0.2,
    "motion.multiplier": None,
    "motion.gain_x": 1.0,
    "motion.gain_y": 1.0,
    "motion.invert_x": False,
    "motion.invert_y": False,
    "motion.smoothing": 0.0,
    "motion.integration": "per-update",
    "motion.sample": "mean",
    "motion.max_step": math.inf,
    "motion.limit": math.inf,
    "motion.limit_mode": "clamp",
    "motion.recenter_time": 0.0,
    "sensor.axes": "XYZ",
    "sensor.screen_rotation": 0,
    "sensor.mount_matrix": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    "tilt.recenter_time": 5.0,
    "tilt.range": 0.35,
    "tilt.accelerometer": True,
    "calibration.mode": "auto",
    "calibration.bias": [0.0, 0.0, 0.0],
    "calibration.max_bias": 0.2,
    "accessibility.reduced_motion": False,
    "accessibility.reduced_motion_scale": 0.0,
}


@dataclass
class Sample:
    """An accepted sample."""

    time: int
    omega: list[float]
    delta: int  # ns since the one before it; 0 for the first of a stream
    acceleration: list[float] | None = None
    bias: list[float] = field(default_factory=list)


@dataclass
class Stream:
    """Samples without a hole."""

    samples: list[Sample] = field(default_factory=list)


@dataclass
class Event:
    """One row of what `process` writes."""

    sequence: int
    time: int
    x: float
    y: float
    gap: bool
    tilt: list[float]

    def key(self) -> tuple:
        """What must be equal."""
        return (self.sequence, self.time, self.x, self.y, self.gap, *self.tilt)


def nanoseconds(seconds: float) -> int:
    """Seconds as the shortest decimal text that means them, exactly in nanoseconds."""
    return int((Decimal(repr(seconds)) * 10**9).to_integral_value(rounding=ROUND_HALF_EVEN))


def product(left: list[list[float]], right: list[list[float]]) -> list[list[float]]:
    """left · right."""
    out = []
    for row in left:
        line = []
        for column in range(3):
            line.append(
                row[0] * right[0][column] + row[1] * right[1][column] + row[2] * right[2][column]
            )
        out.append(line)
    return out


def orientation(config: dict) -> list[list[float]]:
    """R · A · M."""
    axes = []
    for letter in config["sensor.axes"]:
        row = [0.0, 0.0, 0.0]
        row["xyz".index(letter.lower())] = 1.0 if letter.isupper() else -1.0
        axes.append(row)
    turned = {
        0: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        90: [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        180: [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]],
        270: [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    }[config["sensor.screen_rotation"]]
    nine = config["sensor.mount_matrix"]
    return product(turned, product(axes, [nine[0:3], nine[3:6], nine[6:9]]))


def determinant(matrix: list[list[float]]) -> float:
    """Of three rows."""
    (a, b, c), (d, e, f), (g, h, i) = matrix
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def split_into_streams(rows, config: dict, nominal_frequency: float) -> list[Stream]:
    """Rows 0, 1 and 2: what is dropped, what the rates are, where a new stream begins."""
    gap = max(
        nanoseconds(config["motion.max_gap"]), 3 * nanoseconds(config["motion.update_interval"])
    )
    if nominal_frequency > 0:
        gap = max(gap, round(3e9 / nominal_frequency))
    matrix = orientation(config)
    uses_gravity = config["tilt.accelerometer"] and determinant(matrix) > 0
    streams: list[Stream] = []
    for time, *values in rows:
        raw, more = values[:3], values[3:]
        if not all(math.isfinite(value) for value in raw) or abs(time) > STAMP_BOUND:
            continue
        delta = None
        if streams:
            delta = time - streams[-1].samples[-1].time
            if -gap <= delta <= 0:
                continue
        if delta is None or delta > gap or delta < -gap:
            streams.append(Stream())
            delta = 0
        acceleration = None
        if len(more) == 3 and uses_gravity:
            acceleration = [row[0] * more[0] + row[1] * more[1] + row[2] * more[2] for row in matrix]
        streams[-1].samples.append(Sample(time, raw, delta, acceleration))
    return streams


def biases_of(streams: list[Stream], config: dict) -> list[list[list[float]]]:
    """What is taken off of each sample."""
    if config["calibration.mode"] == "auto":
        rates = [[(sample.time, tuple(sample.omega)) for sample in stream.samples] for stream in streams]
        return naive_bias.biases(rates, config["calibration.max_bias"])
    bias = config["calibration.bias"] if config["calibration.mode"] == "fixed" else [0.0, 0.0, 0.0]
    return [[bias for _ in stream.samples] for stream in streams]


def correct(streams: list[Stream], config: dict) -> None:
    """Row 1: the bias is taken off, and the axes are the picture's."""
    matrix = orientation(config)
    for stream, biases in zip(streams, biases_of(streams, config)):
        for sample, bias in zip(stream.samples, biases):
            sample.bias = list(bias)
            u = [value - b for value, b in zip(sample.omega, bias)]
            sample.omega = [row[0] * u[0] + row[1] * u[1] + row[2] * u[2] for row in matrix]


def smooth(stream: Stream, tau: float) -> list[list[float]]:
    """Row 3: the rates of a stream, low-passed."""
    if tau == 0:
        return [sample.omega for sample in stream.samples]
    out = [stream.samples[0].omega]
    for sample in stream.samples[1:]:
        share = 1.0 - math.exp(-(sample.delta / 1e9) / tau)
        out.append([f + share * (w - f) for f, w in zip(out[-1], sample.omega)])
    return out


def tilts(streams: list[Stream], all_rates: list[list[list[float]]], config: dict) -> list[list[list[float]]]:
    """Row 4, with gravity where there is any: the tilt at each sample of each stream; it outlives a stream's end."""
    tau = config["tilt.recenter_time"]
    reach = config["tilt.range"]
    angle = [0.0, 0.0]
    last_time = None
    gravity = Gravity()
    out: list[list[list[float]]] = []
    for stream, rates in zip(streams, all_rates):
        out.append([])
        for index, sample in enumerate(stream.samples):
            gravity.learn(sample.bias)
            if index == 0:
                gravity.stop()
                delta = 0.0 if last_time is None else (sample.time - last_time) / 1e9
                if delta > 0 and tau > 0:
                    angle = [value * math.exp(-delta / tau) for value in angle]
            else:
                delta = sample.delta / 1e9
                before, now = gravity.corrected(rates[index - 1]), gravity.corrected(rates[index])
                total = [before[axis] + now[axis] for axis in (0, 1)]
                if tau == 0:
                    angle = [value + delta * (both / 2) for value, both in zip(angle, total)]
                else:
                    e = math.exp(-delta / tau)
                    angle = [value * e + tau * (1 - e) * (both / 2) for value, both in zip(angle, total)]
                gravity.turn(before, now, delta)
            gravity.observe(sample.acceleration)
            angle = [bounded(value, reach) for value in angle]
            last_time = sample.time
            out[-1].append([angle[1] / reach, angle[0] / reach])
    return out


def dead_zone(rate: float, config: dict) -> float:
    """D(r)."""
    theta = config["motion.threshold"]
    rho = config["motion.threshold_recovery"] if config["motion.dead_zone"] == "soft" else 0.0
    if abs(rate) <= theta:
        return 0.0
    if rho == 0 or abs(rate) >= theta + rho:
        return rate
    return math.copysign(1.0, rate) * (abs(rate) - theta) * (theta + rho) / rho


def due_updates(stream: Stream, interval: int) -> list[int]:
    """Row 6: how many updates fall to each sample of a stream, trying every grid time in turn."""
    out = [1]
    served = 0
    for sample in stream.samples[1:]:
        if interval == 0:
            out.append(1)
            continue
        k = 0
        while True:
            grid = stream.samples[0].time + (served + 1) * interval
            if 2 * (grid - sample.time) > min(sample.delta, interval):
                break
            served += 1
            k += 1
        out.append(k)
    return out


def bounded(value: float, bound: float) -> float:
    """Inside ±bound."""
    if value > bound:
        return bound
    if value < -bound:
        return -bound
    return value


def step_of(samples: list[Sample], rates: list[list[float]], first: int, last: int, config: dict):
    """Row 7: s of the samples first…last of a stream."""
    if config["motion.integration"] == "angle":
        turn = [0.0, 0.0]
        for axis in (0, 1):
            for index in range(max(first, 1), last + 1):
                before = dead_zone(rates[index - 1][axis], config)
                now = dead_zone(rates[index][axis], config)
                turn[axis] += samples[index].delta / 1e9 * (before + now) / 2
    elif config["motion.sample"] == "latest":
        turn = [dead_zone(rates[last][axis], config) for axis in (0, 1)]
    else:
        turn = []
        for axis in (0, 1):
            total = 0.0
            for index in range(first, last + 1):
                total += rates[index][axis]
            turn.append(dead_zone(total / (last + 1 - first), config))
    multiplier = config["motion.multiplier"]
    if multiplier is None:
        multiplier = 2.5 / 0.03 if config["motion.integration"] == "angle" else 2.5
    x = turn[1] * multiplier * config["motion.gain_x"] * (-1 if config["motion.invert_x"] else 1)
    y = turn[0] * multiplier * config["motion.gain_y"] * (-1 if config["motion.invert_y"] else 1)
    return [bounded(x, config["motion.max_step"]), bounded(y, config["motion.max_step"])]


def apply_step(offset: list[float], step: list[float], config: dict) -> list[float]:
    """Row 9, once."""
    limit = config["motion.limit"]
    out = []
    for position, move in zip(offset, step):
        if config["motion.limit_mode"] == "elastic" and position != 0 and (move > 0) == (position > 0):
            move = move * (1 - abs(position) / limit)
        out.append(bounded(position + move, limit))
    return out


def run(rows, settings: dict, nominal_frequency: float = 0.0) -> list[Event]:
    """Rows of (timestamp in ns, x, y, z) and the settings that differ from the defaults → the events."""
    config = {**DEFAULTS, **settings}
    interval = nanoseconds(config["motion.update_interval"])
    tau = config["motion.recenter_time"]
    scale = config["accessibility.reduced_motion_scale"]
    events: list[Event] = []
    offset = [0.0, 0.0]
    streams = split_into_streams(rows, config, nominal_frequency)
    correct(streams, config)
    all_rates = [smooth(stream, config["motion.smoothing"]) for stream in streams]
    all_tilts = tilts(streams, all_rates, config)
    for number, stream in enumerate(streams):
        rates = all_rates[number]
        first = 0
        for last, count in enumerate(due_updates(stream, interval)):
            if count == 0:
                continue
            time = stream.samples[last].time
            step = step_of(stream.samples, rates, first, last, config)
            if tau > 0 and events:
                elapsed = max(0, time - events[-1].time)
                offset = [value * math.exp(-(elapsed / 1e9) / tau) for value in offset]
            for _ in range(1 if config["motion.integration"] == "angle" else count):
                offset = apply_step(offset, step, config)
            shown = offset
            tilt = all_tilts[number][last]
            if config["accessibility.reduced_motion"]:
                shown = [value * scale for value in offset]
                tilt = [value * scale for value in tilt]
            sequence = (events[-1].sequence if events else -1) + count
            events.append(Event(sequence, time, *shown, gap=last == 0 and number > 0, tilt=tilt))
            first = last + 1
    return events
