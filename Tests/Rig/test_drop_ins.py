"""Sensors that the hardened unit forbids: what it says without the drop-in, and that the drop-in lets through."""

import shlex
from collections.abc import Callable, Iterator

import pytest
from guest.hid import NAME, HidGyroscope
from guest.machine import Guest, StreamClient
from guest.service import Service, start_iiod
from guest.usb import PRODUCT, VENDOR, Converter

DOCUMENTS = "/usr/share/doc/parallaxd"
FOLDER = "/etc/systemd/system/parallaxd.service.d"
RULES = "/etc/udev/rules.d/95-rig.rules"
TURN = [(1500, 900, 0)] * 40


@pytest.fixture
def drop_in(guest: Guest, parallaxd: Service) -> Iterator[Callable[..., None]]:
    """Copies an example as it says of itself: `drop_in("network.conf", "192.168.2.1=127.0.0.1")`."""

    def copy(name: str, *changes: str) -> None:
        edits = "".join(f"s/{change.replace('=', '/')}/;" for change in changes)
        guest.shell(
            f"systemctl stop parallaxd.service; mkdir -p {FOLDER};"
            f" sed '{edits}' {DOCUMENTS}/{name} > {FOLDER}/{name}; systemctl daemon-reload"
        )

    yield copy
    guest.shell(f"systemctl stop parallaxd.service; rm -rf {FOLDER}; systemctl daemon-reload")


def refusal(parallaxd: Service, client: StreamClient, reason: str | None = None) -> str:
    """Why a sensor is waited for: what the status says, and the log as well."""
    client.until_state("waiting", reason, 120)
    status = parallaxd.status()
    assert status["state"] == "waiting" and status["retry_in"] <= 60, status
    assert status["text"] in parallaxd.journal
    return status["text"]


def test_a_network_needs_its_drop_in(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope, drop_in: Callable[..., None]
) -> None:
    """Forbidden, then allowed another machine only, then this one."""
    gyroscope.plug()
    start_iiod(guest)
    parallaxd.configure('[sensor]\nuri = "ip:127.0.0.1"\nread_timeout = 10')
    with parallaxd.client("subscriber") as client:
        client.subscribe()
        text = refusal(parallaxd, client, "permission")
        assert f"{FOLDER}/network.conf is missing" in text and "RestrictAddressFamilies=" in text, text
    drop_in("network.conf")
    with parallaxd.client("subscriber") as client:
        client.subscribe()
        # What is sent to a machine that is not named is lost without a word.
        text = refusal(parallaxd, client)
        assert f"{FOLDER}/network.conf" in text and "IPAddressDeny=" in text, text
    drop_in("network.conf", "192.168.2.1=127.0.0.1")
    with parallaxd.client("subscriber") as client:
        client.subscribe()
        begin = client.until_state("running", seconds=120)[-1]
        sensor = parallaxd.status()["sensor"]
        assert (sensor["name"], sensor["uri"]) == (NAME, "ip:127.0.0.1")
        gyroscope.queue(TURN)
        client.until(lambda event: event["x"] > begin["x"], "motion")


@pytest.fixture
def converter(guest: Guest, parallaxd: Service) -> Iterator[Converter]:
    """A converter at a USB port, not plugged in yet."""
    one = Converter(guest)
    yield one
    parallaxd.reset()
    one.remove()
    guest.shell(f"rm -f {RULES}; udevadm control --reload")


def hand_over(guest: Guest, converter: Converter) -> None:
    """Makes the node the group's, by the rule that the example shows."""
    example = guest.shell(f"grep -o 'SUBSYSTEM==.*' {DOCUMENTS}/usb.conf")
    rule = example.replace("0456", VENDOR).replace("b673", PRODUCT)
    guest.shell(
        f"echo {shlex.quote(rule)} > {RULES}; udevadm control --reload;"
        " udevadm trigger --subsystem-match=usb; udevadm settle --timeout=60"
    )
    said = guest.shell(f"stat -c '%U %G %a' {converter.node}")
    assert said == "root parallax-sensor 660", said


def test_a_converter_needs_its_drop_in(
    guest: Guest,
    parallaxd: Service,
    gyroscope: HidGyroscope,
    converter: Converter,
    drop_in: Callable[..., None],
) -> None:
    """Forbidden, then read; pulled out, and plugged in again under another number."""
    gyroscope.plug()
    converter.plug()
    hand_over(guest, converter)
    parallaxd.configure('[sensor]\nuri = "usb:"\nread_timeout = 10')
    with parallaxd.client("subscriber") as client:
        client.subscribe()
        text = refusal(parallaxd, client)
        assert f"{FOLDER}/usb.conf" in text and "DevicePolicy=" in text, text
    drop_in("usb.conf")
    with parallaxd.client("subscriber") as client:
        client.subscribe()
        begin = client.until_state("running", seconds=120)[-1]
        sensor = parallaxd.status()["sensor"]
        assert sensor["name"] == NAME and sensor["uri"].startswith("usb:"), sensor
        gyroscope.queue(TURN)
        before = client.until(lambda event: event["x"] > begin["x"], "motion")[-1]
        node = converter.node
        converter.unplug()
        client.until_state("waiting", "no-device", 120)
        converter.plug_again()
        assert converter.node != node
        client.until_state("running", seconds=120)
        gyroscope.queue(TURN)
        client.until(lambda event: event["x"] > before["x"], "motion again")
