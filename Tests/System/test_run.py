"""`make run`: scripts/run from outside, with the gyroscope, a recording, the demonstration, and with mistakes."""

import math
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support.gyroscope import Gyroscope
from support.machine import Machine, need_root
from support.sensor import NOBODY
from support.terminal import Terminal

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPT = REPOSITORY / "scripts" / "run"
# As people name files; and what a shell or make would take for its own.
AWKWARD = "-a 'b' \"c\" $HOME $(d) #e %.csv"
COLUMNS = "a 't',gyro $x,-gyro y,gyro z"
MAPPING = "t=a 't':ms,x=gyro $x:deg/s,y=-gyro y:deg/s,z=gyro z:deg/s"


def rows(count: int, step: int = 10_000_000, rate: float = 0.5) -> str:
    """A recording's rows that turn about y."""
    return "".join(f"{n * step},0,{rate},0\n" for n in range(count))


def table(count: int) -> str:
    """A recording that is known by its header, of `count` samples in so many hundredths of a second."""
    return "timestamp_ns,x,y,z\n" + rows(count)


def left(folder: Path) -> list[Path]:
    """What the script made and has not removed."""
    return list((folder / "tmp").glob("parallaxd-run.*"))


@pytest.fixture
def environment(parallaxd: Path, folder: Path) -> dict[str, str]:
    """What the script is given, besides what a test is about."""
    ours = ("PARALLAXD", "RUN_", "MAKE", "MFLAGS", "TRACE", "SECONDS", "MAPPING", "LC_", "LANG")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    place = folder / "tmp"
    place.mkdir()
    place.chmod(0o777)
    return kept | {"BIN": str(parallaxd.parent), "TMPDIR": str(place), "TERM": "xterm"}


@pytest.fixture
def run(environment: dict[str, str], folder: Path, machine: Machine) -> Callable[..., subprocess.CompletedProcess]:
    """Runs the script to its end in a machine of its own; nothing may be left of it."""

    def run(*, user: int | None = None, **given: str) -> subprocess.CompletedProcess:
        script, own = SCRIPT, environment
        if user is not None:
            # The repository may be where another user may not look, in root's home.
            need_root()
            programs = folder / "programs"
            programs.mkdir()
            for path in SCRIPT, *(Path(environment["BIN"]) / name for name in ("parallaxd", "parallaxctl")):
                shutil.copy(path, programs)
            script, own = programs / SCRIPT.name, environment | {"BIN": str(programs)}
        result = subprocess.run(
            machine.command([str(script)], user),
            cwd=folder,
            env=own | {f"RUN_{name.upper()}": value for name, value in given.items()},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert not left(folder)
        return result

    return run


def refused(result: subprocess.CompletedProcess, *words: str) -> None:
    """It failed before anything was watched, with the words in the last line that it wrote."""
    assert result.returncode == 1, result.stderr
    last = result.stderr.splitlines()[-1]
    assert last.startswith("make run: ") and all(word in last for word in words), result.stderr
    assert "running" not in result.stdout


def test_without_a_gyroscope_a_demonstration(run):
    result = run(seconds="6")
    assert (result.returncode, result.stderr) == (0, "")
    assert "No gyroscope found: this is a synthetic demonstration" in result.stdout
    assert any("running" in line and "SYNTHETIC" in line for line in result.stdout.splitlines())


def test_the_gyroscope(run, machine):
    gyroscope = machine.add(Gyroscope(trigger=None, triggers=[], open_to_all=True))
    gyroscope.set_raw(1000, 0, 0)
    result = run(seconds="6")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("Reading this machine's gyroscope\n")
    assert "As this user it is polled" not in result.stdout
    assert " running" in result.stdout and "SYNTHETIC" not in result.stdout


def test_a_plain_user_learns_how_to_get_the_buffer(run, machine):
    gyroscope = machine.add(Gyroscope())
    gyroscope.set_raw(1000, 0, 0)
    result = run(seconds="6", user=NOBODY)
    assert (result.returncode, result.stderr) == (0, "")
    assert "As this user it is polled" in result.stdout and "make install" in result.stdout
    assert " running" in result.stdout


def test_a_recording_with_an_awkward_name(run, folder):
    (folder / AWKWARD).write_text(table(3))
    result = run(trace=AWKWARD, seconds="6")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"Playing the recording {AWKWARD}\n")
    assert "running" in result.stdout


def test_a_mapping(run, folder):
    """0.5 · 57.3 deg/s about y for 15 updates: x grows by 1.25 points each."""
    (folder / "t.csv").write_text(COLUMNS + "\n" + rows(43, step=10, rate=90 / math.pi))
    result = run(trace="t.csv", mapping=MAPPING, seconds="6")
    assert (result.returncode, result.stderr) == (0, "")
    assert "x    +18.75" in result.stdout


@pytest.mark.parametrize("seconds", ["abc", "0", "-1", "0.0", ".", "1e3", "1 2", "$(id)", "99999999999"])
def test_seconds_that_are_none(run, seconds):
    result = run(seconds=seconds)
    refused(result, f"SECONDS={seconds} ", "such as 10")
    assert (result.stdout, len(result.stderr.splitlines())) == ("", 1)


def test_a_recording_that_is_missing(run):
    result = run(trace="none.csv")
    refused(result, "cannot read none.csv", "TRACE=")
    assert len(result.stderr.splitlines()) == 1


def test_a_mapping_of_nothing(run):
    refused(run(mapping="t=1:s"), "MAPPING=", "TRACE=")


def test_a_recording_of_unknown_columns(run, folder):
    """One line: the reason, then what to give, as make takes it."""
    (folder / "t.csv").write_text("Time_ms,GX,GY,GZ\n" + rows(3))
    result = run(trace="t.csv")
    refused(result, f"make run: {folder}/t.csv:1: ", "name the columns: MAPPING='t=Time_ms:ms,x=GX:UNIT,")
    assert "columns '" not in result.stderr and len(result.stderr.splitlines()) == 1


def test_a_mapping_that_is_wrong(run, folder):
    (folder / "t.csv").write_text(COLUMNS + "\n" + rows(3))
    result = run(trace="t.csv", mapping="nonsense")
    refused(result)
    assert "nonsense" in result.stderr.splitlines()[0]


def test_a_broken_row(run, folder):
    """What could be played is; then the row is named, and the end is no success."""
    (folder / "t.csv").write_text("timestamp_ns,x,y,z\n0,0,0.5,0\n1,0,bad,0\n")
    result = run(trace="t.csv", seconds="6")
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert f"{folder}/t.csv:3:5: " in line


@pytest.mark.parametrize("keys", ["\x03", "q"], ids=["Ctrl-C", "q"])
def test_make_ends_quietly(environment, folder, keys):
    """From make itself, on a terminal: code 0, not a word of make's, and the daemon has gone."""
    command = ["make", "--no-print-directory", "-C", str(REPOSITORY), "run", "BUILD=:", f"DEBUG={environment['BIN']}"]
    (folder / AWKWARD).write_text(table(6000))
    # Of a minute: its end is not what ends it.
    terminal = Terminal([*command, f"TRACE={folder / AWKWARD}"], environment)
    try:
        terminal.wait_for(AWKWARD)
        terminal.wait_for("update")
        terminal.type(keys)
        assert terminal.wait() == 0
        assert "make:" not in terminal.output
    finally:
        terminal.close()
    assert not left(folder)
