"""`parallaxctl doctor`: what it finds wrong with a machine, and the line that `--axes` prints."""

import grp
import json
import os
import random
import re
import signal
import stat
import subprocess
import threading
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from support.bus import DBUS_DAEMON, Bus
from support.fakedaemon import FakeDaemon
from support.gyroscope import Gyroscope
from support.machine import Machine
from support.sensor import NOBODY
from support.terminal import Terminal
from support.waiting import wait_for

SETTLED = "[sensor]\nsettle_time = 0\n"
FOREIGN_TRIGGER = {"trigger": None, "triggers": []}


@pytest.fixture
def doctor(parallaxctl: Path, folder: Path, machine: Machine) -> Callable[..., subprocess.CompletedProcess]:
    """Runs `parallaxctl doctor` in the machine."""

    def run(one, *arguments: str, user: int | None = None) -> subprocess.CompletedProcess:
        socket = one.socket if one else folder / "nothing"
        done = subprocess.run(
            machine.command([str(parallaxctl), "--socket", str(socket), "doctor", *arguments], user),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            cwd=folder,
        )
        check_remedies(done.stdout)
        return done

    return run


ARROW = "       → "
BELOW = " " * len(ARROW)


def sayings(done: subprocess.CompletedProcess, word: str) -> dict[str, str]:
    """What is said after `word`, and what mends it: all its lines."""
    found: dict[str, str] = {}
    text = ""
    for line in done.stdout.splitlines():
        if line.startswith((ARROW, BELOW)) and text:
            found[text] = (found[text] + "\n" + line[len(ARROW) :]).strip()
        elif line.startswith(word):
            text = line.removeprefix(word).strip()
            found[text] = ""
        else:
            text = ""
    return found


def findings(done: subprocess.CompletedProcess) -> dict[str, str]:
    """What is wrong, and what mends it."""
    return sayings(done, "WRONG")


def notes(done: subprocess.CompletedProcess) -> dict[str, str]:
    """What is good to know."""
    return sayings(done, "note")


def toml(remedy: str) -> tuple[str, str] | None:
    """The section and the lines of a remedy that is some; None where it is a command."""
    first, *lines = remedy.splitlines()
    found = re.match(r"in \[(\w+)\] of /", first)
    return (found[1], "\n".join(lines) + "\n") if found else None


def check_remedies(output: str) -> None:
    """Each can be taken as it is printed: lines of TOML, or a command that a shell understands."""
    done = subprocess.CompletedProcess([], 0, stdout=output)
    for remedy in filter(None, (findings(done) | notes(done)).values()):
        if lines := toml(remedy):
            assert tomllib.loads(lines[1]), remedy
        else:
            assert "\n" not in remedy
            assert subprocess.run(["bash", "-nc", remedy], capture_output=True).stderr == b"", remedy


def take(one, remedy: str) -> None:
    """Does what a remedy says that is lines for the configuration."""
    section, lines = toml(remedy)
    text = one.config.read_text()
    assert f"[{section}]" not in text or text.count(f"[{section}]\n") == 1
    head = f"[{section}]\n"
    one.config.write_text(text.replace(head, head + lines) if head in text else text + head + lines)
    count = one.log.count("the configuration was read again")
    one.signal(signal.SIGHUP)
    wait_for(lambda: one.log.count("the configuration was read again") > count, f"a reload:\n{one.log}")


def wrong(done: subprocess.CompletedProcess, text: str, command: str) -> None:
    """One of the findings says so, and names the command; the exit code is 1."""
    assert done.returncode == 1, done.stdout + done.stderr
    assert any(text in finding and command in remedy for finding, remedy in findings(done).items()), done.stdout


@contextmanager
def moving(
    gyroscope: Gyroscope, period: int = 10_000_000, noise: int = 4, still: bool = False, rest: tuple = (0, 0, 0)
) -> Iterator[None]:
    """Writes scans as a sensor at rest does, at an exact rate by their stamps, while the block runs."""
    going = True
    shake = random.Random(7)

    def write() -> None:
        stamp = 0
        while going:
            now = time.monotonic_ns()
            if now < stamp:
                time.sleep((stamp - now) / 1e9)
            if not stamp or now - stamp > 2_000_000_000:
                stamp = now
            scan = (stamp, 3, -2, 5) if still else (stamp, *(round(shake.gauss(axis, noise)) for axis in rest))
            try:
                gyroscope.write_scans([scan])
            except (OSError, AssertionError):
                pass
            stamp += period

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    try:
        yield
    finally:
        going = False
        thread.join()


