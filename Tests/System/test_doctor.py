"""`parallaxctl doctor`: what it finds wrong with a machine, and what mends it."""

import grp
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from support.bus import DBUS_DAEMON, Bus
from support.doctor import FOREIGN_TRIGGER, SETTLED, findings, moving, take, turning, wrong
from support.fakedaemon import FakeDaemon
from support.gyroscope import Gyroscope
from support.machine import need_root
from support.process import suspend
from support.sensor import NOBODY
from support.terminal import Terminal


def test_all_is_well(daemon, machine, doctor):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=SETTLED)
    with moving(gyroscope):
        done = doctor(one)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "no IIO device" not in one.log
    assert "Nothing is wrong." in done.stdout and findings(done) == {}
    assert "set 100.0 Hz, measured 100.0 Hz" in done.stdout
    noise = next(line for line in done.stdout.splitlines() if line.startswith("noise"))
    # Of four units of 0.001064724 rad/s.
    assert all(0.002 < float(value) < 0.008 for value in noise.split()[1:4]), noise
    # No escapes where nobody draws.
    assert "\x1b" not in done.stdout
    gyroscope.wait_disabled()


def test_no_daemon(machine, doctor):
    """One piece of advice, not that of the other commands beside it."""
    machine.add(Gyroscope())
    done = doctor(None)
    wrong(done, "no daemon", "parallaxd")
    assert "exist" in done.stdout and "start it" not in done.stdout


def test_no_iio_at_all(daemon, machine, doctor):
    one = daemon(machine=machine)
    assert "this machine has no IIO device" in one.log
    wrong(doctor(one), "IIO core is not loaded", "sudo modprobe")


def test_no_device(daemon, machine, doctor):
    (machine.bus / "iio/devices").mkdir(parents=True)
    one = daemon(machine=machine)
    assert "this machine has no IIO device" in one.log
    wrong(doctor(one), "knows no IIO device", "sudo modprobe")


def test_no_gyroscope_among_the_devices(daemon, machine, doctor):
    device = machine.add(Gyroscope(name="als", axes="", buffer=False, trigger=None, triggers=[], timestamp=False))
    for path in device.folder.glob("in_anglvel*"):
        path.unlink()
    one = daemon(machine=machine)
    wrong(doctor(one), "iio:device0 (als)", "sudo modprobe")


def test_no_permission(daemon, machine, doctor):
    """The daemon of a plain user polls, and that is said with what mends it."""
    gyroscope = machine.add(Gyroscope())
    gyroscope.set_raw(1, 2, 3)
    one = daemon(machine=machine, user=NOBODY)
    done = doctor(one, user=NOBODY)
    wrong(done, "may not set up the buffer of iio:device0 (bmi160): /dev/iio:device0 is root:root 0600", "make install")
    assert "only root sees" in done.stdout


def test_no_right_to_connect(daemon, machine, doctor):
    machine.add(Gyroscope())
    one = daemon(machine=machine)
    one.socket.chmod(0o600)
    done = doctor(one, user=NOBODY)
    wrong(done, "you may not connect", "sudo parallaxctl doctor")
    # What another user's daemon may do is not known.
    assert len(findings(done)) == 1
    os.chown(one.socket, -1, 1)
    one.socket.chmod(0o660)
    group = grp.getgrgid(1).gr_name
    wrong(doctor(one, user=NOBODY), "you may not connect", f"sudo usermod -aG {group} nobody    # then log in again")


def test_the_node_is_missing(daemon, machine, doctor):
    gyroscope = machine.add(Gyroscope())
    gyroscope.node.unlink()
    one = daemon(machine=machine)
    wrong(doctor(one), "/dev/iio:device0 is missing", "udevadm trigger --subsystem-match=iio")


def test_no_trigger(daemon, machine, doctor):
    machine.add(Gyroscope(**FOREIGN_TRIGGER))
    one = daemon(machine=machine)
    wrong(doctor(one), "no trigger", "modprobe iio-trig-hrtimer")


def once_well(doctor, one) -> subprocess.CompletedProcess:
    """What it says when nothing is wrong; a machine that is held up polls less often than it should, and that is said."""
    for _ in range(8):
        done = doctor(one)
        if done.returncode == 0:
            return done
    raise AssertionError(done.stdout)


@pytest.mark.parametrize("settings", ["", "sampling_frequency = 400\n"])
def test_a_polled_sensor_that_is_well(daemon, machine, doctor, settings):
    """It is read as often as updates are made, whatever the driver's own rate is."""
    gyroscope = machine.add(Gyroscope(**FOREIGN_TRIGGER))
    one = daemon(machine=machine, config=f'[sensor]\nmode = "poll"\nsettle_time = 0\n{settings}')
    with turning(gyroscope):
        done = once_well(doctor, one)
    assert "by poll" in done.stdout, done.stdout


