"""The bias of a sensor: found at rest, measured when asked for, remembered from run to run."""

import signal
import subprocess

import pytest

from support.client import CallError
from support.gyroscope import Gyroscope
from support.rest import SCALE, Resting, is_near
from support.sensor import NOBODY, config, status_of, wait_state
from support.terminal import Terminal
from support.waiting import wait_for


@pytest.fixture
def state(folder):
    """A state directory that outlives a daemon."""
    path = folder / "state"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture
def gyroscope(machine):
    """One whose clock is ours."""
    return machine.add(Gyroscope(clock="monotonic"))


@pytest.fixture
def start(daemon, machine, state):
    """A daemon that keeps its state."""

    def run(*arguments, sensor: str = "", more: str = "", **options):
        text = config(sensor) + more
        environment = {"STATE_DIRECTORY": str(state)}
        return daemon(*arguments, machine=machine, config=text, environment=environment, **options)

    return run


def remembered(state) -> list[str]:
    """The texts of what is remembered."""
    return [path.read_text() for path in sorted(state.glob("*.bias"))]


def calibrating(client, gyroscope, scans, **parameters) -> None:
    """Asks, and gives scans once the sensor is on, which it is not from the time before."""
    gyroscope.wait_disabled()
    client.send("Calibrate", parameters)
    gyroscope.wait_enabled()
    gyroscope.write_scans(scans)


def refusal(client, **parameters) -> tuple[str, dict]:
    """The error that comes of it."""
    with pytest.raises(CallError) as caught:
        client.call("Calibrate", parameters)
    return caught.value.name.rpartition(".")[2], caught.value.parameters


def test_what_is_measured_holds_and_is_remembered(start, gyroscope, state):
    """The sensor is on for as long as it takes, and the next run begins with what was found, in doubt."""
    one = start()
    with one.client() as client:
        calibrating(client, gyroscope, Resting().scans(7))
        found = client.reply()
        assert is_near(found["bias"]) and found["confidence"] == 1
        assert all(0.002 < noise < 0.005 for noise in found["noise"])
    gyroscope.wait_disabled()
    status = status_of(one)
    assert (status["bias"], status["bias_confidence"], status["state"]) == (found["bias"], 1, "idle")
    one.stop()
    [text] = remembered(state)
    assert f"bias {' '.join(map(repr, found['bias']))}\n" in text and "temperature" not in text
    two = start()
    assert is_near(status_of(two)["bias"], (0, 0, 0), 1e-9)
    with two.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        gyroscope.write_scans(Resting().scans(0.1))
        wait_state(two, "running")
    status = status_of(two)
    assert status["bias"] == found["bias"] and 0.5 < status["bias_confidence"] <= 0.8


def test_the_temperature_is_a_fact_beside_it(start, machine, state):
    """Of a part that says one, in °C."""
    attributes = {"in_temp_raw": "1200", "in_temp_scale": "2.5", "in_temp_offset": "9000"}
    gyroscope = machine.add(Gyroscope(clock="monotonic", attributes=attributes))
    one = start()
    with one.client() as client:
        calibrating(client, gyroscope, Resting().scans(7))
        client.reply()
    [text] = remembered(state)
    assert text.endswith("\ntemperature 25.5\n")


def test_what_is_found_at_rest_is_remembered_when_the_sensor_sleeps(start, gyroscope, state):
    """Nobody asked for it."""
    one = start()
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        gyroscope.wait_enabled()
        given = Resting().scans(12)
        gyroscope.write_scans(given)
        wait_for(lambda: status_of(one)["counters"]["samples"] == len(given), "every scan to be read")
        found = status_of(one)
        assert is_near(found["bias"]) and 0.5 < found["bias_confidence"] < 1
        assert not remembered(state)
    gyroscope.wait_disabled()
    [text] = remembered(state)
    assert text.startswith("parallaxd bias 1\nsensor local:|")
    assert status_of(one)["bias_confidence"] > 0.5


