"""Every bound of the socket, from outside: its error, and that it costs nobody else anything."""

import json
import resource
import signal

import pytest

from support.client import INTERFACE, CallError
from support.descriptor_store import DescriptorStore
from support.process import context_switches, wait_still
from support.waiting import wait_for


def raw(method: str, end: bytes = b"\0", **members) -> bytes:
    """A call as bytes."""
    return json.dumps({"method": f"{INTERFACE}.{method}"} | members).encode() + end


def error(client) -> tuple[str, dict]:
    """The error that comes next, by its short name, and then the connection's end."""
    message = client.receive()
    assert client.is_closed()
    return message["error"].rsplit(".", 1)[1], message["parameters"]


def test_message_too_long(daemon):
    one = daemon("--demo", "--set", "server.max_message=1024")
    exact = raw("GetMotion", b"").ljust(1024)
    with one.client() as client:
        client.send_bytes(exact + b"\0")
        assert client.reply()["state"] == "idle"
        client.send_bytes(exact + b" ")
        assert error(client) == ("MessageTooLong", {"limit": 1024})


def test_far_too_long(daemon):
    """The one who sends a lot gets to read the answer; its end does not wait for that of the message."""
    one = daemon("--demo")
    with one.client() as client, one.client() as other:
        client.send_bytes(raw("Pan", parameters={"x": 0, "y": 0}))
        assert client.reply() == {}
        try:
            client.send_bytes(b'{"method":"' + b"x" * 300_000)
        except BrokenPipeError:
            pass  # told before it had sent all, and left
        assert error(client) == ("MessageTooLong", {"limit": 65536})
        assert other.call("GetMotion")["state"] == "idle"


@pytest.mark.parametrize("end", [b"\0", b"\n"])
def test_too_deep(daemon, end):
    one = daemon("--demo", "--set", "server.max_nesting=5")
    for depth, name in [(3, "InterfaceNotFound"), (4, "InvalidParameter")]:
        value = b"[" * depth + b"]" * depth
        with one.client(lines=end == b"\n") as client:
            client.send_bytes(b'{"method":"a.B","parameters":{"x":' + value + b"}}" + end)
            message = client.receive()
            assert message["error"].endswith(name)
            assert client.is_closed() if depth == 4 else not client.is_closed(0.3)


def test_deep_without_end(daemon):
    """A hundred thousand brackets are no recursion."""
    one = daemon("--demo")
    with one.client() as client:
        client.send_bytes(b'{"a":' + b"[" * 60_000 + b"\0")
        assert error(client) == ("InvalidParameter", {"parameter": "nesting"})


def test_calls_that_wait(daemon):
    one = daemon("--demo", "--set", "server.max_pipelined_calls=4")
    with one.client() as client, one.client() as other:
        client.subscribe()
        for _ in range(4):
            client.send("Recenter")
        client.events(10)
        client.send("Recenter")
        with pytest.raises(CallError) as raised:
            client.events(1000)
        assert raised.value.parameters == {"parameter": "pipelining"}
        assert client.is_closed()
        wait_for(lambda: other.call("GetStatus")["subscribers"] == 0, "the stream to be gone")


def test_a_message_without_end(daemon):
    one = daemon("--demo", "--set", "server.message_timeout=0.3")
    with one.client() as silent, one.client() as slow:
        slow.send_bytes(b'{"method":')
        assert error(slow) == ("InvalidParameter", {"parameter": "message"})
        # Who says nothing at all may stay.
        assert silent.call("GetMotion")["state"] == "idle"


def test_a_message_without_end_that_grows(daemon):
    """Its time counts from the first byte; a byte now and then does not prolong it."""
    one = daemon("--demo", "--set", "server.message_timeout=0.5")
    with one.client(timeout=0.05) as client:
        client.send_bytes(b'{"method":"')

        def told() -> dict | None:
            try:
                client.send_bytes(b"x")
            except (BrokenPipeError, TimeoutError):
                pass  # told and left meanwhile, or held up
            try:
                return client.receive()
            except TimeoutError:
                return None

        assert wait_for(told, "an answer", every=0)["parameters"] == {"parameter": "message"}


