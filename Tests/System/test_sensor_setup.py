"""What is written to a gyroscope to read it, and that it is given back as it was."""

import signal

import pytest

from support.gyroscope import Gyroscope
from support.iiod import IIOD, Iiod
from support.sensor import (
    NO_BUFFER,
    NOBODY,
    config,
    open_sensor,
    read_one,
    scans,
    sensor_status,
    status_of,
    stream_rates,
    tree,
    wait_state,
)
from support.waiting import wait_for


def test_everything_is_given_back(daemon, machine):
    """What the buffer needs is written while it runs, and is as before afterwards."""
    gyroscope = machine.add(Gyroscope(trigger=None, sampling_frequency="25", others={"in_accel_x": "le:s16/16>>0"}))
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


@pytest.mark.parametrize("order", [(signal.SIGHUP, signal.SIGTERM), (signal.SIGTERM, signal.SIGHUP)])
def test_given_back_by_a_daemon_that_leaves_while_it_reloads(daemon, machine, order):
    gyroscope = machine.add(Gyroscope())
    before = tree(gyroscope)
    for settle_time in 0.1, 0.2, 0.3, 0.4, 0.5:
        one = daemon(machine=machine)
        with one.client() as client:
            client.subscribe()
            gyroscope.wait_enabled()
            # Another source is made, and the old one is still giving its sensor back when the end comes.
            one.config.write_text(f"[sensor]\nsettle_time = {settle_time}\n")
            for number in order:
                one.signal(number)
            assert one.wait() == 0, one.log
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
        ("", {"frequency_of": "buffer"}, 2 / 0.03, "100", 100),
        ("sampling_frequency = 30", {"frequency_of": "buffer", "sampling_frequency_available": "[5 5 100]",
         "sampling_frequency": "5"}, 30, "30", 30),
        ("sampling_frequency = 30", {"frequency_of": "buffer", "sampling_frequency_available": None}, 30, "30", 30),
        ("sampling_frequency = 30", {"frequency_of": "channel", "sampling_frequency_available": "[12.5 12.5 100]"},
         30, "37.500000", 37.5),
        ("sampling_frequency = 30", {"frequency_of": "channel", "sampling_frequency_available": None}, 30, "30", 30),
        # Set at the axes, listed at the device.
        ("sampling_frequency = 120", {"frequency_of": "channel", "sampling_frequency_available": None,
         "attributes": {"sampling_frequency_available": "100 200 400"}}, 120, "200", 200),
        # A list that says nothing, one with a decimal comma, and one that is empty.
        ("sampling_frequency = 30", {"sampling_frequency_available": "fast slow"}, 30, "30", 30),
        ("sampling_frequency = 30", {"sampling_frequency_available": "12,5 50"}, 30, "50", 50),
        ("sampling_frequency = 30", {"sampling_frequency_available": ""}, 30, "30", 30),
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
        where = {
            "channel": "in_anglvel_sampling_frequency",
            "buffer": "buffer/sampling_frequency",
            "trigger": "../trigger0/sampling_frequency",
        }
        if written is not None:
            assert gyroscope.read(where.get(gyroscope.frequency_of, "sampling_frequency")) == written
    assert status["frequency_asked"] == pytest.approx(asked)
    assert status.get("frequency_set") == (pytest.approx(set_to) if set_to else None)


@pytest.mark.parametrize("device", [{}, {"frequency_of": "channel"}, {"frequency_of": "buffer"}])
def test_a_frequency_is_given_back(daemon, machine, device):
    gyroscope = machine.add(Gyroscope(sampling_frequency="25.000000", **device))
    before = tree(gyroscope)
    one = daemon(machine=machine, config=config("sampling_frequency = 400"))
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        assert open_sensor(one)["frequency_set"] == 400
    wait_state(one, "idle")
    wait_for(lambda: tree(gyroscope) == before, f"{before} again: {tree(gyroscope)}")


