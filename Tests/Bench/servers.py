"""The servers that are measured, each started anew for every stretch, and how subscribers get at them."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from support.daemon import Daemon
from support.descriptor_store import DescriptorStore
from support.gyroscope import Gyroscope
from support.iiod import IIOD, Iiod
from support.machine import Machine
from support.waiting import wait_for

REPOSITORY = Path(__file__).resolve().parents[2]
SUBSCRIBE = '{"method":"org.parallaxd.Motion.Subscribe","parameters":{"only_changes":false,"backlog":64},"more":true}'
CPUS = sorted(os.sched_getaffinity(0))
SCALE = "0.001064724"
UNPACKED_MOSQUITTO = REPOSITORY / ".build/mosquitto/usr/sbin/mosquitto"
MOSQUITTO = str(UNPACKED_MOSQUITTO) if UNPACKED_MOSQUITTO.exists() else "/usr/sbin/mosquitto"


@dataclass
class Running:
    """A server that is up: whose time is taken, how the sensor is moved, how subscribers get events."""

    pid: int
    feed: list[str]
    channel: list[str]
    descriptors: list[int] = field(default_factory=list)


@dataclass
class Programs:
    """What is run: the daemon, and the C programs of this folder."""

    parallaxd: Path
    subscribers: Path
    bare_loop: Path
    iio_loop: Path


def place(task: int, cpu: int) -> None:
    """A processor for the server and one for who reads: where the scheduler puts two programs otherwise decides more
    than either does.
    """
    os.sched_setaffinity(task, {cpu})


def first_cpu() -> None:
    """The server's place, before it is started."""
    place(0, CPUS[0])


def last_cpu() -> None:
    """The place of the subscribers and of the sensor."""
    place(0, CPUS[-1])


def move_to_first_cpu(pid: int) -> None:
    """The server's place, after it was started."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(ProcessLookupError):  # a thread that has ended meanwhile
            place(int(task.name), CPUS[0])


@contextmanager
def process(command: list, **options) -> Iterator[subprocess.Popen]:
    """A process for as long as it is needed; ended by its own pid."""
    running = subprocess.Popen([str(word) for word in command], preexec_fn=first_cpu, **options)
    try:
        yield running
    finally:
        running.kill()
        running.wait()


def gyroscope(machine: Machine, rate: int) -> Gyroscope:
    """The one that all of them read, or would."""
    return machine.add(Gyroscope(sampling_frequency=f"{rate}.000000", sampling_frequency_available=None))


@contextmanager
def made_up_machine(folder: Path) -> Iterator[Machine]:
    """A machine of its own for a stretch."""
    machine = Machine(folder / "machine")
    try:
        yield machine
    finally:
        machine.close()


@contextmanager
def parallaxd(programs: Programs, folder: Path, rate: int, count: int, channel: str = "messages") -> Iterator[Running]:
    """The daemon, with every sample an update."""
    with made_up_machine(folder) as machine:
        sensor = gyroscope(machine, rate)
        home = folder / "daemon"
        home.mkdir()
        config = (
            f"[motion]\nupdate_interval = 0\n[sensor]\nsampling_frequency = {rate}\n"
            f"[server]\nmax_connections_per_user = {max(256, count)}\n"
        )
        # As installed: what outlives a restart is written down, and kept by a service manager.
        store = DescriptorStore(home, capacity=2202)
        daemon = Daemon(programs.parallaxd, home, [], machine=machine, config=config, store=store)
        try:
            daemon.wait_ready()
            move_to_first_cpu(daemon.pid)
            text = [SUBSCRIBE] if channel == "messages" else []
            yield Running(daemon.pid, ["fifo", str(sensor.node)], [channel, str(daemon.socket), *text])
            daemon.stop()
        finally:
            daemon.kill()
            store.close()


@contextmanager
def bare(programs: Programs, folder: Path, rate: int, count: int) -> Iterator[Running]:
    """The bare C loop."""
    fifo, socket = folder / "fifo", folder / "socket"
    os.mkfifo(fifo)
    command = [programs.bare_loop, fifo, socket, count, SCALE]
    with process(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        wait_for(socket.exists, "the bare loop to listen", 10)
        yield Running(server.pid, ["fifo", str(fifo)], ["messages", str(socket), ""])


@contextmanager
def mosquitto(programs: Programs, folder: Path, rate: int, count: int) -> Iterator[Running]:
    """The broker, at a Unix socket, which is the fastest it has."""
    socket, config = folder / "socket", folder / "mosquitto.conf"
    user = "user root\n" if os.geteuid() == 0 else ""
    config.write_text(
        f"listener 0 {socket}\nallow_anonymous true\nmax_connections -1\nmax_queued_messages 64\n"
        f"persistence false\nlog_type none\n{user}"
    )
    with process([MOSQUITTO, "-c", config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        wait_for(socket.exists, "mosquitto to listen", 10)
        yield Running(server.pid, ["mqtt", str(socket)], ["mqtt", str(socket)])


@contextmanager
def iiod(programs: Programs, folder: Path, rate: int, count: int) -> Iterator[Running]:
    """iiod on the same made-up device, and an iio_readdev for each subscriber, who reads what that writes.

    One scan a buffer, and unbuffered output: else iio_readdev gathers 4 KB.
    """
    with ExitStack() as stack:
        machine = stack.enter_context(made_up_machine(folder))
        sensor = gyroscope(machine, rate)
        server = Iiod(machine)
        server.start()
        assert server.process
        move_to_first_cpu(server.process.pid)
        descriptors = []
        readers: list[subprocess.Popen] = []

        def end() -> None:
            for reader in readers:
                reader.kill()
            for reader in readers:
                reader.wait()

        stack.callback(end)
        for _ in range(count):
            theirs, write = os.pipe()
            stack.callback(os.close, theirs)
            command = ["stdbuf", "-o0", "iio_readdev", "-u", server.uri, "-b", "1", "-T", "0", sensor.name]
            readers.append(
                subprocess.Popen(command, stdout=write, stderr=subprocess.DEVNULL, preexec_fn=last_cpu)
            )
            os.close(write)
            descriptors.append(theirs)
        words = [str(number) for number in descriptors]
        yield Running(server.process.pid, ["fifo", str(sensor.node)], ["scans", *words], descriptors)


@contextmanager
def iio_loop(programs: Programs, folder: Path, rate: int) -> Iterator[Running]:
    """The bare libiio loop, which serves nobody."""
    with made_up_machine(folder) as machine:
        sensor = gyroscope(machine, rate)
        with process(machine.command([str(programs.iio_loop), sensor.name]), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
            assert server.stdout and server.stdout.readline() == b"reading\n"
            yield Running(server.pid, ["fifo", str(sensor.node)], ["scans"])


def available() -> dict:
    """The servers that can be run here, by the names they have in the tables."""
    servers = {"parallaxd": parallaxd, "bare C loop": bare}
    if IIOD:
        servers["iiod"] = iiod
    if os.access(MOSQUITTO, os.X_OK):
        servers["mosquitto"] = mosquitto
    return servers
