"""Real recordings through `parallaxctl process`, against what Python reads by itself."""

import csv
import io
import subprocess

import pytest

from support.recordings import RECORDINGS, WITHOUT_TIME, read

# max_gap: a sample at most so much before the last one is late, one further back begins a new stream.
GAP_LIMIT = 250_000_000

# Every sample an event, and the offset the plain sum of the rates: it then holds every value that was read.
PLAIN_SUM = [
    "--set", "motion.update_interval=0", "--set", "motion.threshold=0", "--set", "motion.multiplier=1",
    "--set", "calibration.mode=off",
]  # fmt: skip


def accepted(rows: list[tuple]) -> list[tuple]:
    """Those that are later than the one before, or so much earlier that the clock must have been set."""
    kept: list[tuple] = []
    for row in rows:
        if not kept or row[0] > kept[-1][0] or row[0] < kept[-1][0] - GAP_LIMIT:
            kept.append(row)
    return kept


def test_every_recording_is_in_the_table(recordings):
    """So that a new one is not forgotten."""
    found = {
        str(path.relative_to(recordings))
        for path in recordings.glob("*/*")
        if path.suffix in {".csv", ".gcsv", ".txt"}
    }
    assert found == RECORDINGS.keys() | WITHOUT_TIME


@pytest.mark.parametrize("name", sorted(RECORDINGS))
def test_every_row_is_read_exactly(parallaxctl, recordings, name):
    """Number of rows, times and values, bit for bit."""
    how = RECORDINGS[name]
    options = ["--columns", how.columns] if how.columns else []
    done = subprocess.run(
        [parallaxctl, "process", recordings / name, *options, *PLAIN_SUM],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    events = list(csv.DictReader(io.StringIO(done.stdout)))
    rows = read(recordings / name, how)
    assert len(rows) > 40
    expected = accepted(rows)
    assert len(events) == len(expected)
    x = y = 0.0
    for index, (event, (time, about_x, about_y, _)) in enumerate(zip(events, expected)):
        x += about_y
        y += about_x
        got = (int(event["sequence"]), int(event["timestamp_ns"]), float(event["x"]), float(event["y"]))
        assert got == (index, time, x, y)


@pytest.mark.parametrize("name", sorted(name for name in RECORDINGS if RECORDINGS[name].columns))
def test_what_is_not_known_is_refused(parallaxctl, recordings, name):
    """Units that a header does not say, or says as degrees, are not guessed; the error shows the way."""
    done = subprocess.run(
        [parallaxctl, "process", recordings / name], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert f"{recordings / name}:" in done.stderr
    assert "--columns 't=" in done.stderr and "sensor.replay_columns" in done.stderr
    assert len(done.stderr.removeprefix(f"parallaxctl: {recordings / name}:")) < 400


def test_a_recording_without_time_cannot_be_read(parallaxctl, recordings):
    """A fourth column is not there: the row says so."""
    trace = recordings / "mcu/cyclepro_raw-lsb_no-header.csv"
    done = subprocess.run(
        [parallaxctl, "process", trace, "--columns", "t=4:ms,x=1:lsb=0.001,y=2:lsb=0.001,z=3:lsb=0.001"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert f"{trace}:1:11: t (column 4): the row ends before this column" in done.stderr
