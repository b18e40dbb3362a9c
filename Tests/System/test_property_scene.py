"""Scenes over the socket against a second implementation: random scenes and settings, a replay, hands in between.

PARALLAXD_SEED repeats a run; PARALLAXD_SCENE_CASES sets how many cases are tried.
"""

import os
import random
import signal
import threading
import time

import pytest
from oracle import naive_motion, naive_scene
from oracle.naive_scene import Hand

SEED = int(os.environ.get("PARALLAXD_SEED", random.SystemRandom().randrange(2**32)))
CASES = int(os.environ.get("PARALLAXD_SCENE_CASES", "10"))
# Whoever does not read for a while must still get every event: less than the kernel keeps for a stream.
MOST_EVENTS = 60


def random_scene(rng: random.Random) -> dict:
    """Scenes as people write them, and at the ends of their ranges."""
    scene: dict = {}
    width, height = rng.uniform(1, 500), rng.uniform(1, 900)
    if rng.random() < 0.8:
        scene["bounds"] = {"width": width, "height": height}
        if rng.random() < 0.8:
            more = [rng.choice([0.0, 0.5, rng.uniform(0, 10), rng.uniform(0, 200)]) for _ in range(2)]
            scene["background"] = {"width": width + more[0], "height": height + more[1]}
    count = rng.choice([0, 1, 2, 3, 6, 64])
    if count:
        scene["layers"] = [{"depth": rng.uniform(0.01, 9)} if rng.random() < 0.2 else {} for _ in range(count)]
    if rng.random() < 0.5:
        scene["front"] = rng.choice([True, {}]) or True
    if rng.random() < 0.5:
        scene["distance_factor"] = rng.choice([0.001, 1, 2, rng.uniform(0.1, 9)])
    if rng.random() < 0.5:
        scene["front_factor"] = rng.choice([0.5, 20, 1000000])
    if rng.random() < 0.6:
        scene["effects"] = [random_effect(rng, 0) for _ in range(rng.randrange(1, 6))]
    # An empty object is a front that is there.
    if "front" in scene:
        scene["front"] = True
    return scene


def random_effect(rng: random.Random, depth: int) -> dict:
    """An effect, or a group of them."""
    if depth < 3 and rng.random() < 0.25:
        return {"effects": [random_effect(rng, depth + 1) for _ in range(rng.randrange(0, 4))]}
    return {
        "key_path": rng.choice(["center.x", "center.y", "shadow \"ä\" \\ opacity", "scale"]),
        "axis": rng.choice(["horizontal", "vertical"]),
        "minimum": rng.choice([0, -10, rng.uniform(-1e9, 1e9)]),
        "maximum": rng.choice([0, 10, rng.uniform(-1e9, 1e9)]),
    }


def random_settings(rng: random.Random) -> dict:
    """What moves an offset."""
    values = {
        "motion.update_interval": rng.choice([0.0, 0.004, 0.01, 0.03, 0.1]),
        "motion.threshold": rng.choice([0.0, 0.1, 0.5]),
        "motion.multiplier": rng.choice([0.5, 2.5, 30.0]),
        "motion.gain_x": rng.choice([0.0, 2.0]),
        "motion.invert_y": True,
        "motion.smoothing": 0.05,
        "motion.integration": "angle",
        "motion.sample": "latest",
        "motion.max_step": rng.uniform(0.5, 5),
        "motion.limit": rng.choice([1.0, 20.0, rng.uniform(1, 100)]),
        "motion.limit_mode": "elastic",
        "motion.recenter_time": rng.choice([0.05, 0.3, 5.0]),
        "sensor.screen_rotation": rng.choice([90, 180, 270]),
    }
    return {key: value for key, value in values.items() if rng.random() < 0.4} | {
        "calibration.mode": rng.choice(["off", "auto"])
    }


def random_trace(rng: random.Random, count: int) -> list[tuple]:
    """A hand that turns this way and that, with a gap perhaps."""
    spacing = rng.choice([5_000_000, 10_000_000, 25_000_000])
    stamp, rate, rows = 10**9, [0.0, 0.0, 0.0], []
    for _ in range(count):
        rate = [0.95 * value + rng.gauss(0, 0.6) for value in rate]
        rows.append((stamp, *rate))
        stamp += spacing + rng.choice([0, 0, 0, 1, 17, 2 * spacing])
        if rng.random() < 0.01:
            stamp += 700_000_000
    return rows


def toml(settings: dict) -> str:
    """A configuration file."""
    text = ""
    for section in sorted({key.split(".")[0] for key in settings}):
        text += f"[{section}]\n"
        for key, value in settings.items():
            if key.startswith(section + "."):
                shown = str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
                text += f"{key.split('.')[1]} = {shown}\n"
    return text


class Reader(threading.Thread):
    """Takes all events of a stream until the recording has ended and every hand has been seen."""

    def __init__(self, client, hands: int) -> None:
        super().__init__(daemon=True)
        self.client, self.hands = client, hands
        self.events: list[dict] = []
        self.moves = threading.Event()

    def run(self) -> None:
        """An event with an old sequence and an old state is a hand's."""
        hands, ended = 0, False
        while hands < self.hands or not ended:
            event = self.client.event(60)
            before = self.events[-1] if self.events else None
            if before and event["sequence"] >= 0 and (event["sequence"], event["state"]) == (
                before["sequence"],
                before["state"],
            ):
                hands += 1
                event["by hand"] = True
            self.events.append(event)
            if event["sequence"] >= 0:
                self.moves.set()
            ended = ended or event.get("reason") == "replay-ended"


