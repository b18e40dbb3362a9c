"""`SubscribeRaw` and `parallaxctl record`: what is recorded is what was computed from, bit for bit."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from support.client import CallError, Client
from support.gyroscope import Gyroscope
from support.machine import need_root
from support.process import memory_kib, suspend
from support.recorder import as_user, rows, run
from support.rest import Resting
from support.sensor import NOBODY, scans, wait_state
from support.terminal import Terminal
from support.waiting import wait_for

# Lets the user `nobody` connect.
OPEN = '[server]\ngroup = "nogroup"\n'
RAW = OPEN + "allow_raw = true\n"
# A sensor that has everything: a scale per axis, an offset, a matrix that only doubles say exactly.
ODD = {
    "scale_text": {"x": "0.001064724", "y": "-0.0010652643", "z": "0.3"},
    "offset_text": {"y": "-3.25"},
    "mount_matrix": "0.0123, 0.99989, 0.0071; -0.99992, 0.0123, 0.001; 0, -0.0071, 0.99997",
    "label": 'display, "left"',
}


def walk(count: int, period: int = 5_000_000, start: int | None = None) -> list[tuple[int, int, int, int]]:
    """Scans that move the content, on all axes."""
    start = time.monotonic_ns() if start is None else start
    return [
        (start + n * period, (n * 37) % 1500 - 600, (n * 53) % 1900 - 1000, (n * 11) % 700 - 350)
        for n in range(count)
    ]


def raw_stream(client: Client, **parameters) -> None:
    """Opens a raw stream; what comes is read with `client.reply`."""
    client.send("SubscribeRaw", parameters, more=True)


def unpack(message: dict) -> list[tuple]:
    """The scans of a batch."""
    times = message.get("timestamps_ns") or [message["timestamp_ns"]]
    values = message.get("raw") or message["values"]
    assert len(values) == 3 * len(times) and times[-1] == message["timestamp_ns"]
    return [(t, *values[3 * n : 3 * n + 3]) for n, t in enumerate(times)]


class Recorder:
    """A running `parallaxctl record`."""

    def __init__(self, parallaxctl: Path, one, file: Path, *arguments: str, user: int | None = None) -> None:
        self.one = one
        self.file = file
        with one.client() as client:
            before = client.call("GetStatus")["subscribers"]
        self.process = subprocess.Popen(
            [*as_user(user), parallaxctl, "--socket", one.socket, "record", *arguments, file],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.wait(lambda client: client.call("GetStatus")["subscribers"] > before or self.process.poll() is not None)

    def wait(self, look) -> None:
        """Until the daemon says so."""
        with self.one.client() as client:
            wait_for(lambda: look(client), "the recorder")

    def wait_rows(self, count: int) -> None:
        """Until the file has so many rows."""
        wait_for(lambda: len(rows(self.file)) >= count, f"{count} rows in the recording")

    def end(self, number: int = signal.SIGINT) -> tuple[int, str, str]:
        """A signal, and what came of it."""
        self.process.send_signal(number)
        return self.result()

    def result(self) -> tuple[int, str, str]:
        """Exit code, output, errors; it must end by itself."""
        out, err = self.process.communicate(timeout=120)
        return self.process.returncode, out, err


def header(file: Path) -> dict[str, str]:
    """The keys of a .gcsv."""
    lines = file.read_text().splitlines()
    return dict(line.split(",", 1) for line in lines[1 : lines.index("t,gx,gy,gz")])


def process(parallaxctl: Path, file: Path, *arguments: str) -> list[dict]:
    """The events of `parallaxctl process`."""
    done = subprocess.run(
        [parallaxctl, "process", "--format", "jsonl", *arguments, file], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def read_events(client: Client, last: int) -> list[dict]:
    """Events up to the one of the sample at `last` or after it."""
    events = [client.event()]
    while events[-1]["timestamp_ns"] < last:
        events.append(client.event())
    return events


# The stream


def test_raw_scans_with_their_header(daemon, machine):
    gyroscope = machine.add(Gyroscope(**ODD))
    one = daemon(machine=machine, config="[sensor]\nsettle_time = 0\n")
    given = scans(5)
    with one.client() as client:
        raw_stream(client)
        gyroscope.wait_enabled()
        assert gyroscope.write_scans(given) == 5
        head = client.reply()
        assert head["format"] == "integer"
        assert head["scale"] == [0.001064724, -0.0010652643, 0.3]
        assert head["offset"] == [0, -3.25, 0]
        assert head["matrix"][:2] == [0.0123, 0.99989] and len(head["matrix"]) == 9
        assert (head["bias"], head["name"], head["clock"]) == ([0, 0, 0], "bmi160", "monotonic")
        assert head["frequency"] > 0 and head["no_data"] == -32768 and "restart" not in head
        got: list[tuple] = []
        while len(got) < 5:
            got += unpack(client.reply())
    assert got == given
    gyroscope.wait_disabled()


def test_a_raw_subscriber_keeps_the_sensor_on_and_is_counted(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine)
    with one.client() as client:
        raw_stream(client)
        gyroscope.wait_enabled()
        with one.client() as other:
            assert other.call("GetStatus")["subscribers"] == 1
    gyroscope.wait_disabled()
    wait_state(one, "idle")


def test_raw_scans_of_settling_are_left_out(daemon, machine):
    """As the pipeline never sees them."""
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config="[sensor]\nsettle_time = 0.02\n")
    given = scans(8, period=5_000_000)
    with one.client() as client:
        raw_stream(client)
        gyroscope.wait_enabled()
        gyroscope.write_scans(given)
        client.reply()
        got: list[tuple] = []
        while len(got) < 4:
            got += unpack(client.reply())
    assert got == given[4:]


def test_raw_needs_more(daemon):
    one = daemon("--demo")
    with one.client() as client, pytest.raises(CallError, match="ExpectedMore"):
        client.call("SubscribeRaw")


def test_another_header_where_the_sensor_is_opened_again(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config="[sensor]\nsettle_time = 0\n")
    with one.client() as client:
        raw_stream(client)
        gyroscope.wait_enabled()
        gyroscope.write_scans(scans(1))
        assert "restart" not in client.reply()
        unpack(client.reply())
        machine.remove(gyroscope)
        again = machine.add(Gyroscope(index=4, scale_text="0.25"))
        one.config.write_text("[sensor]\nsettle_time = 0\nsampling_frequency = 200\n")
        one.signal(signal.SIGHUP)
        given = scans(1)
        wait_for(lambda: again.write_scans(given) == 1, "the scan to be taken")
        head = client.reply()
        assert head["restart"] is True and head["scale"] == [0.25, 0.25, 0.25]
        assert unpack(client.reply()) == given


def test_a_second_raw_stream_begins_the_first_anew(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config="[sensor]\nsettle_time = 0\n")
    with one.client() as first, one.client() as second:
        raw_stream(first)
        gyroscope.wait_enabled()
        gyroscope.write_scans(scans(1))
        first.reply(), first.reply()
        raw_stream(second)
        # At once, since the sensor runs.
        assert "restart" not in second.reply()
        gyroscope.write_scans(scans(1))
        assert first.reply()["restart"] is True


def test_values_that_are_no_integers(daemon, folder):
    """A recording in rad/s."""
    trace = folder / "trace.csv"
    trace.write_text("timestamp_ns,x,y,z\n" + "".join(f"{n}0000000,0.1,{n}.5,-3\n" for n in range(1, 9)))
    one = daemon("--replay", str(trace))
    with one.client() as client:
        raw_stream(client)
        assert client.reply()["format"] == "decimal"
        got: list[tuple] = []
        while len(got) < 8:
            got += unpack(client.reply())
    assert got == [(n * 10_000_000, 0.1, n + 0.5, -3) for n in range(1, 9)]


def test_a_raw_reader_that_stops_loses_and_is_told(daemon, folder, sanitizer):
    """Nobody else is delayed, memory stays, and received + lost = made."""
    trace = folder / "trace.csv"
    count = 100_000
    trace.write_text("timestamp_ns,x,y,z\n" + "".join(f"{n}000000,0.01,0.02,{n}\n" for n in range(1, count + 1)))
    settings = "[sensor]\nreplay_speed = \"max\"\nreplay_loop = false\n"
    one = daemon("--replay", str(trace), config=settings)
    with one.client() as client:
        raw_stream(client)
        wait_state(one, "waiting", "replay-ended")
        assert sanitizer or memory_kib(one.pid, "RssAnon") < 64 * 1024
        client.reply()
        got: list[tuple] = []
        lost = 0
        # What was lost after the last that was kept is told by no batch.
        try:
            while True:
                message = client.reply(timeout=1)
                lost += message.get("dropped", 0)
                got += unpack(message)
        except TimeoutError:
            pass
    stamps = [t // 1_000_000 for t, *_ in got]
    assert stamps == sorted(stamps)
    assert stamps[: len(stamps) // 2] == list(range(1, len(stamps) // 2 + 1)), "what is kept has no hole"
    assert 0 < len(got) < count
    assert stamps[-1] == len(got) + lost


# record and process


@pytest.mark.parametrize(
    "motion",
    ["", "update_interval = 0\nthreshold = 0\n", "smoothing = 0.05\nintegration = \"angle\"\nlimit = 60\nrecenter_time = 2\n"],
    ids=["default", "every-sample", "everything"],
)  # fmt: skip
def test_a_recording_gives_the_live_offsets(daemon, machine, folder, parallaxctl, motion):
    """Bit for bit, of a sensor that has everything, in the midst of a stream that others follow."""
    gyroscope = machine.add(Gyroscope(**ODD))
    bias = '[calibration]\nmode = "fixed"\nbias = [0.011, -0.0203, 0.3]\n'
    one = daemon(machine=machine, config=f"[sensor]\nsettle_time = 0\n[motion]\n{motion}{bias}")
    file = folder / "walk.gcsv"
    before, given = walk(40), walk(200, start=time.monotonic_ns() + 10_000_000_000)
    with one.client() as live:
        live.subscribe(only_changes=False, backlog=1024)
        gyroscope.wait_enabled()
        gyroscope.write_scans(before)
        gyroscope.wait_consumed()
        recorder = Recorder(parallaxctl, one, file)
        # A few at a time: the updates of one wake-up are one event.
        for n in range(0, len(given), 4):
            assert gyroscope.write_scans(given[n : n + 4]) == 4
            gyroscope.wait_consumed()
        recorder.wait_rows(len(given))
        code, out, err = recorder.end()
        computed = process(parallaxctl, file, *as_options(motion))
        events = read_events(live, computed[-1]["timestamp_ns"])
    assert (code, err) == (0, "")
    assert out == f"{file}: 200 samples in 1.00 s, 200.0 Hz\n"
    assert [tuple(map(int, row)) for row in rows(file)] == given
    assert computed[0]["timestamp_ns"] == given[0][0] and not any(event.get("dropped") for event in events)
    live_offsets = {event["timestamp_ns"]: event for event in events if event["timestamp_ns"] >= given[0][0]}
    replayed = {event["timestamp_ns"]: event for event in computed}
    assert len(live_offsets) > 20 and set(live_offsets) <= set(replayed)
    shift = {event["sequence"] - replayed[t]["sequence"] for t, event in live_offsets.items()}
    assert len(shift) == 1, "the sequences differ by a constant"
    for t, event in live_offsets.items():
        assert (event["x"], event["y"]) == (replayed[t]["x"], replayed[t]["y"])
    assert replayed[max(replayed)]["x"] != 0 != replayed[max(replayed)]["y"]


@pytest.mark.parametrize("known", [False, True], ids=["nothing-known", "known"])
def test_a_recording_gives_the_live_offsets_while_the_bias_is_learned(daemon, machine, folder, parallaxctl, known):
    """Bit for bit, from what was known at its beginning; what is learned meanwhile is learned from it again."""
    gyroscope = machine.add(Gyroscope(clock="monotonic"))
    motion = "update_interval = 0\nthreshold = 0\n"
    one = daemon(machine=machine, config=f"[sensor]\nsettle_time = 0\n[motion]\n{motion}")
    file = folder / "rest.gcsv"
    resting = Resting(seconds_ago=120)
    with one.client() as live:
        live.subscribe(only_changes=False, backlog=1024)
        gyroscope.wait_enabled()
        # The noise of before is not in the recording, and its floor must not count.
        gyroscope.write_scans(resting.scans(8, noise=0.006) if known else resting.scans(0.5))
        gyroscope.wait_consumed()
        recorder = Recorder(parallaxctl, one, file)
        given = resting.scans(4) + resting.scans(1, turn=0.4) + resting.scans(3)
        for n in range(0, len(given), 4):
            gyroscope.write_scans(given[n : n + 4])
            gyroscope.wait_consumed()
        recorder.wait_rows(len(given))
        assert recorder.end()[0] == 0
        computed = process(parallaxctl, file, *as_options(motion))
        events = read_events(live, computed[-1]["timestamp_ns"])
    variance = float(header(file)["parallaxd_bias_variance"])
    assert (0 < variance < 1e-6) if known else variance == 1
    replayed = {event["timestamp_ns"]: event for event in computed}
    compared = 0
    for event in events:
        if event["timestamp_ns"] in replayed:
            same = replayed[event["timestamp_ns"]]
            assert (event["x"], event["y"]) == (same["x"], same["y"])
            compared += 1
    assert compared > 100
    # A calibration that is configured holds all the same.
    other = process(parallaxctl, file, *as_options(motion), "--set", "calibration.mode=off")
    assert other[-1]["x"] != computed[-1]["x"]


def as_options(motion: str) -> list[str]:
    """Lines of [motion] as options of `process`."""
    return [word for line in motion.splitlines() for word in ("--set", "motion." + line.replace(" = ", "="))]


def test_the_header_says_all_of_the_sensor(daemon, machine, folder, parallaxctl):
    gyroscope = machine.add(Gyroscope(**ODD))
    bias = '[calibration]\nmode = "fixed"\nbias = [0.011, -0.0203, 0.3]\n'
    one = daemon(machine=machine, config="[sensor]\nsettle_time = 0\n" + bias)
    file = folder / "walk.gcsv"
    recorder = Recorder(parallaxctl, one, file)
    gyroscope.wait_enabled()
    gyroscope.write_scans(walk(20))
    recorder.wait_rows(20)
    assert recorder.end()[0] == 0
    said = header(file)
    assert (said["tscale"], said["gscale"], said["orientation"]) == ("1e-9", "0.001064724", "YxZ")
    assert float(said["sample_rate"]) == 100
    assert said["parallaxd_scale"] == "0.001064724,-0.0010652643,0.3"
    assert said["parallaxd_offset"] == "0,-3.25,0"
    assert said["parallaxd_bias"] == "0.011,-0.0203,0.3"
    assert said["parallaxd_matrix"] == "0.0123,0.99989,0.0071,-0.99992,0.0123,0.001,0,-0.0071,0.99997"
    assert said["parallaxd_no_data"] == "-32768"
    assert (said["parallaxd_name"], said["parallaxd_label"]) == ("bmi160", "display   left ")
    # And a replay has it again.
    again = daemon("--replay", str(file))
    with again.client() as client:
        raw_stream(client)
        head = client.reply()
    assert head["scale"] == [0.001064724, -0.0010652643, 0.3] and head["offset"] == [0, -3.25, 0]
    assert head["bias"] == [0.011, -0.0203, 0.3] and head["matrix"][5] == 0.001 and head["frequency"] == 100


def test_a_recording_of_a_recording_is_the_same(daemon, machine, folder, parallaxctl):
    """Rows and model, through a replay."""
    first, second = folder / "first.gcsv", folder / "second.gcsv"
    one = daemon("--demo")
    done = subprocess.run(
        [parallaxctl, "--socket", one.socket, "record", "--seconds", "0.5", first], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    again = daemon("--replay", str(first), "--set", "sensor.replay_speed=max")
    done = subprocess.run(
        [parallaxctl, "--socket", again.socket, "record", second], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert rows(first) == rows(second) and len(rows(first)) == 101
    kept = [key for key in header(first) if key not in ("timestamp", "parallaxd_name", "parallaxd_path", "parallaxd_clock")]
    assert [header(first)[key] for key in kept] == [header(second)[key] for key in kept]
    assert process(parallaxctl, first) == process(parallaxctl, second)


def test_recording_sets_the_offset_back_unless_told_not_to(daemon, machine, folder, parallaxctl):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config="[sensor]\nsettle_time = 0\n")
    with one.client() as client:
        client.subscribe(only_changes=False)
        gyroscope.wait_enabled()
        for arguments, moves in (["--keep-offset"], False), ([], True):
            with one.client() as control:
                control.call("Recenter")
                control.call("Pan", {"x": 5, "y": 0})
            recorder = Recorder(parallaxctl, one, folder / f"{moves}.gcsv", *arguments)
            with one.client() as control:
                assert control.call("GetMotion")["x"] == (0 if moves else 5)
            gyroscope.write_scans([(time.monotonic_ns(), 0, 0, 0)])
            recorder.wait_rows(1)
            assert recorder.end()[0] == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_a_good_file(daemon, folder, parallaxctl, number):
    one = daemon("--demo")
    recorder = Recorder(parallaxctl, one, folder / "walk.gcsv")
    recorder.wait_rows(50)
    code, out, err = recorder.end(number)
    assert (code, err) == (0, "") and "samples in" in out
    assert process(parallaxctl, recorder.file)


def test_a_killed_recorder_leaves_whole_rows(daemon, folder, parallaxctl):
    one = daemon("--demo")
    recorder = Recorder(parallaxctl, one, folder / "walk.gcsv")
    recorder.wait_rows(50)
    recorder.end(signal.SIGKILL)
    assert recorder.file.read_text().endswith("\n") and process(parallaxctl, recorder.file)


def test_it_ends_where_the_sensor_is_opened_again(daemon, machine, folder, parallaxctl):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config="[sensor]\nsettle_time = 0\n")
    recorder = Recorder(parallaxctl, one, folder / "walk.gcsv")
    gyroscope.wait_enabled()
    given = walk(20)
    gyroscope.write_scans(given)
    recorder.wait_rows(20)
    one.config.write_text("[sensor]\nsettle_time = 0\nsampling_frequency = 200\n")
    with gyroscope.reopening():
        one.signal(signal.SIGHUP)
    wait_for(lambda: gyroscope.write_scans(walk(20)) or recorder.process.poll() is not None, "scans to be taken")
    code, out, err = recorder.result()
    assert code == 1 and "the stream began anew" in err.splitlines()[-1]
    assert "20 samples" in out
    assert [tuple(map(int, row)) for row in rows(recorder.file)] == given


def test_it_ends_with_the_daemon(daemon, folder, parallaxctl):
    one = daemon("--demo")
    recorder = Recorder(parallaxctl, one, folder / "walk.gcsv")
    recorder.wait_rows(10)
    one.stop()
    code, out, err = recorder.result()
    assert code == 3 and "has hung up" in err and "samples in" in out
    assert process(parallaxctl, recorder.file)


# Who may record


@pytest.fixture
def open_folder(folder: Path) -> Path:
    """A folder that everybody may write to, of tests that are another user too."""
    need_root()
    made = folder / "open"
    made.mkdir()
    made.chmod(0o777)
    return made


def test_nothing_is_left_where_raw_scans_are_refused(daemon, open_folder, parallaxctl):
    one = daemon("--demo", config=OPEN)
    file = open_folder / "walk.gcsv"
    done = run(parallaxctl, one, file, user=NOBODY)
    assert done.returncode == 4 and "allow_raw = true" in done.stderr and done.stderr.count("\n") == 1
    assert not file.exists()
    file.write_text("mine")
    file.chmod(0o666)
    assert run(parallaxctl, one, "--force", file, user=NOBODY).returncode == 4
    assert file.read_text() == "mine"


def test_a_reload_that_forbids_raw_ends_the_recording(daemon, open_folder, parallaxctl):
    """Of those who may do nothing else; the others' goes on."""
    one = daemon("--demo", config=RAW)
    mine = Recorder(parallaxctl, one, open_folder / "mine.gcsv")
    other = Recorder(parallaxctl, one, open_folder / "other.gcsv", user=NOBODY)
    other.wait_rows(10)
    one.config.write_text("")
    one.signal(signal.SIGHUP)
    code, out, err = other.result()
    assert code == 4 and "gives you no raw scans" in err.splitlines()[-1] and "samples in" in out
    mine.process.terminate()
    assert "PermissionDenied" not in mine.result()[2]


