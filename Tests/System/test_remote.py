"""Sensors of another machine: what is in the way, and that they come back."""

import itertools
import signal
import socket
import threading
import time

import pytest

from support.gyroscope import Gyroscope
from support.iiod import IIOD, Iiod
from support.node_shim import NodeShim
from support.sensor import config, open_sensor, read_one, sensor_status, wait_state
from support.waiting import wait_for

needs_iiod = pytest.mark.skipif(IIOD is None, reason="iiod is missing (see `make deps`): no network to read over")


@pytest.fixture
def iiod(machine):
    """Another machine's iiod, not started."""
    return Iiod(machine)


def reading_over_the_network(daemon, machine, iiod: Iiod, settings: str = "") -> tuple:
    """Another machine's gyroscope, and a daemon that is to read it."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="50", sampling_frequency_available=None))
    iiod.start()
    return gyroscope, daemon(machine=machine, config=config(f'uri = "{iiod.uri}"\n{settings}'))


@needs_iiod
def test_iiod_ends_and_is_started_again(daemon, machine, iiod):
    """The subscriber stays and sees why nothing comes."""
    gyroscope, one = reading_over_the_network(daemon, machine, iiod)
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        assert read_one(client, gyroscope)["state"] == "running"
        iiod.kill()
        event = client.event_where(lambda event: event["state"] == "waiting")
        assert event["reason"] == "no-device"
        status = wait_state(one, "waiting", "no-device")
        assert 0 <= status["retry_in"] <= 60
        # What SIGKILL left: another machine's business, and no hindrance.
        gyroscope.set("buffer/enable", "0")
        iiod.start()
        event = read_one(client, gyroscope)
        assert event["state"] == "running"


@needs_iiod
def test_stamps_of_another_machine_that_stand_still(daemon, machine, iiod):
    """They are left out, once and for all."""
    gyroscope, one = reading_over_the_network(daemon, machine, iiod)
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        numbers = itertools.count()

        def goes_by_arrival() -> bool:
            gyroscope.write_scans([(0, next(numbers), 5, -5)])
            return sensor_status(one)["clock"] == "wake-up"

        wait_for(goes_by_arrival, "stamps to be left out", every=0.005)
        assert any("timestamps" in why and "are none" in why for why in sensor_status(one)["why"])
        assert read_one(client, gyroscope)["state"] == "running"
        assert gyroscope.enabled_elements == ["in_anglvel_x", "in_anglvel_y", "in_anglvel_z"]


@needs_iiod
def test_iiod_that_hangs(daemon, machine, iiod):
    """Clients are served meanwhile, and the sensor goes on when it answers."""
    gyroscope, one = reading_over_the_network(daemon, machine, iiod, "read_timeout = 1")
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        assert read_one(client, gyroscope)["state"] == "running"
        iiod.pause()
        event = client.event_where(lambda event: event["state"] != "running")
        assert event["reason"] in ("no-data", "no-device")
        for _ in range(20):
            with one.client() as other:
                # `starting` where another attempt is due already.
                assert other.call("GetStatus")["state"] != "running"
        iiod.resume()
        assert read_one(client, gyroscope)["state"] == "running"


def test_a_machine_where_no_iiod_runs(daemon, machine, iiod):
    one = daemon(machine=machine, config=config(f'uri = "{iiod.uri}"'))
    with one.client() as client:
        client.subscribe()
        status = wait_state(one, "waiting", "no-device")
        assert iiod.uri in status["text"] and "iiod" in status["text"] and status["retry_in"] <= 60


def test_a_machine_without_a_name(daemon, machine):
    one = daemon(machine=machine, config=config('uri = "ip:"'))
    with one.client() as client:
        client.subscribe()
        text = wait_state(one, "waiting", "no-device")["text"]
        assert "names no machine" in text and "ip:HOST" in text, text


def answer_junk(server: socket.socket, asked: list[bytes]) -> None:
    """Serves who connects: a list of devices that is none."""
    try:
        while True:
            connection, _ = server.accept()
            with connection, connection.makefile("rb") as lines:
                for line in lines:
                    asked.append(line.strip())
                    answer = {b"VERSION": b"0.24.0000000\n", b"PRINT": b"9\n<context>\n"}
                    connection.sendall(answer.get(line.strip(), b"-22\n"))
    except OSError:
        return


def test_a_machine_that_talks_of_something_else(daemon, machine):
    """Not the fault of `uri`: it is asked again."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        uri = f"ip:127.0.0.1:{server.getsockname()[1]}"
        threading.Thread(target=answer_junk, args=(server, asked), daemon=True).start()
        one = daemon(machine=machine, config=config(f'uri = "{uri}"'))
        with one.client() as client:
            client.subscribe()
            status = wait_state(one, "waiting", "no-device")
            assert f"what answers at {uri} is no iiod" in status["text"] and status["retry_in"] <= 60
            wait_for(lambda: asked.count(b"PRINT") > 1, "another attempt")
        server.shutdown(socket.SHUT_RDWR)


