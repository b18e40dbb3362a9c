"""parallaxctl from outside, against a stand-in for the daemon that can be made to misbehave."""

import copy
import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.fakedaemon import STATUS, FakeDaemon, event
from support.machine import need_root
from support.terminal import Terminal
from support.waiting import wait_for

DENIED = ("org.varlink.service.PermissionDenied", {})


@pytest.fixture
def fake(folder: Path) -> Iterator[Callable[..., FakeDaemon]]:
    """Starts a stand-in at `folder`/socket."""
    made: list[FakeDaemon] = []

    def start(**options) -> FakeDaemon:
        made.append(FakeDaemon(folder / "socket", **options))
        return made[-1]

    yield start
    for one in made:
        one.close()


@pytest.fixture
def environment(folder: Path) -> dict[str, str]:
    """An environment in which only `folder`/socket is found."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PARALLAXD", "LC_", "LANG", "NO_COLOR"))}
    return kept | {"PARALLAXD_SOCKET": str(folder / "socket"), "XDG_RUNTIME_DIR": str(folder / "user")}


@pytest.fixture
def run(parallaxctl: Path, environment: dict[str, str]) -> Callable[..., subprocess.CompletedProcess]:
    """Runs parallaxctl to its end."""

    def run(*arguments: str, **extra: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [parallaxctl, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            env=environment | extra,
        )

    return run


@pytest.fixture
def start(parallaxctl: Path, environment: dict[str, str]) -> Iterator[Callable[..., subprocess.Popen]]:
    """Starts parallaxctl with its output in a pipe."""
    started: list[subprocess.Popen] = []

    def start(*arguments: str) -> subprocess.Popen:
        started.append(
            subprocess.Popen(
                [parallaxctl, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=environment,
            )
        )
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def terminal(parallaxctl: Path, environment: dict[str, str]) -> Iterator[Callable[..., Terminal]]:
    """Starts parallaxctl on a terminal of its own."""
    made: list[Terminal] = []

    def start(*arguments: str, columns: int = 80, rows: int = 24, **extra: str) -> Terminal:
        surroundings = environment | {"TERM": "xterm", "LANG": "C.UTF-8"} | extra
        made.append(Terminal([parallaxctl, *arguments], surroundings, columns, rows))
        return made[-1]

    yield start
    for one in made:
        one.close()


def fails(done: subprocess.CompletedProcess, code: int, *parts: str) -> None:
    """A failure is one line on standard error that names what is wrong, and nothing on standard output."""
    assert done.returncode == code, done
    assert done.stdout == ""
    assert done.stderr.startswith("parallaxctl: ") and done.stderr.count("\n") == 1, done.stderr
    for part in parts:
        assert part in done.stderr, done.stderr


# The command line


@pytest.mark.parametrize("arguments", [["--help"], ["help"], ["help", "watch"], ["subscribe", "--help"]])
def test_help_teaches_with_examples(run, arguments):
    done = run(*arguments)
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("Usage: parallaxctl") and "Example" in done.stdout


@pytest.mark.parametrize("arguments", [["--version"], ["status", "-V"], ["process", "--version"]])
def test_version(run, arguments):
    assert re.fullmatch(r"parallaxctl \d+\.\d+\.\d+\n", run(*arguments).stdout)


def test_help_in_a_locale_without_utf8(run):
    assert run("--help", LANG="C").stdout.isascii()
    assert "…" in run("--help", LANG="C.UTF-8").stdout


@pytest.mark.parametrize(
    "arguments, part",
    [
        ([], "--help"),
        (["frobnicate"], "the commands are status"),
        (["statsu"], "did you mean status?"),
        ([""], 'unknown command ""; '),
        (["--socket", "", "status"], "--socket needs a value"),
        (["subscribe", "--count="], "--count needs a value"),
        (["pan", "1", " "], 'not " "'),
        (["reduced-motion", ""], 'not ""'),
        (["help", "recentre"], "did you mean recenter?"),
        (["status", "--frobnicate"], "--frobnicate"),
        (["subscribe", "--count", "none"], "--count"),
        (["pan", "1"], "pan X Y"),
        (["pan", "1", "up"], "up"),
        (["reduced-motion", "perhaps"], "on, off or default"),
    ],
)
def test_wrong_usage(run, arguments, part):
    fails(run(*arguments), 2, part)


# Finding the daemon


def test_no_daemon(run, folder):
    fails(run("status"), 3, str(folder / "socket"), "does not exist")


def test_a_socket_that_nobody_listens_on(run, folder):
    with socket.socket(socket.AF_UNIX) as left_behind:
        left_behind.bind(str(folder / "socket"))
    fails(run("status"), 3, "nobody listens", "start it again")


def test_a_file_that_is_no_socket(run, folder):
    (folder / "file").write_text("")
    fails(run("--socket", str(folder / "file"), "status"), 3, f"{folder}/file is no socket", "--socket")
    fails(run("--socket", str(folder), "status"), 3, f"{folder} is no socket")


@pytest.mark.parametrize("wrong", [{"bias": [0.1, 0.2]}, {"noise": [0.0] * 4}, {"bias": [0.0] * 5, "noise": None}])
def test_a_bias_is_three_numbers(run, fake, wrong):
    """Whatever else is taken for one, nobody would know what it is of."""
    fake(replies={"Calibrate": {"bias": [0.1, 0.2, 0.3], "confidence": 1.0, "noise": [0.001] * 3} | wrong})
    done = run("calibrate", "--duration", "2")
    assert (done.returncode, done.stdout) == (1, "")
    assert "does not speak as parallaxd" in done.stderr


def test_no_right_to_connect_names_the_group(parallaxctl, environment, folder, fake):
    need_root()
    fake()
    os.chmod(folder / "socket", 0o660)
    os.chown(folder / "socket", 0, 60)
    done = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", parallaxctl, "status"],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
    )
    fails(done, 4, "sudo usermod -aG games nobody")


def test_a_path_that_is_too_long(run):
    fails(run("--socket", "/" + "a" * 108, "status"), 1, "at most 107 bytes")


def test_the_option_comes_before_the_variable(run, fake, folder):
    fake()
    for arguments in ["--socket", str(folder / "socket"), "recenter"], ["recenter", "-s", str(folder / "socket")]:
        assert run(*arguments, PARALLAXD_SOCKET="/nowhere").returncode == 0


def test_the_users_socket_is_found(run, folder):
    if os.path.exists("/run/parallaxd/socket"):
        pytest.skip("a system daemon comes first here")
    (folder / "user/parallaxd").mkdir(parents=True)
    one = FakeDaemon(folder / "user/parallaxd/socket")
    try:
        assert run("recenter", PARALLAXD_SOCKET="").returncode == 0
    finally:
        one.close()


# Commands of one call


def test_status_for_people(run, fake):
    fake()
    done = run("status")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "state          running" in lines
    assert "               reading bmi160 for 1 subscriber" in lines
    assert any("asked 66.7, set 100.0, measured 99.88 Hz" in line for line in lines)
    assert "settings       motion.threshold = 0.25 (default 0.1)" in lines
    assert not any("None" in line or "nil" in line or "null" in line for line in lines)


def test_status_of_the_demonstration_says_synthetic(run, fake):
    status = copy.deepcopy(STATUS)
    status["sensor"]["backend"] = "demo"
    fake(status=status)
    assert "SYNTHETIC" in run("status").stdout


def test_status_for_programs_is_what_was_received(run, fake):
    fake()
    assert run("status", "--json").stdout == json.dumps(STATUS) + "\n"


@pytest.mark.parametrize(
    "arguments, method, parameters",
    [
        (["recenter"], "Recenter", {}),
        (["pan", "40", "-12.5"], "Pan", {"x": 40, "y": -12.5}),
        (["reduced-motion", "on"], "SetReducedMotion", {"enabled": True}),
        (["reduced-motion", "off"], "SetReducedMotion", {"enabled": False}),
        (["reduced-motion", "default"], "SetReducedMotion", {}),
    ],
)
def test_changes(run, fake, arguments, method, parameters):
    daemon = fake()
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert daemon.called(method) == [parameters]


def test_no_right_to_change(run, fake):
    fake(errors={"Recenter": DENIED})
    fails(run("recenter"), 4, "control group")


@pytest.mark.parametrize("name", ["org.varlink.service.MethodNotFound", "org.example.Strange\x1b[2J"])
def test_other_errors(run, fake, name):
    fake(errors={"Pan": (name, {"method": "x"})})
    done = run("pan", "1", "2")
    fails(done, 1)
    assert "\x1b" not in done.stderr


# subscribe


def test_subscribe_prints_the_bytes_as_received(run, fake):
    odd = b'{"continues":true, "parameters" : {"x":1.50, "state":"run\\u006eing","new":[1,{"parameters":2}]} }\0'
    fake(events=[event(0, 0.1, -2), odd])
    done = run("subscribe", "--count", "2")
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first == json.dumps(event(0, 0.1, -2))
    assert second == '{"x":1.50, "state":"run\\u006eing","new":[1,{"parameters":2}]}'


def test_subscribe_asks_for_what_is_wanted(run, fake):
    daemon = fake(events=[event(0, 0, 0)])
    run("subscribe", "--count", "1", "--rates", "--all", "--min-interval", "0.25")
    assert daemon.called("Subscribe") == [{"rate": True, "only_changes": False, "backlog": 1024, "min_interval": 0.25}]


def test_subscribe_with_rates_is_refused(run, fake):
    fake(refuses_rates=True)
    fails(run("subscribe", "--rates"), 4, "allow_rate")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_subscribe_ends_by_a_signal(start, fake, number):
    fake(events=[event(0, 1, 2)])
    process = start("subscribe")
    assert json.loads(process.stdout.readline())["y"] == 2
    process.send_signal(number)
    assert process.wait(60) == 0
    assert process.stderr.read() == ""


def test_subscribe_ends_by_time(run, fake):
    fake(events=[event(0, 1, 2)])
    # Time enough for a server that is held up to send it.
    done = run("subscribe", "--seconds", "6")
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)


def test_subscribe_ends_quietly_when_nobody_reads(start, fake):
    fake(events=[event(0, 1, 2)])
    process = start("subscribe")
    process.stdout.readline()
    # No further event comes: the closed pipe alone must end it.
    process.stdout.close()
    assert process.wait(60) == 0
    assert process.stderr.read() == ""
    process.stdout = None


def test_subscribe_tells_when_the_daemon_leaves(run, fake):
    fake(events=[event(0, 1, 2)], hangs_up=True)
    done = run("subscribe")
    assert done.returncode == 3
    assert done.stdout.count("\n") == 1
    assert "has hung up" in done.stderr


@pytest.mark.parametrize(
    "nonsense",
    [b"HTTP/1.1 400\r\n\r\n\0", b"\0", b"{}\0", b"[" * 5000 + b"\0", b'{"parameters":7}\0', b'{"error":7}\0'],
)
def test_nonsense_from_the_daemon(run, fake, nonsense):
    fake(events=[nonsense])
    fails(run("subscribe"), 1, "does not speak as parallaxd")


def test_a_message_without_end(run, fake):
    fake(events=[b'{"parameters":{"x":"' + b"a" * (2 << 20)])
    fails(run("subscribe"), 1, "longer than")


# watch


def test_watch_prints_plain_lines_into_a_pipe(run, fake):
    events = [event(n, n * 1.5, -n, rate={"x": 0.5, "y": 0, "z": 0}) for n in range(3)]
    daemon = fake(events=events, hangs_up=True)
    done = run("watch")
    assert done.returncode == 3, done.stderr
    assert "\x1b" not in done.stdout
    header, *lines = done.stdout.splitlines()
    assert header == "parallaxd 9.9.9  bmi160"
    assert len(lines) == 3
    assert re.fullmatch(r"x +\+3\.00  y +-2\.00  rate +\+0\.500 +\+0\.000 +\+0\.000  running", lines[2])
    assert daemon.called("Subscribe")[0]["min_interval"] == 0.1


def test_watch_calls_the_demonstration_synthetic(run, fake):
    status = copy.deepcopy(STATUS)
    status["sensor"]["backend"] = "demo"
    fake(status=status, events=[event(0, 1, 2)])
    lines = run("watch", "--seconds", "0.2").stdout.splitlines()
    assert len(lines) == 3 and all("SYNTHETIC" in line for line in lines)


def test_watch_without_the_right_to_see_rates(run, fake):
    daemon = fake(refuses_rates=True, events=[event(0, 1, 2)])
    done = run("watch", "--seconds", "0.2")
    assert done.returncode == 0 and "rate" not in done.stdout
    assert [call.get("rate") for call in daemon.called("Subscribe")] == [True, None]


def test_watch_says_why_nothing_moves(run, fake):
    status = copy.deepcopy(STATUS) | {"state": "waiting", "reason": "no-device", "text": "no gyroscope yet"}
    fake(status=status, events=[event(-1, 0, 0, state="waiting", reason="no-device")])
    assert "waiting (no-device): no gyroscope yet" in run("watch", "--seconds", "0.2").stdout


def test_watch_draws_on_a_terminal_and_restores_it(terminal, fake):
    fake(events=[event(4, 4, 4, rate={"x": 0.5, "y": -0.1, "z": 0})])
    screen = terminal("watch")
    screen.wait_for("●")
    screen.wait_for("rate y")
    assert "\x1b[?1049h" in screen.output and "\x1b[?25l" in screen.output
    assert termios.tcgetattr(screen.inside)[3] & termios.ECHO == 0
    screen.process.send_signal(signal.SIGINT)
    assert screen.wait() == 0
    end = "\x1b[0m\x1b[?25h\x1b[?1049lended at x +4.00, y +4.00 points, 0 updates"
    assert screen.output.rstrip().endswith(end)
    assert termios.tcgetattr(screen.inside) == screen.before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_watch_restores_the_terminal_on_other_signals(terminal, fake, number):
    fake(events=[event(0, 1, 2)])
    screen = terminal("watch")
    screen.wait_for("●")
    screen.process.send_signal(number)
    assert screen.wait() == 0
    assert "\x1b[?1049lended at x +1.00" in screen.output


def test_watch_ends_by_a_key(terminal, fake):
    fake(events=[event(0, 1, 2)])
    screen = terminal("watch")
    screen.wait_for("●")
    screen.type("xq")
    assert screen.wait() == 0


def test_watch_restores_the_terminal_before_it_complains(terminal, fake):
    daemon = fake(events=[event(0, 1, 2)])
    screen = terminal("watch")
    screen.wait_for("●")
    daemon.hang_up()
    assert screen.wait() == 3
    assert re.search(r"\x1b\[\?1049lparallaxctl: .*has hung up", screen.output)


def test_watch_follows_the_size_of_the_terminal(terminal, fake):
    fake(events=[event(0, 1, 2)])
    screen = terminal("watch", columns=60, rows=20)
    screen.wait_for("┌─ x -50 to 50, y -17.2 to 17.2 points " + "─" * 20 + "┐")
    screen.resize(40, 14)
    screen.process.send_signal(signal.SIGWINCH)
    screen.wait_for("┌─ x -50 to 50, y -21.1 to 21.1 points ┐")
    screen.resize(9, 2)
    screen.process.send_signal(signal.SIGWINCH)
    screen.wait_for("\x1b[0;32mrunning:")


def test_watch_gives_the_terminal_back_while_it_is_stopped(terminal, fake):
    fake(events=[event(0, 1, 2)])
    screen = terminal("watch")
    screen.wait_for("●")
    screen.process.send_signal(signal.SIGTSTP)
    screen.wait_for("\x1b[?1049l")
    wait_for(lambda: state_of(screen.process.pid) == "T", "the program to stop")
    assert termios.tcgetattr(screen.inside) == screen.before
    length = len(screen.read())
    screen.process.send_signal(signal.SIGCONT)
    wait_for(lambda: "●" in screen.read()[length:], "the picture to come back")
    assert "\x1b[?1049h" in screen.output[length:]


def state_of(pid: int) -> str:
    """The letter of a process's state in /proc."""
    return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0]


