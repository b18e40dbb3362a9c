"""Reference orientations beside recordings, and the tilt that they mean: step 4 of what really happened."""

import math
from dataclasses import dataclass
from pathlib import Path

Vector = tuple[float, float, float]
# w, x, y, z: from the sensor's frame to the world's.
Quaternion = tuple[float, float, float, float]


@dataclass(frozen=True)
class Referenced:
    """A recording whose orientation is known."""

    name: str
    # What it is, for people.
    what: str
    # Of `process`; None: detected.
    columns: str | None
    # The axes that lay the picture flat in it: `sensor.axes`.
    flat: str


KIMERA = Referenced(
    "euroc/kimera_real_data_10us-stamps.csv", "a flying machine, 40 s; on its stand at first", None, "YZX"
)
XSENS = Referenced(
    "vendor/xsens_header-comments.txt", "a walking person's sensor, 19 s",
    "t=Counter:20ms,x=Gyr_X:rad/s,y=Gyr_Y:rad/s,z=Gyr_Z:rad/s,ax=Acc_X:m/s2,ay=Acc_Y:m/s2,az=Acc_Z:m/s2", "ZXY",
)  # fmt: skip
ALL = [KIMERA, XSENS]


def orientations(folder: Path, recording: Referenced) -> list[tuple[int, Quaternion]]:
    """The times (ns, as `process` has them) and the reference orientations."""
    if recording is KIMERA:
        lines = (folder / "euroc/kimera_real_data_groundtruth.csv").read_text().splitlines()[1:]
        rows = [line.split(",") for line in lines]
        return [(int(row[0]), quaternion(row[4:8])) for row in rows]
    lines = (folder / recording.name).read_text().splitlines()
    rows = [line.split() for line in lines if line.strip() and line.strip()[0].isdigit()]
    return [(int(row[0]) * 20_000_000, quaternion(row[10:14])) for row in rows]


def quaternion(fields: list[str]) -> Quaternion:
    """Of length 1."""
    w, x, y, z = (float(field) for field in fields)
    size = math.sqrt(w * w + x * x + y * y + z * z)
    return (w / size, x / size, y / size, z / size)


def turned(before: Quaternion, after: Quaternion) -> Vector:
    """The turn from one orientation to the other, rad about the sensor's axes."""
    a, b, c, d = before
    w, x, y, z = after
    # conj(before) · after
    real = a * w + b * x + c * y + d * z
    imaginary = (a * x - b * w - c * z + d * y, a * y + b * z - c * w - d * x, a * z - b * y + c * x - d * w)
    size = math.sqrt(sum(part * part for part in imaginary))
    if size == 0:
        return (0.0, 0.0, 0.0)
    angle = 2 * math.atan2(size, abs(real)) * (1 if real > 0 else -1)
    return tuple(part / size * angle for part in imaginary)


def true_tilt(references: list[tuple[int, Quaternion]], axes: str, tau: float) -> dict[int, tuple[float, float]]:
    """θ about the picture's x and y by time, rad: step 4 with the mean rate from one reference to the next."""
    places = ["xyz".index(letter.lower()) for letter in axes]
    signs = [1 if letter.isupper() else -1 for letter in axes]
    angle = [0.0, 0.0]
    out = {references[0][0]: (0.0, 0.0)}
    for (start, before), (end, after) in zip(references, references[1:]):
        seconds = (end - start) / 1e9
        turn = turned(before, after)
        kept = math.exp(-seconds / tau)
        for axis in (0, 1):
            rate = signs[axis] * turn[places[axis]] / seconds
            angle[axis] = angle[axis] * kept + tau * (1 - kept) * rate
        out[end] = (angle[0], angle[1])
    return out