@pytest.mark.parametrize("turn", [0.3, 0.06])
def test_a_device_that_moves_is_refused(start, gyroscope, state, turn):
    """At once, with the bias as it was; also where it only turns slowly for a while."""
    one = start()
    with one.client() as client:
        resting = Resting()
        calibrating(client, gyroscope, resting.scans(7))
        before = client.reply()["bias"]
        calibrating(client, gyroscope, resting.scans(2) + resting.scans(2, turn) + resting.scans(3))
        with pytest.raises(CallError, match="DeviceMoved"):
            client.reply()
    # What rest there was is learned from as ever.
    assert is_near(status_of(one)["bias"], before, 0.0005)
    assert len(remembered(state)) == 1


def test_scans_that_are_all_the_same_are_no_rest(start, gyroscope):
    """They are those of a sensor that hangs."""
    one = start()
    with one.client() as client:
        calibrating(client, gyroscope, Resting().scans(7, noise=0))
        with pytest.raises(CallError) as caught:
            client.reply()
    assert caught.value.parameters == {"reason": "no-data"}


def test_without_a_sensor(start):
    one = start()
    with one.client() as client:
        assert refusal(client) == ("NoSensor", {"reason": "no-device"})


def test_the_time_is_bounded(start):
    one = start()
    with one.client() as client:
        for wrong in 1.9, 60.1, "5", True:
            assert refusal(client, duration=wrong) == ("InvalidParameter", {"parameter": "duration"})
        assert refusal(client, seconds=5) == ("InvalidParameter", {"parameter": "seconds"})


def test_reduced_motion_lets_the_sensor_sleep(start, gyroscope):
    """It is not read for a calibration either; one that goes on is ended."""
    one = start(more="[accessibility]\nreduced_motion = true\n")
    with one.client() as client, one.client() as other:
        assert refusal(client) == ("NoSensor", {"reason": "configuration"})
        other.call("SetReducedMotion", {"enabled": False})
        client.send("Calibrate")
        gyroscope.wait_enabled()
        other.call("SetReducedMotion", {"enabled": True})
        with pytest.raises(CallError, match="'user'"):
            client.reply()
    gyroscope.wait_disabled()


def test_who_may(start, machine, gyroscope, parallaxctl):
    """Not everybody who may connect."""
    one = start()
    one.socket.chmod(0o666)
    command = machine.command([str(parallaxctl), "--socket", str(one.socket), "calibrate"], NOBODY)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 4 and "server.control_group is not set: use sudo" in done.stderr, done
    assert "rate" not in done.stderr


def test_several_at_once_and_calls_behind_one(start, gyroscope):
    """Each is served by itself, and replies are in the order of calls."""
    one = start()
    with one.client() as first, one.client() as second, one.client() as looker:
        for client in first, second:
            client.send("Calibrate", {"duration": 2})
            client.send("GetMotion")
        wait_for(lambda: looker.call("GetStatus")["connections"] == 3, "all to be there")
        gyroscope.wait_enabled()
        gyroscope.write_scans(Resting().scans(20))
        for client in first, second:
            assert is_near(client.reply()["bias"])
            assert "sequence" in client.reply()
    gyroscope.wait_disabled()


def test_a_hang_up_ends_it(start, gyroscope):
    """And the sensor sleeps."""
    one = start()
    client = one.client()
    client.send("Calibrate")
    gyroscope.wait_enabled()
    client.close()
    gyroscope.wait_disabled()
    assert status_of(one)["state"] == "idle"


def test_a_half_closed_connection_is_answered(start, gyroscope):
    """As `echo … | socat` makes one."""
    one = start()
    with one.client(lines=True) as client:
        client.send("Calibrate")
        client.half_close()
        gyroscope.wait_enabled()
        gyroscope.write_scans(Resting().scans(7))
        assert is_near(client.reply()["bias"])
        assert client.is_closed()


