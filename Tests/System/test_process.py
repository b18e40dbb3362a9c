"""`parallaxctl process` from outside: output, errors, exit codes, manners."""

import csv
import io
import json
import os
import pty
import select
import subprocess
import threading

import pytest

from support.malloc_count import MallocCount

HEADER = "sequence,timestamp_ns,x,y,gap"


@pytest.fixture
def process(parallaxctl):
    """Runs the command and hands back what came of it."""

    def run(*words) -> subprocess.CompletedProcess:
        return subprocess.run(
            [parallaxctl, "process", *map(str, words)], capture_output=True, text=True, timeout=60
        )

    return run


@pytest.fixture
def trace(folder):
    """A turn about y of 1 rad/s at 100 Hz for a second, then a gap, then the same about x."""
    path = folder / "turn.csv"
    rows = [(n * 10_000_000, 0, 1, 0) for n in range(100)] + [
        (5_000_000_000 + n * 10_000_000, 1, 0, 0) for n in range(100)
    ]
    path.write_text("timestamp_ns,x,y,z\n" + "".join(f"{t},{x},{y},{z}\n" for t, x, y, z in rows))
    return path


def failed(done: subprocess.CompletedProcess, code: int) -> str:
    """The one line that was said."""
    assert done.returncode == code, done
    assert done.stderr.startswith("parallaxctl: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_rows_by_the_default_rule(process, trace):
    """2.5 points an update of 30 ms, gap 1 where a stream begins."""
    done = process(trace)
    assert done.returncode == 0 and done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == HEADER
    assert lines[1:4] == ["0,0,2.5,0,0", "1,30000000,5,0,0", "2,60000000,7.5,0,0"]
    gaps = [line for line in lines[1:] if line.endswith(",1")]
    assert gaps == ["34,5000000000,85,2.5,1"]
    assert [int(line.split(",")[0]) for line in lines[1:]] == list(range(68))


def test_json_lines_say_the_same(process, trace):
    """One object a line, with the same members."""
    rows = csv.DictReader(io.StringIO(process(trace).stdout))
    objects = [json.loads(line) for line in process(trace, "--format", "jsonl").stdout.splitlines()]
    expected = [
        {
            "sequence": int(row["sequence"]),
            "timestamp_ns": int(row["timestamp_ns"]),
            "x": float(row["x"]),
            "y": float(row["y"]),
            "gap": row["gap"] == "1",
        }
        for row in rows
    ]
    assert objects == expected


def test_a_hyphen_is_standard_output_and_never_a_file(parallaxctl, trace, folder):
    """Rows may go there; nothing else does."""
    here = folder / "here"
    here.mkdir()

    def run(*words):
        command = list(map(str, [parallaxctl, *words]))
        return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=here)

    done = run("process", trace, "-o", "-")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("process", trace).stdout != ""
    for words in (
        ["process", trace, "--estimates", "-"],
        ["process", trace, "--output", "rows.csv", "--estimates=-"],
        ["plot", trace, "-o", "-"],
        ["record", "-"],
        ["doctor", "--report", "-"],
    ):
        assert "a file" in failed(run(*words), 2)
    assert not list(here.iterdir())


def test_estimates(process, trace, folder):
    """The bias that is taken off: one row where nothing is learned, without a confidence where it is not estimated."""
    file = folder / "estimates.csv"
    head = "timestamp_ns,x,y,z,confidence"
    assert process(trace, "--estimates", file).returncode == 0
    assert file.read_text().splitlines() == [head, "0,0,0,0,0"]
    fixed = ["--set", "calibration.mode=fixed", "--set", "calibration.bias=[0.5, 0, -0.25]"]
    assert process(trace, "--estimates", file, *fixed).returncode == 0
    assert file.read_text().splitlines() == [head, "0,0.5,0,-0.25,"]
    assert "two files" in failed(process(trace, "--estimates", file, "--output", file), 2)
    before = trace.read_bytes()
    assert "the trace itself" in failed(process(trace, "--estimates", trace), 1)
    assert trace.read_bytes() == before
    link = folder / "link.csv"
    link.symlink_to(file)
    assert "the output itself" in failed(process(trace, "--output", file, "--estimates", link), 1)
    assert process(trace, "--output", "/dev/null", "--estimates", "//dev/null").returncode == 0


