"""A service manager that keeps descriptors, as systemd does (FileDescriptorStoreMax=), and starts the next daemon."""

import fcntl
import os
import select
import socket
import sys
import threading
from pathlib import Path

from .waiting import wait_for

# Puts descriptors where sd_listen_fds(3) says they are, and becomes the program. The numbers given are far above.
LAUNCH = """
import os, sys
count = int(sys.argv[1])
for index in range(count):
    os.dup2(int(sys.argv[2 + index]), 3 + index)
os.environ["LISTEN_PID"] = str(os.getpid())
os.execvp(sys.argv[2 + count], sys.argv[2 + count :])
"""
FAR = 500


class DescriptorStore:
    """A notification socket, what is kept, and a listening socket that is the same for every daemon."""

    def __init__(self, folder: Path, capacity: int = 1000) -> None:
        self.socket_path = folder / "listening"
        self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listening.bind(str(self.socket_path))
        self.listening.listen(128)
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(str(folder / "notify"))
        # What a daemon's environment needs besides its own.
        self.environment = {"NOTIFY_SOCKET": str(folder / "notify"), "FDSTORE": str(capacity)}
        # Names and numbers, in the order in which they came.
        self.kept: list[tuple[str, int]] = []
        self.polled: set[int] = set()
        self.lines: list[str] = []
        self.poll = select.epoll()
        self.poll.register(self.notify, select.EPOLLIN)
        self.lock = threading.Lock()
        self.wake, self.end = os.pipe()
        self.poll.register(self.wake, select.EPOLLIN)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def close_kept(self) -> None:
        """Drops everything, as at `systemctl stop`."""
        with self.lock:
            self._drop(lambda name, number: True)

    def close(self) -> None:
        """Ends."""
        os.close(self.end)
        self.thread.join()
        self.close_kept()
        os.close(self.wake)
        for one in self.poll, self.notify, self.listening:
            one.close()

    def _run(self) -> None:
        while True:
            for number, events in self.poll.poll():
                if number == self.wake:
                    return
                with self.lock:
                    if number == self.notify.fileno():
                        self._receive()
                    elif events & (select.EPOLLHUP | select.EPOLLERR):
                        self._drop(lambda name, kept: kept == number)

    def _receive(self) -> None:
        message, numbers, _, _ = socket.recv_fds(self.notify, 65536, 16)
        lines = message.decode().split("\n")
        self.lines += lines
        fields = dict(line.split("=", 1) for line in lines if line)
        name = fields.get("FDNAME", "stored")
        if fields.get("FDSTOREREMOVE") == "1":
            self._drop(lambda kept_name, _: kept_name == name)
        if fields.get("FDSTORE") != "1":
            assert not numbers
            return
        for number in numbers:
            self.kept.append((name, number))
            if fields.get("FDPOLL") != "0":
                self.poll.register(number, 0)
                self.polled.add(number)

    def _drop(self, unwanted) -> None:
        for name, number in [one for one in self.kept if unwanted(*one)]:
            self.kept.remove((name, number))
            # Others may have it open, and closing would then leave it in the set.
            if number in self.polled:
                self.poll.unregister(number)
                self.polled.remove(number)
            os.close(number)

    def names(self) -> list[str]:
        """Of what is kept."""
        with self.lock:
            return [name for name, _ in self.kept]

    def wait_kept(self, **counts: int) -> None:
        """Until so many of each name are kept."""
        wait_for(
            lambda: all(self.names().count(name) == count for name, count in counts.items()),
            f"{counts} to be kept, not {self.names()}",
        )

    def number(self, name: str) -> int:
        """A descriptor of this name."""
        with self.lock:
            return next(number for kept, number in self.kept if kept == name)

    def launch(self, command: list[str]) -> tuple[list[str], dict[str, str], list[int]]:
        """How to start a program that gets what is kept: command, environment, and descriptors to pass and close."""
        with self.lock:
            passed = [("varlink", self.listening.fileno()), *self.kept]
            # What is kept may be dropped at any moment.
            far = [fcntl.fcntl(number, fcntl.F_DUPFD, FAR) for _, number in passed]
        names = ":".join(name for name, _ in passed)
        environment = self.environment | {"LISTEN_FDS": str(len(far)), "LISTEN_FDNAMES": names}
        wrapped = [sys.executable, "-c", LAUNCH, str(len(far)), *map(str, far), *command]
        return wrapped, environment, far
