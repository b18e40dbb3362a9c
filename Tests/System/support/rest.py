"""Scans of a gyroscope that lies still, with noise and a bias, in time of its own."""

import random
import time

SCALE = 0.001064724
# Of the sensor's axes, rad/s.
BIAS = (0.021, -0.034, 0.012)


class Resting:
    """Makes scans that follow each other; some seconds of sample time at once."""

    def __init__(self, bias: tuple[float, float, float] = BIAS, hertz: int = 100, seconds_ago: float = 60) -> None:
        """The first scan is of so long ago: there is time to be made up for."""
        self.bias = bias
        self.period = 1_000_000_000 // hertz
        self.time = time.monotonic_ns() - round(seconds_ago * 1e9)
        self.random = random.Random(3)

    def scans(self, seconds: float, turn: float = 0.0, noise: float = 0.003) -> list[tuple[int, int, int, int]]:
        """The next ones, of a device that turns about y at so many rad/s."""
        rows = []
        for _ in range(round(seconds * 1e9 / self.period)):
            rates = [self.random.gauss(value, noise) for value in self.bias]
            rates[1] += turn
            self.time += self.period
            rows.append((self.time, *(round(rate / SCALE) for rate in rates)))
        return rows


def is_near(found: list[float], expected: tuple[float, ...] = BIAS, within: float = 0.001) -> bool:
    """On every axis."""
    return all(abs(one - other) < within for one, other in zip(found, expected, strict=True))
