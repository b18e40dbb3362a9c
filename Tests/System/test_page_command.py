"""`parallaxctl page`: a daemon's page at a frame rate, and daemons that misbehave."""

import json
import os
import re
import signal
import socket
import struct
import subprocess
from pathlib import Path

import pytest

from support.fakedaemon import FakeDaemon
from support.terminal import Terminal
from support.waiting import wait_for

LINE = re.compile(
    r"x +[+-]\d+\.\d\d  y +[+-]\d+\.\d\d(  rate( +[+-]\d+\.\d{3}){3})?"
    r"  (idle|starting|running)  (no update yet|update \d+), \d+\.\d ms old"
)
REPLY = {"version": 1, "size": 192, "fileDescriptor": 0}
WORDS = struct.Struct("@8sII48xQqqq9dQ16x")


@pytest.fixture
def page(parallaxctl: Path):
    """Runs `parallaxctl page` to its end."""

    def run(path: Path, *arguments: str) -> subprocess.CompletedProcess:
        command = [parallaxctl, "--socket", path, "page", *arguments]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    return run


def test_lines_and_objects(daemon, page):
    one = daemon("--demo")
    done = page(one.socket, "--seconds", "1", "--rate", "50")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    # A frame each 20 ms, fewer where the machine is slow, never more.
    assert 1 <= len(lines) <= 51
    assert all(LINE.fullmatch(line) for line in lines), lines
    done = page(one.socket, "--seconds", "1", "--json")
    assert done.returncode == 0, done.stderr
    frames = [json.loads(line) for line in done.stdout.splitlines()]
    assert 1 <= len(frames) <= 61
    for frame in frames:
        assert frame["state"] in ("idle", "starting", "running") and frame["age_ns"] >= 0
        assert frame["published_monotonic_ns"] > 0 and frame["reduced_motion"] is False
        assert ("rate" in frame) == (frame["state"] == "running")
        assert all(-1 <= frame["tilt"][axis] <= 1 for axis in "xy")
    sequences = [frame["sequence"] for frame in frames]
    assert sequences == sorted(sequences)
    with one.client() as client:
        wait_for(lambda: client.call("GetStatus")["pages"] == 0, "the page closed")


def test_the_status_counts_it(daemon, parallaxctl):
    one = daemon("--demo")
    command = [parallaxctl, "--socket", one.socket]
    with subprocess.Popen([*command, "page"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline()
        status = subprocess.run([*command, "status"], capture_output=True, text=True, timeout=60).stdout
        assert "1 on 2 connections, 1 of them by the page" in status, status
        process.send_signal(signal.SIGTERM)


def test_it_ends_as_other_commands_do(daemon, parallaxctl, page):
    """Ctrl-C is 0; a daemon that leaves is 3; a recording that has been played ends it."""
    one = daemon("--demo")
    processes = [
        subprocess.Popen(
            [parallaxctl, "--socket", one.socket, "page"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    for process in processes:
        assert LINE.fullmatch(process.stdout.readline().rstrip("\n"))
    processes[0].send_signal(signal.SIGINT)
    assert processes[0].communicate(timeout=60)[1] == "" and processes[0].returncode == 0
    one.stop()
    errors = processes[1].communicate(timeout=60)[1]
    assert processes[1].returncode == 3 and "has hung up" in errors and errors.count("\n") == 1
    done = page(one.socket)
    assert done.returncode == 3 and done.stdout == ""


def test_a_recording_that_has_been_played(daemon, page, folder):
    trace = folder / "short.csv"
    trace.write_text("timestamp_ns,x,y,z\n" + "".join(f"{n * 30_000_000},0,1,0\n" for n in range(10)))
    done = page(daemon("--replay", str(trace)).socket, "--json")
    assert done.returncode == 0, done.stderr
    last = json.loads(done.stdout.splitlines()[-1])
    assert (last["state"], last["reason"], last["x"]) == ("waiting", "replay-ended", 25)


def test_on_a_terminal_one_line_renews_itself(daemon, parallaxctl):
    one = daemon("--demo")
    environment = os.environ | {"TERM": "xterm", "LANG": "C.UTF-8"}
    terminal = Terminal([parallaxctl, "--socket", str(one.socket), "page"], environment)
    try:
        terminal.wait_for("running")
        terminal.type("\x03")
        assert terminal.wait() == 0
        assert terminal.read().count("\n") <= 2 and "\x1b[K" in terminal.read()
    finally:
        terminal.close()


class PageDaemon(FakeDaemon):
    """Answers OpenPage with a descriptor that a test has made."""

    def __init__(self, path: Path, content: bytes | None, reply: dict = REPLY, then: bytes = b"") -> None:
        self.content, self.reply, self.then = content, reply, then
        super().__init__(path)

    def _answer(self, connection: socket.socket, call: dict) -> None:
        assert call["method"] == "org.parallaxd.Motion.OpenPage"
        message = json.dumps({"parameters": self.reply}).encode() + b"\0" + self.then
        if self.content is None:
            connection.sendall(message)
            return
        memory = os.memfd_create("test")
        os.write(memory, self.content)
        # More than were asked for are no reason to keep them open.
        socket.send_fds(connection, [message], [memory, memory, memory])
        os.close(memory)


def record(lock: int = 2, x: float = 1.5, version: int = 1, flags: int = 0x201) -> bytes:
    """A page as a daemon would have written it, at the beginning of time."""
    return WORDS.pack(b"parallax", version, 192, lock, 7, 0, 0, x, 2, *[0] * 7, flags)


@pytest.fixture
def fake(folder: Path):
    """Starts stand-ins at `folder`/socket."""
    made = []

    def start(*arguments, **options) -> Path:
        made.append(PageDaemon(folder / "socket", *arguments, **options))
        return folder / "socket"

    yield start
    for one in made:
        one.close()


@pytest.mark.parametrize(
    ("content", "reply"),
    [
        (None, REPLY),
        (b"", REPLY),
        (record()[:191], REPLY),
        (record(version=2), REPLY),
        (bytes(192), REPLY),
        (record(), REPLY | {"fileDescriptor": 1}),
        (record(), {}),
    ],
)
def test_what_is_no_page(fake, page, content, reply):
    done = page(fake(content, reply), "--seconds", "1")
    assert done.returncode == 1 and done.stdout == "", done
    assert done.stderr.startswith("parallaxctl: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize(("content", "x"), [(record(), 1.5), (record(lock=3), 0), (record(x=float("nan")), 0)])
def test_a_page_that_nobody_writes(fake, page, content, x):
    """Old, half written, or absurd: it is read without waiting, and its age is told."""
    done = page(fake(content), "--seconds", "0.2", "--json")
    assert done.returncode == 0, done.stderr
    frames = [json.loads(line) for line in done.stdout.splitlines()]
    assert frames and all(frame["x"] == x and frame["age_ns"] > 0 for frame in frames)


def test_a_right_that_is_taken_away(fake, page):
    denied = b'{"error":"org.varlink.service.PermissionDenied","parameters":{}}\0'
    done = page(fake(record(), then=denied))
    assert done.returncode == 4 and "refuses" in done.stderr, done
