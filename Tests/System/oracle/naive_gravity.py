"""The filter of motion.md's "Gravity" a second time, from its text: matrices and whole vectors, kept plain."""

import math

# k_P and k_I: where no bias is taken off before, and where one is.
SEARCHING = (0.2, 0.02)
STEADY = (0.05, 0.00125)
LARGEST_BIAS = 0.2
LONGEST_SILENCE = 0.5
SURELY_TURNING = 0.4
LONGEST_CARRY = 0.3


def cross(a: list[float], b: list[float]) -> list[float]:
    """a × b."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def turned_against(v: list[float], turn: list[float]) -> list[float]:
    """v in a frame that has turned: exp(−[turn]) · v by the matrix of Rodrigues' formula."""
    size = math.hypot(*turn)
    if size == 0:
        return v
    x, y, z = (part / size for part in turn)
    s, c = math.sin(-size), math.cos(size)
    t = 1 - c
    matrix = [
        [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
        [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
        [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
    ]
    out = [row[0] * v[0] + row[1] * v[1] + row[2] * v[2] for row in matrix]
    length = math.hypot(*out)
    return [part / length for part in out]


class Gravity:
    """The filter."""

    def __init__(self) -> None:
        self.bias = [0.0, 0.0, 0.0]
        self.vertical: list[float] | None = None
        self.correction = [0.0, 0.0, 0.0]
        self.silence = 0.0
        self.known = [0.0, 0.0, 0.0]
        self.newest: list[float] | None = None
        self.path: list[list[float]] = []

    def learn(self, known: list[float]) -> None:
        """The bias that was taken off of the rate that comes."""
        if list(known) == self.known:
            return
        self.known = list(known)
        if self.vertical is not None:
            self.correction = [c + b for c, b in zip(self.correction, self.bias)]
        self.bias = [0.0, 0.0, 0.0]

    def stop(self) -> None:
        """It does not run."""
        self.vertical = None
        self.correction = [0.0, 0.0, 0.0]

    def corrected(self, rate: list[float]) -> list[float]:
        """What step 4 takes for the rate."""
        if self.vertical is None:
            return rate
        return [part + more for part, more in zip(rate, self.correction)]

    def turn(self, before: list[float], now: list[float], seconds: float) -> None:
        """Corrected rates at both ends turn the vertical."""
        if self.vertical is None:
            return
        self.silence += seconds
        if self.silence > LONGEST_SILENCE:
            self.stop()
            return
        angle = [(a + b) / 2 * seconds for a, b in zip(before, now)]
        old = self.vertical
        self.vertical = turned_against(old, angle)
        if math.hypot(*angle) > SURELY_TURNING * seconds:
            self.path.append([b - a for a, b in zip(old, self.vertical)])

    def is_stuck(self, acceleration: list[float]) -> bool:
        """Whether it is what came last, bit for bit, and the device has turned since."""
        if acceleration != self.newest:
            self.newest = acceleration
            self.path = []
        return math.hypot(*(sum(step[axis] for step in self.path) for axis in range(3))) > LONGEST_CARRY

    def observe(self, acceleration: list[float] | None) -> None:
        """What an accelerometer says at the end of that."""
        if acceleration is None or not 1 <= math.hypot(*acceleration) <= 100:
            return
        if self.is_stuck(acceleration):
            self.stop()
            return
        direction = [part / math.hypot(*acceleration) for part in acceleration]
        if self.vertical is None:
            self.vertical = direction
            self.correction = [-part for part in self.bias]
        else:
            error = cross(direction, self.vertical)
            k_p, k_i = STEADY if any(self.known) else SEARCHING
            moved = [b - k_i * self.silence * e for b, e in zip(self.bias, error)]
            self.bias = [max(-LARGEST_BIAS, min(LARGEST_BIAS, part)) for part in moved]
            self.correction = [k_p * e - b for e, b in zip(error, self.bias)]
        self.silence = 0.0
