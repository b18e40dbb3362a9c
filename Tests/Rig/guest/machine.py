"""The guest: QEMU with Debian's kernel, and root shells in it."""

import os
import re
import shlex
import socket
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from support import waiting
from support.client import Client

SHELL_PORT = 7000
IIOD_PORT = 30431
# A loaded machine without KVM boots in half a minute.
BOOT_SECONDS = 240
# With KVM it takes two seconds, or it never does.
PROBE_SECONDS = 30
END_MARK = "rig-exit"
# What rig.service writes to the console.
READY_MARK = b"rig-ready"
# Units that cost a minute's guest seconds.
MASKED = "systemd-hwdb-update systemd-firstboot systemd-update-utmp getty@tty1 serial-getty@ttyS0".split()


# Each look may cost a shell in the guest.
wait_for = partial(waiting.wait_for, every=0.2)


class CommandFailed(Exception):
    """A script in the guest ended with another code than 0."""

    def __init__(self, code: int, output: str) -> None:
        super().__init__(f"exit code {code}: {output}")
        self.code = code
        self.output = output


class StreamClient(Client):
    """A connection to a daemon's socket, in the guest or here, that is read up to the event that is wanted."""

    def __init__(self, connection: socket.socket, timeout: float = 60) -> None:
        self.end = b"\0"
        self.timeout = timeout
        self.buffer = b""
        self.socket = connection
        self.last: dict | None = None

    def subscribe(self, **parameters: Any) -> dict:
        """Opens a stream of events; the first one."""
        self.last = super().subscribe(**parameters)
        return self.last

    def event(self, timeout: float | None = None) -> dict:
        """The next event of the stream."""
        self.last = super().event(timeout)
        return self.last

    def until(self, wanted: Callable[[dict], bool], what: str, seconds: float = 60) -> list[dict]:
        """The events from the last one that came up to the first one that is wanted, which it may be itself."""
        end = time.monotonic() + seconds
        events = [self.last] if self.last else []
        while not (events and wanted(events[-1])):
            try:
                events.append(self.event(max(0.001, end - time.monotonic())))
            except TimeoutError:
                raise AssertionError(
                    f"waited {seconds:g} s in vain for {what}; came: {events[-5:]}"
                ) from None
        return events

    def until_state(self, state: str, reason: str | None = None, seconds: float = 60) -> list[dict]:
        """The events up to the first one with this state and, where given, reason."""

        def wanted(event: dict) -> bool:
            return event["state"] == state and reason in (None, event.get("reason"))

        return self.until(wanted, f"{state} {reason or ''}", seconds)


