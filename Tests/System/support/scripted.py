"""A server that says to each connection what a test wants, whatever it is."""

import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .fakedaemon import event

# What a script does with a connection: bytes to send, or something to do.
Act = bytes | Callable[[socket.socket], Any]


def said(**members: Any) -> bytes:
    """A reply of a stream."""
    return json.dumps({"parameters": members, "continues": True}).encode() + b"\0"


def moved(sequence: int, x: float, y: float, **more: Any) -> bytes:
    """An event."""
    return said(**event(sequence, x, y, **more))


def hang_up(connection: socket.socket) -> None:
    """Ends the connection."""
    connection.shutdown(socket.SHUT_RDWR)


class Scripted:
    """Listens on `path`; the n-th connection gets the n-th script once it has called, the last one all others."""

    def __init__(self, path: Path, *scripts: list[Act]) -> None:
        self.scripts = list(scripts)
        self.calls: list[dict] = []
        self.connections: list[socket.socket] = []
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(str(path))
        self.listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Hangs up on everybody."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.connections:
            connection.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            number = min(len(self.connections), len(self.scripts)) - 1
            threading.Thread(target=self._play, args=(connection, self.scripts[number]), daemon=True).start()

    def _play(self, connection: socket.socket, script: list[Act]) -> None:
        call = b""
        try:
            while not call.endswith(b"\0"):
                data = connection.recv(65536)
                if not data:
                    return
                call += data
            self.calls.append(json.loads(call[:-1]))
            for act in script:
                if isinstance(act, bytes):
                    connection.sendall(act)
                else:
                    act(connection)
        except OSError:
            pass
