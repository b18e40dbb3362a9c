"""Scenes from outside: numbers to draw with, for whoever hands over a scene or names one."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

from support.client import CallError
from support.waiting import wait_for

FAST = ["--demo", "--set", "motion.update_interval=0.005"]
SMALL = {"bounds": {"width": 100, "height": 100}, "background": {"width": 140, "height": 100}, "layers": [{}, {}]}
# One layer that moves as e does.
STRAIGHT = {"layers": [{"depth": 1}], "distance_factor": 1}


@pytest.fixture
def still(daemon, folder):
    """A daemon whose recording does not turn."""
    trace = folder / "still.csv"
    trace.write_text("timestamp_ns,x,y,z\n" + "".join(f"{n * 10_000_000},0,0,0\n" for n in range(6000)))
    return daemon("--replay", str(trace))


def after(client, control, method: str, **parameters: float) -> dict:
    """A call by hand, and the event that it brings."""
    control.call(method, parameters or None)
    return client.event()


def test_what_is_pushed_into_an_edge_is_lost(still):
    """Five hundred points, a hundred at a time, and back: the background stops at its edge, and moves back at once."""
    with still.client() as client, still.client() as control, still.client() as late:
        assert client.subscribe(scene=SMALL)["scene"] == {
            "background": {"x": 0, "y": 0}, "layers": [{"x": 0, "y": 0}, {"x": 0, "y": 0}]
        }  # fmt: skip
        client.event_where(lambda event: event["state"] == "running")
        for _ in range(5):
            event = after(client, control, "Pan", x=100, y=50)
        # The divisors are 6, 4 and 2: 100 points are within the 20 that there are to each side, 200 are not.
        assert (event["x"], event["y"]) == (500, -250)
        assert event["scene"]["background"] == {"x": 100 / 6, "y": 0}
        assert event["scene"]["layers"] == [{"x": 25, "y": 0}, {"x": 50, "y": 0}]
        event = after(client, control, "Pan", x=-40, y=0)
        assert event["scene"]["background"]["x"] == 60 / 6
        event = after(client, control, "Recenter")
        assert (event["x"], event["y"]) == (0, 0)
        assert event["scene"]["background"] == {"x": 0, "y": 0}
        # Whoever comes now begins at neutral, wherever the offset is.
        after(client, control, "Pan", x=30, y=0)
        first = late.subscribe(scene=STRAIGHT)
        assert first["x"] == 30 and first["scene"]["layers"] == [{"x": 0, "y": 0}]


def test_key_paths_come_back_as_they_are(still):
    """Also two that look the same and are spelt in other bytes."""
    ends = {"axis": "horizontal", "minimum": 0}
    effects = [{"key_path": "\u00e9", "maximum": 2} | ends, {"key_path": "e\u0301", "maximum": 6} | ends]
    with still.client() as client:
        values = client.subscribe(scene={"effects": effects})["scene"]["values"]
        assert values == {"\u00e9": 1, "e\u0301": 3}


def test_who_asked_for_no_scene_gets_none(still):
    with still.client() as client, still.client() as other:
        assert "scene" not in client.subscribe()
        assert other.subscribe(scene={}, only_changes=False)["scene"] == {}
        assert other.event_where(lambda event: event["state"] == "running")["scene"] == {}


def test_what_is_not_sent_counts_too(daemon):
    """Of two with the same scene one is sent every event and one few; where they are sent the same, they say the same."""
    one = daemon(*FAST, "--set", "motion.recenter_time=2")
    with one.client() as often, one.client() as seldom:
        often.subscribe(scene=STRAIGHT, only_changes=False, backlog=1024)
        seldom.subscribe(scene=STRAIGHT, min_interval=0.1)
        rare = [seldom.event_where(lambda event: event["state"] == "running") for _ in range(8)]
        # Each began at the moment of its own subscription, before anything moved or soon after: what lies between
        # fades with the time constant, and both move alike.
        all_events = {}

        def is_last(event: dict) -> bool:
            all_events[event["sequence"]] = event["scene"]["layers"][0]
            return event["sequence"] >= rare[-1]["sequence"]

        often.event_where(is_last)
        pairs = [(all_events[e["sequence"]], e["scene"]["layers"][0]) for e in rare if e["sequence"] in all_events]
        assert len(pairs) > 3
        apart = [a["x"] - b["x"] for a, b in pairs]
        assert all(abs(later) <= abs(earlier) + 1e-9 for earlier, later in zip(apart, apart[1:]))
        assert any(b["x"] for _, b in pairs)


@pytest.mark.parametrize(
    "scene, path, reason",
    [
        ({"layers": [{}] * 65}, "scene.layers", "has 65 layers; allowed: at most 64"),
        ({"layers": [{}, {}, {}, {"depth": 0}]}, "scene.layers[3].depth", "a number from"),
        ({"distance_factor": 0}, "scene.distance_factor", "a number from"),
        ({"front_factor": -20}, "scene.front_factor", "a number from"),
        (SMALL | {"background": {"width": 140, "height": 99}}, "scene.background.height", "not below"),
        ({"effects": [{"key_path": "a", "axis": "z", "minimum": 0, "maximum": 1}]}, "scene.effects[0].axis", "horizontal"),
        ({"effects": [{"effects": [{}] * 65}]}, "scene.effects[0].effects", "at most 64"),
        ({"bouds": {}}, "scene.bouds", "is unknown; allowed here: bounds"),
        # One character of many bytes: 64 of them at most come back.
        ({"a" + "\u0301" * 8000: 1}, "scene.a" + "\u0301" * 31 + "…", "is unknown"),
        ({"name": "none"}, "scene.name", "no scenes"),
        ({"name": "../../etc/passwd"}, "scene.name", "letters"),
        ([], "scene", "an object"),
        # It is not looked into: that would take the time of others.
        ([1] * 20_000, "scene", "1024 values"),
        ({"layers": [{}] * 12_000}, "scene", "1024 values"),
        ("launcher", "scene", 'is "launcher"; allowed: an object: {"name": "launcher"}'),
    ],
)
def test_a_scene_that_is_none(still, scene, path, reason):
    """Where, and what is allowed; the connection goes on."""
    with still.client() as client:
        with pytest.raises(CallError) as error:
            client.subscribe(scene=scene)
        assert error.value.name == "org.parallaxd.Motion.InvalidScene"
        assert error.value.parameters["path"] == path and reason in error.value.parameters["reason"]
        assert "scene" in client.subscribe(scene=STRAIGHT)


def test_a_number_beyond_a_double(still):
    with still.client() as client:
        client.send_bytes(
            b'{"method":"org.parallaxd.Motion.Subscribe","more":true,"parameters":{"scene":{"front_factor":1e999}}}\0'
        )
        message = client.receive()
        assert message["error"] == "org.parallaxd.Motion.InvalidScene"
        assert message["parameters"]["path"] == "scene.front_factor"


def test_reduced_motion_is_neutral(daemon):
    """For one subscriber, and for all; and from neutral it goes on."""
    one = daemon(*FAST)
    effects = [{"key_path": "a", "axis": "horizontal", "minimum": 0, "maximum": 20}]
    scene = STRAIGHT | {"effects": effects}
    neutral = {"layers": [{"x": 0, "y": 0}], "values": {"a": 10}}
    with one.client() as own, one.client() as client, one.client() as control:
        first = own.subscribe(scene=scene, reduced_motion=True)
        assert first["state"] == "reduced" and first["scene"] == neutral
        client.subscribe(scene=scene)
        moved = client.event_where(lambda event: event["scene"]["layers"][0]["x"] != 0)
        assert moved["scene"]["values"]["a"] != 10
        control.call("SetReducedMotion", {"enabled": True})
        assert client.event_where(lambda event: event["state"] == "reduced")["scene"] == neutral
        control.call("SetReducedMotion", {"enabled": False})
        client.event_where(lambda event: event["state"] == "running")
        assert client.event_where(lambda event: event["scene"]["layers"][0]["x"] != 0)


def test_scenes_by_name(daemon, parallaxctl):
    """Files beside the configuration: read at a reload; a bad one is told of, and what was there before stays."""
    one = daemon(*FAST)
    folder = one.config.parent / "scenes"

    def reload(text: str) -> None:
        count = one.log.count("configuration was read again")
        one.signal(signal.SIGHUP)
        wait_for(lambda: one.log.count("configuration was read again") > count, "the reload")
        assert text in one.log, one.log

    folder.mkdir()
    (folder / "one.toml").write_text("layers = [{}, {}]\n")
    (folder / "two.toml").write_text("layers = [{}]\nfront = true\n")
    (folder / "not a name.toml").write_text("layers = []\n")
    (folder / "k.json").write_text("{}\n")
    (folder / "i.TOML").write_text("\n")
    (folder / ".hidden").write_text("\n")
    reload("not a name.toml: a scene's name is 1 to 64 letters, digits, - or _")
    for name in "i.TOML", "k.json":
        assert f"{folder}/{name}: not a scene by its name, and passed over" in one.log
    assert ".hidden" not in one.log
    with one.client() as client, one.client() as other, one.client() as control:
        assert control.call("GetStatus")["configuration"]["scenes"] == ["one", "two"]
        status = [str(parallaxctl), "--socket", str(one.socket), "status"]
        assert "scenes one, two\n" in subprocess.run(status, capture_output=True, text=True, timeout=60).stdout
        assert len(client.subscribe(scene={"name": "one"})["scene"]["layers"]) == 2
        (folder / "one.toml").write_text("layers = [{}, {depth = -1}]\n")
        (folder / "two.toml").write_text("front = true\n")
        reload(f"{folder}/one.toml:1:24: layers[1].depth is -1; allowed: a number from 0.001 to 1000000; what was there")
        assert other.subscribe(scene={"name": "two"})["scene"].keys() == {"front"}
        with one.client() as third:
            assert len(third.subscribe(scene={"name": "one"})["scene"]["layers"]) == 2
        # A stream keeps the scene that it began with.
        assert len(client.event_where(lambda event: event["state"] == "running")["scene"]["layers"]) == 2
        with pytest.raises(CallError) as error, one.client() as third:
            third.subscribe(scene={"name": "three"})
        assert error.value.parameters == {"path": "scene.name", "reason": 'is "three"; allowed: one, two'}


def test_the_configuration_is_checked_with_its_scenes(parallaxd, folder):
    """What `--check-config` says, and the examples that are installed."""
    (folder / "scenes").mkdir()
    config = folder / "parallaxd.toml"
    config.write_text("")

    def check() -> subprocess.CompletedProcess[str]:
        command = [str(parallaxd), "--check-config", "--config", str(config)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    (folder / "scenes" / "a.toml").write_text("layers = [{}]\n")
    done = check()
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "scenes: a"), done
    # What is no scene is told of, and is no fault.
    (folder / "scenes" / "k.json").write_text("{}\n")
    done = check()
    assert done.returncode == 0 and f"{folder}/scenes/k.json: not a scene by its name" in done.stderr, done
    (folder / "scenes" / "b.toml").write_text("layers = 3\n")
    done = check()
    assert done.returncode == 78 and f"{folder}/scenes/b.toml:1:10: layers is 3; allowed: an array" in done.stderr, done


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["TERM", "KILL"])
def test_a_scene_goes_on_after_a_restart(daemon, store, how):
    """e is where it was, with the same scene, turned and at its edge as before."""
    one = daemon(*FAST, store=store)
    straight, turned = one.client(), one.client(lines=True)
    straight.subscribe(only_changes=False)
    straight.event_where(lambda event: event["sequence"] > 50)
    straight.close()
    straight = one.client()
    straight.subscribe(scene=STRAIGHT | {"front": True}, only_changes=False)
    turned.subscribe(scene=SMALL, only_changes=False, screen_rotation=90)
    before = straight.event_where(lambda event: event["sequence"] > 100)
    turned.event_where(lambda event: event["sequence"] > 100)
    store.wait_kept(connection=2)
    one.signal(how)
    one.wait()
    two = daemon(*FAST, store=store)
    after = straight.event_where(lambda event: event.get("gap") and event["sequence"] > before["sequence"])
    # e is the offset less what it was at the subscription; killed in between, one of them may have made a step more.
    tolerance = 1e-6 if how == signal.SIGTERM else 20
    for sign, axis in (1, "x"), (-1, "y"):
        apart = [event[axis] - sign * event["scene"]["layers"][0][axis] for event in (before, after)]
        assert abs(apart[0] - apart[1]) < tolerance, (before, after)
    assert after["scene"]["front"].keys() == {"x", "y"}
    for event in [turned.event_where(lambda event: event.get("gap"))] + turned.events(300):
        assert abs(event["scene"]["background"]["x"]) <= 20 and event["scene"]["background"]["y"] == 0
        assert len(event["scene"]["layers"]) == 2
    assert two.log.count("going on with 2 connections") == 1
    for client in straight, turned:
        client.close()
    store.wait_kept(connection=0)


def test_the_longest_scene_goes_on_after_a_restart(daemon, store):
    """With as many layers and effects as there may be, of the longest names; its events are long, and whole."""
    scene = {
        "layers": [{"depth": 1.23456789} for _ in range(64)],
        "effects": [
            {"key_path": f"{n:02}" + '"' * 126, "axis": "horizontal", "minimum": -1.1, "maximum": 1.3} for n in range(64)
        ],
    }
    one = daemon(*FAST, store=store)
    client = one.client()
    client.subscribe(scene=scene, only_changes=False, backlog=2)
    client.event_where(lambda event: event["sequence"] > 20)
    store.wait_kept(connection=1)
    for _ in range(3):
        # It does not read: the daemon is killed with long events waiting.
        one.signal(signal.SIGKILL)
        one.wait()
        one = daemon(*FAST, store=store)
        event = client.event_where(lambda event: event.get("gap"))
        assert len(event["scene"]["layers"]) == len(event["scene"]["values"]) == 64
    client.close()
    store.wait_kept(connection=0)


def test_a_backlog_of_long_events_is_no_longer(daemon):
    """Who was stopped reads at most its backlog of stale events, and then the newest scene, also of a long one."""
    one = daemon(*FAST)
    with one.client() as client, one.client() as control:
        scene = {"layers": [{"depth": 1.23456789} for _ in range(64)], "front": True}
        first = client.subscribe(scene=scene, only_changes=False, backlog=4)
        # What came together with the first event does not wait any more.
        taken = client.buffer.count(client.end)
        wait_for(lambda: control.call("GetMotion")["sequence"] > first["sequence"] + 300, "updates to be missed")
        stale = 0
        while not client.event().get("dropped"):
            stale += 1
        assert stale - taken <= 4


def test_the_call_of_the_documents(still):
    """What docs/scenes.md tells to paste is a call, and is answered with what it says."""
    text = (Path(__file__).parents[2] / "docs" / "scenes.md").read_text()
    [call] = re.findall(r"echo '(.*)' \|\n +socat", text)
    with still.client(lines=True) as client:
        client.send_bytes(call.encode() + b"\n")
        scene = client.event()["scene"]
    assert scene == {"layers": [{"x": 0, "y": 0}] * 2, "values": {"shadow.x": 0}}


# The client


def test_margin_of_the_example(parallaxctl, binaries, folder):
    """The formula, from the settings of a file and a scene beside it."""
    (folder / "scenes").mkdir()
    (folder / "scenes" / "mine.toml").write_text("layers = [{}, {}, {}]\nfront = true\nbounds = [390, 844]\n")
    config = folder / "parallaxd.toml"
    config.write_text('[motion]\nintegration = "angle"\nmultiplier = 90.0\ngain_y = 2.0\n')

    def margin(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(parallaxctl), "margin", "--config", str(config), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    done = margin("--scene", "mine", "--swing", "60")
    assert done.returncode == 0, done
    assert "margin   x 9.425, y 18.85 points to each side" in done.stdout
    assert "background  408.85 x 881.7 points for bounds of 390 x 844" in done.stdout
    limited = margin("--scene", "mine", "--limit", "60").stdout
    assert "margin   x 6, y 6 points" in limited and "up to 60 points from neutral: --limit\n" in limited
    looked = f"no scene yours in {folder}/scenes; there are mine; --config"
    for arguments, part in [(["--scene", "yours"], looked), (["--scene", "./none.toml"], "none.toml")]:
        done = margin(*arguments)
        assert done.returncode == 78 and part in done.stderr and done.stderr.count("\n") == 1
    done = margin("--limit", "60pt")
    assert done.returncode == 2 and "--limit is a number from 0.000000001 to 1000000000, not 60pt" in done.stderr
    done = margin("--set", "motion.update_interval=0", "--set", "motion.integration=per-update")
    assert done.returncode == 2 and "--limit" in done.stderr


def test_subscribe_and_watch_with_a_scene(daemon, parallaxctl, folder):
    """By a file of either kind, and by a name that the daemon does not have."""
    one = daemon(*FAST)
    (folder / "own.toml").write_text("layers = [{}, {depth = 0.5}]\n")
    (folder / "own.json").write_text(json.dumps(STRAIGHT | {"front": True}))

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(parallaxctl), "--socket", str(one.socket), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=folder)

    done = run("subscribe", "--count", "3", "--scene", "./own.toml")
    scenes = [json.loads(line)["scene"] for line in done.stdout.splitlines()]
    assert len(scenes) == 3 and all(len(scene["layers"]) == 2 for scene in scenes)
    done = run("subscribe", "--count", "1", "--scene", "own.json")
    assert json.loads(done.stdout)["scene"].keys() == {"layers", "front"}
    command = [str(parallaxctl), "--socket", str(one.socket), "watch", "--scene", "own.json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as watch:
        _, line = watch.stdout.readline(), watch.stdout.readline()
        assert "layer 0 " in line and "front " in line, line
        watch.send_signal(signal.SIGINT)
        assert watch.wait(60) == 0
    done = run("watch", "--scene", "none")
    told = f'scene.name is "none", and this daemon has no scenes: it reads them from {one.config.parent}/scenes/NAME.toml'
    assert done.returncode == 78 and told in done.stderr
    (folder / "own.json").write_text('{"layers": [{"depth": -1}]}')
    done = run("subscribe", "--scene", "own.json")
    assert done.returncode == 78 and "scene.layers[0].depth is -1; allowed: a number from" in done.stderr
    (folder / "own.json").write_text('{"layers": [{},\n {}')
    done = run("watch", "--scene", "own.json")
    assert (done.returncode, done.stderr) == (78, "parallaxctl: own.json:2:4: not JSON: it ends too early\n")