@pytest.mark.parametrize("key", ["max_connections", "max_connections_per_user"])
@pytest.mark.parametrize("lines", [False, True])
def test_one_connection_too_many(daemon, key, lines):
    one = daemon("--demo", "--set", f"server.{key}=3")
    clients = [one.client() for _ in range(3)]
    for client in clients:
        client.subscribe()
    with one.client(lines=lines) as late:
        late.send("Subscribe", more=True)
        assert error(late) == ("TooManySubscribers", {"limit": 3})
    clients.pop().close()

    def admitted() -> bool:
        with one.client() as client:
            try:
                return bool(client.call("GetMotion"))
            except CallError:
                return False

    wait_for(admitted, "a place to be free")
    for client in clients:
        wait_for(lambda: client.event()["state"] == "running", "those who came first to be served")
        client.close()


def test_a_crowd_too_many(daemon):
    """Far more than are kept to be answered: each is told, none hangs, and the first ones lose nothing."""
    one = daemon("--demo", "--set", "server.max_connections=2")
    with one.client() as first:
        first.subscribe()
        second = one.client()
        second.call("GetMotion")
        crowd = [one.client() for _ in range(60)]
        told = 0
        for client in crowd:
            try:
                client.send("GetMotion")
            except BrokenPipeError:
                pass  # told unasked
            assert error(client) == ("TooManySubscribers", {"limit": 2})
            told += 1
        assert told == 60
        for client in crowd:
            client.close()
        wait_for(lambda: first.event()["state"] == "running", "the one who came first to be served")
        second.close()


def test_one_that_takes_nothing(daemon):
    one = daemon(
        "--demo", "--set", "server.client_timeout=0.3", "--set", "motion.update_interval=0.005"
    )
    with one.client() as stopped, one.client() as other:
        stopped.subscribe(only_changes=False)
        wait_for(lambda: other.call("GetStatus")["subscribers"] == 0, "a stopped reader to be closed")
        assert other.call("GetStatus")["counters"]["dropped"] > 0


def test_connections_that_say_nothing_wake_nobody(daemon):
    one = daemon("--demo")
    clients = [one.client() for _ in range(5)]
    for client in clients:
        client.call("GetMotion")
    with one.client() as reduced:
        reduced.subscribe(reduced_motion=True)
        settled = wait_still(one.pid)
        with pytest.raises(TimeoutError):
            reduced.event(timeout=1)
        assert context_switches(one.pid) == settled
    for client in clients:
        client.close()


def descriptors(pid: int) -> tuple[int, int]:
    """RLIMIT_NOFILE of a process: soft and hard."""
    return resource.prlimit(pid, resource.RLIMIT_NOFILE)


def test_as_many_descriptors_as_the_machine_allows(daemon):
    one = daemon("--demo", before=["prlimit", "--nofile=256:3000"])
    assert descriptors(one.pid) == (3000, 3000)
    assert "descriptors" not in one.log


def test_fewer_descriptors_than_connections(daemon):
    """It is said at the start and at a reload, and those who come too late wait for a place."""
    one = daemon("--demo", before=["prlimit", "--nofile=64:100"])
    assert "server.max_connections = 1100 needs 1164 descriptors, and this process may have 100" in one.log
    one.config.write_text("[server]\nmax_connections = 1200\n")
    one.signal(signal.SIGHUP)
    one.wait_log("server.max_connections = 1200 needs 1264 descriptors")
    clients = [one.client() for _ in range(110)]
    assert clients[0].call("GetMotion")["state"] == "idle"
    late = clients.pop()
    late.send("GetMotion")
    with pytest.raises(TimeoutError):
        late.reply(timeout=0.5)
    for client in clients:
        client.close()
    assert late.reply(timeout=60)["state"] == "idle"
    late.close()


def test_fewer_are_kept_over_a_restart_than_may_connect(daemon, folder):
    store = DescriptorStore(folder, capacity=1000)
    try:
        one = daemon("--demo", store=store)
        one.wait_log("over a restart the service manager keeps 1000 descriptors, of 1103")
    finally:
        store.close()


def test_one_user_may_have_a_thousand(daemon):
    one = daemon("--demo", "--set", "server.max_connections_per_user=1000")
    if descriptors(one.pid)[1] < 1100 or resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 1100:
        pytest.skip("this machine allows fewer than 1100 descriptors")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))

    def arrive():
        try:
            return one.client()
        except BlockingIOError:
            return None  # the queue of those who wait to be accepted is full

    clients = [wait_for(arrive, "room in the queue") for _ in range(1000)]
    try:
        assert clients[-1].call("GetStatus")["connections"] == 1000
        with one.client() as late:
            late.send("GetMotion")
            assert error(late) == ("TooManySubscribers", {"limit": 1000})
    finally:
        for client in clients:
            client.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