@contextmanager
def turning(gyroscope: Gyroscope) -> Iterator[None]:
    """Gives a polled sensor other values all the time while the block runs."""
    ended = threading.Event()

    def write() -> None:
        count = 0
        while not ended.wait(0.01):
            count += 1
            gyroscope.set_raw(count % 7, -(count % 5), count % 3)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


# Findings


def test_all_is_well(daemon, machine, doctor):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=SETTLED)
    with moving(gyroscope):
        done = doctor(one)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "Nothing is wrong." in done.stdout and findings(done) == {}
    assert "set 100.0 Hz, measured 100.0 Hz" in done.stdout
    noise = next(line for line in done.stdout.splitlines() if line.startswith("noise"))
    # Of four units of 0.001064724 rad/s.
    assert all(0.002 < float(value) < 0.008 for value in noise.split()[1:4]), noise
    # No escapes where nobody draws.
    assert "\x1b" not in done.stdout
    gyroscope.wait_disabled()


def test_no_daemon(machine, doctor):
    machine.add(Gyroscope())
    wrong(doctor(None), "no daemon", "parallaxd")


def test_no_iio_at_all(daemon, machine, doctor):
    one = daemon(machine=machine)
    wrong(doctor(one), "IIO core is not loaded", "sudo modprobe")


def test_no_device(daemon, machine, doctor):
    (machine.bus / "iio/devices").mkdir(parents=True)
    one = daemon(machine=machine)
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


@pytest.mark.parametrize("settings", ["", "sampling_frequency = 400\n"])
def test_a_polled_sensor_that_is_well(daemon, machine, doctor, settings):
    """It is read as often as updates are made, whatever the driver's own rate is."""
    gyroscope = machine.add(Gyroscope(**FOREIGN_TRIGGER))
    one = daemon(machine=machine, config=f'[sensor]\nmode = "poll"\nsettle_time = 0\n{settings}')
    with turning(gyroscope):
        done = doctor(one)
    assert done.returncode == 0 and "by poll" in done.stdout, done.stdout


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
        done = doctor(one)
    proxy.close()
    assert done.returncode == 0 and "iio-sensor-proxy" in done.stdout, done.stdout


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


def test_a_matrix_that_is_none(daemon, machine, doctor):
    """Until one is configured, which the remedy does."""
    gyroscope = machine.add(Gyroscope(mount_matrix="1, 0, x"))
    one = daemon(machine=machine, config=SETTLED)
    with moving(gyroscope):
        done = doctor(one)
        wrong(done, "in_mount_matrix is no mount matrix", "mount_matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]")
        take(one, next(iter(findings(done).values())))
        done = doctor(one)
    assert done.returncode == 0, done.stdout


def test_drift_and_the_lines_that_end_it(daemon, machine, doctor):
    """Whatever matrix and axes stand between the part and the picture."""
    gyroscope = machine.add(Gyroscope(scale_text="0.001", mount_matrix="0, -1, 0; 1, 0, 0; 0, 0, 1"))
    one = daemon(machine=machine, config=SETTLED + 'axes = "zXy"\n')
    with moving(gyroscope, rest=(300, -200, 250)):
        done = doctor(one)
        wrong(done, "the content drifts", 'mode = "fixed"\nbias = [')
        take(one, next(iter(findings(done).values())))
        done = doctor(one)
    assert done.returncode == 0, done.stdout


def test_a_daemon_that_hangs_and_one_that_is_absent(daemon, machine, doctor):
    """It is there; and what it said before is not forgotten."""
    machine.add(Gyroscope())
    one = daemon("--demo", machine=machine)
    one.signal(signal.SIGSTOP)
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


# The report


def test_a_report_with_a_recording(daemon, machine, doctor, folder, parallaxctl):
    gyroscope = machine.add(Gyroscope(label="display"))
    one = daemon(machine=machine, config=SETTLED)
    with moving(gyroscope):
        done = doctor(one, "--report", "report.txt")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    text = (folder / "report.txt").read_text()
    assert "in_anglvel_scale: 0.001064724" in text and "Nothing is wrong." in text
    assert "in_anglvel_x_raw: (not read" in text, "a measured value would wake the sensor"
    status = json.loads(text.splitlines()[text.splitlines().index("== status") + 1])
    assert status["sensor"]["label"] == "display"
    assert (folder / "report.txt.gcsv").read_text().count("\n") > 50
    assert subprocess.run([parallaxctl, "process", folder / "report.txt.gcsv"], capture_output=True).returncode == 0
    # What is there is somebody's.
    for name in "report.txt", "other":
        (folder / "other.gcsv").write_text("mine")
        again = doctor(one, "--report", name)
        assert again.returncode == 1 and again.stdout == ""
        assert "exists: name another file" in again.stderr and "--force" not in again.stderr
    assert (folder / "other.gcsv").read_text() == "mine" and not (folder / "other").exists()


