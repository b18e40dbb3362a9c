"""Motions to feed in, and what must come of them."""

import random

from oracle import naive_motion

from .hid import SCALE_TEXT

Counts = tuple[int, int, int]


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