def test_watch_without_colours(terminal, fake):
    fake(events=[event(0, 1, 2, rate={"x": 1, "y": 1, "z": 1})])
    screen = terminal("watch", "--seconds", "0.3", NO_COLOR="1")
    assert screen.wait() == 0
    assert "●" in screen.output
    assert set(re.findall(r"\x1b\[[0-9;]*m", screen.output)) == {"\x1b[0m"}


def test_watch_in_a_locale_without_utf8(terminal, fake):
    fake(events=[event(0, 1, 2)])
    screen = terminal("watch", "--seconds", "0.3", LANG="C")
    assert screen.wait() == 0
    assert "@" in screen.output and screen.output.isascii()


def test_watch_on_a_dumb_terminal_prints_plain_lines(terminal, fake):
    fake(events=[event(0, 1, 2)])
    screen = terminal("watch", "--seconds", "0.3", TERM="dumb")
    assert screen.wait() == 0
    assert "x     +1.00  y     +2.00  running" in screen.output
    assert "\x1b" not in screen.output


def test_the_daemons_text_cannot_take_the_terminal(terminal, fake):
    status = copy.deepcopy(STATUS) | {"text": "\x1b]0;owned\x07\n\x9b2J", "version": "\x1b[31m"}
    status["sensor"]["name"] = "a\x1b[5mb"
    fake(status=status, events=[event(0, 1, 2)])
    screen = terminal("watch", "--seconds", "0.3")
    assert screen.wait() == 0
    assert "owned" in screen.output
    assert not re.search(r"\x1b\]|\x1b\[5m|\x1b\[31m|\x07|\x9b", screen.output)
    plain = terminal("status")
    assert plain.wait() == 0
    assert "owned" in plain.output and not re.search(r"[\x1b\x07\x9b]", plain.output)


