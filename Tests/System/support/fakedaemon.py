"""What answers like a daemon and can be made to misbehave: for tests of the client alone."""

import json
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .unix_server import UnixServer

STATUS: dict[str, Any] = {
    "version": "9.9.9",
    "state": "running",
    "reason": None,
    "text": "reading bmi160 for 1 subscriber",
    "retry_in": None,
    "reduced_motion": False,
    "sensor": {
        "backend": "iio",
        "name": "bmi160",
        "label": None,
        "id": "iio:device0",
        "path": None,
        "uri": "local:",
        "mode": "buffer",
        "why": ["the only gyroscope", "it has a trigger"],
        "frequency_asked": 66.66666666666667,
        "frequency_set": 100,
        "frequency_measured": 99.875,
        "clock": "monotonic",
        "scale": [0.001064724, 0.001064724, 0.001064724],
        "mount_matrix": [0, 1, 0, -1, 0, 0, 0, 0, 1],
        "mount_matrix_from": "in_mount_matrix",
        "skipped_rows": None,
    },
    "configuration": {"files": ["/etc/parallaxd/parallaxd.toml"], "loaded_at": 1700000000, "last_error": None},
    "settings": [{"name": "motion.threshold", "value": "0.25"}],
    "bias": [0, 0, 0],
    "bias_confidence": None,
    "counters": {
        "samples": 100,
        "updates": 33,
        "invalid": 0,
        "out_of_order": 0,
        "clock_steps": 0,
        "gaps": 0,
        "settling": 0,
        "wakeups": 100,
        "events_sent": 33,
        "dropped": 0,
    },
    "subscribers": 1,
    "connections": 2,
}


def event(sequence: int, x: float, y: float, **more: Any) -> dict:
    """An event's parameters."""
    start = {"sequence": sequence, "timestamp_ns": 30_000_000 * (sequence + 1), "x": x, "y": y}
    return start | {"state": "running", "reason": None, "reduced_motion": False, "dropped": 0} | more


@dataclass
class FakeDaemon(UnixServer):
    """Listens on `path`; every stream gets `events` and then, with `hangs_up`, a hang-up."""

    path: Path
    status: dict = field(default_factory=lambda: STATUS)
    # Parameters of events, or bytes that go out as they are.
    events: list[dict | bytes] = field(default_factory=list)
    # Method (without interface) to the error it is answered with.
    errors: dict[str, tuple[str, dict]] = field(default_factory=dict)
    # Method to the parameters of its reply; none are in that of any other.
    replies: dict[str, dict] = field(default_factory=dict)
    # Whether a stream with rates is refused.
    refuses_rates: bool = False
    hangs_up: bool = False
    # Whether no call is answered at all.
    silent: bool = False
    # How many calls are answered before it falls silent; None: it does not.
    answers: int | None = None
    calls: list[dict] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.listen(self.path)

    def hang_up(self) -> None:
        """Leaves everybody who is connected."""
        for connection in self.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def called(self, method: str) -> list[dict]:
        """The parameters of the calls of `method` so far."""
        name = f"org.parallaxd.Motion.{method}"
        return [call.get("parameters", {}) for call in self.calls if call["method"] == name]

    def serve(self, connection: socket.socket, number: int) -> None:
        """Answers each call as it is told to."""
        buffer = b""
        while data := connection.recv(65536):
            buffer += data
            while b"\0" in buffer:
                message, buffer = buffer.split(b"\0", 1)
                call = json.loads(message)
                self.calls.append(call)
                self._answer(connection, call)

    def _answer(self, connection: socket.socket, call: dict) -> None:
        def reply(parameters: dict, **more: Any) -> None:
            connection.sendall(json.dumps({"parameters": parameters} | more).encode() + b"\0")

        if self.silent or (self.answers is not None and len(self.calls) > self.answers):
            return
        method = call["method"].removeprefix("org.parallaxd.Motion.")
        if method in self.errors:
            name, parameters = self.errors[method]
            reply(parameters, error=name)
        elif method == "Subscribe":
            if self.refuses_rates and call.get("parameters", {}).get("rate"):
                reply({}, error="org.varlink.service.PermissionDenied")
                return
            for parameters in self.events:
                if isinstance(parameters, bytes):
                    connection.sendall(parameters)
                else:
                    reply(parameters, continues=True)
            if self.hangs_up:
                connection.shutdown(socket.SHUT_RDWR)
        elif method == "GetStatus":
            reply(self.status)
        else:
            reply(self.replies.get(method, {}))
