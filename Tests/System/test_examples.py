"""What is in examples/, run against a daemon as a person would."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import library
from support.gyroscope import Gyroscope
from support.picture import positions
from support.sensor import config, status_of
from support.waiting import wait_for

EXAMPLES = library.REPOSITORY / "examples"
# The marks of the layers in examples/layers.c, from the far one to the near one, and their depths.
MARKS = {"sun": (255, 214, 90), "balloon": (226, 84, 60), "kite": (240, 240, 240)}
DEPTHS = {"sun": 4, "balloon": 2, "kite": 1}


# An offset, as the programs write it.
PLACE = r"-?\d+(?:\.\d+)?(?:e-?\d+)? -?\d+(?:\.\d+)?(?:e-?\d+)?"


def places(text: str) -> set[str]:
    """The different offsets in whole lines of `subscribe` and `page.py`."""
    lines = text.splitlines(keepends=True)
    return {found[0] for line in lines if line.endswith("\n") and (found := re.search(rf"{PLACE}(?=\n| [a-z])", line))}


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory, binaries: Path) -> Path:
    """A folder with the examples in C, compiled as their first lines say, against the installed library."""
    library.build()
    tree = tmp_path_factory.mktemp("examples")
    result = library.make("install", f"DESTDIR={tree}", "PREFIX=/usr", f"RELEASE={binaries}")
    assert result.returncode == 0, result.stderr
    own = [*library.pkg_config(tree, "--cflags", "--libs"), f"-Wl,-rpath,{tree}/usr/lib"]
    library.compile_c(tree / "subscribe", [EXAMPLES / "subscribe.c"], own)
    sdl = subprocess.run(["pkg-config", "--cflags", "--libs", "sdl2"], capture_output=True, text=True, timeout=60)
    assert sdl.returncode == 0, f"SDL 2 is missing: run `make deps`\n{sdl.stderr}"
    library.compile_c(tree / "layers", [EXAMPLES / "layers.c"], [*own, *sdl.stdout.split()])
    return tree


@pytest.fixture
def environment(folder: Path) -> dict[str, str]:
    """In which nothing but what a test adds names a daemon."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PARALLAXD_")}
    return kept | {"XDG_RUNTIME_DIR": str(folder)}


def command_of(name: str, compiled: Path) -> list[str | Path]:
    """An example as a person starts it, without arguments."""
    programs = {"py": [sys.executable, EXAMPLES / name], "sh": ["sh", EXAMPLES / name], "c": [compiled / "subscribe"]}
    return programs[name.rpartition(".")[2]]


@pytest.mark.parametrize("name", ["subscribe.py", "subscribe.sh", "subscribe.c", "page.py"])
def test_subscribers(daemon, compiled: Path, environment: dict[str, str], folder: Path, name: str) -> None:
    """Each says state and offset, line by line, while the demonstration moves; is short; and ends with one line."""
    assert len((EXAMPLES / name).read_text().splitlines()) <= (50 if name == "page.py" else 24)
    one = daemon("--demo")
    output, errors = folder / "output", folder / "errors"
    with output.open("wb") as file, errors.open("wb") as told:
        process = subprocess.Popen(
            command_of(name, compiled),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=told,
            env=environment | {"PARALLAXD_SOCKET": str(one.socket)},
        )
    try:
        wait_for(lambda: len(places(output.read_text())) > 20, f"offsets of {name}")
        # All but the program in C end with the daemon; that one waits for it to come back.
        one.stop()
        if name == "subscribe.c":
            wait_for(lambda: "disconnected" in output.read_text(), "a word of the end")
        else:
            assert process.wait(60) == 1
            assert re.fullmatch(r"[^\n]* left[^\n]*\n", errors.read_text()), errors.read_text()
    finally:
        process.kill()
        process.wait()
    lines = [line for line in output.read_text().splitlines() if not line.startswith("disconnected")]
    # The page's has the sequence before, and the state behind.
    form = f"-?\\d+ {PLACE} [a-z]+" if name == "page.py" else f"[a-z]+ {PLACE}"
    assert all(re.fullmatch(form, line) for line in lines), lines
    # Events begin with the present state; what looks at the page may be later.
    assert name == "page.py" or lines[0].split()[0] in ("idle", "starting")
    assert "running" in output.read_text()