def test_subscribe_on_a_terminal_escapes_what_it_would_obey(terminal, fake):
    fake(events=['{"parameters":{"a":"\x9b2J"},"continues":true}\0'.encode()])
    screen = terminal("subscribe", "--count", "1")
    assert screen.wait() == 0
    assert screen.output.strip() == '{"a":"\\u009b2J"}'


def test_watch_recenters_by_a_key(terminal, fake):
    daemon = fake(events=[event(0, 1, 2)])
    screen = terminal("watch")
    screen.wait_for("●")
    screen.type("r")
    wait_for(lambda: daemon.called("Recenter"), "the call")
    screen.type("q")
    assert screen.wait() == 0


def test_watch_says_that_it_may_not_recenter(terminal, fake):
    fake(events=[event(0, 1, 2)], errors={"Recenter": DENIED})
    screen = terminal("watch")
    screen.wait_for("r recenters")
    screen.type("r")
    screen.wait_for("not recentered: you may not")
    screen.type("q")
    assert screen.wait() == 0


def test_watch_writes_only_what_changes(terminal, fake):
    """A picture that stands still costs nothing; one in motion much less than a screenful."""
    fake(events=[event(0, 1, 2)])
    screen = terminal("watch", "--seconds", "1.5")
    # The last line of the picture: it may come in pieces.
    screen.wait_for("r recenters")
    first = len(screen.read())
    assert screen.wait() == 0
    assert len(screen.output) - first < 500


