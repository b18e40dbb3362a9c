"""A Varlink client that hides nothing: bytes go out as given, messages come back as received."""

import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

INTERFACE = "org.parallaxd.Motion"


class Closed(Exception):
    """The other end has hung up."""


class CallError(Exception):
    """The reply was an error: its name and parameters."""

    def __init__(self, name: str, parameters: dict) -> None:
        super().__init__(f"{name} {parameters}")
        self.name = name
        self.parameters = parameters


class Client:
    """One connection. `lines` speaks JSON Lines instead of NUL-ended messages."""

    def __init__(self, path: str | Path, lines: bool = False, timeout: float = 60) -> None:
        self.end = b"\n" if lines else b"\0"
        self.timeout = timeout
        self.buffer = b""
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hangs up."""
        self.socket.close()

    def half_close(self) -> None:
        """No more calls; replies may still come."""
        self.socket.shutdown(socket.SHUT_WR)

    # Bytes and messages

    def send_bytes(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self.socket.sendall(data)

    def send(self, method: str, parameters: dict | None = None, **flags: bool) -> None:
        """Sends a call; a method without a dot is the daemon's own."""
        call: dict[str, Any] = {"method": method if "." in method else f"{INTERFACE}.{method}"}
        if parameters is not None:
            call["parameters"] = parameters
        self.send_bytes(json.dumps(call | flags).encode() + self.end)

    def receive_bytes(self, timeout: float | None = None) -> bytes:
        """The next message without its end; `Closed` at a hang-up, TimeoutError when none comes."""
        deadline = time.monotonic() + (self.timeout if timeout is None else timeout)
        while self.end not in self.buffer:
            self.socket.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                data = self.socket.recv(65536)
            except ConnectionResetError:
                data = b""
            if not data:
                raise Closed(f"after {self.buffer!r}" if self.buffer else "between messages")
            self.buffer += data
        message, self.buffer = self.buffer.split(self.end, 1)
        return message

    def receive(self, timeout: float | None = None) -> dict:
        """The next message, decoded."""
        return json.loads(self.receive_bytes(timeout))

    def is_closed(self, timeout: float | None = None) -> bool:
        """Whether the other end hangs up without another message."""
        try:
            self.receive_bytes(timeout)
        except Closed:
            return True
        except TimeoutError:
            pass
        return False

    # Calls

    def reply(self, timeout: float | None = None) -> dict:
        """The parameters of the next reply; an error is raised as `CallError`."""
        message = self.receive(timeout)
        if "error" in message:
            raise CallError(message["error"], message.get("parameters", {}))
        return message.get("parameters", {})

    def call(self, method: str, parameters: dict | None = None, **flags: bool) -> dict:
        """A call and its reply's parameters."""
        self.send(method, parameters, **flags)
        return self.reply()

    def subscribe(self, **parameters: Any) -> dict:
        """Opens a stream of events; the first one."""
        self.send("Subscribe", parameters, more=True)
        return self.reply()

    def event(self, timeout: float | None = None) -> dict:
        """The next event of the stream."""
        return self.reply(timeout)

    def event_where(self, wanted: Callable[[dict], bool], seconds: float = 60) -> dict:
        """The next event that is wanted; those before it are passed over."""
        end = time.monotonic() + seconds
        while not wanted(event := self.event()):
            if time.monotonic() > end:
                raise AssertionError(f"no such event in {seconds:g} s; the last one is {event}")
        return event

    def events(self, count: int) -> list[dict]:
        """The next `count` events."""
        return [self.event() for _ in range(count)]