def test_who_may_only_look_begins_nothing_anew(daemon, machine, open_folder, parallaxctl):
    """Others' recordings go on, their offsets stay, and the recording says what it is not."""
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config="[sensor]\nsettle_time = 0\nread_timeout = 30\n" + RAW)
    first, then = walk(30), walk(30, start=time.monotonic_ns() + 200_000_000)
    with one.client() as live:
        live.subscribe(only_changes=False, backlog=1024)
        mine = Recorder(parallaxctl, one, open_folder / "mine.gcsv")
        gyroscope.wait_enabled()
        gyroscope.write_scans(first)
        mine.wait_rows(30)
        other = Recorder(parallaxctl, one, open_folder / "other.gcsv", user=NOBODY)
        gyroscope.write_scans(then)
        mine.wait_rows(60)
        other.wait_rows(30)
        code, _, err = other.end()
        assert mine.end()[0] == 0
        computed = {event["timestamp_ns"]: event for event in process(parallaxctl, mine.file)}
        events = read_events(live, max(computed))
    assert code == 0 and err.count("\n") == 1 and "live offsets are not reproduced" in err
    assert "live offsets are not reproduced" in header(other.file)["parallaxd_note"]
    assert "parallaxd_note" not in header(mine.file)
    assert [tuple(map(int, row)) for row in rows(other.file)] == then
    assert [tuple(map(int, row)) for row in rows(mine.file)] == first + then
    offsets = {event["timestamp_ns"]: event for event in events if event["timestamp_ns"]}
    assert not [event for event in events if event.get("gap")]
    assert all((event["x"], event["y"]) == (computed[t]["x"], computed[t]["y"]) for t, event in offsets.items())
    assert process(parallaxctl, other.file)


