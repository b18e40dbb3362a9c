"""How far a long run has come."""

import sys
import time


class Progress:
    """A bar on a terminal; elsewhere a line for every tenth."""

    def __init__(self, steps: int) -> None:
        self.steps, self.done, self.start = steps, 0, time.monotonic()
        self.said = -1

    def advance(self) -> None:
        """One step more is done."""
        self.done += 1
        elapsed = time.monotonic() - self.start
        left = elapsed / self.done * (self.steps - self.done)
        text = f"{self.done} of {self.steps}, about {left / 60:.0f} min left"
        if sys.stderr.isatty():
            width = 30 * self.done // self.steps
            print(f"\r[{'#' * width}{'.' * (30 - width)}] {text} ", end="", file=sys.stderr, flush=True)
        elif 10 * self.done // self.steps > self.said:
            self.said = 10 * self.done // self.steps
            print(text, file=sys.stderr, flush=True)

    def finish(self) -> None:
        """The line ends."""
        if sys.stderr.isatty():
            print(file=sys.stderr)
