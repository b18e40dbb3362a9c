"""The other end of sd_notify(3): what a service tells the manager that started it."""

import os
import socket
from pathlib import Path

from .waiting import wait_for


class ServiceManager:
    """A notification socket; give `environment` to the daemon."""

    def __init__(self, folder: Path, watchdog_microseconds: int | None = None) -> None:
        self.path = folder / "notify"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(self.path))
        self.socket.setblocking(False)
        self.environment = {"NOTIFY_SOCKET": str(self.path)}
        if watchdog_microseconds:
            self.environment["WATCHDOG_USEC"] = str(watchdog_microseconds)
        self.heard: list[str] = []

    def lines(self) -> list[str]:
        """Every line so far, in order."""
        while True:
            try:
                self.heard += self.socket.recv(65536).decode().split("\n")
            except BlockingIOError:
                return self.heard

    def wait_line(self, text: str, after: int = 0) -> int:
        """Until a line is `text`, looking from index `after`; the index behind it."""
        wait_for(lambda: text in self.lines()[after:], f"the notification {text!r}")
        return self.heard.index(text, after) + 1

    def close(self) -> None:
        """Nobody listens any more."""
        self.socket.close()
        os.unlink(self.path)