def test_settings(process, trace, folder):
    """--config, then --set in its order; the system's own configuration plays no part."""
    config = folder / "c.toml"
    config.write_text("[motion]\nmultiplier = 1.0\nupdate_interval = 0.0\n")
    assert process(trace, "--config", config).stdout.splitlines()[2] == "1,10000000,2,0,0"
    done = process(trace, "-c", config, "--set", "motion.multiplier=5", "--set", "motion.multiplier=3")
    assert done.stdout.splitlines()[2] == "1,10000000,6,0,0"
    turned = process(trace, "--set", "sensor.mount_matrix=[0,1,0,-1,0,0,0,0,1]")
    assert turned.stdout.splitlines()[1] == "0,0,0,2.5,0"


INVERTED = ["--set", "motion.invert_x=true"]


@pytest.mark.parametrize("scale, x", [("0", "0"), ("0.5", "1.25"), ("1", "2.5")])
def test_reduced_motion_scales_what_comes_out(process, trace, scale, x):
    """As for a subscriber."""
    reduced = ["--set", "accessibility.reduced_motion=true"]
    done = process(trace, *reduced, "--set", f"accessibility.reduced_motion_scale={scale}")
    assert done.stdout.splitlines()[1] == f"0,0,{x},0,0"
    inverted = process(trace, *reduced, "--set", f"accessibility.reduced_motion_scale={scale}", *INVERTED)
    # Neutral has no sign.
    assert inverted.stdout.splitlines()[1] == f"0,0,{x if x == '0' else '-' + x},0,0"


def test_broken_row(process, folder):
    """An error with its place after the rows before it, or a count."""
    path = folder / "broken.csv"
    path.write_text("t,x,y,z\n0,0,1,0\n0.01,0,one,0\n0.02,0\n0.03,0,1,0\n")
    done = process(path)
    assert failed(done, 1) == f'parallaxctl: {path}:3:8: y: expected a finite number, found "one"\n'
    assert done.stdout.splitlines() == [HEADER, "0,0,2.5,0,0"]
    done = process(path, "--skip-bad-rows")
    assert done.returncode == 0
    assert done.stderr == f"parallaxctl: {path}: 2 broken rows were left out\n"
    assert done.stdout.splitlines() == [HEADER, "0,0,2.5,0,0", "1,30000000,5,0,0"]
    assert process(path, "--set", "sensor.replay_skip_bad_rows=true").stdout == done.stdout


@pytest.mark.parametrize("row, left_out", [("", []), ("0,0,one,0\n", ["1 broken row was left out"])])
def test_no_row(process, folder, row, left_out):
    """Said, whoever listens; the header is there all the same."""
    path = folder / "empty.csv"
    path.write_text("t,x,y,z\n" + row)
    done = process(path, "--skip-bad-rows")
    assert (done.returncode, done.stdout) == (0, HEADER + "\n")
    said = [*left_out, "there are no rows: nothing to process"]
    assert done.stderr.splitlines() == [f"parallaxctl: {path}: {line}" for line in said]


def test_columns(process, folder):
    """From the option, else from the settings."""
    path = folder / "imu.csv"
    path.write_text("Time_ms,GX,GY,GZ\n0,0,90,0\n")
    columns = "t=Time_ms:ms,x=GX:deg/s,y=GY:deg/s,z=GZ:deg/s"
    assert "Time_ms, GX, GY, GZ" in failed(process(path), 1)
    expected = [HEADER, "0,0,3.9269908169872414,0,0"]
    assert process(path, "--columns", columns).stdout.splitlines() == expected
    assert process(path, "--set", f"sensor.replay_columns='{columns}'").stdout.splitlines() == expected
    assert "z is missing" in failed(process(path, "--columns", columns.rpartition(",")[0]), 2)


@pytest.mark.parametrize(
    "words, code, text",
    [
        ([], 2, "process needs a trace"),
        ([""], 2, "process needs a trace"),
        (["a", "--config", ""], 2, "--config needs a value"),
        (["a", "b"], 2, "process reads one trace, not 2"),
        (["a", "--nonsense"], 2, "unknown option --nonsense"),
        (["a", "--format", "xml"], 2, "--format is csv or jsonl"),
        (["a", "--set"], 2, "--set needs a value"),
        (["-"], 2, "process reads a file, not standard input"),
        (["/nonexistent.csv"], 1, "/nonexistent.csv: No such file or directory"),
        (["/"], 1, "/: this is a directory"),
        (["/dev/null"], 1, "/dev/null: this is no regular file"),
        (["a", "--set", "motion.threshold"], 2, "is no section.key=value"),
        (["a", "--set", "motion.treshold=1"], 78, "motion.threshold"),
        (["a", "--set", "motion.threshold=-1"], 78, "motion.threshold"),
        (["a", "--config", "/nonexistent.toml"], 78, "/nonexistent.toml"),
    ],
)
def test_what_cannot_be_done(process, words, code, text):
    """One line that says what to do, and the exit code of its kind."""
    assert text in failed(process(*words), code)


