"""What is in examples/, run against a daemon as a person would."""

import os
import re
import shutil
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


@pytest.mark.parametrize("name", ["subscribe.py", "subscribe.sh", "subscribe.c"])
def test_subscribers(daemon, compiled: Path, environment: dict[str, str], folder: Path, name: str) -> None:
    """Each says state and offset, line by line, while the demonstration moves; and is short."""
    assert len((EXAMPLES / name).read_text().splitlines()) <= 24
    one = daemon("--demo")
    command = {
        "subscribe.py": [sys.executable, str(EXAMPLES / name)],
        "subscribe.sh": ["sh", str(EXAMPLES / name)],
        "subscribe.c": [str(compiled / "subscribe")],
    }[name]
    output = folder / "output"
    with output.open("wb") as file:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env=environment | {"PARALLAXD_SOCKET": str(one.socket)},
        )
    try:
        wait_for(lambda: len(output.read_text().splitlines()) >= 20, f"lines of {name}: {output.read_text()}")
        # All but the program in C end with the daemon; that one waits for it to come back.
        one.stop()
        if name == "subscribe.c":
            wait_for(lambda: "disconnected" in output.read_text(), "a word of the end")
        else:
            process.wait(60)
    finally:
        process.kill()
        process.wait()
    lines = [line for line in output.read_text().splitlines() if not line.startswith("disconnected")]
    assert all(re.fullmatch(r"[a-z]+ -?\d+(\.\d+)?(e-?\d+)? -?\d+(\.\d+)?(e-?\d+)?", line) for line in lines), lines
    assert lines[0].split()[0] in ("idle", "starting")
    running = [line.split()[1:] for line in lines if line.startswith("running")]
    assert len({tuple(offset) for offset in running}) > 5


@pytest.mark.parametrize("name", ["subscribe.py", "subscribe.sh", "subscribe.c"])
def test_no_daemon_is_said(compiled: Path, environment: dict[str, str], name: str) -> None:
    """And is the end of it."""
    programs = {"py": [sys.executable, EXAMPLES / name], "sh": ["sh", EXAMPLES / name], "c": [compiled / "subscribe"]}
    done = subprocess.run(
        programs[name.rpartition(".")[2]],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        env=environment | {"PARALLAXD_SOCKET": "/nowhere"},
    )
    assert done.stdout == "" and done.stderr


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