def test_a_reload_in_between(start, gyroscope):
    """Other settings do not matter to it, and another sensor section measures anew."""
    one = start()
    resting = Resting()
    with one.client() as client:
        calibrating(client, gyroscope, resting.scans(1))
        gyroscope.wait_consumed()
        one.config.write_text(one.config.read_text() + "multiplier = 3\n")
        one.signal(signal.SIGHUP)
        one.wait_log("the configuration was read again")
        one.config.write_text(one.config.read_text().replace("settle_time = 0", "settle_time = 0.02"))
        with gyroscope.reopening():
            one.signal(signal.SIGHUP)
        gyroscope.write_scans(resting.scans(7))
        assert is_near(client.reply()["bias"])


@pytest.mark.parametrize("mode", ["off", "fixed"])
def test_where_nothing_is_estimated(start, gyroscope, state, mode):
    """What was measured is remembered, and not taken off."""
    one = start(more=f'[calibration]\nmode = "{mode}"\nbias = [0.1, 0.2, 0.3]\n')
    with one.client() as client:
        calibrating(client, gyroscope, Resting().scans(7))
        assert is_near(client.reply()["bias"])
    status = status_of(one)
    assert status["bias"] == ([0.1, 0.2, 0.3] if mode == "fixed" else [0, 0, 0])
    assert status["bias_confidence"] is None
    assert len(remembered(state)) == 1


def test_a_damaged_file_is_left_out_with_one_line(start, gyroscope, state):
    """Whatever is wrong with it; and it is replaced when something better is known."""
    one = start()
    with one.client() as client:
        calibrating(client, gyroscope, Resting().scans(7))
        client.reply()
    one.stop()
    [path] = state.glob("*.bias")
    good = path.read_text()
    wrongs = [
        "",
        good[:-1],
        good.replace("bias 1\n", "bias 2\n"),
        good.replace("variance 0", "variance nan"),
        good.replace("local:", "ip:other"),
        good + "x" * 10_000,
        good.replace("\nbias ", "\nbias 0 "),
    ]
    for wrong in wrongs:
        assert wrong != good
        path.write_text(wrong)
        two = start()
        with two.client() as client:
            client.subscribe()
            gyroscope.wait_enabled()
            wait_for(lambda: "the bias that was remembered is not used" in two.log, "a line in the log")
            assert two.log.count("remembered") == 1
            assert status_of(two)["bias"] == [0, 0, 0]
        gyroscope.wait_disabled()
        two.stop()
        assert path.read_text() == wrong
    three = start()
    with three.client() as client:
        calibrating(client, gyroscope, Resting().scans(7))
        client.reply()
    assert is_near([float(word) for word in remembered(state)[0].splitlines()[2].split()[1:]])


def test_a_bias_beyond_the_largest_is_not_used(start, gyroscope, state):
    """Of a file that somebody wrote, or of settings that have changed."""
    one = start()
    with one.client() as client:
        calibrating(client, gyroscope, Resting().scans(7))
        client.reply()
    one.stop()
    two = start(more="[calibration]\nmax_bias = 0.02\n")
    with two.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        wait_for(lambda: status_of(two)["sensor"]["mode"], "an open sensor")
        assert status_of(two)["bias"] == [0, 0, 0]


def test_recordings_are_not_remembered(daemon, state):
    """Nor is what a sensor was remembered with used for them."""
    one = daemon("--demo", environment={"STATE_DIRECTORY": str(state)})
    with one.client() as client:
        client.subscribe()
        client.event_where(lambda event: event["sequence"] > 10)
    wait_state(one, "idle")
    one.stop()
    assert not remembered(state)


