"""`parallaxctl doctor --axes`: three turns by hand, and the line that makes them come out right."""

import os
import signal
import stat
import subprocess
import time
from pathlib import Path

import pytest

from support.doctor import SETTLED, moving
from support.gyroscope import Gyroscope
from support.machine import Machine
from support.process import suspend
from support.sensor import NOBODY
from support.waiting import wait_for


def mapped(letters: str, rate: tuple[float, float, float]) -> tuple[float, ...]:
    """What `axes` makes of a rate."""
    return tuple((1 if one.isupper() else -1) * rate["xyz".index(one.lower())] for one in letters)


def shown(letters: str, turn: int) -> list[float]:
    """What a sensor shows, for which `letters` is right, while the device turns about axis `turn`."""
    return [next(s for s in (1, -1) if abs(s) == 1 and mapped(letters, _unit(axis, s))[turn] == 1) if mapped(letters, _unit(axis, 1))[turn] else 0 for axis in range(3)]  # fmt: skip


def _unit(axis: int, sign: int) -> tuple[float, ...]:
    return tuple(sign if n == axis else 0 for n in range(3))


# A hand that is slower than a person's.
PATIENT = SETTLED + "read_timeout = 60\n"


class Asked:
    """A running `doctor --axes`, and the hand that turns the device."""

    def __init__(self, parallaxctl: Path, machine: Machine, one, gyroscope: Gyroscope) -> None:
        self.daemon = one
        self.gyroscope = gyroscope
        self.stamp = time.monotonic_ns()
        self.errors = b""
        self.process = machine.start(
            [str(parallaxctl), "--socket", str(one.socket), "doctor", "--axes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        os.set_blocking(self.process.stderr.fileno(), False)
        gyroscope.wait_enabled()
        self.write((0, 0, 0), 3)

    def write(self, rate, count: int) -> None:
        """Scans 10 ms apart, in thousandths of a radian per second; what became of them is sent when it returns."""
        before = self.samples()
        for number in range(count):
            self.stamp += 10_000_000
            scan = [round(1000 * value) for value in rate]
            # At rest with some noise: a sensor that has shown nothing but zeros for ten seconds hangs.
            if not any(scan):
                scan[2] = number % 2
            assert self.gyroscope.write_scans([(self.stamp, *scan)]) == 1
            # As fast as a hand: at one go they were more than the backlog of a client that is slow just now.
            time.sleep(0.01)
            # What the daemon reads at one go, when it is held up, is one event with the last rate of all.
            self.gyroscope.wait_consumed()
        wait_for(lambda: self.samples() >= before + count, "the scans to be read")

    def counters(self) -> dict:
        """What the daemon counts."""
        with self.daemon.client() as client:
            return client.call("GetStatus")["counters"]

    def samples(self) -> int:
        """How many the daemon has taken, and sent on: it does both in one go."""
        return self.counters()["samples"]

    def wait(self, *texts: str) -> str:
        """Until it has said one of them since the last time; which."""

        def look() -> str | None:
            self.errors += self.process.stderr.read() or b""
            return next((text for text in texts if text.encode() in self.errors), None)

        try:
            said = wait_for(look, f"one of {texts}")
        except AssertionError as error:
            raise AssertionError(f"{error}, but {self.errors!r}") from None
        self.errors = self.errors.split(said.encode(), 1)[1]
        return said

    def enter(self) -> None:
        """Presses Enter, if it is still there to hear it."""
        try:
            os.write(self.process.stdin.fileno(), b"\n")
        except BrokenPipeError:
            pass

    def turn(self, number: int, rate) -> None:
        """One turn of half a second, from Enter to Enter; again where it was held up, missed some of it and says so."""
        said = "Not taken"
        while said == "Not taken":
            self.wait(f"{number} of 3")
            missed = self.counters()["dropped"]
            self.enter()
            self.wait("Now.")
            self.write((0, 0, 0), 2)
            self.write(rate, 60)
            self.write((0, 0, 0), 2)
            self.enter()
            if self.counters()["dropped"] == missed:
                return
            said = self.wait("Not taken", f"{number + 1} of 3", "In [sensor]", "given up")
        self.errors = said.encode() + self.errors

    def result(self) -> tuple[int, str, str]:
        """Exit code, output and the rest of the errors."""
        self.process.wait(60)
        return self.process.returncode, self.process.stdout.read().decode(), (self.errors + (self.process.stderr.read() or b"")).decode()


AXES = ["XYZ", "yXZ", "zxy", "Xzy", "yXz", "ZxY"]


@pytest.mark.parametrize("letters", AXES)
@pytest.mark.parametrize("before", ["", 'axes = "zXy"\nscreen_rotation = 90\n'], ids=["plain", "configured"])
def test_axes(daemon, machine, parallaxctl, letters, before):
    """Whatever is configured; and a daemon with the printed line has the turns right."""
    gyroscope = machine.add(Gyroscope(scale_text="0.001", mount_matrix="0, -1, 0; 1, 0, 0; 0, 0, 1"))
    one = daemon(machine=machine, config=f"{PATIENT}{before}")

    def device(rate) -> tuple:
        """What the part measures, before the mount matrix turns it: (x, y) → (−y, x)."""
        return (rate[1], -rate[0], rate[2])

    asked = Asked(parallaxctl, machine, one, gyroscope)
    for number in range(3):
        asked.turn(number + 1, device(shown(letters, number)))
    code, out, err = asked.result()
    assert (code, out) == (0, f'axes = "{letters}"\n'), err
    gyroscope.wait_disabled()
    # The line in a configuration.
    one.config.write_text(f"{PATIENT}{out}[motion]\nupdate_interval = 0\nthreshold = 0\n")
    one.signal(1)
    one.wait_log("the configuration was read again")
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        gyroscope.wait_enabled()
        for number in range(3):
            asked.write(device(shown(letters, number)), 1)
            event = client.event_where(lambda event: event["timestamp_ns"] == asked.stamp)
            assert [round(event["rate"][axis], 9) + 0 for axis in "xyz"] == list(_unit(number, 1))


def test_axes_with_a_bias(daemon, machine, parallaxctl):
    """What the sensor shows at rest does not count."""
    gyroscope = machine.add(Gyroscope(scale_text="0.001"))
    one = daemon(machine=machine, config=PATIENT + "[motion]\nupdate_interval = 0\n")
    asked = Asked(parallaxctl, machine, one, gyroscope)
    bias = (0.5, -0.4, 0.3)
    asked.wait("1 of 3")
    for number in range(3):
        # On a busy machine Enter may come before what was shown at rest: then it asks for the turn once more.
        said = "Not taken"
        while said == "Not taken":
            asked.write(bias, 30)
            time.sleep(0.3)
            asked.enter()
            asked.wait("Now.")
            asked.write([b + r for b, r in zip(bias, _unit(number, 1))], 60)
            asked.enter()
            said = asked.wait("Not taken", f"{number + 2} of 3" if number < 2 else "In [sensor]")
    code, out, err = asked.result()
    assert (code, out) == (0, 'axes = "XYZ"\n'), err


def test_ambiguous_turns_are_refused(daemon, machine, parallaxctl):
    gyroscope = machine.add(Gyroscope(scale_text="0.001"))
    one = daemon(machine=machine, config=PATIENT)
    asked = Asked(parallaxctl, machine, one, gyroscope)
    asked.turn(1, (0.1, 0, 0))
    asked.wait("too little")
    asked.turn(1, (1, 0.8, 0))
    asked.wait("two axes at once")
    asked.turn(1, (1, 0.2, 0))
    asked.turn(2, (-1, 0, 0))
    asked.wait("the same axis of the sensor as the turn about x")
    asked.turn(2, (0, -1, 0))
    asked.turn(3, (0, 0, 1))
    code, out, err = asked.result()
    assert (code, out) == (0, 'axes = "XyZ"\n'), err
    assert "mirror image" in err


def test_axes_are_given_up(daemon, machine, parallaxctl):
    gyroscope = machine.add(Gyroscope(scale_text="0.001"))
    one = daemon(machine=machine, config=PATIENT)
    asked = Asked(parallaxctl, machine, one, gyroscope)
    for _ in range(4):
        asked.turn(1, (0, 0, 0))
    code, out, err = asked.result()
    assert (code, out) == (1, "") and "given up after 4 attempts" in err


def test_axes_need_somebody(daemon, machine, doctor):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=SETTLED)
    with moving(gyroscope):
        done = doctor(one, "--axes")
    assert done.returncode == 1 and "standard input has ended" in done.stderr


def test_axes_need_the_right_to_see_rates(daemon, machine, doctor):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=SETTLED)
    one.socket.chmod(stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO)
    with moving(gyroscope):
        done = doctor(one, "--axes", user=NOBODY)
    assert done.returncode == 4 and "allow_rate" in done.stderr