def test_device_and_trigger_have_a_frequency_each(daemon, machine):
    """Both are set, and the trigger's is the scans'."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    (machine.bus / "iio/devices/trigger0/sampling_frequency").write_text("10\n")
    (machine.bus / "iio/devices/trigger0/sampling_frequency_available").write_text("[1 1 90]\n")
    one = daemon(machine=machine, config=config("sampling_frequency = 80"))
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        assert open_sensor(one)["frequency_set"] == 80
        assert gyroscope.read("sampling_frequency") == "100"
        assert gyroscope.read("../trigger0/sampling_frequency") == "80"
    wait_for(lambda: gyroscope.read("../trigger0/sampling_frequency") == "10", "the trigger's frequency of before")


def test_each_axis_has_a_frequency(daemon, machine):
    names = [f"in_anglvel_{axis}_sampling_frequency" for axis in "xyz"]
    gyroscope = machine.add(Gyroscope(sampling_frequency=None, attributes=dict.fromkeys(names, "25")))
    one = daemon(machine=machine, config=config("sampling_frequency = 50"))
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        assert open_sensor(one)["frequency_set"] == 50
        assert [gyroscope.read(name) for name in names] == ["50"] * 3


@pytest.mark.parametrize("text", ["0.000000", "12,5", "unknown"])
def test_a_frequency_that_is_not_told(daemon, machine, text):
    """It cannot be set either: that is said, what is set is unknown, and the scans come all the same."""
    gyroscope = machine.add(Gyroscope(sampling_frequency=text, open_to_all=True))
    (gyroscope.folder / "sampling_frequency").chmod(0o644)
    one = daemon(machine=machine, user=NOBODY, config=config("sampling_frequency = 2000"))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        assert len(stream_rates(client, gyroscope, scans(3))) == 3
        status = sensor_status(one)
    assert status["frequency_asked"] == 2000 and status.get("frequency_set") is None
    assert any("stays as it is" in sentence for sentence in status["why"]), status["why"]


def test_a_frequency_that_is_empty_at_first(daemon, machine):
    gyroscope = machine.add(Gyroscope(sampling_frequency="", sampling_frequency_available=None))
    one = daemon(machine=machine, config=config("sampling_frequency = 50"))
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        assert open_sensor(one)["frequency_set"] == 50


@pytest.mark.parametrize("locale", ["de_DE.UTF-8", "fr_FR.UTF-8"])
def test_no_decimal_comma_in_any_locale(daemon, machine, monkeypatch, locale):
    monkeypatch.setenv("LC_ALL", locale)
    gyroscope = machine.add(Gyroscope(sampling_frequency_available=None, scale_text="0.5"))
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        assert open_sensor(one)["scale"] == [0.5] * 3
        assert gyroscope.read("sampling_frequency") == "66.666667"


def test_the_frequency_does_not_depend_on_who_listens(daemon, machine):
    """Subscribers come and go; device and offsets are not changed by that."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    one = daemon(machine=machine)
    with one.client() as slow:
        slow.subscribe(min_interval=5)
        gyroscope.wait_enabled()
        first = open_sensor(one)
        before = tree(gyroscope)
        with one.client() as fast, one.client() as other:
            fast.subscribe(only_changes=False, rate=True)
            other.subscribe(min_interval=1)
            assert tree(gyroscope) == before and sensor_status(one) == first
        with one.client() as again:
            again.call("GetStatus")
        assert tree(gyroscope) == before


@pytest.mark.parametrize(("hertz", "is_odd"), [(100, False), (48.5, True)])
def test_asked_set_and_measured(daemon, machine, hertz, is_odd):
    """What the driver says is held against the stamps."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    one = daemon(machine=machine, config=config("sampling_frequency = 80"))
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        given = scans(int(2.5 * hertz), period=round(1e9 / hertz))
        assert gyroscope.write_scans(given) == len(given)
        status = wait_for(
            lambda: (found := sensor_status(one)).get("frequency_measured") and found, "a measured frequency"
        )
    assert (status["frequency_asked"], status["frequency_set"]) == (80, 100)
    assert status["frequency_measured"] == pytest.approx(hertz, rel=0.01)
    assert any(f"{hertz}" in sentence and "really" in sentence for sentence in status["why"]) == is_odd, status["why"]


def test_the_first_poll_is_at_once(daemon, machine):
    """And not a period after the sensor was opened: that is ten seconds here."""
    gyroscope = machine.add(Gyroscope(**NO_BUFFER))
    gyroscope.set_raw(1000, 0, 0)
    slow = config().replace("update_interval = 0", "update_interval = 10")
    one = daemon(machine=machine, config=slow)
    with one.client() as client:
        client.subscribe()
        assert open_sensor(one)["mode"] == "poll"
        wait_for(lambda: status_of(one)["counters"]["samples"] > 0, "the first sample", 8)


def test_polls_are_measured_too(daemon, machine):
    gyroscope = machine.add(Gyroscope(**NO_BUFFER))
    one = daemon(machine=machine, config="[motion]\nupdate_interval = 0.02\n")
    with one.client() as client:
        client.subscribe()
        status = wait_for(
            lambda: (found := sensor_status(one)).get("frequency_measured") and found, "a measured frequency"
        )
    assert status["mode"] == "poll" and status["frequency_asked"] == 100
    # Not more often than every 20 ms; how late the polls are is the machine's.
    assert 0 < status["frequency_measured"] < 60
    assert gyroscope.read("name") == status["name"]


@pytest.mark.skipif(IIOD is None, reason="iiod is missing (see `make deps`): nothing to read over a network")
def test_another_machine(daemon, machine):
    """Over libiio's network backend, whose refills wait: samples, stop and start, and its end."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="50", sampling_frequency_available=None))
    iiod = Iiod(machine)
    iiod.start()
    one = daemon(machine=machine, config=config(f'uri = "{iiod.uri}"'))
    for _ in range(2):
        with one.client() as client:
            client.subscribe(rate=True, only_changes=False)
            assert read_one(client, gyroscope)["state"] == "running"
            status = sensor_status(one)
            assert (status["mode"], status["uri"]) == ("buffer", iiod.uri)
        gyroscope.wait_disabled()
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        iiod.kill()
        wait_state(one, "waiting", "no-device")
