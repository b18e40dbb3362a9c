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
NAME = re.compile(r"`([^`\s]+\.(?:py|swift)::[^`]+)`")


@pytest.fixture(scope="module")
def rows() -> list[list[str]]:
    """The cells of each row of the document."""
    lines = [line for line in NOTES.read_text().splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return [row for row in cells if row[0] not in ("reported", "---")]


def test_each_note_has_its_tests(rows):
    assert len(rows) > 30
    for row in rows:
        assert len(row) == 4 and all(row), row
        assert NAME.findall(row[3]) and not NAME.sub("", row[3]).strip(), row


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
