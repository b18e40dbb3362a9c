"""The socket from outside: a client that is not ours, socat, and raw bytes for what those hide."""

import json
import subprocess

import pytest
import varlink
import varlink.error

from support.client import INTERFACE, CallError
from support.waiting import wait_for

SERVICE = "org.varlink.service"
EVENT_KEYS = {"sequence", "timestamp_ns", "x", "y", "state", "reduced_motion"}


@pytest.fixture
def demo(daemon):
    """A daemon that plays the demonstration, with an update every 5 ms."""
    return daemon("--demo", "--set", "motion.update_interval=0.005")


@pytest.fixture
def proxy(demo):
    """The Varlink client of PyPI, which reads the interface from the daemon itself."""
    with varlink.Client(f"unix:{demo.socket}") as client, client.open(INTERFACE) as connection:
        yield connection


def socat(path, data: bytes) -> subprocess.Popen:
    """socat with `data` on its input, which ends there; by itself it would leave half a second later."""
    process = subprocess.Popen(
        ["socat", "-t60", "-", f"UNIX-CONNECT:{path}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    process.stdin.write(data)
    process.stdin.close()
    process.stdin = None
    return process


def call_bytes(method: str, parameters: dict | None = None, end: bytes = b"\0", **flags: bool) -> bytes:
    """A call as bytes."""
    name = method if "." in method else f"{INTERFACE}.{method}"
    return json.dumps({"method": name, "parameters": parameters or {}} | flags).encode() + end


def error_of(message: dict) -> tuple[str, dict]:
    """An error reply's short name and its parameters."""
    return message["error"].rsplit(".", 1)[1], message["parameters"]


# A client that is not ours


def test_the_service_describes_itself(demo):
    with varlink.Client(f"unix:{demo.socket}") as client:
        with client.open(SERVICE) as connection:
            info = connection.GetInfo()
            assert info["product"] == "parallaxd"
            assert info["interfaces"] == [SERVICE, INTERFACE]
            for name in info["interfaces"]:
                text = connection.GetInterfaceDescription(name)["description"]
                assert varlink.Interface(text).name == name
            with pytest.raises(varlink.error.InterfaceNotFound):
                connection.GetInterfaceDescription("org.nowhere")


def test_every_call_through_a_foreign_client(proxy):
    event = proxy.GetMotion()
    assert EVENT_KEYS <= event.keys()
    status = proxy.GetStatus()
    assert status["sensor"]["backend"] == "demo"
    assert status["connections"] >= 1
    assert proxy.Recenter() == {}
    assert proxy.Pan(3, 4.5) == {}
    moved = proxy.GetMotion()
    assert (moved["x"], moved["y"]) == (3, -4.5)
    assert proxy.SetReducedMotion(True) == {}
    assert proxy.GetMotion()["reduced_motion"] is True
    assert proxy.SetReducedMotion(None) == {}
    assert proxy.GetMotion()["reduced_motion"] is False
    # The hand of the demonstration holds nothing still.
    with pytest.raises(varlink.error.VarlinkError, match="DeviceMoved"):
        proxy.Calibrate()
    # A client that takes no descriptors gets the reply all the same.
    assert proxy.OpenPage() == {"version": 1, "size": 192, "fileDescriptor": 0}
    with pytest.raises(varlink.error.VarlinkError, match="ExpectedMore"):
        proxy.Subscribe()


def test_a_stream_through_a_foreign_client(proxy):
    stream = proxy.Subscribe(rate=True, only_changes=False, _more=True)
    events = [next(stream) for _ in range(20)]
    assert events[0]["state"] == "idle"
    assert any(event["state"] == "running" for event in events)
    assert {"x", "y", "z"} == events[-1]["rate"].keys()
    sequences = [event["sequence"] for event in events]
    assert sequences == sorted(sequences)


def test_the_status_has_exactly_the_described_fields(demo):
    """Every member that comes is named in the description, and the other way round."""
    with demo.client() as client:
        text = client.call(f"{SERVICE}.GetInterfaceDescription", {"interface": INTERFACE})["description"]
        interface = varlink.Interface(text)
        status = client.call("GetStatus")

    def compare(value, kind):
        kind = getattr(kind, "element_type", kind)
        kind = interface.members[kind.name].type if hasattr(kind, "name") else kind
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, dict):
            assert set(value) == set(kind.fields)
            for name, member in value.items():
                compare(member, kind.fields[name])

    compare(status, interface.get_method("GetStatus").out_type)


# socat


def test_lines_with_socat(demo):
    """`echo … | socat` half-closes at once and reads on."""
    process = socat(demo.socket, call_bytes("GetMotion", end=b"\n") + call_bytes("GetStatus", end=b"\r\n\r\n"))
    lines = process.communicate(timeout=60)[0].split(b"\n")
    assert [json.loads(line)["parameters"]["state"] for line in lines[:2]] == ["idle", "idle"]
    assert lines[2:] == [b""]


def test_nul_with_socat(demo):
    output = socat(demo.socket, call_bytes("GetMotion")).communicate(timeout=60)[0]
    assert output.endswith(b"\0") and output.count(b"\0") == 1


def test_a_stream_goes_on_after_a_half_close(demo):
    process = socat(demo.socket, call_bytes("Subscribe", end=b"\n", more=True))
    try:
        events = [json.loads(process.stdout.readline()) for _ in range(30)]
        assert all(event["continues"] for event in events)
        assert events[-1]["parameters"]["state"] == "running"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    with demo.client() as client:
        wait_for(lambda: client.call("GetStatus")["subscribers"] == 0, "the stream to end with its reader")


def test_oneway_and_gone(demo):
    """Nothing is read any more when the calls come in; they count all the same."""
    with demo.client() as client:
        client.send_bytes(b"".join(call_bytes("Pan", {"x": 1, "y": 0}, oneway=True) for _ in range(3)))
    with demo.client() as client:
        wait_for(lambda: client.call("GetMotion")["x"] == 3, "three pans")


# Raw bytes: framing


@pytest.mark.parametrize("lines", [False, True])
def test_bytes_in_pieces(demo, lines):
    data = b"".join(call_bytes("Pan", {"x": n, "y": 0}, b"\n" if lines else b"\0") for n in range(3))
    with demo.client(lines=lines) as client:
        for byte in data:
            client.send_bytes(bytes([byte]))
        assert [client.reply() for _ in range(3)] == [{}, {}, {}]
        assert client.call("GetMotion")["x"] == 3


def test_newlines_between_tokens(demo):
    pretty = json.dumps({"method": f"{INTERFACE}.GetMotion"}, indent=2).encode()
    with demo.client() as client:
        client.send_bytes(pretty + b"\0")
        assert client.reply()["state"] == "idle"
    with demo.client(lines=True) as client:
        client.send_bytes(b"\n\r\n" + pretty + b"\r\n\n" + pretty + b"\n")
        assert [client.reply()["state"] for _ in range(2)] == ["idle", "idle"]


def test_both_terminators(demo):
    """The newline has ended the message; the NUL after it is as good as a blank line."""
    with demo.client(lines=True) as client:
        for _ in range(2):
            client.send_bytes(call_bytes("GetMotion", end=b"\n\0"))
            assert client.reply()["state"] == "idle"


def test_an_empty_message(demo):
    with demo.client() as client:
        client.send_bytes(call_bytes("GetMotion") + b"\0")
        assert client.reply()["state"] == "idle"
        assert error_of(client.receive()) == ("InvalidParameter", {"parameter": "message"})
        assert client.is_closed()


def test_pipelining_keeps_the_order(demo):
    with demo.client() as client:
        client.send_bytes(
            call_bytes("Pan", {"x": 2, "y": 0})
            + call_bytes("GetMotion")
            + call_bytes("Recenter", oneway=True)
            + call_bytes("Nonsense")
            + call_bytes("GetMotion")
        )
        assert client.reply() == {}
        assert client.reply()["x"] == 2
        assert error_of(client.receive()) == ("MethodNotFound", {"method": f"{INTERFACE}.Nonsense"})
        assert client.reply()["x"] == 0


# Raw bytes: what is wrong

MALFORMED = [
    (b"hello", "message"),
    (b"[]", "message"),
    (b"{}", "method"),
    (b'{"method":', "message"),
    (b'{"method":"a.B",}', "message"),
    (b'{"method":"a.B"}}', "message"),
    (b'{"method":"a.B"}{"method":"a.B"}', "message"),
    (b'{"method":"a.B","parameters":{"x":01}}', "message"),
    (b'{"method":"\xff"}', "message"),
    (b"\xff\xfe{\x00}\x00", "message"),
    (b'{"method":"a.B","more":1}', "more"),
    (b'{"method":"a.B","oneway":"yes"}', "oneway"),
    (b'{"method":"a.B","more":true,"oneway":true}', "oneway"),
    (b'{"method":"a.B","upgrade":true,"more":true}', "upgrade"),
    (b'{"method":"a.B","extra":1}', "extra"),
    (b'{"method":"a.B","parameters":[]}', "parameters"),
    (b'{"method":7}', "method"),
]


# In lines these two would go on after the newline, or end at the NUL.
ENDS = [(*case, end) for case in MALFORMED for end in (b"\0", b"\n")]
ENDS.remove((b'{"method":', "message", b"\n"))
ENDS.remove((b"\xff\xfe{\x00}\x00", "message", b"\n"))


@pytest.mark.parametrize("message,parameter,end", ENDS)
def test_malformed_messages_cost_the_connection(demo, message, parameter, end):
    with demo.client(lines=end == b"\n") as client, demo.client() as other:
        client.send_bytes(message + end + call_bytes("Recenter", end=end))
        assert error_of(client.receive()) == ("InvalidParameter", {"parameter": parameter})
        assert client.is_closed()
        assert other.call("GetMotion")["state"] == "idle"


REFUSED = [
    ("Pan", {"x": 1}, "y"),
    ("Pan", {"x": "1", "y": 0}, "x"),
    ("Pan", {"x": 1e7, "y": 0}, "x"),
    ("Pan", {"x": 0, "y": 0, "z": 0}, "z"),
    ("GetMotion", {"rate": True}, "rate"),
    ("GetStatus", {"verbose": True}, "verbose"),
    ("Recenter", {"x": 0}, "x"),
    ("SetReducedMotion", {"enabled": "on"}, "enabled"),
    ("Subscribe", {"interval": 1}, "interval"),
    ("Subscribe", {"min_interval": 61}, "min_interval"),
    ("Subscribe", {"screen_rotation": 45}, "screen_rotation"),
    ("Subscribe", {"backlog": 0}, "backlog"),
    ("Subscribe", {"tilt": 1}, "tilt"),
]


@pytest.mark.parametrize("method,parameters,name", REFUSED)
def test_wrong_parameters_do_not_cost_the_connection(demo, method, parameters, name):
    with demo.client() as client:
        with pytest.raises(CallError) as raised:
            client.call(method, parameters, more=method == "Subscribe")
        assert raised.value.name == f"{SERVICE}.InvalidParameter"
        assert raised.value.parameters == {"parameter": name}
        assert client.call("GetMotion")["state"] == "idle"


def test_names_that_are_not_served(demo):
    with demo.client() as client:
        for method, expected in [
            ("org.nowhere.Get", ("InterfaceNotFound", {"interface": "org.nowhere"})),
            ("Fly", ("MethodNotFound", {"method": f"{INTERFACE}.Fly"})),
        ]:
            client.send(method)
            assert error_of(client.receive()) == expected
        client.send("GetMotion", upgrade=True)
        assert error_of(client.receive()) == ("InvalidParameter", {"parameter": "upgrade"})
        client.send("Subscribe", oneway=True)
        client.send("Subscribe")
        assert error_of(client.receive()) == ("ExpectedMore", {})
        assert client.call("GetMotion")["state"] == "idle"