def test_a_stream_that_begins_with_the_recording_is_anybodys(daemon, machine, open_folder, parallaxctl):
    """Where the sensor was off, the one who may only look has it from its first scan."""
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config="[sensor]\nsettle_time = 0\n" + RAW)
    recorder = Recorder(parallaxctl, one, open_folder / "walk.gcsv", user=NOBODY)
    gyroscope.wait_enabled()
    gyroscope.write_scans(walk(10))
    recorder.wait_rows(10)
    code, _, err = recorder.end()
    assert code == 0 and "the offset is left where it is" in err
    assert "parallaxd_note" not in header(recorder.file)


# The file


def test_an_existing_file_is_kept(daemon, folder, parallaxctl):
    one = daemon("--demo")
    file = folder / "walk.gcsv"
    file.write_text("mine")
    done = run(parallaxctl, one, "--seconds", "0.2", file)
    assert done.returncode == 1 and "--force" in done.stderr and file.read_text() == "mine"
    assert run(parallaxctl, one, "--force", "--seconds", "0.2", file).returncode == 0
    assert len(rows(file)) == 41


def test_no_sensor_is_said(daemon, machine, folder, parallaxctl):
    one = daemon(machine=machine)
    done = run(parallaxctl, one, "--seconds", "3", folder / "walk.gcsv")
    assert done.returncode == 1 and "no driver of a sensor" in done.stderr
    assert not (folder / "walk.gcsv").exists()