@pytest.fixture
def bus(folder: Path) -> Iterator[Bus]:
    """A system bus."""
    if DBUS_DAEMON is None:
        pytest.skip("dbus-daemon is missing (see `make deps`): nobody to hear of auto-rotation from")
    made = Bus(folder / "bus")
    yield made
    made.close()


def test_polled_for_the_sake_of_auto_rotation(daemon, machine, doctor, bus):
    """It has no trigger, which nobody would want."""
    proxy = bus.owns("net.hadess.SensorProxy")
    gyroscope = machine.add(Gyroscope(others={"in_accel_x": "le:s16/16>>0"}, **FOREIGN_TRIGGER))
    one = daemon(machine=machine, config=SETTLED, environment=bus.environment)
    with turning(gyroscope):
        done = once_well(doctor, one)
    proxy.close()
    assert "iio-sensor-proxy" in done.stdout, done.stdout


def test_angles_alone(daemon, machine, doctor):
    """What is shown of the rights is of its own scan elements."""
    gyroscope = machine.add(Gyroscope(quantity="deltaangl", scale_text="0.00001"))
    one = daemon(machine=machine, config=SETTLED)
    (gyroscope.folder / "scan_elements/in_deltaangl_y_en").chmod(0o600)
    with moving(gyroscope):
        done = doctor(one, "--report", "report.txt")
    assert done.returncode == 0, done.stdout
    assert "in_deltaangl_y_en root:root 0600" in (one.folder.parent / "report.txt").read_text()


def test_a_folder_that_is_closed(machine, doctor):
    """What cannot be looked at is not said to be absent."""
    gyroscope = machine.add(Gyroscope())
    gyroscope.folder.chmod(0o700)
    done = doctor(None, user=NOBODY)
    wrong(done, "/sys/bus/iio/devices/iio:device0 cannot be looked at: it is closed to nobody", "sudo parallaxctl doctor")
    assert "none is a gyroscope" not in done.stdout and "modprobe" not in done.stdout
    gyroscope.folder.chmod(0o755)
    gyroscope.folder.parent.chmod(0o700)
    done = doctor(None, user=NOBODY)
    wrong(done, "/sys/bus/iio/devices cannot be looked at", "sudo parallaxctl doctor")
    assert "IIO core is not loaded" not in done.stdout and "knows no IIO device" not in done.stdout


MIRROR = "-1, 0, 0; 0, 1, 0; 0, 0, 1"


@pytest.mark.parametrize(
    "line",
    ['axes = "xYZ"', 'axes = "XYZ"', "mount_matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]", "mount_matrix = [-1, 0, 0, 0, 1, 0, 0, 0, 1]"],
)
def test_a_matrix_that_mirrors_until_the_user_has_decided(daemon, machine, doctor, line):
    gyroscope = machine.add(Gyroscope(mount_matrix=MIRROR))
    one = daemon(machine=machine, config=SETTLED)
    with moving(gyroscope):
        wrong(doctor(one), "in_mount_matrix is no rotation (its determinant is -1.0)", "sudo parallaxctl doctor --axes")
        take(one, f"in [sensor] of /:\n{line}")
        done = doctor(one)
    assert done.returncode == 0, done.stdout


def ends_by_its_remedy(one, doctor, text: str, lines: str) -> None:
    """doctor says `text`; with the lines that it shows in the configuration all is well."""
    done = doctor(one)
    wrong(done, text, lines)
    take(one, next(iter(findings(done).values())))
    done = doctor(one)
    assert done.returncode == 0, done.stdout


def test_a_matrix_that_is_none(daemon, machine, doctor):
    """Until one is configured, which the remedy does."""
    gyroscope = machine.add(Gyroscope(mount_matrix="1, 0, x"))
    one = daemon(machine=machine, config=SETTLED)
    with moving(gyroscope):
        ends_by_its_remedy(one, doctor, "in_mount_matrix is no mount matrix", "mount_matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]")


def test_drift_and_the_lines_that_end_it(daemon, machine, doctor):
    """Whatever matrix and axes stand between the part and the picture."""
    gyroscope = machine.add(Gyroscope(scale_text="0.001", mount_matrix="0, -1, 0; 1, 0, 0; 0, 0, 1"))
    one = daemon(machine=machine, config=SETTLED + 'axes = "zXy"\n')
    with moving(gyroscope, rest=(300, -200, 250)):
        ends_by_its_remedy(one, doctor, "the content drifts", 'mode = "fixed"\nbias = [')


