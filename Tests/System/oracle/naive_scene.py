"""Scenes a second time, written from their description and as plainly as it can be said.

What the pipeline does to the offset comes from `naive_motion`; nothing is shared with the Swift implementation.
"""

import math
from dataclasses import dataclass

from . import naive_motion


@dataclass
class Hand:
    """Somebody moves the content by hand: a pan in screen direction, or, without numbers, a recentering."""

    x: float | None = None
    y: float | None = None


def turned(x: float, y: float, degrees: int) -> tuple[float, float]:
    """An offset as a picture sees it that is turned counter-clockwise."""
    return {0: (x, y), 90: (-y, x), 180: (-x, -y), 270: (y, -x)}[degrees]


def divisors(scene: dict) -> tuple[float, list[float], float]:
    """Of the background, each layer, and the front."""
    layers = scene.get("layers") or []
    front = 1 if scene.get("front") else 0
    d = scene.get("distance_factor") or 2
    each = [layer.get("depth") or (len(layers) + front - j) for j, layer in enumerate(layers)]
    return (len(layers) + front + 1) * d, [depth * d for depth in each], -(scene.get("front_factor") or 20)


class Walk:
    """e of a scene, as it goes."""

    def __init__(self, scene: dict, config: dict, rotation: int) -> None:
        self.scene, self.config, self.rotation = scene, config, rotation
        self.e = [0.0, 0.0]
        self.divisor = divisors(scene)[0]
        self.room = [math.inf, math.inf]
        if scene.get("background"):
            names = ("width", "height")
            self.room = [(scene["background"][name] - scene["bounds"][name]) / 2 for name in names]

    def go(self, wanted: list[float]) -> None:
        """To a place, on each axis where the background reaches."""
        for axis in (0, 1):
            if not abs(wanted[axis]) / self.divisor > self.room[axis]:
                self.e[axis] = wanted[axis]

    def update(self, kept: float, step: list[float], times: int) -> None:
        """One event of the pipeline."""
        self.e = [value * kept for value in self.e]
        own = turned(*step, self.rotation)
        for _ in range(times):
            self.go(naive_motion.apply_step(self.e, list(own), self.config))

    def hand(self, hand: Hand) -> None:
        """A pan or a recentering."""
        if hand.x is None:
            self.e = [0.0, 0.0]
            return
        x, y = turned(hand.x, -hand.y, self.rotation)
        limit = self.config["motion.limit"]
        self.go([naive_motion.bounded(self.e[0] + x, limit), naive_motion.bounded(self.e[1] + y, limit)])


def movements(rows, config: dict) -> list[tuple[int, float, list[float], int]]:
    """What each event of the pipeline is: sequence, what the decay leaves, step, and how often it is made."""
    interval = naive_motion.nanoseconds(config["motion.update_interval"])
    tau = config["motion.recenter_time"]
    out = []
    sequence, before = -1, None
    streams = naive_motion.split_into_streams(rows, config, 0.0)
    naive_motion.correct(streams, config)
    for stream in streams:
        rates = naive_motion.smooth(stream, config["motion.smoothing"])
        first = 0
        for last, count in enumerate(naive_motion.due_updates(stream, interval)):
            if count == 0:
                continue
            time = stream.samples[last].time
            kept = 1.0
            if tau > 0 and before is not None:
                kept = math.exp(-(max(0, time - before) / 1e9) / tau)
            step = naive_motion.step_of(stream.samples, rates, first, last, config)
            sequence += count
            times = 1 if config["motion.integration"] == "angle" else count
            out.append((sequence, kept, step, times))
            before, first = time, last + 1
    return out


def reduced(value: float, neutral: float, scale: float | None) -> float:
    """neutral + scale·(value − neutral)"""
    return value if scale is None else neutral + scale * (value - neutral)


def positions(scene: dict, e: list[float], scale: float | None) -> dict:
    """What a reply has of layers."""
    background, layers, front = divisors(scene)

    def at(divisor: float) -> dict:
        return {"x": reduced(e[0] / divisor, 0.0, scale), "y": reduced(-e[1] / divisor, 0.0, scale)}

    out: dict = {}
    if scene.get("background"):
        out["background"] = at(background)
    if layers:
        out["layers"] = [at(divisor) for divisor in layers]
    if scene.get("front"):
        out["front"] = at(front)
    return out


def effects_of(scene: dict | list) -> list[dict]:
    """Effects and those of groups, in their order."""
    items = scene.get("effects") or [] if isinstance(scene, dict) else scene
    out = []
    for item in items:
        out += effects_of(item["effects"]) if "effects" in item else [item]
    return out


def values(scene: dict, tilt: tuple[float, float], scale: float | None) -> dict:
    """What a reply has of motion effects."""
    neutral: dict[str, float] = {}
    value: dict[str, float] = {}
    for effect in effects_of(scene):
        low, high = effect["minimum"], effect["maximum"]
        middle = (low + high) / 2
        own = tilt[0] if effect["axis"] == "horizontal" else tilt[1]
        key = effect["key_path"]
        neutral[key] = neutral[key] + middle if key in neutral else middle
        moved = middle + own * (high - low) / 2
        value[key] = value[key] + moved if key in value else moved
    return {key: reduced(value[key], neutral[key], scale) for key in value}