def test_a_machine_that_says_nothing(daemon, machine):
    """It takes the connection and is silent: nobody waits for it but the sensor's thread."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        uri = f"ip:127.0.0.1:{server.getsockname()[1]}"
        one = daemon(machine=machine, config=config(f'uri = "{uri}"'))
        with one.client() as client:
            client.subscribe()
            server.settimeout(60)
            connection, _ = server.accept()
            for _ in range(20):
                with one.client() as other:
                    # `stalled` where this takes longer than an opening should.
                    assert other.call("GetStatus")["state"] in ("starting", "waiting", "stalled")
            status = wait_state(one, "waiting", "no-device")
            assert uri in status["text"]
            connection.close()


@needs_iiod
def test_a_unit_that_forbids_the_network(daemon, machine, iiod, folder, sanitizer):
    """The drop-in that is missing is named; with it the sensor is read."""
    if sanitizer:
        pytest.skip("a sanitizer wants to be loaded first")
    shim = NodeShim(folder)
    gyroscope = machine.add(Gyroscope(sampling_frequency="50", sampling_frequency_available=None))
    iiod.start()
    shim.no_sockets.touch()
    one = daemon(machine=machine, environment=shim.environment, config=config(f'uri = "{iiod.uri}"'))
    with one.client() as client:
        event = client.subscribe(rate=True, only_changes=False)
        while event["state"] != "waiting":
            event = client.event()
        assert event["reason"] == "permission"
        text = wait_state(one, "waiting", "permission")["text"]
        assert "parallaxd.service.d/network.conf" in text and "RestrictAddressFamilies=" in text
        shim.no_sockets.unlink()
        assert read_one(client, gyroscope)["state"] == "running"


HANGING = {
    "buffer": {},
    "long-timeout": {"read_timeout": 20},
    "polled": {"mode": '"poll"'},
}


def pause_between_writes(iiod: Iiod, gyroscope: Gyroscope) -> None:
    """Not while an attribute is empty: on a slow machine the sensor may just be set up anew."""

    def pause() -> bool:
        iiod.pause()
        if (gyroscope.folder / "sampling_frequency").read_text():
            return True
        iiod.resume()
        return False

    wait_for(pause, "a moment in which nothing is written")


@needs_iiod
@pytest.mark.parametrize("settings", HANGING.values(), ids=HANGING)
@pytest.mark.parametrize("ends", ["sigterm", "idle"])
def test_the_sensor_is_left_while_iiod_hangs(daemon, machine, iiod, settings, ends):
    """The daemon ends cleanly, or is idle and goes on; what was changed stays in the journal and is put back later."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="25", sampling_frequency_available=None, trigger=None))
    iiod.start()
    lines = [f'uri = "{iiod.uri}"', *(f"{name} = {value}" for name, value in settings.items())]
    one = daemon(machine=machine, config=config("\n".join(lines)))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        if "mode" in settings:
            wait_state(one, "running")
        else:
            assert read_one(client, gyroscope)["state"] == "running"
        iiod.pause()
        start = time.monotonic()
        if ends == "sigterm":
            one.signal(signal.SIGTERM)
            assert one.wait(60) == 0
    if ends == "idle":
        wait_state(one, "idle")
        journal_is_left(one)
        start = time.monotonic()
        one.stop()
    # One that is held up meanwhile leaves after 10 s, with a word.
    assert "does not answer" not in one.log or time.monotonic() - start > 9
    # A sanitizer's.
    assert "ERROR" not in one.log and "WARNING" not in one.log, one.log
    journal_is_left(one)
    assert gyroscope.read("sampling_frequency") != "25"
    iiod.resume()
    gyroscope.wait_disabled()
    again = daemon(
        machine=machine, config=config("\n".join(lines)), environment={"STATE_DIRECTORY": str(one.folder / "state")}
    )
    with again.client() as client:
        client.subscribe(rate=True, only_changes=False)
        open_sensor(again)
    wait_state(again, "idle")
    wait_for(lambda: not list((one.folder / "state").iterdir()), "the journal to be removed")
    assert gyroscope.read("sampling_frequency") == "25"


def journal_is_left(one) -> None:
    """Not all was put back."""
    assert len(list((one.folder / "state").iterdir())) == 1, one.log


@needs_iiod
def test_the_daemon_ends_while_iiod_hangs_at_the_opening(daemon, machine, iiod):
    """Each question waits for the answer only until one was not answered."""
    machine.add(Gyroscope(sampling_frequency="25", sampling_frequency_available=None))
    iiod.start()
    iiod.pause()
    one = daemon(machine=machine, config=config(f'uri = "{iiod.uri}"'))
    with one.client() as client:
        client.subscribe()
        wait_state(one, "starting")
        one.signal(signal.SIGTERM)
        assert one.wait(60) == 0
    assert "ERROR" not in one.log and "WARNING" not in one.log, one.log
    iiod.resume()
