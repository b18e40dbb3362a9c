"""The made-up gyroscope itself, seen with libiio's own tools: what it shows is what libiio reads."""

import shutil
import struct
import subprocess

import pytest

from support.gyroscope import Gyroscope
from support.scans import ScanType, encode_scan

pytestmark = pytest.mark.skipif(
    shutil.which("iio_readdev") is None, reason="libiio-utils is not installed: no iio_info, no iio_readdev"
)


def test_libiio_lists_the_device(machine):
    machine.add(Gyroscope(name="bmi160", label="gyro-lid", mount_matrix="0, 1, 0; -1, 0, 0; 0, 0, 1"))
    machine.add(Gyroscope(name="lsm6ds3_gyro", scale_text={"x": "0.5", "y": "0.25", "z": "1"}, triggers=[]))
    done = subprocess.run(machine.command(["iio_info"]), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    for text in [
        "iio:device0: bmi160 (label: gyro-lid) (buffer capable)",
        "anglvel_x:  (input, index: 0, format: le:S16/16>>0)",
        "value: 0.001064724",
        "value: 0, 1, 0; -1, 0, 0; 0, 0, 1",
        "iio:device1: lsm6ds3_gyro (buffer capable)",
        "Current trigger: trigger0(bmi160-dev0)",
    ]:
        assert text in done.stdout, done.stdout


@pytest.mark.parametrize("scan_type", ["le:s16/16>>0", "be:s16/16>>0", "le:s24/32>>8", "le:s16/32>>0"])
def test_scans_arrive_as_written(machine, scan_type):
    gyroscope = machine.add(Gyroscope(type=scan_type))
    scans = [(1_000_000_000 + 10_000_000 * n, 100 + n, -200 - n, 3 * n) for n in range(8)]
    reader = machine.start(
        ["iio_readdev", "-b", "4", "-s", "8", "bmi160"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    gyroscope.wait_enabled()
    assert gyroscope.read("buffer/watermark") == "4"
    assert gyroscope.enabled_elements == ["in_anglvel_x", "in_anglvel_y", "in_anglvel_z", "in_timestamp"]
    assert gyroscope.write_scans(scans) == 8
    output, errors = reader.communicate(timeout=120)
    assert reader.returncode == 0, errors
    # The layout that the kernel's documentation gives, written out by hand.
    wanted = b""
    for time, *axes in scans:
        if scan_type == "le:s16/16>>0":
            wanted += struct.pack("<hhhxxq", *axes, time)
        elif scan_type == "be:s16/16>>0":
            wanted += struct.pack(">hhhxx", *axes) + struct.pack("<q", time)
        elif scan_type == "le:s24/32>>8":
            wanted += struct.pack("<iiixxxxq", *[axis * 256 for axis in axes], time)
        else:
            # iio_readdev gives the bytes as they came: the upper half is not sign-extended.
            wanted += struct.pack("<hxxhxxhxxxxxxq", *axes, time)
    assert output == wanted
    gyroscope.wait_disabled()
    assert gyroscope.write_scans(scans) == 0


def test_what_was_not_read_is_gone_after_a_close(machine):
    gyroscope = machine.add(Gyroscope())
    for start in 0, 1000:
        reader = machine.start(
            ["iio_readdev", "-b", "2", "-s", "2", "bmi160"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        gyroscope.wait_enabled()
        gyroscope.write_scans([(n, n, n, n) for n in range(start, start + 6)])
        output, errors = reader.communicate(timeout=120)
        assert [scan[3] for scan in struct.iter_unpack("<hhhxxq", output)] == [start, start + 1], errors
        gyroscope.wait_disabled()


def test_raw_values_can_be_polled(machine):
    gyroscope = machine.add(Gyroscope(buffer=False, trigger=None, triggers=[], timestamp=False))
    gyroscope.set_raw(1, -2, 32767)
    command = machine.command(["iio_attr", "-c", "bmi160", "anglvel_y", "raw"])
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout.strip("\0\n")) == (0, "-2"), done.stderr


def test_another_user_may_not_set_it_up(machine):
    gyroscope = machine.add(Gyroscope())
    command = machine.command(["iio_readdev", "-b", "2", "-s", "2", "bmi160"], user=65534)
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert "Permission denied" in done.stderr
    assert not gyroscope.is_enabled


def test_a_scan_is_aligned_like_a_drivers():
    s16, s64 = ScanType.parse("be:s12/16>>4"), ScanType.parse("le:s64/64>>0")
    assert encode_scan([(s16, -1), (s64, 1)]) == b"\xff\xf0" + bytes(6) + b"\x01" + bytes(7)
    with pytest.raises(ValueError):
        ScanType.parse("le:s16")