def waiting(reason: str, backend: str, text: str) -> dict:
    """A status."""
    status = copy.deepcopy(STATUS) | {"state": "waiting", "reason": reason, "text": text}
    status["sensor"]["backend"] = backend
    return status


@pytest.mark.parametrize("reason, backend", [("no-device", "iio"), ("configuration", "iio"), ("busy", "replay")])
def test_watch_waits_for_what_may_come(run, fake, reason, backend):
    fake(status=waiting(reason, backend, "wait"), events=[event(-1, 0, 0, state="waiting", reason=reason)])
    done = run("watch", "--seconds", "0.3")
    assert done.returncode == 0
    first, last = done.stdout.splitlines()
    assert f"waiting ({reason}): wait" in first and last.startswith("ended at x")


def test_watch_ends_with_a_recording(run, terminal, fake):
    events = [event(0, 1, 2), event(9, 3, 4), event(9, 3, 4, state="waiting", reason="replay-ended")]
    fake(status=waiting("replay-ended", "replay", "over"), events=events)
    last = "the recording has been played: ended at x +3.00, y +4.00 points, 9 updates"
    done = run("watch")
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == last
    screen = terminal("watch")
    assert screen.wait() == 0
    assert screen.output.rstrip().endswith("\x1b[?1049l" + last)


