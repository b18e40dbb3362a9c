"""Motions to feed in, and what must come of them."""

import random

from oracle import naive_motion
from support.client import Client

from .hid import SCALE_TEXT

Counts = tuple[int, int, int]
# The stamp, ns, and the counts.
Scan = tuple[int, int, int, int]
IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]


def random_motion(seed: int, count: int) -> list[Counts]:
    """Turns to all sides, none of them within the dead zone (573 counts): each sample moves both offsets."""
    rng = random.Random(seed)

    def turn() -> int:
        return rng.choice([-1, 1]) * rng.randrange(600, 30000)

    return [(turn(), turn(), turn()) for _ in range(count)]


def rates(counts: Counts, scale: float = float(SCALE_TEXT)) -> tuple[float, float, float]:
    """Radians per second."""
    x, y, z = counts
    return x * scale, y * scale, z * scale


def offsets(
    motion: list[Counts], settings: dict, scale: float = float(SCALE_TEXT)
) -> list[tuple[float, float]]:
    """The offset before and after each sample, where each is an update; the naive implementation says."""
    rows = [(1_000_000 * number, *rates(counts, scale)) for number, counts in enumerate(motion)]
    events = naive_motion.run(rows, {"motion.update_interval": 0.0, **settings})
    assert [event.sequence for event in events] == list(range(len(motion)))
    return [(0.0, 0.0)] + [(event.x, event.y) for event in events]


def first_update(events: list[dict], wanted: list[tuple[float, float]]) -> int:
    """The sequence at which the motion began: told by the first event that is not at rest."""
    moved = next(event for event in events if (event["x"], event["y"]) != wanted[0])
    return moved["sequence"] + 1 - wanted.index((moved["x"], moved["y"]))


def assert_follow(events: list[dict], wanted: list[tuple[float, float]]) -> None:
    """Each event, whatever it merges, shows the offset of its sequence bit for bit; the last one the end."""
    first = first_update(events, wanted)
    for event in events:
        # Rest before the motion and after it.
        index = min(max(0, event["sequence"] + 1 - first), len(wanted) - 1)
        assert (event["x"], event["y"]) == wanted[index], (event, first)
    assert (events[-1]["x"], events[-1]["y"]) == wanted[-1]
    stamps = [event["timestamp_ns"] for event in events]
    assert stamps == sorted(stamps)


def open_raw(raw: Client) -> dict:
    """Opens a stream of raw scans, with offsets that begin at neutral; its header."""
    raw.send("SubscribeRaw", {"recenter": True}, more=True)
    header = raw.reply()
    assert header["format"] == "integer" and header["scale"] == [float(SCALE_TEXT)] * 3
    assert (header["offset"], header["matrix"], header["bias"]) == ([0] * 3, IDENTITY, [0] * 3)
    return header


def read_scans(raw: Client, last: Counts) -> list[Scan]:
    """The scans of a raw stream up to one with these counts; each has a stamp later than the one before."""
    scans: list[Scan] = []
    while not scans or scans[-1][1:] != last:
        batch = raw.reply()
        assert "restart" not in batch and "dropped" not in batch, batch
        values = batch["raw"]
        stamps = batch.get("timestamps_ns", [batch["timestamp_ns"]])
        for index, stamp in enumerate(stamps):
            assert not scans or scans[-1][0] < stamp
            x, y, z = values[3 * index : 3 * index + 3]
            scans.append((stamp, x, y, z))
            if scans[-1][1:] == last:
                break
    return scans


def naive_updates(scans: list[Scan], header: dict, settings: dict) -> dict[int, naive_motion.Event]:
    """What the naive implementation makes of the scans of a raw stream, by the stamp of the update."""
    rows = [(stamp, *rates((x, y, z))) for stamp, x, y, z in scans]
    return {event.time: event for event in naive_motion.run(rows, settings, header.get("frequency", 0))}


def assert_naive(events: list[dict], wanted: dict[int, naive_motion.Event]) -> None:
    """Each event is the naive implementation's of that stamp, bit for bit, up to the last one."""
    ours = [event for event in events if event["timestamp_ns"] in wanted and event["sequence"] >= 0]
    assert ours and ours[-1]["timestamp_ns"] == max(wanted)
    # The sequences differ by what came before the raw stream.
    [shift] = {event["sequence"] - wanted[event["timestamp_ns"]].sequence for event in ours}
    assert shift >= 0
    for event in ours:
        expected = wanted[event["timestamp_ns"]]
        assert (event["x"], event["y"]) == (expected.x, expected.y), (event, expected)
