"""How a gyroscope is read: one way after another, with a reason for each that is not taken."""

import os
import subprocess

import pytest

from support.configfs import Configfs
from support.doctor import moving
from support.gyroscope import Gyroscope
from support.parts import hang
from support.sensor import (
    NO_BUFFER, NOBODY, config, open_sensor, scans, sensor_status, status_of, stream_rates, tree, wait_state,
)  # fmt: skip
from support.waiting import wait_for

FIFO = {"buffer/hwfifo_watermark_max": "128", "buffer/hwfifo_enabled": "1", "buffer/hwfifo_watermark": "0"}
OURS = "parallaxd-device0"


@pytest.fixture
def configfs(machine):
    """The kernel's hrtimer triggers in the machine."""
    one = Configfs(machine)
    yield one
    one.close()


def said(why: list[str], *parts: str) -> bool:
    """Whether one sentence has all the parts."""
    return any(all(part in sentence for part in parts) for sentence in why)


def test_the_hardware_fifo_comes_first(daemon, machine):
    """The trigger that is set is taken away meanwhile; what lay in the FIFO before is left out."""
    gyroscope = machine.add(Gyroscope(attributes=FIFO))
    before = tree(gyroscope)
    # Held open, so that old scans stay in it.
    pipe = os.open(gyroscope.node, os.O_RDWR | os.O_NONBLOCK)
    os.write(pipe, bytes(16 * 5))
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        status = open_sensor(one)
        assert gyroscope.is_enabled
        assert (gyroscope.folder / "trigger/current_trigger").read_text().strip("\0\n") == ""
        assert said(status["why"], "buffer:", "FIFO of 128 scans"), status["why"]
        assert gyroscope.read("buffer/watermark") == "1"
        assert int(gyroscope.read("buffer/length")) >= 0.25 * 100 + 128, "and what the FIFO holds"
        given = scans(3)
        received = stream_rates(client, gyroscope, given)
        assert [stamp for stamp, *_ in received] == [stamp for stamp, *_ in given]
    os.close(pipe)
    wait_for(lambda: tree(gyroscope) == before, f"{before} again")


def test_a_fifo_without_a_trigger_to_take_away(daemon, machine, configfs):
    gyroscope = machine.add(Gyroscope(trigger=None, triggers=[], attributes=FIFO))
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        assert said(open_sensor(one)["why"], "buffer:", "FIFO")
    assert configfs.history == []


@pytest.mark.parametrize(
    ("device", "trigger"),
    [
        ({}, "bmi160-dev0"),
        ({"trigger": None}, "bmi160-dev0"),
        ({"trigger": "other", "triggers": ["other"]}, "other"),
    ],
    ids=["current", "own", "other"],
)
def test_a_fifo_that_stays_off_gives_way_to_the_trigger(daemon, machine, configfs, device, trigger):
    gyroscope = machine.add(Gyroscope(**device, attributes=FIFO | {"buffer/hwfifo_enabled": "0"}))
    before = tree(gyroscope)
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe()
        status = open_sensor(one)
        assert gyroscope.read("trigger/current_trigger") == trigger
        assert said(status["why"], "not the hardware's FIFO", "hwfifo_enabled"), status["why"]
        assert said(status["why"], "buffer:", f"trigger {trigger}"), status["why"]
    wait_for(lambda: tree(gyroscope) == before, f"{before} again")
    assert configfs.history == []


def test_three_gyroscopes_and_each_its_own_trigger(daemon, machine, configfs):
    """By the name, by the part, and by what is set; never by the order."""
    plain = machine.add(Gyroscope(name="gyro_3d", label="one", trigger=None, triggers=["gyro_3d-dev0", "gyro_3d-dev2"]))
    by_part = machine.add(
        Gyroscope(name="bmi323-imu", label="two", trigger=None, triggers=["bmi323-imu-any-motion", "some-trig"])
    )
    hang(machine, by_part, "i2c-1/1-0068", ("trigger2", "trigger3"))
    third = machine.add(Gyroscope(name="gyro_3d", label="three", trigger=None, triggers=[]))
    set_before = machine.add(Gyroscope(name="gyro_3d", label="four", trigger="some-trig", triggers=[]))
    expected = [(plain, "gyro_3d-dev0"), (by_part, "some-trig"), (third, "gyro_3d-dev2"), (set_before, "some-trig")]
    for gyroscope, trigger in expected:
        one = daemon(machine=machine, config=config(f'device = "{gyroscope.label}"'))
        with one.client() as client:
            client.subscribe()
            gyroscope.wait_enabled()
            assert gyroscope.read("trigger/current_trigger") == trigger
            assert said(open_sensor(one)["why"], "buffer:", trigger)
        one.stop()
    assert configfs.history == []


