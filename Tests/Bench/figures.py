"""One measured stretch, and what many come to."""

import os
import resource
import statistics
import subprocess
from dataclasses import dataclass

from servers import Programs, Running, last_cpu


class Failed(Exception):
    """The server, or those who read it, did not survive; why, in one line."""


@dataclass
class Figures:
    """What one stretch gave, in the units of the tables."""

    rate: int
    made: int
    delivered: int
    cpu_ns: int
    seconds: float
    p50: float = 0  # µs
    p99: float = 0  # µs
    read_ns: float = 0
    resident: int = 0  # KiB
    private: int = 0  # KiB

    @property
    def cpu(self) -> float:
        """µs of the server's time for each event that somebody got."""
        return self.cpu_ns / max(1, self.delivered) / 1e3

    def share(self, count: int) -> float:
        """Of what the sensor was to make for all subscribers, how much they got."""
        return self.delivered / (self.rate * self.seconds * count)


def many_descriptors() -> None:
    """Before the client: a processor of its own, and as many descriptors as there may be."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    last_cpu()


def measure(programs: Programs, server: Running, rate: int, count: int, seconds: float) -> Figures:
    """Runs the client against a server that is up."""
    command = [str(programs.subscribers), *server.feed, str(rate), str(seconds), str(count), *server.channel]
    try:
        done = subprocess.run(
            command, env=os.environ | {"SERVER_PID": str(server.pid)}, capture_output=True, text=True,
            timeout=seconds + 60, pass_fds=server.descriptors, preexec_fn=many_descriptors,
        )
    except subprocess.TimeoutExpired:
        raise Failed("the client never came to an end") from None
    if done.returncode:
        raise Failed(done.stderr.strip() or f"the client ended with {done.returncode}")
    got = {name: float(value) for name, _, value in (word.partition("=") for word in done.stdout.split())}
    if not got["rss_kib"]:
        raise Failed("the server has gone")
    return Figures(
        rate, int(got["made"]), int(got.get("delivered", 0)), int(got["cpu_ns"]), seconds, got.get("p50_ns", 0) / 1e3,
        got.get("p99_ns", 0) / 1e3, got.get("read_ns", 0), int(got["rss_kib"]), int(got["anon_kib"]),
    )


def median(values) -> float:
    """Of any iterable; 0 of none."""
    return statistics.median(list(values) or [0])


def ratio(ours: list[Figures], theirs: list[Figures], pick) -> float | None:
    """The median of the rounds' own ratios: what the machine did otherwise in a round is in both."""
    pairs = [(pick(one), pick(other)) for one, other in zip(ours, theirs)]
    return statistics.median(one / other for one, other in pairs if other > 0) if pairs else None