def test_a_daemon_that_hangs_and_one_that_is_absent(daemon, machine, doctor):
    """It is there; and what it said before is not forgotten."""
    machine.add(Gyroscope())
    one = daemon("--demo", machine=machine)
    suspend(one.process)
    try:
        wrong(doctor(one), "does not answer", "pkill --signal KILL --exact parallaxd; parallaxd")
    finally:
        one.signal(signal.SIGCONT)
    wrong(doctor(None), "no daemon", "parallaxd")


def test_a_daemon_that_hangs_after_its_first_word(machine, doctor, folder):
    machine.add(Gyroscope())
    fake = FakeDaemon(folder / "fake", answers=1)
    done = doctor(SimpleNamespace(socket=fake.path))
    fake.close()
    wrong(done, "does not answer", "pkill --signal KILL --exact parallaxd; parallaxd")
    assert len(findings(done)) == 1
    assert "parallaxd 9.9.9: reading bmi160" in done.stdout, "what it said"


def test_another_program_holds_the_buffer(machine, doctor):
    # The doctor is in a user namespace then, which sees nothing of the processes outside.
    need_root("seeing what another program holds")
    gyroscope = machine.add(Gyroscope())
    with open(os.open(gyroscope.node, os.O_RDWR | os.O_NONBLOCK), "rb"):
        done = doctor(None)
    wrong(done, f"is read by another program, process {os.getpid()} (", f"sudo kill {os.getpid()}")


def test_a_buffer_that_a_crash_left_on(machine, doctor):
    gyroscope = machine.add(Gyroscope())
    gyroscope.set("buffer/enable", "1")
    wrong(doctor(None), "is on and nobody reads it", "echo 0 | sudo tee /sys/bus/iio/devices/iio:device0/buffer/enable")


def test_no_scans(daemon, machine, doctor):
    machine.add(Gyroscope())
    one = daemon(machine=machine, config="[sensor]\nread_timeout = 0.3\n")
    wrong(doctor(one), "no scans (no-data): no scans from bmi160 for 0.3 s", "current_trigger")


def test_the_same_values_again_and_again(daemon, machine, doctor):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=SETTLED)
    with moving(gyroscope, still=True):
        done = doctor(one)
    # A daemon that notices by itself says that it stalls.
    assert done.returncode == 1 and ("again and again" in done.stdout or "stalled" in done.stdout), done.stdout


def test_another_rate_than_was_set(daemon, machine, doctor):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=SETTLED)
    with moving(gyroscope, period=20_000_000):
        wrong(doctor(one), "samples really come at 50.0 Hz, not at 100.0", "sampling_frequency = 200.0")


def test_a_reload_that_was_refused(daemon, machine, doctor):
    one = daemon("--demo", machine=machine)
    one.config.write_text("[motion]\nthreshold = -1\n")
    one.signal(1)
    one.wait_log("stay in force")
    wrong(doctor(one), "the last reload was refused", "parallaxd --check-config")


def test_the_demonstration_needs_no_sensor(daemon, machine, doctor):
    done = doctor(daemon("--demo", machine=machine))
    assert "reads no gyroscope of this machine: demo" in done.stdout and "modprobe" not in done.stdout
    last = "Nothing is wrong with the daemon. It plays a demonstration; of gyroscopes, this machine has none."
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == last


def test_hostile_names_stay_in_their_line(machine, doctor):
    machine.add(Gyroscope(name="bmi\x1b[2J160\nWRONG", label="x" * 100_000))
    done = doctor(None)
    assert "\x1b" not in done.stdout and "\nWRONG\n" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) < 3000


def test_attributes_that_are_pipes_hold_nobody_up(machine, doctor):
    gyroscope = machine.add(Gyroscope())
    label = gyroscope.folder / "sampling_frequency"
    label.unlink()
    os.mkfifo(label)
    assert doctor(None).returncode == 1


@pytest.mark.parametrize("arguments", [["a"], ["--report"], ["--report="], ["--axes", "--report", "x"], ["--nonsense"]])
def test_wrong_usage(machine, doctor, arguments):
    done = doctor(None, *arguments)
    assert done.returncode == 2 and done.stderr.count("\n") == 1


def test_colours_on_a_terminal_only(machine, parallaxctl, folder):
    command = machine.command([str(parallaxctl), "--socket", str(folder / "nothing"), "doctor"])
    for more, coloured in ({}, True), ({"NO_COLOR": "1"}, False):
        terminal = Terminal(command, os.environ | {"TERM": "xterm", "LC_ALL": "C.UTF-8"} | more)
        try:
            assert terminal.wait() == 1
            assert ("\x1b[1;31mWRONG" in terminal.output) == coloured
        finally:
            terminal.close()