def test_watch_fails_with_a_broken_recording(run, terminal, fake):
    events = [event(0, 1, 2), event(0, 1, 2, state="waiting", reason="configuration")]
    fake(status=waiting("configuration", "replay", "a.csv:4:5: broken"), events=events)
    done = run("watch")
    assert (done.returncode, done.stderr) == (1, "parallaxctl: a.csv:4:5: broken\n")
    screen = terminal("watch")
    assert screen.wait() == 1
    assert screen.output.rstrip().endswith("\x1b[?1049lparallaxctl: a.csv:4:5: broken")


def test_watch_does_not_tell_a_subscriber_that_there_is_none(run, fake):
    fake(events=[event(-1, 0, 0, state="idle"), event(-1, 0, 0, state="starting"), event(0, 1, 2)], hangs_up=True)
    lines = run("watch").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["parallaxd", "x"]


# With the daemon and its demonstration


@pytest.fixture
def demonstration(daemon, environment):
    """A daemon that plays the demonstration, which parallaxctl finds."""
    one = daemon("--demo")
    environment["PARALLAXD_SOCKET"] = str(one.socket)
    return one


def test_the_demonstration_is_called_synthetic(run, start, demonstration):
    status = run("status")
    assert status.returncode == 0 and "SYNTHETIC" in status.stdout
    watch = start("watch")
    header, *lines = [watch.stdout.readline() for _ in range(6)]
    assert "SYNTHETIC" in header
    assert all("SYNTHETIC" in line for line in lines)
    assert any("running" in line for line in lines)
    watch.send_signal(signal.SIGINT)
    assert watch.wait(60) == 0