def test_a_pipe_is_no_trace(process, folder):
    """Nor is it waited for."""
    path = folder / "pipe"
    os.mkfifo(path)
    assert "this is no regular file" in failed(process(path), 1)


def test_output_file(process, trace, folder):
    """Replaced, but never the trace itself, by whatever name; a full disk is an error."""
    path = folder / "out.csv"
    path.write_text("x" * 100_000)
    done = process(trace, "--output", path)
    assert done.returncode == 0 and done.stdout == ""
    assert path.read_text() == process(trace).stdout
    before = trace.read_text()
    link = folder / "link.csv"
    link.symlink_to(trace)
    assert "which is the trace itself" in failed(process(trace, "-o", link), 1)
    assert trace.read_text() == before
    assert "No space left on device" in failed(process(trace, "-o", "/dev/full"), 1)
    assert "No such file or directory" in failed(process(trace, "-o", folder / "no" / "out.csv"), 1)


def long_trace(folder):
    """400 000 rows: more than pipes and buffers hold."""
    path = folder / "long.csv"
    path.write_text(
        "timestamp_ns,x,y,z\n" + "".join(f"{n * 30_000_000},0.5,0.25,0\n" for n in range(400_000))
    )
    return path


def test_a_reader_that_has_seen_enough(parallaxctl, folder):
    """`process … | head` ends without a word."""
    with subprocess.Popen(
        [parallaxctl, "process", long_trace(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout.readline().decode() == HEADER + "\n"
        running.stdout.close()
        assert running.wait(60) == 0
        assert running.stderr.read() == b""


def test_progress_is_shown_to_who_waits(parallaxctl, folder):
    """A bar on a terminal once a second has passed; gone at the end."""
    master, terminal = pty.openpty()
    with subprocess.Popen(
        [parallaxctl, "process", long_trace(folder)], stdout=subprocess.PIPE, stderr=terminal
    ) as running:
        os.close(terminal)
        # It is held up by a pipe that is read slowly, until there is a bar.
        rows, shown = [0], b""
        while b"[#" not in shown:
            rows[0] += os.read(running.stdout.fileno(), 65536).count(b"\n")
            if select.select([master], [], [], 0.1)[0]:
                shown += os.read(master, 4096)

        def read_the_rest() -> None:
            while part := os.read(running.stdout.fileno(), 65536):
                rows[0] += part.count(b"\n")

        reader = threading.Thread(target=read_the_rest)
        reader.start()
        while select.select([master], [], [], 60)[0]:
            try:
                part = os.read(master, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        reader.join()
        assert running.wait(60) == 0
    os.close(master)
    assert rows == [400_001]
    assert b"%" in shown and b"[#" in shown
    # 400 000 rows 30 ms apart.
    assert shown.endswith(
        b"\r\x1b[Kparallaxctl: 400000 rows in 11999.97 s (33.3 Hz), 400000 updates, 0 gaps\r\n"
    )


@pytest.mark.parametrize(
    "header, row",
    [
        ("timestamp_ns,x,y,z", "{ns},0.5,{n},-1e-3"),
        ("t,x,y,z", "{ns}e-9, +0.5 ,{n},\"1\""),
        ("t;x;y;z", "{n},25;0,5;{n};-1E-3"),
        ("GYROFLOW IMU LOG\ntscale,3.05175e-5\ngscale,0.001\nt,gx,gy,gz", "{n},500,{n},-3"),
    ],
)
def test_no_allocation_per_row(parallaxctl, folder, own_allocator, header, row):
    """However many rows there are."""
    counts = []
    for rows in (10_000, 40_000):
        path = folder / f"{rows}.csv"
        lines = [row.format(ns=n * 10_000_000, n=n) for n in range(rows)]
        path.write_text(header + "\n" + "\n".join(lines))
        counter = MallocCount(folder)
        done = subprocess.run(
            [parallaxctl, "process", path, "--set", "motion.update_interval=0"],
            capture_output=True,
            text=True,
            env=os.environ | counter.environment,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("\n") == rows + 1
        counts.append(counter.read().total)
    assert counts[0] > 0, "the counter counts"
    assert counts[0] == counts[1]


def test_help_teaches(process):
    """With examples."""
    done = process("--help")
    assert done.returncode == 0
    assert "Examples:" in done.stdout and "--columns 't=Time_ms:ms" in done.stdout
