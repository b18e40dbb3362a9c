"""A gyroscope through the real libiio: how it is found, set up, read, lost and given back."""

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

from support.gyroscope import Gyroscope
from support.machine import Machine
from support.waiting import wait_for

NOBODY = 65534
# Every sample is an update, nothing is left out, no sample begins a new stream.
EVERY_SAMPLE = "[sensor]\nsettle_time = 0\n{sensor}[motion]\nupdate_interval = 0\nthreshold = 0\nmax_gap = 60\n"


def config(sensor: str = "", motion: str = "") -> str:
    """A configuration with more keys in [sensor] and [motion]."""
    return EVERY_SAMPLE.format(sensor=sensor + "\n") + motion


def scans(count: int = 20, period: int = 5_000_000) -> list[tuple[int, int, int, int]]:
    """Scans that differ on all axes, some of them negative."""
    start = time.monotonic_ns()
    return [(start + n * period, 100 + n, -200 - n, 50 * (-1) ** n + n) for n in range(count)]


def sensor_status(one) -> dict:
    """What the status says of the sensor."""
    with one.client() as client:
        return client.call("GetStatus")["sensor"]


def open_sensor(one) -> dict:
    """What the status says of the sensor once it is open."""

    def look() -> dict | None:
        sensor = sensor_status(one)
        return sensor if sensor.get("mode") else None

    return wait_for(look, "an open sensor")


def wait_state(one, state: str, reason: str | None = None) -> dict:
    """Until the status has the state, and the reason where one is given; the status."""

    def look() -> dict | None:
        with one.client() as client:
            status = client.call("GetStatus")
        right = status["state"] == state and (reason is None or status.get("reason") == reason)
        return status if right else None

    return wait_for(look, f"the state {state} ({reason})")


def tree(gyroscope: Gyroscope) -> dict[str, str]:
    """Every attribute's text."""
    files = (path for path in sorted(gyroscope.folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(gyroscope.folder)): path.read_text().rstrip("\0\n") for path in files}


def stream_rates(client, gyroscope: Gyroscope, given: list[tuple[int, int, int, int]], first: int = 0) -> list[tuple]:
    """Writes scans one by one and reads the event of each: (timestamp, rate x, y, z).

    `first` is the sequence of the first one's update.
    """
    gyroscope.wait_enabled()
    received = []
    for scan in given:
        assert gyroscope.write_scans([scan]) == 1
        event = client.event()
        while event["sequence"] < first + len(received):
            event = client.event()
        rate = event["rate"]
        received.append((event["timestamp_ns"], rate["x"], rate["y"], rate["z"]))
    return received


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
    expected = [
        (t, (y - 3) * 0.5 + 0.0, -(x * 0.001064724) + 0.0, z * 0.000000174) for t, x, y, z in given
    ]
    assert received == expected


def test_everything_is_given_back(daemon, machine):
    """What the buffer needs is written while it runs, and is as before afterwards."""
    gyroscope = machine.add(
        Gyroscope(trigger=None, sampling_frequency="25", others={"in_accel_x": "le:s16/16>>0"})
    )
    for name, text in {"buffer/length": "7", "buffer/watermark": "3", "scan_elements/in_accel_x_en": "1"}.items():
        gyroscope.set(name, text)
    before = tree(gyroscope)
    one = daemon(machine=machine, config=config("sampling_frequency = 150"))
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        assert gyroscope.read("trigger/current_trigger") == "bmi160-dev0"
        assert gyroscope.read("current_timestamp_clock") == "monotonic"
        assert gyroscope.read("sampling_frequency") == "200"
        assert gyroscope.read("buffer/watermark") == "1"
        assert int(gyroscope.read("buffer/length")) >= 0.25 * 200
        assert gyroscope.read("scan_elements/in_accel_x_en") == "0"
    gyroscope.wait_disabled()
    wait_state(one, "idle")
    wait_for(lambda: tree(gyroscope) == before, f"{before} again: {tree(gyroscope)}")


def test_given_back_at_the_end_of_the_daemon(daemon, machine):
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    before = tree(gyroscope)
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        one.stop()
    assert tree(gyroscope) == before


