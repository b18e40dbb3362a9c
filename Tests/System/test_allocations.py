"""In steady state nothing is allocated per sample: counted in the running daemon, from outside."""

import selectors
import threading
import time

import pytest

from support.gyroscope import Gyroscope
from support.malloc_count import MallocCount
from support.page import Page
from support.waiting import wait_for


WITH_ACCELEROMETER = {
    "others": {f"in_accel_{axis}": "le:s16/16>>0" for axis in "xyz"}, "held": {"in_accel_z": 16000},
    "attributes": {"in_accel_scale": "0.000598205"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("device", "settings", "span"),
    [
        ({}, [], 2000),
        ({"quantity": "deltaangl", "clock": None}, ["--set", "sensor.glitch_guard=true"], 2000),
        ({}, ["--set", "motion.threshold=0"], 7),
        (WITH_ACCELEROMETER, [], 2000),
    ],
    ids=["rates", "guarded-angles", "rest", "gravity"],
)
def test_no_allocation_per_sample(daemon, machine, folder, own_allocator, device, settings, span):
    """Scans through libiio, the pipeline, the encoder and the sockets: three kinds of subscribers, raw scans, and a page."""
    malloc_count = MallocCount(folder)
    gyroscope = machine.add(Gyroscope(sampling_frequency="400.000000", **device))
    arguments = ["--set", "motion.update_interval=0", "--set", "server.allow_raw=true", *settings]
    one = daemon(*arguments, machine=machine, environment=malloc_count.environment)
    clients = [one.client() for _ in range(5)]
    options = [{"only_changes": False}, {"rate": True}, {"screen_rotation": 90, "tilt": True}]
    for client, parameters in zip(clients, options):
        client.subscribe(**parameters)
    clients[3].send("SubscribeRaw", more=True)
    page = Page(clients[4])
    gyroscope.wait_enabled()
    going = True
    seen = [0, 0, 0, 0]
    start = time.monotonic_ns() - 3600 * 10**9

    def move() -> None:
        n = 0
        while going:
            n += 1
            time.sleep(0.0025)
            # At rest in time of its own: 500 samples are six windows, and the bias is learned.
            stamp = start + n * 20_000_000 if span == 7 else time.monotonic_ns()
            gyroscope.write_scans([(stamp, n * 31 % span - span // 2, n * 17 % span - span // 2, 5)])

    def read(index: int) -> None:
        while going:
            clients[index].event()
            seen[index] += 1

    threads = [threading.Thread(target=move, daemon=True)]
    threads += [threading.Thread(target=read, args=(index,), daemon=True) for index in range(4)]
    for thread in threads:
        thread.start()
    wait_for(lambda: min(seen) >= 200, "events for everybody", every=0.05)
    before, at = malloc_count.read().total, list(seen)
    assert before > 0, "the counter counts"
    wait_for(lambda: min(now - then for now, then in zip(seen, at)) >= 500, "500 events for everybody", every=0.05)
    allocated = malloc_count.read().total - before
    assert page.read()["has_rate"]
    with one.client() as client:
        status = client.call("GetStatus")
        assert (status["bias_confidence"] > 0) == (span == 7)
        assert ("and accelerometer" in status["tilt"]) == (device is WITH_ACCELEROMETER)
    going = False
    for thread in threads:
        thread.join()
    for client in clients:
        client.close()
    assert allocated == 0, f"{allocated} allocations in 500 samples"


SCENE = {
    "bounds": {"width": 100, "height": 100},
    "background": {"width": 120, "height": 130},
    "layers": [{}, {"depth": 0.5}, {}],
    "front": True,
    "effects": [
        {"key_path": "center.x", "axis": "horizontal", "minimum": -10, "maximum": 10},
        {"key_path": "center.x", "axis": "vertical", "minimum": -1, "maximum": 3},
    ],
}
KINDS = [
    {"only_changes": False},
    {"only_changes": False, "backlog": 64},
    {"rate": True},
    {"screen_rotation": 90, "tilt": True},
    {"screen_rotation": 270, "rate": True, "scene": SCENE, "only_changes": False},
    {"min_interval": 0.02, "scene": SCENE},
    {"only_changes": False, "backlog": 2},
    {"reduced_motion": True, "tilt": True, "scene": SCENE},
]


def test_no_allocation_for_a_crowd(daemon, machine, folder, own_allocator):
    """A hundred and twenty subscribers of eight kinds, of both forms, who all read."""
    malloc_count = MallocCount(folder)
    gyroscope = machine.add(Gyroscope(sampling_frequency="200.000000"))
    one = daemon(
        "--set", "motion.update_interval=0", "--set", "accessibility.reduced_motion_scale=0.5",
        machine=machine, environment=malloc_count.environment,
    )
    clients = [one.client(lines=number % 16 >= 8) for number in range(120)]
    for number, client in enumerate(clients):
        client.subscribe(**KINDS[number % 8])
    gyroscope.wait_enabled()
    selector = selectors.DefaultSelector()
    seen = [0] * len(clients)
    for number, client in enumerate(clients):
        selector.register(client.socket, selectors.EVENT_READ, number)
    fed = 0

    def feed(enough: int) -> None:
        """Moves until each of them has got so many events."""
        nonlocal fed
        while min(seen) < enough:
            fed += 1
            gyroscope.write_scans([(time.monotonic_ns(), fed * 31 % 2000 - 1000, fed * 17 % 2000 - 1000, 5)])
            end = time.monotonic() + 0.005
            while (left := end - time.monotonic()) > 0:
                for key, _ in selector.select(left):
                    data = clients[key.data].socket.recv(65536)
                    assert data, "a subscriber was hung up on"
                    seen[key.data] += data.count(b'"sequence"')

    feed(50)
    before, at = malloc_count.read().total, min(seen)
    feed(at + 100)
    allocated = malloc_count.read().total - before
    for client in clients:
        client.close()
    assert allocated == 0, f"{allocated} allocations in {fed} samples"
