"""Fixtures of the tests from outside: the built programs, a daemon, a made-up gyroscope, recordings."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.daemon import Daemon
from support.descriptor_store import DescriptorStore
from support.doctor import check_remedies, heard
from support.machine import Machine, becoming, unshare_command

REPOSITORY = Path(__file__).resolve().parents[2]

# In the background of a shell without job control Ctrl-C is ignored, and would be by the programs under test.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def binaries() -> Path:
    """The folder with parallaxd and parallaxctl: PARALLAXD_BIN, else the debug build."""
    return Path(os.environ.get("PARALLAXD_BIN") or REPOSITORY / ".build" / "debug").resolve()


def program(folder: Path, name: str) -> Path:
    """A built program; fails with what to do where it is missing."""
    path = folder / name
    if not os.access(path, os.X_OK):
        pytest.fail(f"{path} is missing: run `swift build`, or set PARALLAXD_BIN to the folder it is in")
    return path


@pytest.fixture(scope="session")
def parallaxd(binaries: Path) -> Path:
    """The daemon's program."""
    return program(binaries, "parallaxd")


@pytest.fixture(scope="session")
def parallaxctl(binaries: Path) -> Path:
    """The client's program."""
    return program(binaries, "parallaxctl")


@pytest.fixture(scope="session")
def recordings() -> Path:
    """The folder of real recordings: PARALLAXD_TRACES."""
    folder = os.environ.get("PARALLAXD_TRACES")
    if not folder:
        pytest.skip("PARALLAXD_TRACES is not set: no recordings to read")
    if not Path(folder).is_dir():
        pytest.fail(f"PARALLAXD_TRACES is no folder: {folder}")
    return Path(folder)


@pytest.fixture(scope="session")
def sanitizer() -> str | None:
    """What watches the programs: PARALLAXD_SANITIZER, `thread` or `address`, or None."""
    return os.environ.get("PARALLAXD_SANITIZER")


@pytest.fixture
def asleep_means_asleep(sanitizer: str | None) -> None:
    """For tests that count wake-ups."""
    if sanitizer == "thread":
        pytest.skip("the thread sanitizer's own thread wakes up all the time")


@pytest.fixture
def own_allocator(sanitizer: str | None) -> None:
    """For tests that count allocations."""
    if sanitizer:
        pytest.skip("a sanitizer has its own allocator")


@pytest.fixture
def own_files(sanitizer: str | None) -> None:
    """For tests that limit the size of files."""
    if sanitizer == "thread":
        pytest.skip("the thread sanitizer keeps its notes in files that then may not grow")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path (a socket's has at most 107 bytes) that other users may enter."""
    path = Path(tempfile.mkdtemp(prefix="parallaxd-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def store(folder: Path) -> Iterator[DescriptorStore]:
    """A service manager that keeps descriptors: `daemon("--demo", store=store)`, again and again."""
    made = DescriptorStore(folder)
    yield made
    made.close()


@pytest.fixture
def machine(folder: Path) -> Iterator[Machine]:
    """A machine of one's own, to plug gyroscopes into."""
    if unshare_command() is None:
        pytest.skip("neither `unshare -m` nor `unshare -Urm` works here: no made-up gyroscope")
    made = Machine(folder / "machine")
    yield made
    made.close()


@pytest.fixture
def daemon(parallaxd: Path, folder: Path) -> Iterator[Callable[..., Daemon]]:
    """Starts daemons: `daemon("--demo", config="…", machine=machine, user=65534)`.

    Each is ready when the call returns (unless `ready=False`), and must end cleanly after the test.
    """
    started: list[Daemon] = []

    def start(*arguments: str, ready: bool = True, **options) -> Daemon:
        user = options.get("user")
        if user is not None:
            becoming(user)  # skips where it cannot be done
        own = folder / f"daemon{len(started)}"
        own.mkdir()
        own.chmod(0o755)
        if user is not None:
            os.chown(own, user, user)
        one = Daemon(parallaxd, own, list(arguments), **options)
        started.append(one)
        if ready:
            one.wait_ready()
        return one

    yield start
    try:
        for one in started:
            one.stop()
    finally:
        for one in started:
            one.kill()


@pytest.fixture
def doctor(parallaxctl: Path, folder: Path, machine: Machine) -> Callable[..., subprocess.CompletedProcess]:
    """Runs `parallaxctl doctor` in the machine; again where that was held up while it listened."""

    def run(one, *arguments: str, user: int | None = None) -> subprocess.CompletedProcess:
        socket = one.socket if one else folder / "nothing"
        command = machine.command([str(parallaxctl), "--socket", str(socket), "doctor", *arguments], user)
        for _ in range(8):
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, cwd=folder
            )
            check_remedies(done.stdout)
            # Two seconds are listened. What is written down is not written again.
            if "--report" in arguments or heard(done) is None or heard(done) > 1.5:
                break
        return done

    return run