@pytest.fixture
def asked(daemon, machine, parallaxctl) -> tuple:
    """`--axes` after its first turn, the daemon and the gyroscope."""
    gyroscope = machine.add(Gyroscope(scale_text="0.001"))
    one = daemon(machine=machine, config=PATIENT)
    asked = Asked(parallaxctl, machine, one, gyroscope)
    asked.turn(1, (1, 0, 0))
    asked.wait("2 of 3")
    return asked, one, gyroscope


def ended(asked: Asked, *words: str) -> None:
    """It ends by itself, with one line that says why and no answer."""
    code, out, err = asked.result()
    assert code != 0 and out == "" and all(word in err for word in words), err
    assert [line.startswith("parallaxctl: ") for line in err.strip().splitlines()][-1:] == [True], err


@pytest.mark.parametrize("line", ['axes = "yXZ"', "screen_rotation = 90", "mount_matrix = [0, 1, 0, -1, 0, 0, 0, 0, 1]"])
def test_axes_while_the_settings_change(asked, line):
    asked, one, gyroscope = asked
    one.config.write_text(f"{PATIENT}{line}\n")
    one.signal(signal.SIGHUP)
    one.wait_log("the configuration was read again")
    asked.enter()
    with moving(gyroscope):
        # Some of them have the sensor opened anew.
        ended(asked, "start --axes again")


