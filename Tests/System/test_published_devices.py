"""What people have published of their devices, put through the daemon: mount matrices and recordings."""

import re
import subprocess
import time
from pathlib import Path

import pytest

from support.devices import Fixture
from support.gyroscope import Gyroscope
from support.machine import Machine
from support.published import accelerometer_matrices, handheld_matrices, handhelds, pitch_motion
from support.sensor import config, stream_rates

NOT_A_GYROSCOPE = {"axes": "", "scale_text": None, "sampling_frequency": None, "buffer": False, "triggers": []}


def parse(text: str) -> list[list[float]] | None:
    """The rows of a matrix; None where it is none."""
    try:
        rows = [[float(number) for number in row.split(",")] for row in text.split(";")]
    except ValueError:
        return None
    return rows if len(rows) == 3 and all(len(row) == 3 for row in rows) else None


def determinant(rows: list[list[float]]) -> float:
    """Of three rows."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def verdict(text: str) -> str:
    """What a matrix is: `none`, `singular`, `identity`, `rotation` or `reflection`."""
    rows = parse(text)
    if rows is None:
        return "none"
    if rows == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]:
        return "identity"
    return {0: "singular", 1: "rotation", -1: "reflection"}[round(determinant(rows))]


def sections(parallaxd: Path, machine: Machine, *options: str) -> dict[str, str]:
    """What `--list-sensors` says of each device."""
    command = machine.command([str(parallaxd), "--list-sensors", *options])
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    parts = re.split(r"^(iio:device\d+)  ", done.stdout, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def listed_matrix(section: str) -> tuple[list[list[float]] | None, str]:
    """The matrix that a device would be read with, and where it is from."""
    match = re.search(r"^  matrix +(.*?)(?: \(from (.*)\))?$", section, re.MULTILINE)
    return parse(match[1]), match[2] or "none"


def unique(texts: list[str]) -> list[str]:
    """Each once, in order."""
    return list(dict.fromkeys(texts))


def test_the_published_texts_are_found():
    """The numbers of the files that were read when these tests were written."""
    kinds = [verdict(text) for text in accelerometer_matrices()]
    assert len(kinds) >= 203
    assert kinds.count("singular") == 2 and kinds.count("none") <= 1 and kinds.count("reflection") > 100
    # As many as docs/devices.md names.
    assert len(handhelds()) >= 38
    kinds = [verdict(text) for text in handheld_matrices()]
    assert len(kinds) >= 25 and kinds.count("reflection") >= 7 and kinds.count("rotation") >= 18


@pytest.mark.parametrize("matrices", [accelerometer_matrices, handheld_matrices])
def test_a_published_matrix_as_the_gyroscopes_own(parallaxd, machine, matrices):
    """Parsed or refused; what is no rotation is used, since it was meant, and is warned of."""
    texts = unique(matrices())
    attribute = {"mount_matrix_attribute": "in_anglvel_mount_matrix"}
    gyroscopes = [machine.add(Gyroscope(mount_matrix=text, **attribute)) for text in texts]
    said = sections(parallaxd, machine)
    for text, gyroscope in zip(texts, gyroscopes):
        section, kind = said[gyroscope.folder.name], verdict(text)
        matrix, source = listed_matrix(section)
        if kind in ("none", "singular"):
            assert source == "none" and "no mount matrix" in section, (text, section)
        else:
            assert (matrix, source) == (parse(text), "in_anglvel_mount_matrix"), (text, section)
            assert ("no rotation" in section) == (kind == "reflection"), (text, section)


def test_a_published_matrix_of_the_accelerometer_beside_it(parallaxd, machine):
    """A rotation holds for the whole part; a reflection says nothing of a gyroscope and is left out, aloud."""
    texts = unique(accelerometer_matrices())
    gyroscopes = []
    for number, text in enumerate(texts):
        part = f"platform/i2c-{number}/{number}-0068"
        gyroscopes.append(machine.add(Gyroscope(part=part)))
        attributes = {"in_accel_x_raw": "0", "in_accel_mount_matrix": text}
        machine.add(Gyroscope(name="accel", part=part, attributes=attributes, **NOT_A_GYROSCOPE))
    said = sections(parallaxd, machine)
    for text, gyroscope in zip(texts, gyroscopes):
        section, kind = said[gyroscope.folder.name], verdict(text)
        matrix, source = listed_matrix(section)
        if kind == "rotation":
            assert matrix == parse(text) and f"iio:device{gyroscope.index + 1}" in source, (text, section)
        elif kind == "reflection":
            assert source == "none" and "no rotation" in section and "--axes" in section, (text, section)
        elif kind in ("none", "singular"):
            assert source == "none" and "no mount matrix" in section, (text, section)


def test_a_published_matrix_in_the_configuration(parallaxd, machine):
    """As a person takes it over from another project: used, and warned of where it is no rotation."""
    gyroscope = machine.add(Gyroscope())
    for text in unique(handheld_matrices()):
        numbers = [number for row in parse(text) for number in row]
        section = sections(parallaxd, machine, "--set", f"sensor.mount_matrix={numbers}")[gyroscope.folder.name]
        assert listed_matrix(section) == (parse(text), "configuration"), section
        assert ("no rotation" in section) == (verdict(text) == "reflection"), (text, section)


def test_a_published_motion(daemon, machine):
    """Rates that somebody recorded from a BMI323, as the scans that they were."""
    fixture = Fixture.load("unfolded-remote-3")
    gyroscope = fixture.plug_into(machine)[fixture.expect["device"]]
    motion = pitch_motion()
    scale = fixture.expect["scale"]
    start = time.monotonic_ns() - motion[-1][0]
    scans = [(start + stamp, *(round(rate / scale) for rate in rates)) for stamp, rates in motion]
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        received = stream_rates(client, gyroscope, scans)
    for (_, rates), (_, *came) in zip(motion, received):
        assert came == pytest.approx(rates, abs=1e-9)