def test_the_demonstration_is_drawn(terminal, demonstration):
    screen = terminal("watch")
    screen.wait_for("SYNTHETIC")
    screen.wait_for("running")
    screen.wait_for("⣿")
    screen.wait_for("rate z")
    screen.process.send_signal(signal.SIGINT)
    assert screen.wait() == 0


def test_events_of_the_daemon(run, demonstration):
    done = run("subscribe", "--count", "20", "--all", "--rates")
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(events) == 20
    running = [one for one in events if one["state"] == "running"]
    sequences = [one["sequence"] for one in running]
    assert len(running) >= 2 and sequences == sorted(set(sequences))
    assert all(set(one["rate"]) == {"x", "y", "z"} for one in running)


def test_pan_and_recenter_change_what_the_next_subscriber_sees(run, demonstration):
    assert run("pan", "40", "12.5").returncode == 0
    first = json.loads(run("subscribe", "--count", "1").stdout)
    assert (first["x"], first["y"]) == (40, -12.5)
    assert run("recenter").returncode == 0
    first = json.loads(run("subscribe", "--count", "1").stdout)
    assert (first["x"], first["y"]) == (0, 0)


def test_reduced_motion_is_switched(run, demonstration):
    assert json.loads(run("subscribe", "--count", "1").stdout)["reduced_motion"] is False
    for position, reduced in [("on", True), ("off", False), ("on", True), ("default", False)]:
        assert run("reduced-motion", position).returncode == 0
        assert json.loads(run("subscribe", "--count", "1").stdout)["reduced_motion"] is reduced