def test_what_a_crash_left_behind_is_no_hindrance(daemon, machine):
    """After SIGKILL the buffer is still on and the elements are too."""
    gyroscope = machine.add(Gyroscope(trigger=None))
    killed = daemon(machine=machine)
    with killed.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        killed.kill()
    assert gyroscope.is_enabled
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        wait_for(lambda: gyroscope.is_open, "the node to be open again")
        assert len(stream_rates(client, gyroscope, scans(3))) == 3
    gyroscope.wait_disabled()


@pytest.mark.parametrize(
    ("sensor", "device", "asked", "written", "set_to"),
    [
        ("", {}, 2 / 0.03, "100", 100),
        ("sampling_frequency = 100", {}, 100, "100", 100),
        ("sampling_frequency = 5000", {}, 5000, "3200", 3200),
        ("sampling_frequency = 30", {"sampling_frequency_available": "[10 25 400]"}, 30, "35", 35),
        ("", {"sampling_frequency_available": None}, 2 / 0.03, "66.666667", 66.666667),
        ("", {"frequency_of": "channel", "sampling_frequency_available": "26.000000 104.000000"},
         2 / 0.03, "104.000000", 104),
        ("", {"frequency_of": "trigger"}, 2 / 0.03, "66.666667", 66.666667),
        ("", {"sampling_frequency": None}, 2 / 0.03, None, None),
    ],
)  # fmt: skip
def test_frequency(daemon, machine, sensor, device, asked, written, set_to):
    """The nearest that is offered and not below what is asked, else the highest; wherever it is set."""
    gyroscope = machine.add(Gyroscope(**{"sampling_frequency": "25", **device}))
    one = daemon(machine=machine, config=f"[sensor]\n{sensor}\n")
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        status = open_sensor(one)
        where = {"channel": "in_anglvel_sampling_frequency", "trigger": "../trigger0/sampling_frequency"}
        if written is not None:
            assert gyroscope.read(where.get(gyroscope.frequency_of, "sampling_frequency")) == written
    assert status["frequency_asked"] == pytest.approx(asked)
    assert status.get("frequency_set") == (pytest.approx(set_to) if set_to else None)


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
        event = client.event()
        while event["timestamp_ns"] != given[-1][0]:
            event = client.event()
    # Left out: at 0, 5, 10 and 15 ms.
    assert event["sequence"] == 3


NO_BUFFER = {"buffer": False, "trigger": None, "triggers": [], "timestamp": False}


@pytest.mark.parametrize(
    ("device", "reason"),
    [
        (NO_BUFFER, "no buffer"),
        ({"trigger": None, "triggers": []}, "no trigger"),
        ({"type": "nonsense"}, "no buffer"),
        ({"type": "le:s16/24>>0"}, "no buffer"),
    ],
    ids=["no-buffer", "no-trigger", "nonsense-type", "odd-type"],
)
def test_polls_where_no_buffer_can_be_had(daemon, machine, device, reason):
    gyroscope = machine.add(Gyroscope(**device, scale_text="0.5"))
    gyroscope.set_raw(3, -4, 5)
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        event = client.event()
        while event["sequence"] < 3:
            before = event["timestamp_ns"]
            event = client.event()
        assert event["rate"] == {"x": 1.5, "y": -2, "z": 2.5}
        assert before < event["timestamp_ns"] <= time.monotonic_ns()
        gyroscope.set_raw(-30, 4, 5)
        while event["rate"]["x"] != -15:
            event = client.event()
        status = sensor_status(one)
    assert status["mode"] == "poll"
    assert any(sentence.startswith("poll:") and reason in sentence for sentence in status["why"]), status["why"]


