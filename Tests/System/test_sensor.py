"""A gyroscope's scans through the real libiio: from bytes and attributes to rates and times."""

import time

import pytest

from support.gyroscope import Gyroscope
from support.sensor import config, open_sensor, scans, sensor_status, stream_rates

FORMATS = [
    "le:s16/16>>0",
    "be:s16/16>>0",
    "be:s12/16>>4",
    "le:s16/32>>0",
    "le:s20/32>>12",
    "be:s24/32>>8",
    "le:s32/32>>0",
    "le:s64/64>>0",
    {"x": "le:s16/16>>0", "y": "be:s16/32>>4", "z": "le:s12/16>>4"},
]


@pytest.mark.parametrize("scan_type", FORMATS, ids=str)
def test_scans_become_rates(daemon, machine, scan_type):
    """Every bit of every scan arrives: formats, a scale per axis, an offset, the matrix and the stamps."""
    gyroscope = machine.add(
        Gyroscope(
            type=scan_type,
            scale_text={"x": "0.001064724", "y": "0.5", "z": "0.000000174"},
            offset_text={"y": "-3"},
            mount_matrix="0, 1, 0; -1, 0, 0; 0, 0, 1",
            others={"in_accel_x": "le:s16/16>>0"},
        )
    )
    one = daemon(machine=machine, config=config())
    given = scans()
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        received = stream_rates(client, gyroscope, given)
        assert gyroscope.enabled_elements == ["in_anglvel_x", "in_anglvel_y", "in_anglvel_z", "in_timestamp"]
    expected = [(t, (y - 3) * 0.5 + 0.0, -(x * 0.001064724) + 0.0, z * 0.000000174) for t, x, y, z in given]
    assert received == expected


def test_foreign_clock_is_mapped(daemon, machine):
    """Stamps of a clock that cannot be changed come out as CLOCK_MONOTONIC, between taking and arrival."""
    gyroscope = machine.add(Gyroscope(clock=None))
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        for number in range(10):
            before = time.monotonic_ns()
            [(stamp, *_)] = stream_rates(client, gyroscope, [(time.time_ns(), number, 0, 0)], number)
            # The wall clock may be slewed meanwhile.
            assert before - 1_000_000 <= stamp <= time.monotonic_ns()
    assert sensor_status(one)["clock"] == "realtime"


def test_no_stamps_means_the_time_of_arrival(daemon, machine):
    gyroscope = machine.add(Gyroscope(timestamp=False))
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        before = time.monotonic_ns()
        stamps = [stamp for stamp, *_ in stream_rates(client, gyroscope, scans(5))]
        after = time.monotonic_ns()
    assert sensor_status(one)["clock"] == "wake-up"
    assert before <= stamps[0] and stamps[-1] <= after
    assert all(a < b for a, b in zip(stamps, stamps[1:]))


def test_settling_is_left_out(daemon, machine):
    """Scans of the first moments after the buffer was switched on make no update."""
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=config().replace("settle_time = 0", "settle_time = 0.02"))
    given = scans(8, period=5_000_000)
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        gyroscope.wait_enabled()
        assert gyroscope.write_scans(given) == 8
        event = client.event_where(lambda event: event["timestamp_ns"] == given[-1][0])
    # Left out: at 0, 5, 10 and 15 ms.
    assert event["sequence"] == 3


@pytest.mark.parametrize(
    ("device", "scale", "note"),
    [
        ({"scale_text": None}, [1, 1, 1], "has no scale"),
        ({"scale_text": "0.000000"}, [1, 1, 1], "in_anglvel_scale"),
        ({"scale_text": "0,001"}, [1, 1, 1], "0,001"),
        ({"scale_text": {"x": "0.25", "y": "-0.5", "z": "1e-9"}}, [0.25, -0.5, 1e-9], None),
    ],
    ids=["absent", "zero", "comma", "per-axis"],
)
def test_scale(daemon, machine, device, scale, note):
    gyroscope = machine.add(Gyroscope(**device))
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        status = open_sensor(one)
    assert status["scale"] == scale
    assert note is None or any(note in sentence for sentence in status["why"]), status["why"]


TURNED = "0, 1, 0; -1, 0, 0; 0, 0, 1"
TURNED_ROWS = [0, 1, 0, -1, 0, 0, 0, 0, 1]
IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("attributes", "sensor", "rows", "source"),
    [
        ({}, "", IDENTITY, "none"),
        ({"in_mount_matrix": TURNED}, "", TURNED_ROWS, "in_mount_matrix"),
        ({"mount_matrix": TURNED}, "", TURNED_ROWS, "mount_matrix"),
        ({"in_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1", "in_anglvel_mount_matrix": TURNED}, "",
         TURNED_ROWS, "in_anglvel_mount_matrix"),
        ({"in_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1"}, f"mount_matrix = {TURNED_ROWS}",
         TURNED_ROWS, "configuration"),
        ({"in_mount_matrix": "(null)"}, "", IDENTITY, "none"),
        ({"in_mount_matrix": "0, 0, 0; 0, 0, 0; 0, 0, 0"}, "", IDENTITY, "none"),
    ],
    ids=["none", "in", "bare", "anglvel-first", "configured", "unparsable", "zeros"],
)  # fmt: skip
def test_mount_matrix(daemon, machine, attributes, sensor, rows, source):
    gyroscope = machine.add(Gyroscope(attributes=attributes))
    one = daemon(machine=machine, config=f"[sensor]\n{sensor}\n")
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        status = open_sensor(one)
    assert (status["mount_matrix"], status["mount_matrix_from"]) == (rows, source)
    said = any("no mount matrix" in sentence for sentence in status["why"])
    assert said == (rows == IDENTITY and bool(attributes)), status["why"]