def test_a_scene(daemon, environment: dict[str, str], folder: Path) -> None:
    """Three layers and a value, line by line, while the demonstration moves; short; the end is said."""
    assert len((EXAMPLES / "scene.py").read_text().splitlines()) <= 25
    one = daemon("--demo")
    output, errors = folder / "output", folder / "errors"
    with output.open("wb") as file, errors.open("wb") as told:
        process = subprocess.Popen(
            [sys.executable, EXAMPLES / "scene.py", one.socket],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=told,
            env=environment,
        )
    try:
        wait_for(lambda: len(set(output.read_text().splitlines())) > 20, "positions")
        one.stop()
        assert process.wait(60) == 1
        assert errors.read_text() == "the daemon has left\n"
    finally:
        process.kill()
        process.wait()
    form = re.compile(rf"([a-z]+) ({PLACE})  ({PLACE})  ({PLACE})  (\S+)")
    lines = [form.fullmatch(line) for line in output.read_text().splitlines()]
    assert lines and all(lines), output.read_text()
    last = lines[-1]
    assert last
    # The divisors from far to near are 6, 4 and 1.
    far, middle, near = ([float(number) for number in last[layer].split()] for layer in (2, 3, 4))
    for axis in (0, 1):
        assert far[axis] * 6 == pytest.approx(near[axis], abs=0.05)
        assert middle[axis] * 4 == pytest.approx(near[axis], abs=0.05)
    assert len({line[5] for line in lines if line}) > 1, "the shadow moves"


@pytest.mark.parametrize("name", ["subscribe.py", "subscribe.sh", "subscribe.c", "scene.py", "page.py"])
@pytest.mark.parametrize("left_behind", [False, True])
def test_no_daemon_is_said(
    compiled: Path, environment: dict[str, str], folder: Path, name: str, left_behind: bool
) -> None:
    """In one line with the path, whether or not a socket is there; and is the end of it."""
    path = folder / "gone"
    if left_behind:
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(path))
    done = subprocess.run(
        command_of(name, compiled),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        env=environment | {"PARALLAXD_SOCKET": str(path)},
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert str(path) in done.stderr and done.stderr.count("\n") == 1, done.stderr


@pytest.mark.parametrize("name", ["subscribe.py", "subscribe.sh", "subscribe.c", "scene.py", "page.py"])
def test_a_closed_pipe_is_the_end_without_a_word(
    daemon, compiled: Path, environment: dict[str, str], name: str
) -> None:
    """As in `subscribe.py | head -n 1`."""
    one = daemon("--demo")
    process = subprocess.Popen(
        command_of(name, compiled),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment | {"PARALLAXD_SOCKET": str(one.socket)},
    )
    try:
        assert process.stdout and process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) != 0
        assert process.stderr and process.stderr.read() == b""
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def display(folder: Path) -> Iterator[str]:
    """A screen of one's own: DISPLAY."""
    if not shutil.which("Xvfb"):
        pytest.fail("Xvfb is missing: run `make deps`")
    read, write = os.pipe()
    with (folder / "xvfb").open("wb") as log:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp"],
            pass_fds=[write],
            stdout=log,
            stderr=log,
        )
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        assert number, (folder / "xvfb").read_text()
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(60)


@pytest.mark.parametrize("source", ["page", "events"])
def test_layers_follow_the_gyroscope(
    daemon, machine, compiled: Path, environment: dict[str, str], display: str, folder: Path, source: str
) -> None:
    """Pictures of before and after a turn: each layer moved by the offset divided by its depth, to the pixel."""
    gyroscope = machine.add(Gyroscope(scale_text="0.001"))
    one = daemon(machine=machine, config=config())
    surroundings = environment | {"PARALLAXD_SOCKET": str(one.socket), "DISPLAY": display, "SDL_VIDEODRIVER": "x11"}
    # Standing still at both ends, so that nothing is looked ahead. 8 rad/s about y is 20 points to the right, and
    # -4 rad/s about x 10 points down, twice.
    turns = [(0, 0, 0), (-4000, 8000, 0), (-4000, 8000, 0), (0, 0, 0)]
    start = time.monotonic_ns()
    given = [(start + number * 5_000_000, *turn) for number, turn in enumerate(turns)]
    more = ["--events"] if source == "events" else []
    processes = []
    try:
        for name, until in ("before", 0), ("after", len(turns) - 1):
            command = [compiled / "layers", *more, "--screenshot", folder / f"{name}.bmp", "--until", str(until)]
            processes.append(subprocess.Popen(command, env=surroundings))
        wait_for(lambda: status_of(one)["subscribers"] == 2, "both to be there")
        gyroscope.wait_enabled()
        assert gyroscope.write_scans(given[:1]) == 1
        assert processes[0].wait(60) == 0
        assert gyroscope.write_scans(given[1:]) == len(turns) - 1
        assert processes[1].wait(60) == 0
    finally:
        for process in processes:
            process.kill()
            process.wait()
    before, after = (positions(folder / f"{name}.bmp", MARKS) for name in ("before", "after"))
    moved = {name: (after[name][0] - before[name][0], after[name][1] - before[name][1]) for name in MARKS}
    # y is up in offsets and down on the screen.
    for name, depth in DEPTHS.items():
        assert moved[name] == pytest.approx((40 / depth, 20 / depth)), name


def test_each_is_explained() -> None:
    """A line in examples/README.md."""
    names = {path.name for path in EXAMPLES.iterdir()} - {"README.md"}
    told = set(re.findall(r"^\| `([\w.]+)`", (EXAMPLES / "README.md").read_text(), re.MULTILINE))
    assert told == names