def test_the_command_does_not_say_that_a_recording_is_remembered(daemon, state, folder, parallaxctl):
    """It holds until the daemon ends."""
    rows = [f"{time},{x * SCALE},{y * SCALE},{z * SCALE}" for time, x, y, z in Resting().scans(10)]
    trace = folder / "rest.csv"
    trace.write_text("\n".join(["timestamp_ns,x,y,z", *rows]) + "\n")
    arguments = ["--replay", trace, "--set", "sensor.replay_speed=10", "--set", "sensor.replay_loop=true"]
    one = daemon(*map(str, arguments), environment={"STATE_DIRECTORY": str(state)})
    command = [parallaxctl, "--socket", one.socket, "calibrate", "--duration", "2"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "not remembered: this is a recording" in done.stdout and "for this sensor" not in done.stdout
    assert is_near(status_of(one)["bias"])
    one.stop()
    assert not remembered(state)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_restart_goes_on_with_it(start, store, gyroscope, state, how):
    """Also where nothing could be written down."""
    one = start(store=store)
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        gyroscope.wait_enabled()
        resting = Resting()
        given = resting.scans(12)
        gyroscope.write_scans(given)
        # All of them: what comes in between would be learned from too.
        wait_for(lambda: status_of(one)["counters"]["samples"] == len(given), "every scan to be read")
        before = status_of(one)
        assert is_near(before["bias"])
        one.signal(how)
        one.wait()
        for path in state.glob("*.bias"):
            path.unlink()
        two = start(store=store)
        after = status_of(two)
        assert after["bias"] == before["bias"]
        assert 0.5 < after["bias_confidence"] <= before["bias_confidence"]

        def running() -> bool:
            # After a crash the sensor is still on: it is given back first, and then opened.
            gyroscope.write_scans(resting.scans(0.1))
            return status_of(two)["state"] == "running"

        wait_for(running, "the sensor to be read again")
    # The sensor sleeps: what was handed over is written down, whoever learned it.
    wait_for(lambda: remembered(state), "the bias to be written down")
    assert len(remembered(state)) == 1


def calibrate(one, gyroscope, parallaxctl, scans, *arguments, **options) -> subprocess.Popen:
    """The command; the sensor gives scans as soon as it is on."""
    command = [parallaxctl, "--socket", one.socket, "calibrate", *arguments]
    process = subprocess.Popen(list(map(str, command)), text=True, **options)
    gyroscope.wait_enabled()
    gyroscope.write_scans(scans)
    return process


def test_the_command_says_it_in_words(start, gyroscope, parallaxctl):
    """Plain lines where there is no terminal; what was before too."""
    one = start()
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = calibrate(one, gyroscope, parallaxctl, Resting().scans(4), "--duration", "2", **pipes)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    lines = dict(line.split(None, 1) for line in out.splitlines()[:3])
    assert is_near([float(word) for word in lines["bias"].split()[:3]])
    assert lines["before"] == "0.00000 0.00000 0.00000 rad/s, confidence 0.00"
    assert "deg/s" in lines["bias"] and "taken off from now on" in out
    assert err == "Measuring for 2 s: leave the device where it lies, and do not touch it.\n"
    assert "\x1b" not in out + err


def test_the_command_says_why_not(start, gyroscope, parallaxctl, machine):
    """Exit 1, one line."""
    one = start()
    resting = Resting()
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = calibrate(one, gyroscope, parallaxctl, resting.scans(1) + resting.scans(1, 0.5), **pipes)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "") and "parallaxctl: the device was moved" in err
    gyroscope.wait_disabled()
    machine.remove(gyroscope)
    done = subprocess.run(
        [parallaxctl, "--socket", str(one.socket), "calibrate"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1 and "no sensor (no-device)" in done.stderr
    done = subprocess.run([parallaxctl, "calibrate", "--duration", "1"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "--duration is 2 to 60 seconds" in done.stderr


def test_a_bar_on_a_terminal(start, gyroscope, parallaxctl):
    """It goes when the verdict comes."""
    one = start()
    command = [str(parallaxctl), "--socket", str(one.socket), "calibrate", "--duration", "2"]
    terminal = Terminal(command, {"TERM": "xterm"})
    try:
        terminal.wait_for("[..............................] 0 %")
        gyroscope.wait_enabled()
        gyroscope.write_scans(Resting().scans(4))
        assert terminal.wait() == 0
        assert "\r\x1b[Kbias " in terminal.output and "[" not in terminal.output.rpartition("\x1b[K")[2]
    finally:
        terminal.close()
