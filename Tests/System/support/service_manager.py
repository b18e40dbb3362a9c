"""The other end of sd_notify(3): what a service tells the manager that started it."""

import socket
import threading
from pathlib import Path

from .waiting import wait_for


class ServiceManager:
    """A notification socket that is always read, as systemd does; give `environment` to the daemon."""

    def __init__(self, folder: Path, watchdog_microseconds: int | None = None) -> None:
        self.path = folder / "notify"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(self.path))
        self.environment = {"NOTIFY_SOCKET": str(self.path)}
        if watchdog_microseconds:
            self.environment["WATCHDOG_USEC"] = str(watchdog_microseconds)
        # Every line so far, in order.
        self.lines: list[str] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while message := self.socket.recv(65536):
            self.lines += message.decode().split("\n")

    def wait_line(self, text: str, after: int = 0) -> int:
        """Until a line is `text`, looking from index `after`; the index behind it."""
        wait_for(lambda: text in self.lines[after:], f"the notification {text!r}")
        return self.lines.index(text, after) + 1
