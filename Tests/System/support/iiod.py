"""Debian's iiod: gyroscopes of another machine."""

import shutil
import signal
import socket
import subprocess
from pathlib import Path

from .machine import Machine
from .process import suspend
from .waiting import wait_for

# Where `make deps` unpacks it, or installed.
UNPACKED = Path(__file__).resolve().parents[3] / ".build/iiod/usr/sbin/iiod"
IIOD = str(UNPACKED) if UNPACKED.exists() else shutil.which("iiod")


class Iiod:
    """iiod at a port that stays the same when it is started again."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        # Held for as long as this is, so that nobody else is given the port meanwhile; iiod may have it beside.
        self.held = socket.socket()
        self.held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.held.bind(("127.0.0.1", 0))
        self.port = self.held.getsockname()[1]
        self.process: subprocess.Popen | None = None

    @property
    def uri(self) -> str:
        """Where it is for libiio."""
        return f"ip:127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts it, or starts it again."""
        command = [IIOD or "iiod", "-p", str(self.port)]
        self.process = self.machine.start(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def listens() -> bool:
            assert self.process and self.process.poll() is None, "iiod has ended"
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0

        wait_for(listens, "iiod to listen")

    def kill(self) -> None:
        """SIGKILL: the connections break."""
        assert self.process
        self.process.kill()
        self.process.wait()

    def pause(self) -> None:
        """Goes on to have its connections and answers nothing."""
        assert self.process
        suspend(self.process)

    def resume(self) -> None:
        """Answers again."""
        assert self.process
        self.process.send_signal(signal.SIGCONT)
