"""The real recordings that the tests read, each with what Python needs to read it by itself."""

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from pathlib import Path

DEGREE = math.pi / 180


@dataclass(frozen=True)
class Recording:
    """How a file is read: by our own program with `columns` (None: detected), by Python with the rest."""

    columns: str | None
    # Of t, x, y and z, from 0.
    places: tuple[int, int, int, int]
    # Nanoseconds per unit of the time column.
    unit: str
    separator: str = ","
    # Lines before the first row.
    header: int = 1
    # rad/s per unit of the rate columns.
    scale: float = 1.0


def mapping(t: str, x: str, y: str, z: str, unit: str) -> str:
    """The text of --columns."""
    return f"t={t},x={x}:{unit},y={y}:{unit},z={z}:{unit}"


def sensor_logger() -> Recording:
    """Columns z, y, x."""
    return Recording(None, (0, 4, 3, 2), "1")


RECORDINGS = {
    "android/sensorkinetics_honor10_rest.csv": Recording(
        mapping("time:s", "X_value", "Y_value", "Z_value", "rad/s"), (0, 1, 2, 3), "1e9"
    ),
    "android/sensorkinetics_oneplus6_rest_semicolon-comma.csv": Recording(
        mapping("time:s", "X_value", "Y_value", "Z_value", "rad/s"), (0, 1, 2, 3), "1e9", ";"
    ),
    "euroc/kimera_real_data_10us-stamps.csv": Recording(None, (0, 1, 2, 3), "1"),
    "euroc/kimera_real_data_groundtruth.csv": Recording(
        mapping(
            "timestamp:ns",
            "b_w_RS_S_x [rad s^-1]",
            "b_w_RS_S_y [rad s^-1]",
            "b_w_RS_S_z [rad s^-1]",
            "rad/s",
        ),
        (0, 11, 12, 13),
        "1",
    ),
    "euroc/v1_01_imu0_data.csv": Recording(None, (0, 1, 2, 3), "1"),
    "flight/ncsu_rocket_gov2.csv": Recording(
        mapping(
            "timestamp_seconds:s",
            "raw_angular_rate_x_deg_per_s",
            "raw_angular_rate_y_deg_per_s",
            "raw_angular_rate_z_deg_per_s",
            "deg/s",
        ),
        (5, 14, 15, 16),
        "1e9",
        scale=DEGREE,
    ),
    "ios/johnliu_rotation-rate_header-spaces.csv": Recording(
        mapping("Time:s", "Rotation Rate (X)", "Rotation Rate (Y)", "Rotation Rate (Z)", "rad/s"),
        (0, 1, 2, 3),
        "1e9",
    ),
    "mcu/ayaan_mpu6050_deg.csv": Recording(
        mapping("time:s", "gyro_x", "gyro_y", "gyro_z", "deg/s"), (0, 4, 5, 6), "1e9", scale=DEGREE
    ),
    "mcu/pms67_attitude_imu.csv": Recording(
        mapping("t:s", "Gx", "Gy", "Gz", "deg/s"), (0, 4, 5, 6), "1e9", scale=DEGREE
    ),
    "mcu/tmcg_roadbike_ms-epoch.csv": Recording(
        mapping("Time_ms:ms", "GX", "GY", "GZ", "deg/s"), (0, 4, 5, 6), "1e6", scale=DEGREE
    ),
    "mcu/yangyi_counter.csv": Recording(
        mapping("1:ms", "2", "3", "4", "rad/s"), (0, 1, 2, 3), "1e6", header=0
    ),
    "phyphox/kev5655_roller_semicolon-decimal-comma.csv": Recording(None, (0, 1, 2, 3), "1e9", ";"),
    "phyphox/kundiilona_gyro.csv": Recording(None, (0, 1, 2, 3), "1e9"),
    "phyphox/soerenarlt_negative-start.csv": Recording(None, (0, 1, 2, 3), "1e9"),
    "sensorlogger/bennyjhui.csv": sensor_logger(),
    "sensorlogger/ethz_galaxyA5_gyro-uncalibrated.csv": sensor_logger(),
    "sensorlogger/ethz_galaxyA5_gyro.csv": sensor_logger(),
    "sensorlogger/sewonm_robot.csv": sensor_logger(),
    "vendor/magicleap2_rawimu.csv": Recording(
        mapping("t_ns:ns", "gyrox", "gyroy", "gyroz", "rad/s"), (0, 6, 7, 8), "1"
    ),
    "vendor/xio_fusion_sensor_data.csv": Recording(
        mapping("Time (s):s", "Gyroscope X (deg/s)", "Gyroscope Y (deg/s)", "Gyroscope Z (deg/s)", "deg/s"),
        (0, 1, 2, 3),
        "1e9",
        scale=DEGREE,
    ),
    "vendor/xio_ximu3_us.csv": Recording(
        mapping(
            "Timestamp (us):us", "Gyroscope X (deg/s)", "Gyroscope Y (deg/s)", "Gyroscope Z (deg/s)", "deg/s"
        ),
        (0, 1, 2, 3),
        "1e3",
        scale=DEGREE,
    ),
    # The header says 50 Hz: a count is 20 ms.
    "vendor/xsens_header-comments.txt": Recording(
        mapping("Counter:20ms", "Gyr_X", "Gyr_Y", "Gyr_Z", "rad/s"), (0, 4, 5, 6), "20e6", "\t", header=5
    ),
}

# Raw rates without a time.
WITHOUT_TIME = {"mcu/cyclepro_raw-lsb_no-header.csv"}


def read(path: Path, how: Recording) -> list[tuple[int, float, float, float]]:
    """Every row: nanoseconds, and the three values in rad/s. Times are exact, rounded half to even."""
    exact = Context(prec=60, rounding=ROUND_HALF_EVEN)
    rows = []
    for line in path.read_text(encoding="utf-8-sig").splitlines()[how.header :]:
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split(how.separator)]
        if how.separator != ",":
            fields = [field.replace(",", ".") for field in fields]
        time, *values = (fields[place] for place in how.places)
        nanoseconds = exact.multiply(Decimal(time), Decimal(how.unit)).to_integral_value(context=exact)
        rows.append((int(nanoseconds), *(float(value) * how.scale for value in values)))
    return rows
