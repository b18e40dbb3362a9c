"""docs/field-notes.md says which test covers which report: are they there? And the reports that no other covers."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.gyroscope import Gyroscope
from support.sensor import config, scans, stream_rates, wait_state

TESTS = Path(__file__).resolve().parents[1]
NOTES = TESTS.parent / "docs" / "field-notes.md"
# The threads of the reports, `repository#number` with further numbers of the same one: what parallaxd answers to.
THREADS = """
hhd #222 #63 #314 #171
iio-sensor-proxy #245 #135 #167 #180 #28 #121
wluma #157 #167
rust-industrial-io #10
libiio #941 #450 #536 #1215 #1195 #1111 #35 #1359 #1109 #1171
InputPlumber #574 #678 #728 #217 #220 #607
zephyr #115988
SteamDeckGyroDSU #51
st-mems #23
bazzite #1763 #2334
gpd-win-tricks #16
mobile-nixos #635
parallax #168 #33 #21
SteamOS #2364 #2231
steam-for-linux #7997
Godot-SDL-Gyro #13
shadPS4 #2630
mastra #17302
surface-pro-12 #9
simpleParallax #136
parallax-controller #11
aerion #334
deviceorientation #86
"""
NAME = re.compile(r"`([^`\s]+\.(?:py|swift)::[^`]+)`")


@pytest.fixture(scope="module")
def rows() -> list[list[str]]:
    """The cells of each row of the document."""
    lines = [line for line in NOTES.read_text().splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return [row for row in cells if row[0] not in ("reported", "---")]


def test_each_note_has_its_tests(rows):
    for row in rows:
        assert len(row) == 4 and all(row), row
        assert NAME.findall(row[3]) and not NAME.sub("", row[3]).strip(), row


def test_every_thread_is_listed(rows):
    known = {thread for line in THREADS.split("\n") for thread in threads(line)}
    listed = {thread for row in rows for thread in threads(row[1])}
    assert listed == known


def threads(text: str) -> list[str]:
    """The threads that a text names; a number without a repository is of the one before."""
    found, repository = [], ""
    for name, number in re.findall(r"([\w/.-]*) ?#(\d+)", text):
        repository = name.rpartition("/")[2] or repository
        found.append(f"{repository}#{number}")
    return found


def test_the_tests_that_are_named_are_there(rows):
    named = [name for row in rows for name in NAME.findall(row[3])]
    outside = {name for name in named if ".py::" in name}
    assert not outside - collected({name.split("::")[0] for name in outside})
    for name in set(named) - outside:
        file, function = name.split("::")
        before, *there = (TESTS / file).read_text().split(f"func {function}(")
        assert there and "@Test" in before.rpartition("func ")[2], name


def collected(files: set[str]) -> set[str]:
    """The tests in these files as pytest finds them, with and without their parameters."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *sorted(files)]
    done = subprocess.run(command, cwd=TESTS / "System", capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    names = {line.rpartition("Tests/System/")[2] for line in done.stdout.splitlines() if "::" in line}
    return names | {name.partition("[")[0] for name in names}


def test_a_subscription_before_the_sensor_is_kept(daemon, machine):
    """A subscriber that came too early gets the rates of the sensor that comes later (surface-pro-12#9)."""
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        wait_state(one, "waiting", "no-device")
        gyroscope = machine.add(Gyroscope())
        given = scans(3)
        assert [stamp for stamp, *_ in stream_rates(client, gyroscope, given)] == [stamp for stamp, *_ in given]
