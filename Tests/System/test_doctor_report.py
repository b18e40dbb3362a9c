"""`parallaxctl doctor --report`: the machine as it is, and a short recording."""

import json
import re
import signal
import subprocess

import pytest

from support.doctor import SETTLED, moving
from support.gyroscope import Gyroscope
from support.sensor import NOBODY
from support.waiting import wait_for
from support.written import HANDED_OVER, KEPT


def test_a_report_with_a_recording(daemon, machine, doctor, folder, parallaxctl):
    gyroscope = machine.add(Gyroscope(label="display"))
    one = daemon(machine=machine, config=SETTLED)
    with moving(gyroscope):
        done = doctor(one, "--report", "report.txt")
    assert done.returncode == 0, done.stdout
    # It says so where the sensor's first scan takes longer than a second.
    assert all(line.startswith("parallaxctl: no scans, ") for line in done.stderr.splitlines()), done.stderr
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


def test_it_looks_at_what_the_udev_rule_hands_over(machine, doctor, folder):
    """At the buffer by its old name, which is the one that the daemon writes."""
    machine.add(Gyroscope(attributes=dict.fromkeys(HANDED_OVER + KEPT, "0")))
    doctor(None, "--report", "report.txt")
    listed = re.findall(r"^/sys/bus/iio/devices/iio:device0/(\S+) \S+ 0\d+$", (folder / "report.txt").read_text(), re.MULTILINE)
    written = [name for name in HANDED_OVER if not name.startswith("buffer0/")]
    others = {f"scan_elements/in_anglvel_{axis}_en" for axis in "yz"}
    assert set(listed) - others == set(written)


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
        # It has listened long enough where this test is late: then there is a report.
        if process.wait(60) == -signal.SIGINT:
            assert sorted(path.name for path in folder.glob("report*")) == []
            return
    else:
        with moving(gyroscope):
            wait_for(lambda: (folder / "report.txt.gcsv").exists(), "the recording to begin")
            process.send_signal(signal.SIGINT)
            process.wait(60)
    text = (folder / "report.txt").read_text()
    assert "== recording" in text and text.rstrip().endswith("}")
    assert not list(folder.glob("*.part"))
