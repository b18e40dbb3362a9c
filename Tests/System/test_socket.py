"""The listening socket: where it is, whose it is, what is in its way, and systemd's."""

import fcntl
import grp
import os
import signal
import socket
import stat
import subprocess
import time

import pytest

from support.client import Client
from support.gyroscope import Gyroscope
from support.machine import need_root
from support.process import has_open
from support.waiting import wait_for


def refused(parallaxd, *arguments: str, **environment: str) -> str:
    """Starts a daemon that must not start; its one line."""
    done = subprocess.run(
        [parallaxd, *arguments], capture_output=True, text=True, timeout=60, env=os.environ | environment
    )
    assert done.returncode == 1, done
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


def test_a_live_socket_is_not_taken(daemon, parallaxd):
    one = daemon("--demo")
    error = refused(parallaxd, "--demo", "--socket", str(one.socket))
    assert str(one.socket) in error and "another daemon" in error
    with one.client() as client:
        client.call("GetMotion")


def test_a_dead_socket_is_replaced(daemon, folder):
    one = daemon("--demo")
    one.process.send_signal(signal.SIGKILL)
    one.process.wait()
    assert one.socket.exists()
    again = daemon("--demo", "--socket", str(one.socket), ready=False)
    again.socket = one.socket
    again.wait_ready()


def test_another_daemon_that_is_just_starting_is_waited_for(daemon, folder):
    """Between its bind and its listen it looks as if it were dead."""
    path = folder / "socket"

    def is_waited_for() -> bool:
        """False where the test itself took longer than the two seconds that a lock is waited for."""
        path.unlink(missing_ok=True)
        lock = os.open(folder, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
            other.bind(str(path))
            one = daemon("--demo", "--socket", str(path), ready=False)
            start = time.monotonic()
            while not has_open(one.pid, folder):
                assert time.monotonic() - start < 60, "it does not look at the folder"
                start = time.monotonic()
                time.sleep(0.005)
            other.listen()
            os.close(lock)
            if time.monotonic() - start > 1.5:
                one.kill()
                return False
            assert one.wait() == 1
            assert "another daemon" in one.log and len(one.log.splitlines()) == 1, one.log
            assert path.exists()
            return True

    wait_for(is_waited_for, "a try in which the test is fast enough")


def test_who_locks_the_folder_keeps_nobody_out(daemon, folder):
    path = folder / "socket"
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        one = daemon("--demo", "--socket", str(path), ready=False)
        one.socket = path
        one.wait_ready()
    finally:
        os.close(lock)


def test_one_that_leaves_takes_its_own_socket_alone(daemon, machine):
    """While its sensor is given back another daemon is started in its place, and on many file systems with its inode."""
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        with gyroscope.hanging("buffer/length"):
            start = time.monotonic()
            one.signal(signal.SIGTERM)
            wait_for(lambda: not one.socket.exists(), "the socket to be gone")
            again = daemon("--demo", "--socket", str(one.socket), ready=False)
            again.socket = one.socket
            again.wait_ready()
    # A sensor that does not answer is waited for 10 s.
    assert one.wait() == 0 or time.monotonic() - start > 9
    with again.client() as client:
        assert client.call("GetMotion")["state"] == "idle"


def test_what_is_no_socket_stays(parallaxd, folder):
    path = folder / "file"
    path.write_text("mine")
    error = refused(parallaxd, "--demo", "--socket", str(path))
    assert "no socket" in error and path.read_text() == "mine"


@pytest.mark.parametrize("length", [108, 300])
def test_a_path_that_is_too_long(parallaxd, folder, length):
    path = str(folder / "x") + "y" * (length - len(str(folder / "x")))
    assert "too long" in refused(parallaxd, "--demo", "--socket", path)


def test_mode_and_group(daemon):
    name = grp.getgrgid(os.getgid()).gr_name
    one = daemon("--demo", config=f'[server]\ngroup = "{name}"\n')
    status = one.socket.stat()
    assert stat.S_IMODE(status.st_mode) == 0o660
    assert status.st_gid == os.getgid()


def test_a_group_that_is_not(parallaxd, folder):
    config = folder / "c.toml"
    config.write_text('[server]\ngroup = "no-such-group"\n')
    error = refused(parallaxd, "--demo", "--config", str(config), "--socket", str(folder / "s"))
    assert "no-such-group" in error
    assert not (folder / "s").exists()


def test_the_users_default(parallaxd, folder):
    """As a plain user: $XDG_RUNTIME_DIR/parallaxd/socket."""
    need_root()
    os.chown(folder, 65534, 65534)
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", parallaxd, "--demo"]
    process = subprocess.Popen(command, env=os.environ | {"XDG_RUNTIME_DIR": str(folder)}, stderr=subprocess.DEVNULL)
    try:
        path = folder / "parallaxd" / "socket"

        def answers() -> bool:
            # A socket is there before it is listened on.
            try:
                with Client(path) as client:
                    return client.call("GetStatus")["state"] == "idle"
            except OSError:
                return False

        wait_for(answers, "the daemon to answer at the user's socket")
        assert stat.S_IMODE(path.stat().st_mode) == 0o660
    finally:
        process.terminate()
        assert process.wait(60) == 0
    assert not path.exists()


def handed(handed_over: socket.socket, command: list) -> dict:
    """How a program is started that is handed a socket as systemd does."""
    return {
        "args": ["sh", "-c", 'LISTEN_PID=$$ exec "$@"', "sh", *command],
        "env": os.environ | {"LISTEN_FDS": "1", "LISTEN_FDNAMES": "varlink"},
        # Descriptor 3, where sd_listen_fds(3) says it is; dup2 clears close-on-exec.
        "preexec_fn": lambda: os.dup2(handed_over.fileno(), 3),
        "close_fds": False,
    }


@pytest.mark.parametrize("kind", ["a connection", "datagrams", "TCP"])
def test_a_socket_that_cannot_be_served(parallaxd, kind):
    """A socket unit with Accept=yes, or of another kind: that is said, and nothing waits for ever."""
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM if kind == "datagrams" else socket.SOCK_STREAM)
    with ends[0], ends[1], socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tcp:
        tcp.listen()
        command = handed(tcp if kind == "TCP" else ends[0], [parallaxd, "--demo"])
        done = subprocess.run(**command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1, done
    assert len(done.stderr.splitlines()) == 1 and "ListenStream=" in done.stderr and "Accept=no" in done.stderr


def test_systemds_socket(parallaxd, folder):
    """Activation: the descriptor is served, any other socket is said to be ignored, the file stays."""
    path = folder / "activated"
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(str(path))
    listening.listen()
    config = folder / "c.toml"
    config.write_text(f'[server]\nsocket = "{folder}/other"\n')
    log = folder / "log"
    with log.open("wb") as output:
        command = [parallaxd, "--demo", "--config", config, "--socket", folder / "third"]
        process = subprocess.Popen(**handed(listening, command), stderr=output)
    try:
        with Client(path) as client:
            assert client.subscribe()["sequence"] == -1
            assert client.event()["state"]
    finally:
        process.terminate()
        assert process.wait(60) == 0
    assert path.exists() and not (folder / "other").exists() and not (folder / "third").exists()
    assert "server.socket is ignored" in log.read_text() and "--socket is ignored" in log.read_text()
    listening.close()
