"""What tests of `parallaxctl doctor` share: what it says, whether its remedies can be typed, and sensors that move."""

import random
import re
import signal
import subprocess
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager

from .gyroscope import Gyroscope
from .waiting import wait_for

SETTLED = "[sensor]\nsettle_time = 0\n"
FOREIGN_TRIGGER = {"trigger": None, "triggers": []}
# Before a remedy, and before each further line of it.
ARROW = "       → "
BELOW = " " * len(ARROW)


def sayings(done: subprocess.CompletedProcess, word: str) -> dict[str, str]:
    """What is said after `word`, and what mends it: all its lines."""
    found: dict[str, str] = {}
    text = ""
    for line in done.stdout.splitlines():
        if line.startswith((ARROW, BELOW)) and text:
            found[text] = (found[text] + "\n" + line[len(ARROW) :]).strip()
        elif line.startswith(word):
            text = line.removeprefix(word).strip()
            found[text] = ""
        else:
            text = ""
    return found


def findings(done: subprocess.CompletedProcess) -> dict[str, str]:
    """What is wrong, and what mends it."""
    return sayings(done, "WRONG")


def notes(done: subprocess.CompletedProcess) -> dict[str, str]:
    """What is good to know."""
    return sayings(done, "note")


def heard(done: subprocess.CompletedProcess) -> float | None:
    """For how many seconds of a sensor's time it has listened; None where none runs."""
    found = re.search(r"^stream +\d+ updates in ([\d.]+) s", done.stdout, re.MULTILINE)
    return float(found[1]) if found else None


def toml(remedy: str) -> tuple[str, str] | None:
    """The section and the lines of a remedy that is some; None where it is a command."""
    first, *lines = remedy.splitlines()
    found = re.match(r"in \[(\w+)\] of /", first)
    return (found[1], "\n".join(lines) + "\n") if found else None


def check_remedies(output: str) -> None:
    """Each can be taken as it is printed: lines of TOML, or a command that a shell understands."""
    done = subprocess.CompletedProcess([], 0, stdout=output)
    for remedy in filter(None, (findings(done) | notes(done)).values()):
        if lines := toml(remedy):
            assert tomllib.loads(lines[1]), remedy
        else:
            assert "\n" not in remedy
            assert subprocess.run(["bash", "-nc", remedy], capture_output=True).stderr == b"", remedy


def take(one, remedy: str) -> None:
    """Does what a remedy says that is lines for the configuration."""
    section, lines = toml(remedy)
    text = one.config.read_text()
    assert f"[{section}]" not in text or text.count(f"[{section}]\n") == 1
    head = f"[{section}]\n"
    one.config.write_text(text.replace(head, head + lines) if head in text else text + head + lines)
    count = one.log.count("the configuration was read again")
    one.signal(signal.SIGHUP)
    wait_for(lambda: one.log.count("the configuration was read again") > count, f"a reload:\n{one.log}")


def wrong(done: subprocess.CompletedProcess, text: str, command: str) -> None:
    """One of the findings says so, and names the command; the exit code is 1."""
    assert done.returncode == 1, done.stdout + done.stderr
    assert any(text in finding and command in remedy for finding, remedy in findings(done).items()), done.stdout


@contextmanager
def moving(
    gyroscope: Gyroscope, period: int = 10_000_000, noise: int = 4, still: bool = False, rest: tuple = (0, 0, 0)
) -> Iterator[None]:
    """Writes scans as a sensor at rest does, at an exact rate by their stamps, while the block runs."""
    going = True
    shake = random.Random(7)

    def write() -> None:
        stamp = 0
        while going:
            now = time.monotonic_ns()
            if now < stamp:
                time.sleep((stamp - now) / 1e9)
            # Held up for a while it makes up for it: the rate by the stamps stays what it is.
            if not stamp or now - stamp > 30_000_000_000:
                stamp = now
            scan = (stamp, 3, -2, 5) if still else (stamp, *(round(shake.gauss(axis, noise)) for axis in rest))
            try:
                gyroscope.write_scans([scan])
            except (OSError, AssertionError):
                pass
            stamp += period

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    try:
        yield
    finally:
        going = False
        thread.join()


@contextmanager
def turning(gyroscope: Gyroscope) -> Iterator[None]:
    """Gives a polled sensor other values all the time while the block runs."""
    ended = threading.Event()

    def write() -> None:
        count = 0
        while not ended.wait(0.01):
            count += 1
            gyroscope.set_raw(count % 7, -(count % 5), count % 3)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