def close(one: object, other: object) -> bool:
    """Equal, numbers to the last few bits: a compiler may not, but a formula may be grouped in two ways."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(close(a, b) for a, b in zip(one, other))
    return one == other


def check(reader: Reader, case: dict, hands: list[Hand], moves: list, where: str) -> int:
    """Compares each event; how many were compared."""
    scene, scale = case["scene"], case["scale"]
    walk = naive_scene.Walk(scene, case["config"], case["rotation"])
    moves, hands = list(moves), list(hands)
    compared = tilts = 0
    for event in reader.events:
        assert "dropped" not in event, f"the test is to read everything: {where}"
        if event.get("by hand"):
            walk.hand(hands.pop(0))
        while moves and moves[0][0] <= event["sequence"]:
            _, kept, step, times = moves.pop(0)
            walk.update(kept, step, times)
        everybody = event["state"] == "reduced" or event["sequence"] < 0
        expected = naive_scene.positions(scene, walk.e, 0.0 if everybody and event["reduced_motion"] else scale)
        got = dict(event["scene"])
        got_values = got.pop("values", {})
        assert close(got, expected), f"{event} is not {expected}, e {walk.e}: {where}"
        tilt = event.get("tilt")
        if tilt and scale is None:
            tilts += tilt["x"] != 0
            expected_values = naive_scene.values(scene, (tilt["x"], tilt["y"]), scale)
            assert close(got_values, expected_values), f"{event}: {expected_values}: {where}"
        else:
            assert got_values.keys() == naive_scene.values(scene, (0, 0), scale).keys(), where
        compared += 1
    # Where anything turned at all, the values had something to follow.
    assert tilts or scale is not None or not any("tilt" in event for event in reader.events), where
    assert not moves, f"{len(moves)} updates were not seen: {where}"
    return compared


@pytest.mark.parametrize("number", range(CASES))
def test_scenes_go_as_they_are_described(daemon, tmp_path, number):
    """Several subscribers at once, each with its scene, rotation and reduced motion; pans and recenterings at times."""
    print(f"PARALLAXD_SEED={SEED}")
    rng = random.Random(f"{SEED}/{number}")
    settings = random_settings(rng)
    is_fast = rng.random() < 0.4
    trace = random_trace(rng, 900 if is_fast else MOST_EVENTS)
    path = tmp_path / "trace.csv"
    path.write_text("timestamp_ns,x,y,z\n" + "".join(f"{t},{x!r},{y!r},{z!r}\n" for t, x, y, z in trace))
    scale = rng.choice([0.0, 1.0, rng.random()])
    sensor = {"sensor.backend": "replay", "sensor.replay_file": str(path)}
    sensor["sensor.replay_speed"] = "max" if is_fast else 1.0
    still = toml(settings | sensor | {"accessibility.reduced_motion": True})
    one = daemon(config=still)
    config = naive_motion.DEFAULTS | settings
    cases, readers = [], []
    hands = [
        rng.choice([Hand(), Hand(rng.uniform(-50, 50), rng.uniform(-50, 50)), Hand(rng.choice([500, -500]), 0)])
        for _ in range(rng.choice([0, 3, 6]))
    ]
    for _ in range(4):
        scene, rotation = random_scene(rng), rng.choice([0, 90, 180, 270])
        own = rng.random() < 0.3 and scale > 0
        client = one.client(lines=rng.random() < 0.5)
        client.send(
            "Subscribe",
            {"scene": scene, "only_changes": False, "backlog": 1024, "screen_rotation": rotation, "reduced_motion": own}
            | ({"tilt": True} if rng.random() < 0.8 else {}),
            more=True,
        )
        first = client.reply()
        assert first["scene"].keys() >= naive_scene.positions(scene, [0, 0], None).keys()
        cases.append({"scene": scene, "rotation": rotation, "config": config, "scale": scale if own else None})
        readers.append(Reader(client, len(hands)))
    # Nobody is late: only now does anything move.
    one.config.write_text(toml(settings | sensor | {"accessibility.reduced_motion_scale": scale}))
    for reader in readers:
        reader.start()
    one.signal(signal.SIGHUP)
    assert readers[0].moves.wait(60)
    with one.client() as control:
        for hand in hands:
            time.sleep(0 if is_fast else rng.uniform(0, 0.2))
            if hand.x is None:
                control.call("Recenter")
            else:
                control.call("Pan", {"x": hand.x, "y": hand.y})
    moves = naive_scene.movements(trace, config)
    for index, (reader, case) in enumerate(zip(readers, cases)):
        reader.join(90)
        where = f"seed {SEED}, case {number}, subscriber {index}: {case}, settings {settings}, trace {path}, hands {hands}"
        assert not reader.is_alive(), f"no end came: {where}"
        assert check(reader, case, hands, moves, where) > 1
