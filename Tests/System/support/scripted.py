"""A server that says to each connection what a test wants, whatever it is."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .fakedaemon import event
from .unix_server import UnixServer

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


class Scripted(UnixServer):
    """Listens on `path`; the n-th connection gets the n-th script once it has called, the last one all others."""

    def __init__(self, path: Path, *scripts: list[Act]) -> None:
        self.scripts = list(scripts)
        self.calls: list[dict] = []
        self.listen(path)

    def serve(self, connection: socket.socket, number: int) -> None:
        """Waits for the call, and does what the script says."""
        call = b""
        while not call.endswith(b"\0"):
            data = connection.recv(65536)
            if not data:
                return
            call += data
        self.calls.append(json.loads(call[:-1]))
        for act in self.scripts[min(number, len(self.scripts) - 1)]:
            if isinstance(act, bytes):
                connection.sendall(act)
            else:
                act(connection)
