"""Who may do what, as other users see it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="becoming another user needs root")

NOBODY = 65534
GAMES = 60  # a group that every Debian has and nobody is in

SCRIPT = """
import json, sys
from support.client import Client, CallError
answers = {}
for name, method, parameters, flags in json.loads(sys.argv[2]):
    with Client(sys.argv[1]) as client:
        try:
            client.call(method, parameters, **flags)
            answers[name] = "yes"
        except CallError as error:
            answers[name] = error.name.rsplit(".", 1)[1]
print(json.dumps(answers))
"""

CALLS = [
    ("motion", "GetMotion", {}, {}),
    ("status", "GetStatus", {}, {}),
    ("subscribe", "Subscribe", {"reduced_motion": True}, {"more": True}),
    ("recenter", "Recenter", {}, {}),
    ("pan", "Pan", {"x": 0, "y": 0}, {}),
    ("switch", "SetReducedMotion", {"enabled": False}, {}),
    ("hold", "SetReducedMotion", {}, {"more": True}),
    ("rate", "Subscribe", {"rate": True}, {"more": True}),
    ("raw", "SubscribeRaw", {}, {"more": True}),
]
CONTROL = ["recenter", "pan", "switch", "hold"]


def answers(one, *, group: int = NOBODY, groups: str | None = None) -> dict[str, str]:
    """What a plain user gets for each call."""
    membership = f"--groups={groups}" if groups else "--clear-groups"
    command = ["setpriv", f"--reuid={NOBODY}", f"--regid={group}", membership]
    # The interpreter and the tests may lie where only root may look: the script and the socket come by
    # descriptors and paths that are open to all.
    client = (Path(__file__).parent / "support" / "client.py").read_text()
    program = f"import sys, types\nm = types.ModuleType('support.client')\nexec({client!r}, m.__dict__)\n"
    program += "sys.modules['support'] = types.ModuleType('support')\nsys.modules['support.client'] = m\n"
    python = "/usr/bin/python3" if os.access("/usr/bin/python3", os.X_OK) else sys.executable
    done = subprocess.run(
        [*command, python, "-c", program + SCRIPT, str(one.socket), json.dumps(CALLS)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd="/",
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def start(daemon, control_group: str = "", extra: str = ""):
    """A daemon that lets everybody in the group of nobody connect."""
    return daemon(
        "--demo", config=f'[server]\ngroup = "nogroup"\ncontrol_group = "{control_group}"\n{extra}'
    )


def test_a_plain_user_may_look_and_not_touch(daemon):
    got = answers(start(daemon, "games"))
    assert {name for name, answer in got.items() if answer == "yes"} == {"motion", "status", "subscribe"}
    assert set(got.values()) == {"yes", "PermissionDenied"}


@pytest.mark.parametrize("membership", [{"group": GAMES, "groups": str(NOBODY)}, {"groups": f"7,{GAMES}"}])
def test_the_control_group_may(daemon, membership):
    """By its own group and by a supplementary one."""
    assert set(answers(start(daemon, "games"), **membership).values()) == {"yes"}


def test_allow_rate_is_for_rates_alone(daemon):
    got = answers(start(daemon, "games", "allow_rate = true\n"))
    assert got["rate"] == "yes" and got["raw"] == "PermissionDenied"
    assert {got[name] for name in CONTROL} == {"PermissionDenied"}


def test_allow_raw_is_for_raw_scans_alone(daemon):
    got = answers(start(daemon, "games", "allow_raw = true\n"))
    assert got["raw"] == "yes" and got["rate"] == "PermissionDenied"
    assert {got[name] for name in CONTROL} == {"PermissionDenied"}


def test_root_may(daemon):
    one = start(daemon)
    with one.client() as client:
        assert client.call("Recenter") == {}
        assert client.call("SetReducedMotion", {"enabled": None}) == {}
        assert client.subscribe(rate=True)["state"] in ("idle", "starting", "running")


@pytest.mark.parametrize("words", [["recenter"], ["pan", "1", "2"], ["reduced-motion", "on"], ["calibrate"]])
def test_who_may_not_change_things_is_told_what_to_do(daemon, parallaxctl, words):
    """With the group that the daemon goes by; rates are none of it."""
    one = start(daemon, control_group="games")
    user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    command = [*user, parallaxctl, "--socket", one.socket, *words]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60, cwd="/")
    assert (done.returncode, done.stdout) == (4, "")
    assert "the group games: `sudo usermod -aG games nobody`, then log in again, or use sudo" in done.stderr
    assert "rate" not in done.stderr


def test_who_may_not_see_rates_is_told_what_to_do(daemon, parallaxctl):
    """Which setting lets everybody see them, too."""
    one = start(daemon)
    user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    command = [*user, parallaxctl, "--socket", one.socket, "subscribe", "--rates"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60, cwd="/")
    assert (done.returncode, done.stdout) == (4, "")
    assert "rates are for root" in done.stderr and "`allow_rate = true` in [server]" in done.stderr