class Guest:
    """One running machine."""

    def __init__(self, kernel: Path, initrd: Path, folder: Path, accelerator: str) -> None:
        self.console = folder / "console"
        self.ports = {port: free_port() for port in (SHELL_PORT, IIOD_PORT)}
        forwards = "".join(f",hostfwd=tcp:127.0.0.1:{host}-:{port}" for port, host in self.ports.items())
        units = " ".join(f"systemd.mask={name}.service" for name in MASKED)
        boot = f"rdinit=/sbin/init quiet systemd.show_status=0 systemd.wants=rig.service {units}"
        command = [
            *emulator(accelerator, kernel, self.console, boot),
            *("-initrd", str(initrd)),
            *(
                "-netdev",
                f"user,id=net,restrict=on{forwards}",
                "-device",
                "virtio-net-pci,netdev=net,romfile=",
            ),
        ]
        with (folder / "emulator.log").open("wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._shell: socket.socket | None = None

    def wait_ready(self, seconds: float = BOOT_SECONDS) -> None:
        """Until a shell answers and the system is up."""
        # Asked before, the emulator would keep the connection for a network that is not there.
        wait_for(self._has_booted, "the guest to boot", seconds)
        wait_for(self._answers, "a shell in the guest", seconds)
        self.shell("systemctl is-system-running --wait || true", seconds)

    def _has_booted(self) -> bool:
        self.check()
        return self.console.exists() and READY_MARK in self.console.read_bytes()

    def _answers(self) -> bool:
        self.check()
        try:
            return "here" in self.shell("echo here", 10)
        except OSError:
            return False

    def check(self) -> None:
        """Fails with the console's last lines where the machine has ended."""
        if self.process.poll() is not None:
            last = self.console.read_text(errors="replace")[-3000:] if self.console.exists() else ""
            raise AssertionError(f"the guest has ended with {self.process.returncode}:\n{last}")

    def stop(self) -> None:
        """Pulls the plug: nothing in it is kept."""
        self.process.kill()
        self.process.wait()

    # Doing something in it

    def connect(self, *command: str) -> socket.socket:
        """Standard input and output of a command that root starts."""
        self.check()
        connection = socket.create_connection(("127.0.0.1", self.ports[SHELL_PORT]), timeout=60)
        connection.sendall(f"exec {shlex.join(command)}\n".encode())
        return connection

    def shell(self, script: str, seconds: float = 120) -> str:
        """What a script prints that root's bash runs, to either output; `CommandFailed` where it fails.

        One shell forks them all: that is much faster where instructions are emulated.
        """
        self.check()
        end = time.monotonic() + seconds
        if self._shell is None:
            self._shell = self.connect("bash")
            self._shell.sendall(b"exec 2>&1\n")
        wrapped = f'(set -e; eval {shlex.quote(script)}) </dev/null; printf "\\n{END_MARK} $?\\n"\n'
        said = b""
        try:
            self._shell.sendall(wrapped.encode())
            while not (found := re.search(rb"\n%s (\d+)\n$" % END_MARK.encode(), said)):
                self._shell.settimeout(max(0.01, end - time.monotonic()))
                data = self._shell.recv(65536)
                if not data:
                    raise ConnectionResetError(f"the shell has gone: {said.decode(errors='replace')}")
                said += data
        except OSError:
            # What it still says belongs to no other script.
            self._shell.close()
            self._shell = None
            raise
        output = said[: found.start()].decode(errors="replace").rstrip("\n")
        if found[1] != b"0":
            raise CommandFailed(int(found[1]), output)
        return output

    def code(self, script: str, seconds: float = 120) -> tuple[int, str]:
        """The exit code of a script, and what it prints."""
        try:
            return 0, self.shell(script, seconds)
        except CommandFailed as failure:
            return failure.code, failure.output

    def client(self, user: str = "root") -> StreamClient:
        """A connection of a user to the daemon's socket."""
        become = [] if user == "root" else ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        return StreamClient(
            self.connect(*become, "socat", "-b65536", "-", "UNIX-CONNECT:/run/parallaxd/socket")
        )


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def emulator(accelerator: str, kernel: Path, console: Path, boot: str) -> list[str]:
    """QEMU's command line, without a network and a file system."""
    accelerated = accelerator == "kvm"
    return [
        *("qemu-system-x86_64", "-M", "q35", "-smp", "2", "-m", "1024"),
        *("-accel", "kvm" if accelerated else "tcg,thread=multi", "-cpu", "host" if accelerated else "max"),
        *("-display", "none", "-nodefaults", "-no-user-config", "-no-reboot"),
        *("-kernel", str(kernel), "-serial", f"file:{console}"),
        *("-append", f"console=ttyS0 panic=-1 {boot}"),
    ]


def accelerator(kernel: Path, folder: Path) -> str:
    """`kvm` where it is there and boots this kernel, else `tcg`: a /dev/kvm can be there and yet be of no use."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return "tcg"
    console, said = folder / "probe", folder / "probe.log"
    # Without a file system the kernel panics, and QEMU ends: then all that matters has worked.
    with said.open("wb") as log:
        process = subprocess.Popen(
            emulator("kvm", kernel, console, ""), stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    end = time.monotonic() + PROBE_SECONDS
    # It stops, and does not end, at what it cannot do.
    while (
        process.poll() is None and time.monotonic() < end and b"KVM internal error" not in said.read_bytes()
    ):
        time.sleep(0.1)
    process.kill()
    process.wait()
    return "kvm" if console.exists() and b"Unable to mount root fs" in console.read_bytes() else "tcg"