def test_axes_while_other_settings_change(asked):
    """What has nothing to do with it ends nothing."""
    asked, one, gyroscope = asked
    one.config.write_text(f"{PATIENT}[motion]\nmultiplier = 3\n")
    one.signal(signal.SIGHUP)
    one.wait_log("the configuration was read again")
    asked.errors = b"2 of 3" + asked.errors
    asked.turn(2, (0, 1, 0))
    asked.turn(3, (0, 0, 1))
    assert asked.result()[:2] == (0, 'axes = "XYZ"\n')


def test_axes_of_a_sensor_that_is_unplugged(asked, machine):
    """Nobody presses a key."""
    asked, one, gyroscope = asked
    machine.remove(gyroscope)
    one.config.write_text(SETTLED + "read_timeout = 0.3\n")
    one.signal(signal.SIGHUP)
    ended(asked, "the sensor does not run any more (", "start --axes again")


@pytest.mark.parametrize("keys", [0, 1])
def test_axes_of_a_daemon_that_hangs(asked, keys):
    """Whether Enter is pressed or not."""
    asked, one, _ = asked
    suspend(one.process)
    try:
        for _ in range(keys):
            asked.enter()
        ended(asked, "does not answer")
    finally:
        one.signal(signal.SIGCONT)


def test_axes_of_a_daemon_that_leaves(asked):
    asked, one, _ = asked
    one.stop()
    ended(asked, "has hung up")


def test_axes_without_a_sensor(daemon, machine, doctor):
    one = daemon(machine=machine)
    done = doctor(one, "--axes")
    assert done.returncode == 1 and "no rates come (waiting" in done.stderr
