"""Who is served by the installed socket."""

import pytest
from guest.hid import HidGyroscope
from guest.machine import Guest
from guest.service import Service
from support.client import CallError, Closed


def test_the_group_is_served_and_others_are_refused(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope
) -> None:
    """By the socket's group and mode."""
    gyroscope.plug()
    with parallaxd.client("subscriber") as client:
        client.subscribe()
        client.until_state("running")
    with parallaxd.client("stranger") as client, pytest.raises((Closed, OSError)):
        client.subscribe()
    code, said = guest.code("runuser -u stranger -- parallaxctl status")
    assert code == 4 and "parallax" in said, (code, said)


def test_rates_and_control_are_for_the_control_group(parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """The daemon's dynamic user sees its peers' groups as they are."""
    gyroscope.plug()
    with parallaxd.client("controller") as client:
        client.subscribe(rate=True)
    with parallaxd.client("controller") as client:
        client.call("Recenter")
    for method, parameters, flags in [("Subscribe", {"rate": True}, {"more": True}), ("Recenter", {}, {})]:
        with parallaxd.client("subscriber") as client, pytest.raises(CallError, match="PermissionDenied"):
            client.call(method, parameters, **flags)


def test_nobody_but_the_service_may_read_the_sensor(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope
) -> None:
    """The node is the sensor group's, and no subscriber is in that."""
    node = f"/dev/{gyroscope.plug().rsplit('/', 1)[1]}"
    code, said = guest.code(f"runuser -u controller -- head -c 1 {node}")
    assert code != 0 and "denied" in said
    with parallaxd.client() as client:
        client.call("GetStatus")
        identity = guest.shell(
            f"grep -E '^(Uid|CapEff|Groups|NoNewPrivs|Seccomp):' /proc/{parallaxd.pid}/status"
        )
    fields = dict(line.split(":", 1) for line in identity.splitlines())
    assert fields["Uid"].split()[0] != "0"
    assert int(fields["CapEff"], 16) == 0
    assert fields["NoNewPrivs"].strip() == "1"
    assert fields["Seccomp"].strip() == "2"
    assert guest.shell("getent group parallax-sensor").split(":")[2] in fields["Groups"].split()