def test_polls_where_the_node_is_missing(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    gyroscope.set_raw(1000, 0, 0)
    gyroscope.node.unlink()
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        while client.event()["y"] == 0:
            pass
        assert any("/dev/iio:device0" in sentence for sentence in sensor_status(one)["why"])


def test_a_plain_user_polls_and_learns_why(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    gyroscope.set_raw(1000, 0, 0)
    before = tree(gyroscope)
    one = daemon(machine=machine, user=NOBODY)
    with one.client() as client:
        client.subscribe()
        while client.event()["y"] == 0:
            pass
        why = sensor_status(one)["why"]
        assert any("Permission denied" in sentence and "make install" in sentence for sentence in why), why
    assert tree(gyroscope) == before


def test_a_user_with_the_rights_uses_the_buffer(daemon, machine):
    gyroscope = machine.add(Gyroscope(open_to_all=True))
    one = daemon(machine=machine, user=NOBODY, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        assert len(stream_rates(client, gyroscope, scans(3))) == 3


@pytest.mark.parametrize(
    ("user", "device", "reason", "text"),
    [
        (NOBODY, {}, "permission", "make install"),
        (None, {"trigger": None, "triggers": []}, "configuration", "no trigger"),
        (None, NO_BUFFER, "configuration", "no buffer"),
    ],
    ids=["permission", "no-trigger", "no-buffer"],
)
def test_a_forced_buffer_that_cannot_be_had(daemon, machine, user, device, reason, text):
    machine.add(Gyroscope(**device))
    one = daemon(machine=machine, user=user, config='[sensor]\nmode = "buffer"\n')
    with one.client() as client:
        client.subscribe()
        status = wait_state(one, "waiting", reason)
    assert text in status["text"]
    # What only another configuration can mend is not tried again.
    assert status.get("retry_in") is None if reason == "configuration" else 0 < status["retry_in"] <= 60


def test_forced_polling_leaves_the_buffer_alone(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    gyroscope.set_raw(0, 1000, 0)
    one = daemon(machine=machine, config='[sensor]\nmode = "poll"\n')
    with one.client() as client:
        client.subscribe()
        while client.event()["x"] == 0:
            pass
        assert not gyroscope.is_enabled and not gyroscope.is_open
        assert sensor_status(one)["mode"] == "poll"


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


@pytest.fixture
def three(machine: Machine) -> list[Gyroscope]:
    """A hub with three gyroscopes, two of one name, and something else."""
    machine.add(Gyroscope(name="accel_3d", axes="", others={"in_accel_x": "le:s16/16>>0"}, triggers=[]))
    hub = {"trigger": "gyro_3d-dev9", "triggers": ["gyro_3d-dev9"]}
    return [
        machine.add(Gyroscope(name="gyro_3d", label="gyro-base", **hub)),
        machine.add(Gyroscope(name="gyro_3d", attributes={"location": "lid"}, **hub)),
        machine.add(Gyroscope(name="bmi160", label="gyro-display", triggers=["bmi160-dev3"], trigger="bmi160-dev3")),
    ]


@pytest.mark.parametrize(
    ("device", "index"),
    [(None, 2), ("gyro-base", 0), ("lid", 1), ("gyro_3d", 0), ("iio:device2", 1)],
)
def test_which_of_several(daemon, machine, three, device, index):
    one = daemon(machine=machine, config=f'[sensor]\ndevice = "{device}"\n' if device else "")
    with one.client() as client:
        client.subscribe()
        three[index].wait_enabled()
        status = open_sensor(one)
    assert status["id"] == f"iio:device{three[index].index}"
    assert any((device or "display") in sentence for sentence in status["why"]), status["why"]
    assert [gyroscope.is_open for gyroscope in three].count(True) <= 1


@pytest.mark.parametrize("device", ["gyro", "iio:device9", "accel_3d"])
def test_a_device_that_is_not_there(daemon, machine, three, device):
    one = daemon(machine=machine, config=f'[sensor]\ndevice = "{device}"\n')
    with one.client() as client:
        client.subscribe()
        assert device in wait_state(one, "waiting", "no-device")["text"]


def listing(parallaxd: Path, machine: Machine, *options: str, user: int | None = None) -> tuple[int, str]:
    """`parallaxd --list-sensors` in the machine: exit code and what it prints."""
    command = machine.command([str(parallaxd), "--list-sensors", *options], user)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def test_list_sensors(parallaxd, machine, three):
    before = [tree(gyroscope) for gyroscope in three]
    code, text = listing(parallaxd, machine)
    assert code == 0
    for gyroscope in three:
        assert f"iio:device{gyroscope.index}  {gyroscope.name}" in text
    assert "iio:device0  accel_3d\n  no gyroscope" in text
    assert "iio:device3  bmi160  <- this one" in text
    assert "Would read iio:device3 (bmi160): iio:device3 is said to be in the display" in text
    assert "0.001064724 rad/s" in text and "25 50 100 200" in text and "le:s16/16>>0" in text
    assert [tree(gyroscope) for gyroscope in three] == before, "nothing is changed"
    code, text = listing(parallaxd, machine, "--set", "sensor.device=gyro-base")
    assert code == 0 and "iio:device1  gyro_3d  <- this one" in text
    code, text = listing(parallaxd, machine, "--set", "sensor.device=none-such")
    assert code == 1 and '"none-such"' in text
    code, text = listing(parallaxd, machine, user=NOBODY)
    assert code == 0 and "make install" in text


def test_list_no_sensors(parallaxd, machine):
    code, text = listing(parallaxd, machine)
    assert code == 1 and "no IIO devices" in text and "--demo" in text
    (machine.bus / "iio" / "devices").mkdir(parents=True)
    code, text = listing(parallaxd, machine)
    assert code == 1 and "sees no devices" in text and "--demo" in text


def test_a_terminal_is_not_driven_by_a_device(parallaxd, machine):
    """Escape sequences in a device's name are not passed on."""
    machine.add(Gyroscope(name="evil\x1b[2J\x1b]0;title\x07"))
    code, text = listing(parallaxd, machine)
    assert code == 0 and "evil" in text
    assert not set(text) & {chr(code) for code in range(32) if chr(code) != "\n"}


def test_unplugged_and_plugged_in_again(daemon, machine):
    """A subscriber hears why nothing comes, and hears the sensor again when there is one, with another number."""
    gyroscope = machine.add(Gyroscope(index=0))
    one = daemon(machine=machine, config=config("read_timeout = 0.2"))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        stream_rates(client, gyroscope, scans(3))
        machine.remove(gyroscope)
        wait_state(one, "waiting", "no-device")
        again = machine.add(Gyroscope(index=4))
        again.wait_enabled()
        given = scans(1)
        assert again.write_scans(given) == 1
        event = client.event()
        while event["timestamp_ns"] != given[0][0]:
            event = client.event()
        assert event["state"] == "running"
        assert sensor_status(one)["id"] == "iio:device4"


def test_silence_is_noticed_and_tried_again(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=config("read_timeout = 0.2"))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        stream_rates(client, gyroscope, scans(3))
        status = wait_state(one, "stalled", "no-data")
        assert "0.2 s" in status["text"] and status["retry_in"] <= 1
        gyroscope.wait_disabled()
        gyroscope.wait_enabled()


def test_a_stuck_attribute_delays_nobody(daemon, machine, folder):
    """While the sensor's thread waits for a driver, clients are served and may come and go."""
    gyroscope = machine.add(Gyroscope())
    length = gyroscope.folder / "buffer/length"
    length.unlink()
    os.mkfifo(length)
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        wait_state(one, "starting")
        for _ in range(20):
            with one.client() as other:
                assert other.call("GetStatus")["state"] == "starting"
                assert other.subscribe()["state"] == "starting"
    wait_state(one, "idle")
    length.rename(folder / "pipe")
    length.write_text("2\n")
    # A writer that comes and goes ends the read.
    os.close(os.open(folder / "pipe", os.O_WRONLY | os.O_NONBLOCK))
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
    gyroscope.wait_disabled()


@pytest.mark.skipif(shutil.which("iiod") is None, reason="iiod is not installed: nothing to read over a network")
def test_another_machine(daemon, machine):
    """Over libiio's network backend, whose refills wait: samples, stop and start, and its end."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="50", sampling_frequency_available=None))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    iiod = machine.start(["iiod", "-p", str(port)], stderr=subprocess.DEVNULL)
    wait_for(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, "iiod to listen")
    one = daemon(machine=machine, config=config(f'uri = "ip:127.0.0.1:{port}"'))
    for _ in range(2):
        with one.client() as client:
            client.subscribe(rate=True, only_changes=False)
            gyroscope.wait_enabled()
            given = scans(3)
            assert gyroscope.write_scans(given) == 3
            event = client.event()
            while event.get("rate") != {axis: raw * 0.001064724 for axis, raw in zip("xyz", given[-1][1:])}:
                event = client.event()
            status = sensor_status(one)
            assert (status["mode"], status["uri"]) == ("buffer", f"ip:127.0.0.1:{port}")
        gyroscope.wait_disabled()
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        iiod.kill()
        wait_state(one, "waiting", "no-device")