def test_an_hrtimer_trigger_is_made_and_taken_away(daemon, machine, configfs):
    gyroscope = machine.add(
        Gyroscope(name="bmg160", trigger=None, triggers=[], sampling_frequency_available="100 200 400")
    )
    before = tree(gyroscope)
    one = daemon(machine=machine, config=config("sampling_frequency = 80"))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        gyroscope.wait_enabled()
        status = open_sensor(one)
        assert configfs.names == [OURS]
        assert gyroscope.read("trigger/current_trigger") == OURS
        # The timer fires as often as is asked; the part is not slower.
        assert configfs.frequency(OURS) == "80" and float(gyroscope.read("sampling_frequency")) == 100
        assert status["mode"] == "buffer" and status["frequency_set"] == 80
        assert said(status["why"], "buffer:", "hrtimer", OURS), status["why"]
        given = scans(3)
        assert [stamp for stamp, *_ in stream_rates(client, gyroscope, given)] == [stamp for stamp, *_ in given]
    gyroscope.wait_disabled()
    wait_for(lambda: configfs.names == [], "the trigger to be taken away")
    wait_for(lambda: tree(gyroscope) == before, f"{before} again")


def test_an_hrtimer_trigger_is_not_faster_than_the_part(daemon, machine, configfs):
    machine.add(Gyroscope(trigger=None, triggers=[], sampling_frequency="25", sampling_frequency_available="25 50"))
    one = daemon(machine=machine, config=config("sampling_frequency = 1000"))
    with one.client() as client:
        client.subscribe()
        assert open_sensor(one)["frequency_set"] == 50
        assert configfs.frequency(OURS) == "50"


def test_an_hrtimer_trigger_that_a_crash_left_is_used_again(daemon, machine, configfs):
    """Both where the device still has it and where it has not; nothing of it is left afterwards."""
    gyroscope = machine.add(Gyroscope(trigger=None, triggers=[]))
    for leave in True, False:
        killed = daemon(machine=machine, config=config())
        with killed.client() as client:
            client.subscribe()
            gyroscope.wait_enabled()
            killed.kill()
        assert configfs.names == [OURS]
        if not leave:
            gyroscope.set("trigger/current_trigger", "")
        one = daemon(machine=machine, config=config())
        with one.client() as client:
            client.subscribe()
            assert said(open_sensor(one)["why"], "hrtimer", OURS)
            wait_for(lambda: gyroscope.read("trigger/current_trigger") == OURS, "the trigger to be set")
        one.stop()
        wait_for(lambda: configfs.names == [], "the trigger to be taken away")
        assert (gyroscope.folder / "trigger/current_trigger").read_text().strip("\0\n") == ""


def test_a_trigger_that_brings_no_scans_gives_way_to_a_timer_s(daemon, machine, configfs):
    """As where a part's interrupt line is not wired; and what was set is set again."""
    gyroscope = machine.add(Gyroscope())
    before = tree(gyroscope)
    one = daemon(machine=machine, config=config("read_timeout = 0.3"))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        wait_for(lambda: configfs.names == [OURS], "a timer's trigger")
        # From now on there are scans. Where this test is late it gives way to other ways, too, and comes again.
        with moving(gyroscope):
            wait_for(lambda: reads_by_the_timer(one, gyroscope), "scans by a timer's trigger")
    wait_for(lambda: configfs.names == [] and tree(gyroscope) == before, "the sensor to be given back")


def reads_by_the_timer(one, gyroscope: Gyroscope) -> bool:
    """Whether it runs, with our trigger, and says why."""
    status = status_of(one)
    is_ours = (gyroscope.folder / "trigger/current_trigger").read_text().strip("\0\n") == OURS
    gave_none = said(status["sensor"]["why"], "not the trigger that is set", "gave no scans")
    return status["state"] == "running" and is_ours and gave_none


def test_no_hrtimer_where_the_module_is_missing(daemon, machine):
    configfs = Configfs(machine, module=False)
    machine.add(Gyroscope(trigger=None, triggers=[]))
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe()
        status = open_sensor(one)
    assert status["mode"] == "poll"
    assert said(status["why"], "poll:", "no trigger", "modprobe iio-trig-hrtimer"), status["why"]
    assert not configfs.folder.exists()


def test_no_hrtimer_without_configfs(daemon, machine):
    machine.add(Gyroscope(trigger=None, triggers=[]))
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe()
        assert said(open_sensor(one)["why"], "poll:", "no trigger", "configfs is not mounted")


def test_no_hrtimer_without_the_right(daemon, machine, configfs):
    machine.add(Gyroscope(trigger=None, triggers=[], open_to_all=True))
    for mode, state in ("auto", "running"), ("buffer", "waiting"):
        one = daemon(machine=machine, user=NOBODY, config=config(f'mode = "{mode}"'))
        with one.client() as client:
            client.subscribe()
            status = wait_state(one, state, "permission" if state == "waiting" else None)
            text = status["text"] if state == "waiting" else " ".join(status["sensor"]["why"])
        assert "no trigger" in text and "parallax-sensor" in text and "restart" in text, text
        one.stop()
    assert configfs.history == []


