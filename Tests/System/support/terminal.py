"""A program on a terminal of its own, as a person would see it."""

import fcntl
import os
import pty
import struct
import subprocess
import termios

from .waiting import wait_for


class Terminal:
    """A pseudo-terminal with a program in it."""

    def __init__(self, command: list, environment: dict[str, str], columns: int = 80, rows: int = 24) -> None:
        self.master, inside = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(inside)
        self.process = subprocess.Popen(
            command,
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env=environment,
            start_new_session=True,
            # Its controlling terminal: Ctrl-C then goes to whom a shell says.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        self.inside = inside
        os.set_blocking(self.master, False)
        self.output = ""

    def resize(self, columns: int, rows: int) -> None:
        """Changes the size; whoever runs inside has to be told by SIGWINCH."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self) -> str:
        """All that has been written so far."""
        try:
            while data := os.read(self.master, 65536):
                self.output += data.decode(errors="replace")
        except BlockingIOError:
            pass
        return self.output

    def wait_for(self, text: str) -> None:
        """Until `text` has been written."""
        wait_for(lambda: text in self.read(), f"{text!r} on the terminal")

    def type(self, keys: str) -> None:
        """Presses keys."""
        os.write(self.master, keys.encode())

    def wait(self) -> int:
        """Until the program ends; its exit code."""
        # The terminal's buffer is small: what is not read would stop the program.
        wait_for(lambda: self.read() is not None and self.process.poll() is not None, "the program to end")
        self.read()
        return self.process.returncode

    def close(self) -> None:
        """Ends what is left."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.inside)
