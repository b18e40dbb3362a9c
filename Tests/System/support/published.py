"""What people have published of their devices, which is not in this repository: read from PARALLAXD_DEVICES."""

import json
import os
import re
from pathlib import Path

import pytest

HWDB = re.compile(r"^ ACCEL_MOUNT_MATRIX=(.*)$", re.MULTILINE)
# Rows of a hand-held PC's matrix, some of them switched off by a comment.
ROWS = re.compile(r"x: \[(.*)\]\s*#?\s*y: \[(.*)\]\s*#?\s*z: \[(.*)\]")


def published(name: str) -> Path:
    """A file of the folder; skips where there is no folder."""
    folder = os.environ.get("PARALLAXD_DEVICES")
    if not folder:
        pytest.skip("PARALLAXD_DEVICES is not set: no published texts of devices to read")
    if not (Path(folder) / name).is_file():
        pytest.fail(f"PARALLAXD_DEVICES names a folder without {name}: {folder}")
    return Path(folder) / name


def accelerometer_matrices() -> list[str]:
    """Every matrix of systemd's hardware database, as it stands there."""
    return HWDB.findall(published("60-sensor.hwdb").read_text())


def handhelds() -> list[str]:
    """InputPlumber's files of hand-held PCs, a name each."""
    return re.findall(r"^### (.*)$", published("inputplumber_device_imu_mount-matrices.txt").read_text(), re.MULTILINE)


def handheld_matrices() -> list[str]:
    """Every matrix of InputPlumber's hand-held PCs, as the kernel would write it."""
    rows = ROWS.findall(published("inputplumber_device_imu_mount-matrices.txt").read_text())
    return ["; ".join(one) for one in rows]


def pitch_motion() -> list[tuple[int, list[float]]]:
    """A hand that tips a remote control up and down: nanoseconds, and rates in rad/s."""
    samples = json.loads(published("unfolded-remote3_bmi323_pitch-motion_cut.json").read_text())["samples"]
    return [(round(one["time"] * 1e9), one["gyro"]) for one in samples]