def test_the_group_may_make_an_hrtimer_trigger(daemon, machine):
    """A user who may write to the folder in configfs, as the unit's has it."""
    configfs = Configfs(machine, mode=0o777)
    try:
        gyroscope = machine.add(Gyroscope(trigger=None, triggers=[], open_to_all=True))
        one = daemon(machine=machine, user=NOBODY, config=config("sampling_frequency = 80"))
        with one.client() as client:
            client.subscribe()
            gyroscope.wait_enabled()
            # Its frequency is root's in this machine, which has no udev.
            status = open_sensor(one)
            assert said(status["why"], "no right to set the frequency", "udev"), status["why"]
            assert configfs.frequency(OURS) == "100.000" and status["frequency_set"] == 100
        wait_for(lambda: configfs.names == [], "the trigger to be taken away")
    finally:
        configfs.close()


def test_every_way_is_tried_and_undone(daemon, machine, configfs):
    """A buffer that cannot be switched on at all: each way says so, the next begins from where it was."""
    gyroscope = machine.add(Gyroscope(trigger="other", triggers=["other"], attributes=FIFO))
    enable = gyroscope.folder / "buffer/enable"
    enable.unlink()
    enable.mkdir()
    before = tree(gyroscope)
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe()
        status = open_sensor(one)
        assert status["mode"] == "poll"
        for way in "not the hardware's FIFO", "not the trigger that is set", "poll:":
            assert said(status["why"], way, "switch on the buffer"), (way, status["why"])
        assert configfs.history == [OURS] and configfs.names == []
        assert gyroscope.read("trigger/current_trigger") == "other"
    wait_for(lambda: tree(gyroscope) == before, f"{before} again")


@pytest.mark.parametrize("mode", ["auto", "buffer", "poll"])
def test_mode_forces(daemon, machine, configfs, mode):
    """Where every way is open; polling leaves device and configfs alone."""
    gyroscope = machine.add(Gyroscope(trigger=None, triggers=[]))
    before = tree(gyroscope)
    one = daemon(machine=machine, config=config(f'mode = "{mode}"\nsampling_frequency = 100'))
    with one.client() as client:
        client.subscribe()
        status = open_sensor(one)
        assert status["mode"] == ("poll" if mode == "poll" else "buffer")
        if mode == "poll":
            assert tree(gyroscope) == before and configfs.history == []
            assert said(status["why"], "poll:", "`mode`")


def test_a_forced_buffer_is_not_polled(daemon, machine):
    machine.add(Gyroscope(**NO_BUFFER))
    one = daemon(machine=machine, config='[sensor]\nmode = "buffer"\n')
    with one.client() as client:
        client.subscribe()
        assert "no buffer" in wait_state(one, "waiting", "configuration")["text"]
        assert sensor_status(one).get("mode") is None


def how(parallaxd, machine, *options: str, user: int | None = None) -> str:
    """What `--list-sensors` says of the way in which the chosen one would be read."""
    command = machine.command([str(parallaxd), "--list-sensors", *options], user)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return next(line for line in done.stdout.splitlines() if line.startswith("How: "))


@pytest.mark.parametrize(
    ("device", "says"),
    [
        ({}, "by the trigger bmi160-dev0, else its buffer by an hrtimer"),
        ({"trigger": None}, "by its own trigger bmi160-dev0, else its buffer by an hrtimer"),
        ({"trigger": None, "triggers": []}, "by an hrtimer trigger that is made for it, else polled"),
        ({"attributes": FIFO}, "FIFO of 128 scans, else its buffer by the trigger bmi160-dev0"),
        ({"attributes": {"trigger/current_trigger": None}}, "without a trigger, else polled"),
        (NO_BUFFER, "polled: iio:device0 (bmi160) has no buffer"),
    ],
    ids=["current", "own", "hrtimer", "fifo", "none-needed", "no-buffer"],
)
def test_the_listing_tells_the_same(parallaxd, daemon, machine, configfs, device, says):
    """Before anything is read, and without changing anything, it names what the daemon then does."""
    gyroscope = machine.add(Gyroscope(**device))
    before = tree(gyroscope)
    told = how(parallaxd, machine)
    assert says in told
    assert "polled, as `mode`" in how(parallaxd, machine, "--set", "sensor.mode=poll")
    assert "else polled" not in how(parallaxd, machine, "--set", "sensor.mode=buffer")
    assert tree(gyroscope) == before and configfs.history == []
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe()
        status = open_sensor(one)
    assert told.startswith("How: polled") == (status["mode"] == "poll")
    for word in "FIFO", "bmi160-dev0", "hrtimer":
        if word in told.split(", else")[0]:
            assert said(status["why"], "buffer:", word), (told, status["why"])


def test_the_listing_says_why_there_is_no_trigger(parallaxd, machine):
    machine.add(Gyroscope(trigger=None, triggers=[]))
    command = machine.command([str(parallaxd), "--list-sensors"])
    text = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert "no: it has no trigger" in text and "modprobe iio-trig-hrtimer" in text
    assert "How: polled" in text
