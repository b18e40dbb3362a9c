"""Latency and CPU per delivered event, beside a bare C loop over the same FIFO, in the same run.

Both servers read the same kind of scans from a FIFO that the client process feeds, and send the same bytes to
the same subscribers; they take turns, and each figure is the median of the rounds. Also memory with ten
subscribers, and the size of the program.

    fanout.py [--seconds N] [--rounds N] [--rate HZ]

Prints Markdown. The programs are looked for in PARALLAXD_BIN, else in the release build.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Tests" / "System"))

from support.daemon import Daemon  # noqa: E402
from support.gyroscope import Gyroscope  # noqa: E402
from support.machine import Machine  # noqa: E402
from support.process import memory_kib  # noqa: E402

SUBSCRIBE = '{"method":"org.parallaxd.Motion.Subscribe","parameters":{"only_changes":false,"backlog":64},"more":true}'


@dataclass
class Figures:
    """One measured stretch."""

    events: int
    p50: float
    p99: float
    cpu: float
    share: float


def build(folder: Path, source: str, *libraries: str) -> Path:
    """Compiles one of the C programs beside this file."""
    program = folder / source.removesuffix(".c")
    command = ["cc", "-O2", "-o", str(program), str(Path(__file__).with_name(source)), *libraries]
    subprocess.run(command, check=True)
    return program


def measure(client: Path, server: int, socket: Path, fifo: Path, subscribers: int, args, *message: str) -> Figures:
    """Runs the client against a server that is up, each on a processor of its own.

    Where the scheduler puts them otherwise decides more than either program does.
    """
    cpus = sorted(os.sched_getaffinity(0))
    for task in Path(f"/proc/{server}/task").iterdir():
        os.sched_setaffinity(int(task.name), {cpus[0]})
    command = [client, socket, fifo, str(subscribers), str(args.rate), str(args.seconds), *message]
    done = subprocess.run(
        command, env=os.environ | {"SERVER_PID": str(server)}, capture_output=True, text=True, timeout=args.seconds + 60,
        preexec_fn=lambda: os.sched_setaffinity(0, {cpus[-1]}),
    )
    if done.returncode:
        sys.exit(f"fanout_client: {done.stderr}")
    events, p50, p99, cpu, share = (float(word) for word in done.stdout.split())
    return Figures(int(events), p50 / 1e3, p99 / 1e3, cpu / events / 1e3, share)


def ours(client: Path, program: Path, folder: Path, subscribers: int, args) -> tuple[Figures, dict]:
    """A round against parallaxd."""
    machine = Machine(folder / "machine")
    gyroscope = machine.add(Gyroscope(sampling_frequency=f"{args.rate:.6f}"))
    home = folder / "daemon"
    home.mkdir()
    config = f"[server]\nmax_connections_per_user = 1100\n[motion]\nupdate_interval = 0\n[sensor]\nsampling_frequency = {args.rate}\n"
    daemon = Daemon(program, home, [], machine=machine, config=config)
    try:
        daemon.wait_ready()
        figures = measure(client, daemon.pid, daemon.socket, gyroscope.node, subscribers, args, SUBSCRIBE)
        memory = {what: memory_kib(daemon.pid, what) for what in ("VmRSS", "VmHWM", "RssAnon")}
        daemon.stop()
        return figures, memory
    finally:
        daemon.kill()
        machine.close()


def bare(client: Path, loop: Path, folder: Path, subscribers: int, args) -> Figures:
    """A round against the bare loop."""
    fifo, socket = folder / "fifo", folder / "socket"
    os.mkfifo(fifo)
    server = subprocess.Popen([loop, fifo, socket, str(subscribers), Gyroscope.scale_text], stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 10
        while not socket.exists() and time.monotonic() < end:
            time.sleep(0.02)
        return measure(client, server.pid, socket, fifo, subscribers, args)
    finally:
        server.kill()
        server.wait()


def rows(pairs: list[tuple[Figures, Figures]], subscribers: int) -> str:
    """The Markdown rows of one number of subscribers."""
    text = ""
    for name, pick, unit in [
        ("CPU per delivered event", lambda f: f.cpu, "µs"),
        ("latency p50", lambda f: f.p50, "µs"),
        ("latency p99", lambda f: f.p99, "µs"),
    ]:
        a = statistics.median(pick(one) for one, _ in pairs)
        b = statistics.median(pick(other) for _, other in pairs)
        ratio = statistics.median(pick(one) / pick(other) for one, other in pairs)
        text += f"| {subscribers} | {name} | {a:.1f} {unit} | {b:.1f} {unit} | {ratio:.2f} |\n"
    share = statistics.median(one.share for one, _ in pairs)
    other = statistics.median(other.share for _, other in pairs)
    return text + f"| {subscribers} | delivered share | {share:.3f} | {other:.3f} | |\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--subscribers", type=int, nargs="+", default=[1, 10])
    args = parser.parse_args()
    program = Path(os.environ.get("PARALLAXD_BIN") or REPOSITORY / ".build" / "release").resolve() / "parallaxd"

    print(f"At {args.rate:g} Hz, every sample an update, median of {args.rounds} rounds of {args.seconds:g} s in turn, server and client on")
    print("a processor each; the ratio is the median of the rounds' own ratios.\n")
    print("| subscribers | figure | parallaxd | bare C loop | ratio |\n| --- | --- | --- | --- | --- |")
    memory = {}
    with tempfile.TemporaryDirectory(prefix="parallaxd-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        client = build(folder, "fanout_client.c", "-lm", "-lpthread")
        loop = build(folder, "bare_loop.c", "-lm")
        for subscribers in args.subscribers:
            pairs = []
            for number in range(args.rounds):
                here = folder / f"{subscribers}-{number}"
                (here / "bare").mkdir(parents=True)
                one, memory = ours(client, program, here, subscribers, args)
                pairs.append((one, bare(client, loop, here / "bare", subscribers, args)))
            print(rows(pairs, subscribers), end="", flush=True)
        stripped = folder / "stripped"
        subprocess.run(["strip", "-o", stripped, program], check=True)
        size = stripped.stat().st_size
    print(f"\nWith {args.subscribers[-1]} subscribers: " + ", ".join(f"{k} {v} KiB" for k, v in memory.items()) + ".")
    print(f"Program stripped: {size / 2**20:.1f} MiB.")


if __name__ == "__main__":
    main()
