"""A listening Unix socket, whose connections are each served on a thread of their own."""

import socket
import threading
from pathlib import Path


class UnixServer:
    """What answers at a path; `serve` says how."""

    connections: list[socket.socket]

    def listen(self, path: Path) -> None:
        """Begins; to be called once, when all that `serve` needs is there."""
        self.connections = []
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

    def serve(self, connection: socket.socket, number: int) -> None:
        """Talks to the connection of that number, from 0. An OSError ends it."""
        raise NotImplementedError

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            number = len(self.connections) - 1
            threading.Thread(target=self._serve, args=(connection, number), daemon=True).start()

    def _serve(self, connection: socket.socket, number: int) -> None:
        try:
            self.serve(connection, number)
        except OSError:
            pass