def test_a_report_without_a_daemon(machine, doctor, folder):
    machine.add(Gyroscope())
    done = doctor(None, "--report", "report.txt")
    assert done.returncode == 1
    text = (folder / "report.txt").read_text()
    assert "none, since there is no daemon that answers" in text and not (folder / "report.txt.gcsv").exists()


def test_a_report_where_raw_scans_are_not_given(daemon, machine, doctor, folder):
    """To whom they are given, and how to get them."""
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=SETTLED)
    one.socket.chmod(0o777)
    folder.chmod(0o777)
    with moving(gyroscope):
        doctor(one, "--report", "report.txt", user=NOBODY)
    text = (folder / "report.txt").read_text()
    assert "raw scans are for root and the control group, unless server.allow_raw = true" in text
    assert "`sudo parallaxctl doctor --report report.txt`" in text
    assert not (folder / "report.txt.gcsv").exists()


@pytest.mark.parametrize("where", ["nowhere/report.txt", "full/report.txt"])
def test_a_report_that_cannot_be_written(machine, doctor, folder, where):
    (folder / "full").mkdir()
    (folder / "full").chmod(0o555)
    done = doctor(None, "--report", where, user=NOBODY)
    # Before all the looking.
    assert (done.returncode, done.stdout) == (1, "")
    assert "there is no report" in done.stderr and "recording" not in done.stderr


def test_a_report_that_the_disk_has_no_room_for(machine, folder, parallaxctl):
    """There is none then, and nothing of it."""
    machine.add(Gyroscope())
    (folder / "disk").mkdir()
    run = 'mount -t tmpfs -o size=4k,nr_inodes=9 none "$1" && cd "$1" && shift && cat /dev/zero 2>&- >filler; "$@" >&2; echo $?; ls -A'
    program = [str(parallaxctl), "--socket", str(folder / "nothing"), "doctor", "--report", "report.txt"]
    done = subprocess.run(
        machine.command(["sh", "-c", run, "sh", str(folder / "disk"), *program]), capture_output=True, text=True
    )
    assert done.stdout == "1\nfiller\n", done.stdout + done.stderr
    assert "No space left on device; there is no report" in done.stderr and "recording ends" not in done.stderr


@pytest.mark.parametrize("moment", ["listening", "recording"])
def test_a_report_that_is_interrupted(daemon, machine, parallaxctl, folder, moment):
    """No report, or a whole one: never the beginning of one."""
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=SETTLED)
    words = [str(parallaxctl), "--socket", str(one.socket), "doctor", "--report", str(folder / "report.txt")]
    process = machine.start(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if moment == "listening":
        gyroscope.wait_enabled()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == -signal.SIGINT
        assert sorted(path.name for path in folder.glob("report*")) == []
        return
    with moving(gyroscope):
        wait_for(lambda: (folder / "report.txt.gcsv").exists(), "the recording to begin")
        process.send_signal(signal.SIGINT)
        process.wait(60)
    text = (folder / "report.txt").read_text()
    assert "== recording" in text and text.rstrip().endswith("}")
    assert not list(folder.glob("*.part"))


# --axes


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
        for _ in range(count):
            self.stamp += 10_000_000
            assert self.gyroscope.write_scans([(self.stamp, *(round(1000 * value) for value in rate))]) == 1
            # As fast as a hand: at one go they were more than the backlog of a client that is slow just now.
            time.sleep(0.01)
        wait_for(lambda: self.samples() >= before + count, "the scans to be read")

    def samples(self) -> int:
        """How many the daemon has taken, and sent on: it does both in one go."""
        with self.daemon.client() as client:
            return client.call("GetStatus")["counters"]["samples"]

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
        """One turn of half a second, from Enter to Enter."""
        self.wait(f"{number} of 3")
        self.enter()
        self.wait("Now.")
        self.write((0, 0, 0), 2)
        self.write(rate, 60)
        self.write((0, 0, 0), 2)
        self.enter()

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
    one.signal(signal.SIGSTOP)
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


def test_colours_on_a_terminal_only(machine, parallaxctl, folder):
    command = machine.command([str(parallaxctl), "--socket", str(folder / "nothing"), "doctor"])
    for more, coloured in ({}, True), ({"NO_COLOR": "1"}, False):
        terminal = Terminal(command, os.environ | {"TERM": "xterm", "LC_ALL": "C.UTF-8"} | more)
        try:
            assert terminal.wait() == 1
            assert ("\x1b[1;31mWRONG" in terminal.output) == coloured
        finally:
            terminal.close()
