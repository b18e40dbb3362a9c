"""Streams from outside: what one subscriber asks for, and what it means for the others."""

import pytest

from support.page import Page
from support.waiting import wait_for

EVENT_KEYS = {"sequence", "timestamp_ns", "x", "y", "state", "reduced_motion"}


@pytest.fixture
def demo(daemon):
    """A daemon that plays the demonstration, with an update every 5 ms."""
    return daemon("--demo", "--set", "motion.update_interval=0.005")


def pairs(one, other, count: int) -> list[tuple[dict, dict]]:
    """The next events of one stream, each with that of the other with the same updates, where there is one."""
    theirs = {event["sequence"]: event for event in other.events(count)}
    mine = [one.event_where(lambda event: event["sequence"] >= min(theirs))]
    while mine[-1]["sequence"] < max(theirs):
        mine.append(one.event())
    return [(event, theirs[event["sequence"]]) for event in mine if event["sequence"] in theirs]


def test_a_stream_occupies_its_connection(demo):
    with demo.client() as client, demo.client() as other:
        client.subscribe()
        client.send("Pan", {"x": 1000, "y": 0})
        other.call("GetMotion")
        events = client.events(20)
        assert all(EVENT_KEYS <= event.keys() for event in events)
        assert all(abs(event["x"]) < 500 for event in events)


def test_turned_and_reduced_for_one_subscriber(demo):
    with demo.client() as plain, demo.client() as turned, demo.client() as reduced:
        plain.subscribe(only_changes=False, backlog=1024)
        turned.subscribe(only_changes=False, backlog=1024, screen_rotation=90)
        first = reduced.subscribe(only_changes=True, reduced_motion=True)
        assert (first["state"], first["reason"], first["x"], first["y"]) == ("reduced", "user", 0, 0)
        running = [(a, b) for a, b in pairs(plain, turned, 60) if a["state"] == b["state"] == "running"]
        assert len(running) > 10
        assert all((b["x"], b["y"]) == (-a["y"], a["x"]) for a, b in running)
        with pytest.raises(TimeoutError):
            reduced.event(timeout=0.2)


def test_a_hold_reduces_for_as_long_as_it_lives(demo):
    with demo.client() as watcher:
        assert watcher.subscribe()["reduced_motion"] is False
        with demo.client() as holder:
            holder.send("SetReducedMotion", {"enabled": True}, more=True)
            assert holder.receive() == {"parameters": {}, "continues": True}
            wait_for(lambda: watcher.event()["state"] == "reduced", "reduced motion")
        wait_for(lambda: watcher.event()["state"] == "running", "motion again")


def test_min_interval_counts_sample_time(demo):
    with demo.client() as client:
        client.subscribe(min_interval=0.1, only_changes=False)
        events = [event for event in client.events(8) if event["state"] == "running" and event["sequence"] > 0]
        stamps = [event["timestamp_ns"] for event in events]
        assert all(b - a >= 100_000_000 for a, b in zip(stamps, stamps[1:]))
        assert len(stamps) >= 5


def test_tilt_for_those_who_ask(demo):
    """Turned as the offset is, at once and with every event; the page and GetMotion have it, other streams have not."""
    with demo.client() as plain, demo.client() as straight, demo.client() as turned, demo.client() as reader:
        assert "tilt" not in plain.subscribe(only_changes=False, backlog=1024)
        assert straight.subscribe(only_changes=False, backlog=1024, tilt=True)["tilt"].keys() == {"x", "y"}
        turned.subscribe(only_changes=False, backlog=1024, tilt=True, screen_rotation=90)
        common = [(event["tilt"], other["tilt"]) for event, other in pairs(straight, turned, 60)]
        moving = [(a, b) for a, b in common if a["x"] and a["y"]]
        assert len(moving) > 10
        assert all((b["x"], b["y"]) == (-a["y"], a["x"]) for a, b in moving)
        assert all("tilt" not in event for event in plain.events(60))
        assert all(-1 <= value <= 1 for tilt, _ in common for value in tilt.values())
        page = Page(reader)
        wait_for(lambda: (frame := page.read())["has_tilt"] and frame["tilt_x"] != 0, "the tilt on the page")
        assert reader.call("GetMotion")["tilt"].keys() == {"x", "y"}


def test_recenter_and_reduced_motion_make_the_tilt_neutral(daemon):
    """A Recenter in the midst of motion; then reduced motion, scaled."""
    one = daemon("--demo", "--set", "accessibility.reduced_motion_scale=0.5", "--set", "tilt.recenter_time=0")
    with one.client() as client, one.client() as other:
        client.subscribe(tilt=True, only_changes=False, backlog=1024)
        client.event_where(lambda event: abs(event["tilt"]["x"]) > 0.01)
        other.call("Recenter")
        client.event_where(lambda event: event["tilt"] == {"x": 0, "y": 0} and (event["x"], event["y"]) == (0, 0))
        client.event_where(lambda event: abs(event["tilt"]["x"]) > 0.01)
        reduced = one.client()
        reduced.subscribe(tilt=True, only_changes=False, backlog=1024, reduced_motion=True)
        both = [(whole, half) for whole, half in pairs(client, reduced, 40) if half["state"] == "running"]
        assert both
        assert all(half["tilt"]["x"] == whole["tilt"]["x"] / 2 for whole, half in both)
        reduced.close()
