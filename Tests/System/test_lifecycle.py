"""Idle, starting, running, reduced, waiting, stalled: what a subscriber, the sensor and systemd see."""

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from support.client import Client
from support.gyroscope import Gyroscope
from support.process import context_switches, opens_a_file, wait_still
from support.service_manager import ServiceManager
from support.waiting import wait_for

# Bosch scale at ±2000 deg/s; 1000 raw are 1.06 rad/s.
TURN = 1000
PERIOD = 5_000_000
# What a sensor that is read shows otherwise.
GIVEN_BACK = ("sampling_frequency", "current_timestamp_clock", "buffer/length", "scan_elements/in_anglvel_x_en")


class Mover:
    """Turns a gyroscope about y as long as its buffer runs."""

    def __init__(self, gyroscope: Gyroscope, raw: int = TURN) -> None:
        self.gyroscope = gyroscope
        self.raw = raw
        self.going = True
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        while self.going:
            time.sleep(PERIOD / 1e9)
            self.gyroscope.write_scans([(time.monotonic_ns(), 0, self.raw, 0)])

    def stop(self) -> None:
        self.going = False
        self.thread.join()


@pytest.fixture
def moving(machine):
    """A gyroscope that is being turned."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="200.000000"))
    gyroscope.mover = Mover(gyroscope)
    yield gyroscope
    gyroscope.mover.stop()


def until(client, **wanted):
    """Reads events until one has these values; that one."""
    return client.event_where(lambda event: all(event.get(key) == value for key, value in wanted.items()))


def test_a_subscriber_switches_the_sensor_on_and_the_last_one_off(daemon, machine, moving):
    one = daemon(machine=machine)
    assert not moving.is_enabled and not moving.is_open
    with one.client() as first, one.client() as second:
        event = first.subscribe()
        assert event["sequence"] == -1 and event["timestamp_ns"] == 0 and (event["x"], event["y"]) == (0, 0)
        assert event["state"] in ("idle", "starting")
        moved = until(first, state="running")
        while moved["x"] == 0:
            moved = first.event()
        assert moved["x"] > 0 and moved["y"] == 0 and moved["sequence"] >= 0
        late = second.subscribe()
        assert late["state"] == "running" and late["x"] > 0
        first.close()
        assert second.event()["x"] > late["x"]
        assert moving.is_enabled
    moving.wait_disabled()
    with one.client() as client:
        wait_for(lambda: client.call("GetStatus")["state"] == "idle", "the idle state")
        kept = client.call("GetMotion")
        assert kept["x"] > 0, "idle keeps the offset"
        assert not moving.is_enabled, "GetMotion does not wake the sensor"


def test_idle_makes_no_wakeup(daemon, machine, moving, folder, asleep_means_asleep):
    """Over two watchdog periods, also after it has been awake; the watchdog is off meanwhile."""
    watchdog = 1_000_000
    manager = ServiceManager(folder, watchdog)
    one = daemon(machine=machine, environment=manager.environment)
    manager.wait_line("READY=1")
    at = manager.wait_line("WATCHDOG_USEC=0")

    def sleeps() -> None:
        before = wait_still(one.pid)
        # What must not happen has this long to happen.
        time.sleep(2.2 * watchdog / 1e6)
        assert context_switches(one.pid) == before

    sleeps()
    with one.client() as client:
        client.subscribe()
        until(client, state="running")
        at = manager.wait_line(f"WATCHDOG_USEC={watchdog}", at)
        at = manager.wait_line("WATCHDOG=1", at)
        before = context_switches(one.pid)
        wait_for(lambda: context_switches(one.pid) > before, "the measure to see a wake-up")
    moving.wait_disabled()
    manager.wait_line("WATCHDOG_USEC=0", at)
    sleeps()


def test_reduced_motion_lets_the_sensor_sleep(daemon, machine, moving, folder, asleep_means_asleep):
    watchdog = 1_000_000
    manager = ServiceManager(folder, watchdog)
    one = daemon(machine=machine, environment=manager.environment)
    with one.client() as client, one.client() as control:
        client.subscribe()
        while client.event()["x"] <= 0:
            pass
        control.call("SetReducedMotion", {"enabled": True})
        event = until(client, state="reduced")
        assert event["reason"] == "user" and event["reduced_motion"] is True
        assert (event["x"], event["y"]) == (0, 0)
        moving.wait_disabled()
        before = wait_still(one.pid)
        time.sleep(2.2 * watchdog / 1e6)
        assert context_switches(one.pid) == before
        control.call("Pan", {"x": 5, "y": 5})
        assert control.call("GetMotion")["x"] == 0, "Pan is ignored"
        control.call("SetReducedMotion", {"enabled": None})
        event = until(client, state="running")
        assert event["reduced_motion"] is False
        moving.wait_enabled()


def test_held_as_long_as_the_connection_lives(daemon, machine, moving):
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        until(client, state="running")
        with one.client() as holder:
            holder.send("SetReducedMotion", {"enabled": True}, more=True)
            assert holder.receive().get("continues") is True
            assert until(client, state="reduced")["reason"] == "user"
        until(client, state="running")


def test_a_subscriber_of_its_own_accord(daemon, machine, moving):
    """All who listen asked for reduced motion for themselves: the sensor sleeps; one who did not wakes it."""
    one = daemon(machine=machine)
    with one.client() as calm, one.client() as other:
        event = calm.subscribe(reduced_motion=True)
        assert event["reduced_motion"] is True and (event["x"], event["y"]) == (0, 0)
        time.sleep(0.3)
        assert not moving.is_enabled
        other.subscribe()
        until(other, state="running")
        assert other.event()["x"] != 0
        other.close()
        moving.wait_disabled()


def test_subtle_instead_of_none(daemon, machine, moving):
    config = "[accessibility]\nreduced_motion = true\nreduced_motion_scale = 0.25\n"
    one = daemon(machine=machine, config=config)
    with one.client() as client, one.client() as control:
        client.subscribe()
        event = until(client, state="running")
        assert event["reduced_motion"] is True
        # One update of the rule is 2.5 · rate; a quarter of it is seen.
        step = 0.25 * 2.5 * TURN * 0.001064724
        # Several updates where the machine is held up.
        first = client.event_where(lambda event: event["sequence"] >= 0) if event["sequence"] < 0 else event
        assert first["x"] / (first["sequence"] + 1) == pytest.approx(step, rel=1e-9)
        text = "reading bmi160 for 1 subscriber; reduced motion is on by configuration"
        assert control.call("GetStatus")["text"] == text
        control.call("SetReducedMotion", {"enabled": False})
        event = until(client, reduced_motion=False)
        assert (event["x"], event["y"]) == (0, 0), "it starts from neutral afterwards"


def test_one_line_a_transition_with_the_reason(daemon, machine, moving):
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        until(client, state="running")
        with one.client() as control:
            control.call("SetReducedMotion", {"enabled": True})
            until(client, state="reduced")
    one.wait_log("parallaxd: idle")
    lines = [line.removeprefix("parallaxd: ") for line in one.log.splitlines()]
    states = [line.split(":")[0] for line in lines if line.split(":")[0].split(" ")[0] in STATES]
    assert states == ["starting", "running", "reduced (user)", "idle"], one.log


STATES = ("idle", "starting", "running", "reduced", "waiting", "stalled")


def test_no_gyroscope_is_waiting_with_the_reason(daemon, machine):
    one = daemon(machine=machine)
    with one.client() as client:
        first = client.subscribe()
        event = first if first["state"] == "waiting" else until(client, state="waiting")
        assert event["reason"] == "no-device"
        with one.client() as control:
            status = control.call("GetStatus")
        assert status["text"] and status["retry_in"] is not None


def test_a_silent_gyroscope_is_stalled(daemon, machine):
    machine.add(Gyroscope())
    one = daemon("--set", "sensor.read_timeout=0.3", machine=machine)
    with one.client() as client:
        client.subscribe()
        assert until(client, state="stalled")["reason"] == "no-data"


def test_the_sensor_is_given_back_at_the_end(daemon, machine, moving):
    before = {name: moving.read(name) for name in ("sampling_frequency", "current_timestamp_clock")}
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        until(client, state="running")
        assert moving.read("current_timestamp_clock") == "monotonic"
        one.signal(signal.SIGTERM)
        assert one.wait() == 0
    assert not moving.is_enabled
    assert {name: moving.read(name) for name in before} == before
    assert not one.socket.exists()


def test_leaving_while_subscribers_come_and_go(daemon, machine, moving):
    """SIGTERM in the moment when one has left and the next has come: nothing is switched on any more."""
    before = {name: moving.read(name) for name in GIVEN_BACK}
    for _ in range(15):
        one = daemon(machine=machine)
        first = one.client()
        first.subscribe()
        until(first, state="running")
        second = one.client()
        first.close()
        second.send("Subscribe", {}, more=True)
        one.signal(signal.SIGTERM)
        assert one.wait() == 0
        second.close()
        assert not moving.is_enabled
        assert {name: moving.read(name) for name in GIVEN_BACK} == before


def test_leaving_right_after_a_reload(daemon, machine, moving):
    """The sensor of before the reload is given back although another one has taken its place."""
    before = {name: moving.read(name) for name in GIVEN_BACK}
    for _ in range(5):
        one = daemon(machine=machine)
        with one.client() as client:
            client.subscribe()
            until(client, state="running")
            one.config.write_text("[sensor]\nsampling_frequency = 100\n")
            one.signal(signal.SIGHUP)
            one.signal(signal.SIGTERM)
            assert one.wait() == 0
        assert not moving.is_enabled
        assert {name: moving.read(name) for name in GIVEN_BACK} == before


def test_neutral_has_no_sign(daemon, machine, moving):
    """Nothing is left of a negative offset, also no negative zero."""
    moving.mover.raw = -TURN
    one = daemon(machine=machine, config="[accessibility]\nreduced_motion = true\nreduced_motion_scale = 0.5\n")
    with one.client() as client:
        client.subscribe()
        while client.event()["x"] >= 0:
            pass
        one.config.write_text("[accessibility]\nreduced_motion = true\n")
        one.signal(signal.SIGHUP)
        until(client, state="reduced")
        client.close()
    with one.client() as client:
        client.send("GetMotion")
        assert b'"x":0,"y":0,' in client.receive_bytes()


def test_settling_scans_are_counted(daemon, machine, moving):
    one = daemon("--set", "sensor.settle_time=0.2", machine=machine)
    with one.client() as client, one.client() as control:
        client.subscribe()
        until(client, state="running")
        counters = control.call("GetStatus")["counters"]
        assert counters["settling"] > 0 and counters["samples"] > 0


def test_a_reload_is_told_to_systemd(daemon, folder):
    manager = ServiceManager(folder)
    one = daemon("--demo", environment=manager.environment)
    at = manager.wait_line("READY=1")
    one.signal(signal.SIGHUP)
    at = manager.wait_line("RELOADING=1", at)
    assert manager.lines[at].startswith("MONOTONIC_USEC=")
    manager.wait_line("READY=1", at)
    one.signal(signal.SIGTERM)
    manager.wait_line("STOPPING=1", at)
    assert one.wait() == 0


def test_a_watchdog_of_millennia(daemon, folder):
    """A time that no nanoseconds hold: it is answered as any other."""
    manager = ServiceManager(folder, 1 << 63)
    one = daemon("--demo", environment=manager.environment)
    with one.client() as client:
        client.subscribe()
        until(client, state="running")
    one.signal(signal.SIGTERM)
    manager.wait_line("STOPPING=1", manager.wait_line("WATCHDOG=1"))
    assert one.wait() == 0


def test_a_recording_that_has_ended_wakes_nobody(daemon, folder, asleep_means_asleep):
    trace = folder / "short.csv"
    trace.write_text("timestamp_ns,x,y,z\n0,0,1,0\n10000000,0,1,0\n")
    manager = ServiceManager(folder, 1_000_000)
    one = daemon("--replay", str(trace), environment=manager.environment)
    with one.client() as client:
        client.subscribe()
        event = until(client, state="waiting")
        assert event["reason"] == "replay-ended"
        at = manager.wait_line("WATCHDOG_USEC=1000000")
        manager.wait_line("WATCHDOG_USEC=0", at)
        before = wait_still(one.pid)
        time.sleep(2.2)
        assert context_switches(one.pid) == before


def test_a_sensor_that_does_not_answer_does_not_hold_the_end(daemon, machine):
    """After ten seconds the daemon leaves all the same, and says so."""
    gyroscope = machine.add(Gyroscope())
    stuck = gyroscope.folder / "buffer/length"
    stuck.unlink()
    os.mkfifo(stuck)
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        wait_for(lambda: opens_a_file(one.pid), "the sensor's thread to be stuck")
        one.signal(signal.SIGTERM)
        assert one.wait(120) == 1
    assert "does not answer" in one.log


def test_a_log_that_nobody_reads_stops_nobody(parallaxd, folder):
    (folder / "none.toml").write_text("")
    path = folder / "socket"
    reading, writing = os.pipe()
    one = subprocess.Popen(
        [parallaxd, "--demo", "--config", folder / "none.toml", "--socket", path], stderr=writing
    )

    def answers() -> bool:
        # A socket is there before it is listened on.
        try:
            with Client(path) as client:
                return bool(client.call("GetStatus"))
        except OSError:
            return False

    try:
        wait_for(answers, "the daemon to answer")
        os.set_blocking(writing, False)
        try:
            while os.write(writing, bytes(4096)):
                pass
        except BlockingIOError:
            pass
        finally:
            os.set_blocking(writing, True)
        for _ in range(3):
            with Client(path) as client:
                client.subscribe()
        one.send_signal(signal.SIGTERM)
        assert one.wait(60) == 0
    finally:
        one.kill()
        one.wait()
        os.close(reading)
        os.close(writing)


def test_a_terminal_can_stop_it(daemon):
    """What the loop reads is blocked; Ctrl-Z and Ctrl-\\ do what they do everywhere."""
    one = daemon("--demo")
    status = Path(f"/proc/{one.pid}/status").read_text()
    blocked = int(next(line for line in status.splitlines() if line.startswith("SigBlk")).split()[1], 16)
    assert all(blocked & 1 << number - 1 for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGPIPE))
    assert not any(blocked & 1 << number - 1 for number in (signal.SIGTSTP, signal.SIGQUIT, signal.SIGSEGV))
