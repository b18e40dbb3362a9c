"""Restart without loss, under systemd itself: `FileDescriptorStoreMax=` of the installed unit."""

import json
import time
from collections.abc import Callable

import pytest
from guest.hid import HidGyroscope
from guest.machine import Guest, StreamClient, wait_for
from guest.service import Service
from support.client import Closed

RESTARTS = {
    "restart": "systemctl restart parallaxd.service",
    "kill": "systemctl kill --signal=KILL parallaxd.service",
    "segv": "systemctl kill --signal=SEGV parallaxd.service",
    "abort": "systemctl kill --signal=ABRT parallaxd.service",
}


def moved(client: StreamClient, gyroscope: HidGyroscope) -> dict:
    """Some motion, and the event in which it has ended."""
    x = client.last["x"]
    gyroscope.queue([(0, 3000, 0)] * 30)
    client.until(lambda event: event["state"] == "running" and event["x"] > x + 1, "motion")
    while True:
        try:
            client.event(2)
        except TimeoutError:
            return client.last


@pytest.mark.parametrize("how", RESTARTS)
def test_a_subscriber_sees_a_pause(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope, how: str
) -> None:
    """No end of the stream; sequence and offset go on, and so does a held switch of reduced motion."""
    parallaxd.configure("[accessibility]\nreduced_motion_scale = 0.5")
    gyroscope.plug()
    with parallaxd.client() as client, parallaxd.client() as holder:
        client.subscribe()
        client.until_state("running")
        holder.send("SetReducedMotion", {"enabled": True}, more=True)
        holder.reply()
        client.until(lambda event: event["reduced_motion"], "reduced motion")
        before = moved(client, gyroscope)
        pid = parallaxd.pid
        guest.shell(RESTARTS[how])
        wait_for(lambda: parallaxd.pid not in (0, pid), "another daemon")
        starting = client.until_state("starting")[-1]
        assert starting["reduced_motion"]
        assert (starting["x"], starting["y"]) == (before["x"], before["y"])
        assert starting["sequence"] >= before["sequence"]
        running = client.until(lambda event: event["sequence"] > starting["sequence"], "an update")
        assert running[-1]["gap"] and (running[-1]["x"], running[-1]["y"]) == (before["x"], before["y"])
        assert moved(client, gyroscope)["x"] > before["x"]
        # And once more, since what was taken up is kept as well as what came new.
        pid = parallaxd.pid
        guest.shell(RESTARTS[how])
        wait_for(lambda: parallaxd.pid not in (0, pid), "another daemon")
        client.until_state("starting")
        client.until_state("running")
        assert client.last["reduced_motion"]
        holder.close()
        client.until(lambda event: not event["reduced_motion"], "the end of the hold")
        guest.shell("systemctl reset-failed parallaxd.service")


