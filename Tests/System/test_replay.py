"""A recording is an equal of a gyroscope: the daemon at full speed, `process` and the rig all agree."""

import csv
import io
import subprocess
import threading
import time

import pytest

from support.gyroscope import Gyroscope
from support.recordings import RECORDINGS
from support.sensor import wait_state


def process(parallaxctl, trace, *options: str) -> dict[int, tuple]:
    """The rows of `parallaxctl process` by sequence."""
    done = subprocess.run(
        [parallaxctl, "process", str(trace), *options], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    reader = csv.reader(io.StringIO(done.stdout))
    assert next(reader) == ["sequence", "timestamp_ns", "x", "y", "gap"]
    return {int(row[0]): (int(row[1]), float(row[2]), float(row[3])) for row in reader}


def play(one, **parameters) -> dict[int, tuple]:
    """Subscribes and reads to the end of the replay; the events by sequence."""
    events = {}
    with one.client(timeout=60) as client:
        event = client.subscribe(only_changes=False, backlog=1024, **parameters)
        while (event["state"], event.get("reason")) != ("waiting", "replay-ended"):
            if event["sequence"] >= 0:
                events[event["sequence"]] = (event["timestamp_ns"], event["x"], event["y"])
            event = client.event()
        if event["sequence"] >= 0:
            events[event["sequence"]] = (event["timestamp_ns"], event["x"], event["y"])
    return events


@pytest.mark.parametrize("name", sorted(RECORDINGS))
def test_daemon_and_process_agree(daemon, parallaxctl, recordings, name):
    """By sequence, the last one too."""
    trace = recordings / name
    columns = RECORDINGS[name].columns
    mapping = ["--columns", columns] if columns else []
    expected = process(parallaxctl, trace, *mapping)
    quoted = ["--set", f"sensor.replay_columns='{columns}'"] if columns else []
    one = daemon("--replay", str(trace), "--set", "sensor.replay_speed=max", *quoted)
    events = play(one)
    assert events, "nothing was delivered"
    for sequence, event in events.items():
        assert event == expected[sequence], f"sequence {sequence}"
    assert max(events) == max(expected)


GCSV = """GYROFLOW IMU LOG
version,1.3
id,parallaxd_test
orientation,XYZ
tscale,1e-9
gscale,{scale}
t,gx,gy,gz
"""


@pytest.mark.parametrize("scale", ["0.001064724", "0.000174532", "0.000266316"])
@pytest.mark.parametrize("settings", [{}, {"update_interval": "0"}, {"smoothing": "0.05", "dead_zone": "soft"}])
def test_rig_and_replay_are_bit_identical(daemon, machine, parallaxctl, folder, scale, settings):
    """The same raw integers through libiio and through the trace reader."""
    samples = [
        (1_000_000_000 + n * 10_000_000 + n % 7 * 1000, (n * 37) % 1801 - 900, (n * 53) % 2201 - 1000, n % 5)
        for n in range(400)
    ]
    trace = folder / "raw.gcsv"
    rows = "".join(f"{t},{x},{y},{z}\n" for t, x, y, z in samples)
    trace.write_text(GCSV.format(scale=scale) + rows)
    options = [word for key, value in settings.items() for word in ("--set", f"motion.{key}={value}")]
    expected = process(parallaxctl, trace, *options)

    gyroscope = machine.add(Gyroscope(scale_text=scale))
    live = [*options, "--set", "sensor.settle_time=0", "--set", "sensor.read_timeout=60"]
    one = daemon(*live, machine=machine)
    events = {}
    with one.client() as client:
        client.subscribe(only_changes=False, backlog=1024)
        gyroscope.wait_enabled()

        def feed() -> None:
            """In pieces, so that there are at least as many wake-ups."""
            for start in range(0, len(samples), 10):
                gyroscope.write_scans(samples[start : start + 10])
                gyroscope.wait_consumed()

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        while not events or max(events) < max(expected):
            event = client.event()
            if event["sequence"] >= 0:
                events[event["sequence"]] = (event["timestamp_ns"], event["x"], event["y"])
        feeder.join()
    assert len(events) >= 20
    for sequence, event in events.items():
        assert event == expected[sequence], f"sequence {sequence}"


def test_pauses_without_a_subscriber(daemon, folder):
    """It starts with the first subscriber and waits without one."""
    trace = folder / "turn.csv"
    trace.write_text("timestamp_ns,x,y,z\n" + "".join(f"{n * 10_000_000},0,1,0\n" for n in range(3000)))
    one = daemon("--replay", str(trace))
    with one.client() as client:
        client.subscribe()
        while client.event()["x"] <= 0:
            pass
    wait_state(one, "idle")
    with one.client() as client:
        at_pause = client.call("GetMotion")
    with one.client() as client:
        event = client.subscribe(only_changes=False)
        assert event["sequence"] == at_pause["sequence"]
        while event["sequence"] < at_pause["sequence"] + 20:
            event = client.event()


def test_loops(daemon, folder):
    """Each lap is a new stream: its first event says that samples are missing."""
    trace = folder / "lap.csv"
    trace.write_text("timestamp_ns,x,y,z\n" + "".join(f"{n * 10_000_000},0,1,0\n" for n in range(20)))
    one = daemon("--replay", str(trace), "--set", "sensor.replay_loop=true", "--set", "sensor.replay_speed=4")
    with one.client() as client:
        client.subscribe(only_changes=False)
        gaps = 0
        while gaps < 3:
            gaps += client.event().get("gap", False)


@pytest.mark.parametrize("rows", ["0,1,2,3\n", "5,1,2,3\n" * 3])
def test_a_lap_without_duration_has_a_pace(daemon, folder, rows):
    """In real time a recording of one moment is not played as often as the machine can."""
    trace = folder / "moment.csv"
    trace.write_text("t,x,y,z\n" + rows)
    before = time.monotonic()
    one = daemon("--replay", str(trace), "--set", "sensor.replay_loop=true")
    with one.client() as client, one.client() as other:
        client.subscribe(only_changes=False)
        client.event_where(lambda event: event["sequence"] >= 20)
        updates = other.call("GetStatus")["counters"]["updates"]
    laps = (time.monotonic() - before) / 0.01
    assert updates <= laps + 2, "each takes 10 ms at least"


def test_a_broken_recording_is_said_at_the_start(daemon, folder):
    trace = folder / "broken.csv"
    trace.write_text("timestamp_ns,x,y\n1,2,3\n")
    one = daemon("--replay", str(trace), ready=False)
    assert one.wait() == 78
    assert str(trace) in one.log and len(one.log.splitlines()) == 1, one.log


@pytest.mark.parametrize("speed", ["1.0", "1e300", '"max"'])
def test_laps_without_a_pause_keep_nobody_out(daemon, folder, speed):
    """A loop whose laps take no time still lets newcomers, calls and SIGTERM (at the end of the test) in."""
    trace = folder / "still.csv"
    trace.write_text("t,x,y,z\n0,1,2,3\n0,1,2,3\n")
    one = daemon("--replay", str(trace), config=f"[sensor]\nreplay_loop = true\nreplay_speed = {speed}\n")
    with one.client() as subscriber:
        subscriber.subscribe()
        for _ in range(5):
            with one.client() as other:
                assert other.call("GetStatus")["state"] in ("starting", "running")


def test_broken_rows_keep_nobody_out(daemon, folder, sanitizer):
    """However many of them are skipped."""
    trace = folder / "broken.csv"
    broken = 200_000 if sanitizer else 2_000_000
    trace.write_text("t,x,y,z\n0,0,1,0\n" + "x\n" * broken + "0.01,0,1,0\n")
    one = daemon("--replay", str(trace), "--set", "sensor.replay_skip_bad_rows=true")
    with one.client(timeout=120) as subscriber:
        subscriber.subscribe(only_changes=False)
        for _ in range(20):
            with one.client() as other:
                other.call("GetStatus")
        event = subscriber.event_where(lambda event: event["state"] == "waiting")
        with one.client() as other:
            status = other.call("GetStatus")
        assert status["sensor"]["skipped_rows"] == broken and status["counters"]["samples"] == 2


def test_a_mapping_that_is_none(parallaxd, folder):
    """Is said with its key, whatever is read."""
    for backend in "demo", "iio":
        done = subprocess.run(
            [parallaxd, "--check-config", "--set", f"sensor.backend={backend}", "--set", "sensor.replay_columns=x"],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 78
        assert done.stderr.startswith("parallaxd: sensor.replay_columns: ") and done.stderr.count("\n") == 1
def test_a_replay_without_end_at_full_speed_leaves_room_for_new_connections(daemon, folder):
    trace = folder / "short.csv"
    trace.write_text("timestamp_ns,x,y,z\n" + "".join(f"{n * 10_000_000},0,1,0\n" for n in range(500)))
    arguments = ["--replay", str(trace), "--set", "sensor.replay_speed=max", "--set", "sensor.replay_loop=true"]
    one = daemon(*arguments)
    with one.client() as client:
        client.subscribe(backlog=1)
        with one.client() as late:
            assert late.call("GetStatus")["subscribers"] == 1