def test_a_signal_ends_it_although_the_daemon_hangs(daemon, folder, parallaxctl):
    """With the rows that it has; no answer is waited for."""
    one = daemon("--demo")
    recorder = Recorder(parallaxctl, one, folder / "walk.gcsv")
    recorder.wait_rows(50)
    suspend(one.process)
    try:
        # Until it has asked why nothing comes: a second connection of its own.
        wait_for(lambda: len(list(Path(f"/proc/{recorder.process.pid}/fd").iterdir())) > 6, "the inquiry")
        recorder.process.send_signal(signal.SIGINT)
        code, out, err = recorder.result()
        # An end of the wait for the answer would be an error.
        assert (code, err) == (0, "") and "samples in" in out
    finally:
        one.signal(signal.SIGCONT)


@pytest.mark.parametrize(
    "arguments", [[], ["a", "b"], ["--seconds", "0", "a"], ["--seconds", "x", "a"], ["-"], ["--nonsense", "a"]]
)
def test_wrong_usage(daemon, parallaxctl, folder, arguments):
    done = subprocess.run([parallaxctl, "record", *arguments], capture_output=True, text=True, timeout=120, cwd=folder)
    assert done.returncode == 2 and done.stderr.count("\n") == 1


def test_a_terminal_shows_how_it_goes(daemon, folder, parallaxctl):
    one = daemon("--demo")
    terminal = Terminal([str(parallaxctl), "--socket", str(one.socket), "record", "--seconds", "2", str(folder / "w.gcsv")], os.environ | {"LC_ALL": "C"})
    try:
        assert terminal.wait() == 0
        assert "[####" in terminal.output and "samples in 2.00 s, 200.0 Hz" in terminal.output
    finally:
        terminal.close()