def test_pan_is_ignored_while_motion_is_reduced(run, demonstration):
    assert run("reduced-motion", "on").returncode == 0
    fails(run("pan", "1", "1"), 1, "ignored: motion is reduced")


@pytest.mark.parametrize("rows, code", [("0,0,1,0\n0.1,0,1,0\n", 0), ("0,0,1,0\n0.1,0,one,0\n0.2,0,1,0\n", 1)])
def test_a_recording_is_watched_to_its_end(run, daemon, folder, environment, rows, code):
    """The whole way from the file."""
    (folder / "turn.csv").write_text("t,x,y,z\n" + rows)
    environment["PARALLAXD_SOCKET"] = str(daemon("--replay", str(folder / "turn.csv")).socket)
    done = run("watch")
    assert done.returncode == code, done
    assert done.stdout.splitlines()[0].endswith("  turn.csv")
    if code:
        assert done.stderr.endswith('turn.csv:3:7: y: expected a finite number, found "one"\n')
    else:
        assert done.stdout.splitlines()[-1].startswith("the recording has been played: ended at x +")
        again = run("watch")
        assert again.returncode == 0 and "has been played" in again.stdout


def test_the_daemon_stops_while_somebody_subscribes(start, demonstration):
    process = start("subscribe")
    process.stdout.readline()
    demonstration.stop()
    assert process.wait(60) == 3
    assert "has hung up" in process.stderr.read()


@pytest.mark.parametrize("arguments", ["status", "status --json", "subscribe --count 1", "watch --seconds 1"])
def test_a_closed_standard_output_is_an_error_and_not_the_socket(parallaxctl, environment, demonstration, arguments):
    command = f'exec "$0" --socket "$1" {arguments} >&-'
    done = subprocess.run(
        ["sh", "-c", command, parallaxctl, demonstration.socket], env=environment, capture_output=True, text=True
    )
    fails(done, 1, "write the output")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_watch_ends_by_a_signal_while_the_daemon_says_nothing(start, fake, number):
    silent = fake(silent=True)
    watch = start("--socket", str(silent.path), "watch")
    wait_for(lambda: silent.calls, "a call")
    watch.send_signal(number)
    assert watch.wait(60) == 0


def test_watch_survives_a_threshold_beyond_all_steps(run, fake):
    status = copy.deepcopy(STATUS) | {"settings": [{"name": "motion.threshold", "value": "1e308"}]}
    done = run("--socket", str(fake(status=status, events=[event(0, 1, 2)]).path), "watch", "--seconds", "0.3")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_subscribe_ends_by_a_signal_while_nobody_reads(parallaxctl, environment, daemon, number):
    """Its output is a pipe that is full."""
    one = daemon("--demo", "--set", "motion.update_interval=0.005")
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    process = subprocess.Popen(
        [parallaxctl, "--socket", one.socket, "subscribe", "--all"], stdout=writing, env=environment
    )
    os.close(writing)
    with one.client() as control:
        wait_for(lambda: control.call("GetStatus")["counters"]["dropped"] > 0, "the pipe and the socket to be full")
    process.send_signal(number)
    assert process.wait(60) == 0
    os.close(reading)