def test_a_stop_ends_connections(guest: Guest, parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """systemd lets go of what it kept; what a client then asks for is a new connection."""
    gyroscope.plug()
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
        guest.shell("systemctl stop parallaxd.service")
        with pytest.raises(Closed):
            while True:
                client.event()
    assert parallaxd.show("NFileDescriptorStore") == "0"


def test_who_has_gone_is_kept_no_longer(guest: Guest, parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """What is kept are those who listen, and the state."""
    gyroscope.plug()
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
        wait_for(lambda: parallaxd.show("NFileDescriptorStore") == "2", "the connection to be kept")
    wait_for(lambda: parallaxd.show("NFileDescriptorStore") == "1", "the connection to be dropped")


class PageLines:
    """`parallaxctl page` in the guest: what its page says, ten times a second."""

    def __init__(self, guest: Guest) -> None:
        self.connection = guest.connect("parallaxctl", "page", "--json", "--rate", "10")
        self.lines = self.connection.makefile("rb")
        self.frames: list[dict] = []

    def __enter__(self) -> "PageLines":
        return self

    def __exit__(self, *_: object) -> None:
        self.lines.close()
        self.connection.close()

    def until(self, wanted: Callable[[dict], bool], what: str, seconds: float = 60) -> dict:
        """The first frame from now on that is wanted."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            line = self.lines.readline()
            assert line.endswith(b"\n"), f"parallaxctl has ended: {line!r}"
            self.frames.append(json.loads(line))
            if wanted(self.frames[-1]):
                return self.frames[-1]
        raise AssertionError(f"waited {seconds:g} s in vain for {what}; came: {self.frames[-3:]}")

    def rests(self, _: dict) -> bool:
        """Whether the last second's frames are all at one place."""
        last = [(frame["x"], frame["y"]) for frame in self.frames[-10:]]
        return len(last) == 10 and len(set(last)) == 1


@pytest.mark.parametrize("how", ["restart", "kill"])
def test_a_page_goes_on(guest: Guest, parallaxd: Service, gyroscope: HidGyroscope, how: str) -> None:
    """Who has it mapped reads on in the same memory, nothing is opened anew; sequence and offset go on."""
    gyroscope.plug()
    with PageLines(guest) as page:
        page.until(lambda frame: frame["state"] == "running" and frame["sequence"] >= 0, "updates")
        gyroscope.queue([(0, 3000, 0)] * 30)
        page.until(lambda frame: frame["x"] > 1, "motion")
        before = page.until(page.rests, "its end")
        # The page, the connection that keeps it up, and the state.
        wait_for(lambda: parallaxd.show("NFileDescriptorStore") == "3", "the page to be kept")
        pid = parallaxd.pid
        count = len(page.frames)
        guest.shell(RESTARTS[how])
        wait_for(lambda: parallaxd.pid not in (0, pid), "another daemon")
        assert parallaxd.status()["pages"] == 1
        mark = int(guest.shell("cut -d. -f1 /proc/uptime")) * 10**9
        page.until(
            lambda frame: frame["state"] == "running" and frame["published_monotonic_ns"] > mark,
            "an update of the other daemon",
        )
        frames = [before, *page.frames[count:]]
        assert {(frame["x"], frame["y"]) for frame in frames} == {(before["x"], before["y"])}
        sequences = [frame["sequence"] for frame in frames]
        assert sequences == sorted(sequences)
        gyroscope.queue([(0, 3000, 0)] * 30)
        page.until(lambda frame: frame["x"] > before["x"] + 1, "motion that goes on from there")
    wait_for(lambda: parallaxd.show("NFileDescriptorStore") == "1", "the page to be dropped")
    guest.shell("systemctl reset-failed parallaxd.service")


def test_what_a_reader_missed_is_not_forgotten(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope
) -> None:
    """For one that did not read meanwhile, `dropped` counts on from before the restart."""
    gyroscope.plug()
    script = "echo $$; exec socat -b65536 - UNIX-CONNECT:/run/parallaxd/socket"
    with parallaxd.client() as reader, StreamClient(guest.connect("bash", "-c", script)) as stopped:
        stopped.end = b"\n"
        process = int(stopped.receive_bytes())
        stopped.subscribe(only_changes=False, backlog=4)
        reader.subscribe(only_changes=False, backlog=1024)
        made = reader.until(lambda event: event["sequence"] > 20, "updates")
        guest.shell(f"kill -STOP {process}")
        at_stop = reader.last["sequence"]
        made += reader.until(lambda event: event["sequence"] > at_stop + 200, "updates that it misses")
        pid = parallaxd.pid
        guest.shell(RESTARTS["kill"])
        wait_for(lambda: parallaxd.pid not in (0, pid), "another daemon")
        made += reader.until(lambda event: event.get("gap"), "the other daemon's first update")
        gap = reader.last["sequence"]
        made += reader.until(lambda event: event["sequence"] > gap + 20, "more of them")
        guest.shell(f"kill -CONT {process}")
        seen = stopped.until(lambda event: event.get("dropped"), "an event that says what was missed")
        last, event = seen[-2:]
        assert last["sequence"] < at_stop + 200 and event["sequence"] >= gap and event["gap"]
        made += reader.until(lambda one: one["sequence"] > event["sequence"], "that event")
        before = max(one["sequence"] for one in made if one["sequence"] < event["sequence"])
        # Killed between writing down and sending, there is one more that nobody saw.
        assert abs(event["dropped"] - (before - last["sequence"])) <= 2, (last, before, event)
        guest.shell("systemctl reset-failed parallaxd.service")


# The bytes that wait to go out on the first connection that is kept: half a word of the daemon's state.
UNSENT = """
for file in /proc/$(systemctl show --property=MainPID --value parallaxd.service)/fd/*; do
  case $(readlink $file) in */memfd:parallaxd-state*) od -An -tu4 -j4124 -N4 $file ;; esac
done
"""


def test_a_reply_that_was_sent_in_part(guest: Guest, parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """Killed in the middle of a reply to one that reads slowly: the rest of it follows, and the next ones."""
    parallaxd.configure("[server]\nmax_pipelined_calls = 64")
    gyroscope.plug()
    # Nothing is read before something has opened the pipe.
    script = "mkfifo /run/go; socat - UNIX-CONNECT:/run/parallaxd/socket | { cat /run/go; cat; }"
    guest.shell("rm -f /run/go")
    interface = {"interface": "org.parallaxd.Motion"}
    call = {"method": "org.varlink.service.GetInterfaceDescription", "parameters": interface}
    count = 60
    with StreamClient(guest.connect("bash", "-c", script)) as client:
        client.send("OpenPage")
        client.send_bytes((json.dumps(call).encode() + b"\0") * count)
        wait_for(lambda: guest.shell(UNSENT).strip() not in ("", "0"), "a reply to wait")
        pid = parallaxd.pid
        guest.shell(RESTARTS["kill"])
        wait_for(lambda: parallaxd.pid not in (0, pid), "another daemon")
        guest.shell("true > /run/go")
        assert client.reply()["size"] == 192
        replies = {client.reply()["description"] for _ in range(count)}
        assert len(replies) == 1 and "method OpenPage" in replies.pop()
        assert client.call("GetStatus")["pages"] == 1
    guest.shell("rm -f /run/go; systemctl reset-failed parallaxd.service")
