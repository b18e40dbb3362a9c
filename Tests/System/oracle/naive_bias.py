"""The automatic bias a second time, as plainly as it can be said: lists of samples, in blocks and windows.

Of what docs/motion.md says, for equality bit for bit: each sum runs in the order of time.
"""

import math
from dataclasses import dataclass, field

BLOCK_TIME, BLOCK_SAMPLES, BLOCKS = 250_000_000, 4, 6
FIRST, DEPARTURE = 2_500_000_000, 60_000_000_000
WALK, DOUBTFUL = 3e-9, 1e-6
LONGEST_RUN = 15


def total(values) -> float:
    """From left to right, from 0; `sum` would do better than that."""
    out = 0.0
    for value in values:
        out += value
    return out


@dataclass
class Known:
    """A bias per axis, and its variance."""

    value: list[float]
    variance: list[float]
    since: int = 0

    def age(self, seconds: float) -> None:
        """It may have wandered."""
        self.variance = [max(v, min(v + WALK * seconds, DOUBTFUL)) for v in self.variance]

    def agrees(self, other: "Known") -> bool:
        """Within five standard errors of the difference, or 0.005 rad/s."""
        for axis in range(3):
            allowed = max(5 * math.sqrt(self.variance[axis] + other.variance[axis]), 0.005)
            if not abs(self.value[axis] - other.value[axis]) <= allowed:
                return False
        return True

    def take(self, other: "Known") -> None:
        """Weighted by the inverse of the variances."""
        for axis in range(3):
            gain = self.variance[axis] / (self.variance[axis] + other.variance[axis])
            self.value[axis] += gain * (other.value[axis] - self.value[axis])
            self.variance[axis] *= 1 - gain


@dataclass
class Memory:
    """What goes on from stream to stream."""

    max_bias: float
    applied: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    known: Known | None = None
    candidate: Known | None = None
    floor: list[float] | None = None
    to_ease: int = 0


def axis_of_block(samples, axis: int, pivot: float) -> tuple[float, float, float]:
    """The sum, the mean and the squares about it, of the differences from the pivot."""
    differences = [sample[1][axis] - pivot for sample in samples]
    block_sum = total(differences)
    mean = block_sum / len(samples)
    squares = max(0.0, total(d * d for d in differences) - block_sum * mean)
    return block_sum, mean, squares


def axis_of_window(window, axis: int, step: float) -> tuple[float, float, float, float, float]:
    """Mean, noise, spread, the spread that white noise would have, and the mean's variance."""
    pivot = window[0][0][1][axis]
    parts = [axis_of_block(block, axis, pivot) for block in window]
    samples = float(total(len(block) for block in window))
    noise = total(part[2] for part in parts) / (samples - BLOCKS)
    means = total(part[1] for part in parts)
    spread = max(0.0, total(part[1] * part[1] for part in parts) - means * means / BLOCKS) / (BLOCKS - 1)
    variance = max(noise / samples, spread / BLOCKS) + 1e-12
    if 4 * noise < step * step:
        variance += step * step / 12
    mean = pivot + total(part[0] for part in parts) / samples
    return mean, noise, spread, noise / (samples / BLOCKS), variance


def learn(memory: Memory, found: Known, end: int) -> None:
    """A resting window is taken into the estimate, or waits as a candidate."""
    if memory.known and memory.known.agrees(found):
        memory.known.take(found)
        memory.candidate = None
        memory.to_ease = 4
        return
    if memory.candidate and memory.candidate.agrees(found):
        memory.candidate.take(found)
    else:
        memory.candidate = found
    if end - memory.candidate.since >= (DEPARTURE if memory.known else FIRST):
        if memory.known:
            memory.to_ease = 4
        else:
            memory.applied = list(memory.candidate.value)
        memory.known, memory.candidate = memory.candidate, None


def judge(memory: Memory, window, step: float) -> None:
    """A full window: rest, or not."""
    axes = [axis_of_window(window, axis, step) for axis in range(3)]
    still = all(
        abs(mean) <= memory.max_bias and noise <= 4e-4 and spread <= max(5 * expected, 2.25e-6)
        for mean, noise, spread, expected, _ in axes
    )
    if still and memory.floor:
        still = all(part[1] <= 9 * floor + 2.5e-7 for part, floor in zip(axes, memory.floor))
        if not still:
            memory.floor = [floor * 1.1 for floor in memory.floor]
    if not still:
        memory.candidate = None
        return
    noises = [part[1] for part in axes]
    if memory.floor is None:
        memory.floor = noises
    else:
        memory.floor = [old + (new - old) / 8 for old, new in zip(memory.floor, noises)]
    found = Known([part[0] for part in axes], [part[4] for part in axes], window[0][0][0])
    learn(memory, found, window[-1][-1][0])


def like_the_one_before(rates) -> int:
    """How many of the last ones are."""
    count = 0
    while count + 1 < len(rates) and rates[-1 - count] == rates[-2 - count]:
        count += 1
    return count


def close_block(memory: Memory, window, block, before, rates) -> list:
    """The window after the block; empty where it is not gone on with. `rates` are all since one was given up."""
    if memory.to_ease and memory.known:
        for axis in range(3):
            memory.applied[axis] += (memory.known.value[axis] - memory.applied[axis]) / memory.to_ease
        memory.to_ease -= 1
    for one in (memory.known, memory.candidate):
        if one:
            one.age((block[-1][0] - block[0][0]) / 1e9)
    window.append(block)
    pivots = window[0][0][1]
    own = ([before] if before else []) + [rate for _, rate in block]
    changes = sum(one != other for one, other in zip(own, own[1:]))
    frozen = changes == 0 and like_the_one_before(rates) >= LONGEST_RUN
    calm = all(
        axis_of_block(block, axis, pivots[axis])[2] / (len(block) - 1) <= 1.6e-3 for axis in range(3)
    )
    if frozen or not calm:
        memory.candidate = None
        return []
    return window


def smallest_step(window, before) -> float:
    """The least change of an axis from one scan to the next; from the one before the window too."""
    rates = ([before] if before else []) + [rate for block in window for _, rate in block]
    changes = [abs(b - a) for one, other in zip(rates, rates[1:]) for a, b in zip(one, other)]
    return min((change for change in changes if change != 0), default=math.inf)


def biases(streams: list[list[tuple]], max_bias: float) -> list[list[list[float]]]:
    """What is taken off of each sample of each stream of (ns, (x, y, z))."""
    memory = Memory(max_bias)
    out = []
    for stream in streams:
        memory.candidate = None
        window: list = []
        block: list = []
        before_block = before_window = None
        rates: list = []
        taken_off = []
        for sample in stream:
            taken_off.append(list(memory.applied))
            block.append(sample)
            if len(block) < BLOCK_SAMPLES or sample[0] - block[0][0] < BLOCK_TIME:
                continue
            count = len(window)
            rates += [rate for _, rate in block]
            window = close_block(memory, window, block, before_block, rates)
            before_block, block = sample[1], []
            if count + 1 == BLOCKS and window:
                judge(memory, window, smallest_step(window, before_window))
                window, before_window = [], sample[1]
            elif not window:
                # Nothing is before what follows a window that was given up.
                before_block = before_window = None
                rates = []
        out.append(taken_off)
    return out
