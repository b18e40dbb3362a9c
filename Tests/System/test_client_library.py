"""libparallax from outside: programs in C against the daemon, and against servers that are none."""

import array
import fcntl
import json
import os
import random
import re
import shutil
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support import library
from support.library import Program
from support.machine import becoming, unshare_command
from support.scripted import Scripted, hang_up, moved, said
from support.waiting import wait_for

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "Library"
ARGUMENT, NO_DAEMON, PERMISSION, REFUSED = "-1", "-2", "-3", "-4"
# The last connection of a server that did something wrong before.
GOOD = [moved(5, 1, -2)]


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory, binaries: Path) -> Path:
    """What `make install` makes, with PREFIX=/usr."""
    library.build()
    tree = tmp_path_factory.mktemp("installed")
    result = library.make("install", f"DESTDIR={tree}", "PREFIX=/usr", f"RELEASE={binaries}")
    assert result.returncode == 0, result.stderr
    return tree


@pytest.fixture(scope="session")
def installed(tree: Path) -> Path:
    """The program of the tests, linked to the installed library as pkg-config says."""
    source = PROGRAMS / "client.c"
    flags = library.pkg_config(tree, "--cflags", "--libs")
    return library.compile_c(tree / "client", [source], [*flags, f"-Wl,-rpath,{tree}/usr/lib"])


@pytest.fixture(scope="session")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same program, the library in it, with sanitizers."""
    return library.compile_sanitized(tmp_path_factory.mktemp("sanitized") / "client", PROGRAMS / "client.c")


@pytest.fixture(scope="session")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, and it waits half a second for what the library waits ten."""
    output = tmp_path_factory.mktemp("impatient") / "client"
    return library.compile_sanitized(output, PROGRAMS / "client.c", "-DPARALLAX_PATIENCE_MS=500")


@pytest.fixture
def run() -> Iterator[Callable[..., Program]]:
    """Starts programs; each must end cleanly after the test."""
    started: list[Program] = []

    def start(program: Path, *arguments: str | Path, **environment: str) -> Program:
        started.append(Program([str(program), *map(str, arguments)], **environment))
        return started[-1]

    yield start
    try:
        for one in started:
            one.end()
    finally:
        for one in started:
            one.close()


@pytest.fixture
def serve(folder: Path) -> Iterator[Callable[..., Scripted]]:
    """Starts a server at `folder`/socket."""
    started: list[Scripted] = []

    def start(*scripts: list) -> Scripted:
        started.append(Scripted(folder / "socket", *scripts))
        return started[-1]

    yield start
    for one in started:
        one.close()


def restart(daemon, one, *arguments: str):
    """Another daemon in the place of one that was killed, at the same socket."""
    again = daemon(*arguments, "--socket", str(one.socket), ready=False)
    again.socket = one.socket
    again.wait_ready()
    return again


# What is installed


def test_only_the_interface_is_visible(tree: Path) -> None:
    """The shared library's symbols are what the header declares, and its soname is the versioned one."""
    path = tree / "usr/lib/libparallax.so.0"
    listed = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    symbols = {line.split()[2].split("@")[0] for line in listed.splitlines()} - {"PARALLAX_0"}
    header = (tree / "usr/include/parallax.h").read_text()
    assert symbols == set(re.findall(r"^PARALLAX_API [^(]*?\*?(parallax_\w+)\(", header, re.MULTILINE))
    manual = (tree / "usr/share/man/man3/parallax.3").read_text().partition(".SH DESCRIPTION")[0]
    assert symbols == set(re.findall(r"(parallax_\w+)\(", manual))
    dynamic = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    assert "soname: [libparallax.so.0]" in dynamic
    needed = re.findall(r"NEEDED.*\[(.*)\]", dynamic)
    assert needed == ["libjansson.so.4", "libc.so.6"], "no Swift, no other library"


def test_static_and_cxx(tree: Path, tmp_path: Path) -> None:
    """The archive links with what pkg-config says for it; the header is C++ too."""
    flags = library.pkg_config(tree, "--cflags")
    static = [str(tree / "usr/lib/libparallax.a"), "-ljansson"]
    assert "-ljansson" in library.pkg_config(tree, "--static", "--libs")
    program = library.compile_c(tmp_path / "static", [PROGRAMS / "client.c"], [*flags, *static])
    done = subprocess.run([program, "--socket", "/nowhere"], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("error -2 no daemon: /nowhere does not exist")
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler:
        source = tmp_path / "header.cpp"
        source.write_text("#include <parallax.h>\nint main() { parallax_options options = {}; return options.backlog; }\n")
        subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-c", *flags, str(source), "-o", "/dev/null"], check=True)


def test_libdir_is_honoured(binaries: Path, tmp_path: Path) -> None:
    """Debian's own folders; uninstalling takes all of it away."""
    library.build()
    where = [f"DESTDIR={tmp_path}", "PREFIX=/usr", "LIBDIR=/usr/lib/x86_64-linux-gnu", f"RELEASE={binaries}"]
    assert library.make("install", *where).returncode == 0
    folder = tmp_path / "usr/lib/x86_64-linux-gnu"
    assert "libdir=/usr/lib/x86_64-linux-gnu\n" in (folder / "pkgconfig/parallax.pc").read_text()
    assert (folder / "libparallax.so").resolve() == (folder / "libparallax.so.0").resolve()
    assert library.make("uninstall", *where).returncode == 0
    assert not [path for path in tmp_path.rglob("*parallax*") if path.is_file() and "etc" not in path.parts]


# Replies, without a server


def test_what_is_made_of_replies(tmp_path: Path) -> None:
    """A table, and mutations of it, under the address and undefined sanitizers."""
    program = library.compile_sanitized(tmp_path / "reply", PROGRAMS / "reply.c")
    seed = random.SystemRandom().randrange(2**63)
    done = subprocess.run([program, str(seed), "50000"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"seed {seed}\n{done.stdout}{done.stderr}"


# Finding the daemon


def test_where_it_looks(daemon, run, installed: Path, folder: Path) -> None:
    """A path that is given, then the variable, then the user's."""
    one, two = daemon("--demo"), daemon("--demo")
    (folder / "user/parallaxd").mkdir(parents=True)
    (folder / "user/parallaxd/socket").symlink_to(two.socket)
    user = {"XDG_RUNTIME_DIR": str(folder / "user")}
    run(installed, "--socket", one.socket, PARALLAXD_SOCKET="/nowhere").wait("event running")
    run(installed, PARALLAXD_SOCKET=str(one.socket), **user).wait("event running")
    error = run(installed, PARALLAXD_SOCKET="/nowhere", **user).wait("error")
    assert error[1] == NO_DAEMON and "/nowhere" in error
    if not Path("/run/parallaxd/socket").exists():
        run(installed, PARALLAXD_SOCKET="", **user).wait("event running")


def dead_socket(path: Path) -> None:
    """A socket that nobody listens on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


def test_a_socket_that_refuses_is_an_error(daemon, run, installed: Path, folder: Path) -> None:
    """The system's is there and dead: the user's, which lives, is not taken for it."""
    enter = unshare_command()
    if enter is None:
        pytest.skip("neither `unshare -m` nor `unshare -Urm` works here")
    one = daemon("--demo")
    (folder / "user/parallaxd").mkdir(parents=True)
    (folder / "user/parallaxd/socket").symlink_to(one.socket)
    dead_socket(folder / "run/parallaxd/socket")
    shell = f"mount --bind {folder}/run /run && exec {installed}"
    program = Program([*enter, "sh", "-c", shell], XDG_RUNTIME_DIR=str(folder / "user"))
    try:
        error = program.wait("error")
        assert error[1] == NO_DAEMON and " ".join(error[2:6]) == "nobody listens on /run/parallaxd/socket:"
    finally:
        program.close()


def test_a_file_that_is_no_socket_is_said_to_be_none(run, installed: Path, folder: Path) -> None:
    """Not that nobody listens on it."""
    (folder / "file").write_text("")
    error = run(installed, "--socket", folder / "file").wait("error")
    assert error[1] == NO_DAEMON and f"{folder}/file is no socket" in " ".join(error)


def test_one_waits_for_a_daemon(daemon, run, installed: Path, folder: Path) -> None:
    """Where it is asked for, none is no error, nor is a dead socket."""
    path = folder / "daemon0" / "socket"
    program = run(installed, "--wait", "--socket", path)
    assert "exist;" in program.wait("event disconnected -1 0 0 no daemon:")
    daemon("--demo")
    program.wait("event running")
    assert len([line for line in program.lines if "disconnected" in line]) == 1


@pytest.mark.parametrize(
    "arguments, text",
    [
        (["--socket", ""], "empty"),
        (["--socket", "/" + "x" * 300], "too long"),
        (["--interval", "61"], "min_interval"),
        (["--interval", "nan"], "min_interval"),
    ],
)
def test_arguments_are_checked(run, sanitized: Path, arguments: list[str], text: str) -> None:
    error = run(sanitized, *arguments).wait("error")
    assert error[1] == ARGUMENT and text in " ".join(error)


# The daemon comes and goes


def test_events_go_on_after_a_restart(daemon, run, installed: Path) -> None:
    """Killed while somebody is subscribed, and started again: one word of it, and motion again."""
    one = daemon("--demo")
    program = run(installed, "--socket", one.socket)
    assert program.wait("event")[1] in ("idle", "starting")
    before = program.wait("event running")
    one.kill()
    lost = program.wait("event disconnected")
    assert "hung up" in " ".join(lost) and int(lost[2]) >= int(before[2])
    restart(daemon, one, "--demo")
    program.wait("event running")
    assert len([line for line in program.lines if "disconnected" in line]) == 1


def test_rates_that_one_may_not_see(daemon, sanitized: Path, folder: Path) -> None:
    """Refused for good: one error, and no more attempts."""
    become = becoming(65534)
    one = daemon("--demo")
    one.socket.chmod(0o666)
    mine = shutil.copy(sanitized, folder / "client")
    program = Program([*become, str(mine), "--rate", "--socket", str(one.socket)])
    try:
        error = program.wait("error")
        assert error[1] == PERMISSION and error[-1] == "org.varlink.service.PermissionDenied"
        assert program.ask("wakeups", "wakeups")[1] == "1"
        program.end()
    finally:
        program.close()


def attempts_by(seconds: float) -> int:
    """How many attempts fit into so long: the waits are 0.1 s, 0.2 s, 0.4 s ... at the least, up to 10 s."""
    delay, count = 0.1, 0
    while seconds >= delay:
        seconds, delay, count = seconds - delay, min(delay * 2, 10), count + 1
    return count


def test_while_there_is_no_daemon_only_the_timer_wakes(daemon, run, installed: Path, folder: Path) -> None:
    """Its socket is there and dead: one wake-up an attempt, fewer and fewer attempts."""
    one = daemon("--demo")
    program = run(installed, "--socket", one.socket)
    program.wait("event running")
    start = time.monotonic()
    one.kill()
    program.wait("event disconnected")
    before = int(program.ask("wakeups", "wakeups")[1])
    wait_for(lambda: int(program.ask("wakeups", "wakeups")[1]) >= before + 4, "four attempts", every=0.1)
    assert int(program.ask("wakeups", "wakeups")[1]) - before <= attempts_by(time.monotonic() - start) + 1


def test_attempts_are_bounded(serve, run, sanitized: Path, folder: Path) -> None:
    """A server that hangs up on everybody gets few connections, and costs two wake-ups each at the most."""
    start = time.monotonic()
    server = serve([hang_up])
    program = run(sanitized, "--socket", folder / "socket")
    wait_for(lambda: len(server.connections) >= 4, "four connections")
    wakeups = int(program.ask("wakeups", "wakeups")[1])
    connections = len(server.connections)
    assert connections <= attempts_by(time.monotonic() - start) + 1
    assert wakeups <= 2 * connections + 1
    assert len([line for line in program.lines if "disconnected" in line]) == 1


# An own origin


def test_an_origin_of_ones_own(serve, run, sanitized: Path, folder: Path) -> None:
    """From what is shown; over a restart; back to neutral with reduced motion; and off."""
    go = {name: threading.Event() for name in ("second", "end", "reduced")}

    def wait(name: str) -> Callable:
        return lambda _: go[name].wait(60)

    serve(
        [moved(1, 5, -3), wait("second"), moved(2, 7, -3), wait("end"), hang_up],
        [moved(0, 100, 50), moved(1, 101, 50), wait("reduced"), moved(2, 0, 0, reduced_motion=True), moved(3, 4, 4)],
    )
    program = run(sanitized, "--socket", folder / "socket")
    assert program.wait("event")[1:5] == ["running", "1", "5", "-3"]
    program.say("origin")
    program.ask("wakeups", "wakeups")
    go["second"].set()
    assert program.wait("event")[1:5] == ["running", "2", "2", "0"]
    go["end"].set()
    assert program.wait("event")[1:5] == ["disconnected", "2", "2", "0"]
    assert program.wait("event")[1:5] == ["running", "0", "2", "0"], "it goes on from where it was"
    assert program.wait("event")[1:5] == ["running", "1", "3", "0"]
    go["reduced"].set()
    assert program.wait("event")[1:5] == ["running", "2", "0", "0"]
    assert program.wait("event")[1:5] == ["running", "3", "4", "4"]


def test_an_origin_before_the_first_event(serve, run, sanitized: Path, folder: Path) -> None:
    """It is the first event's, and may be taken back."""
    go = threading.Event()
    serve([lambda _: go.wait(60), moved(1, 5, -3), moved(2, 6, -3)])
    program = run(sanitized, "--socket", folder / "socket")
    program.say("origin")
    program.ask("wakeups", "wakeups")
    go.set()
    assert program.wait("event")[3:5] == ["0", "0"]
    assert program.wait("event")[3:5] == ["1", "0"]


# What is asked for


def test_options_become_parameters(serve, run, sanitized: Path, folder: Path) -> None:
    """What is not asked for is not said."""
    server = serve(GOOD)
    run(sanitized, "--socket", folder / "socket", "--rate", "--interval", "0.25").wait("event")
    assert server.calls == [
        {"method": "org.parallaxd.Motion.Subscribe", "parameters": {"min_interval": 0.25, "rate": True}, "more": True}
    ]


# Servers that are none


def descriptors(count: int) -> Callable[[socket.socket], None]:
    """Sends an event with so many descriptors that nobody asked for."""

    def act(connection: socket.socket) -> None:
        with open("/dev/null") as null:
            sent = array.array("i", [null.fileno()] * count)
            connection.sendmsg([moved(1, 1, 1)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, sent)])

    return act


def slowly(data: bytes) -> Callable[[socket.socket], None]:
    """Sends bytes one by one."""

    def act(connection: socket.socket) -> None:
        for index in range(len(data)):
            connection.sendall(data[index : index + 1])

    return act


WRONG: dict[str, list] = {
    "nothing": [hang_up],
    "silence": [],
    "noise": [random.Random(7).randbytes(5000), b"\0"],
    "empty messages": [b"\0" * 100],
    "no object": [b"[1, 2]\0"],
    "no event": [said(sequence=1)],
    "a number too large": [moved(1, 1, 1).replace(b'"x": 1', b'"x": 1e400')],
    "not a number": [moved(1, 1, 1).replace(b'"x": 1', b'"x": NaN')],
    "bad UTF-8": [b'{"parameters": {"state": "\xff\xfe"}}\0'],
    "a long message": [b'{"parameters": {"x": "' + b"y" * 300_000],
    "nested too deep": [b'{"a":' * 17 + b"1" + b"}" * 17 + b"\0"],
    "nested very deep": [b"[" * 60_000 + b"\0"],
    "half a message": [moved(1, 1, 1)[:40]],
    "half a message and the end": [moved(1, 1, 1)[:40], hang_up],
    "the end of a stream": [moved(1, 1, 1).replace(b'"continues": true', b'"continues": false')],
    "too many": [b'{"error":"org.parallaxd.Motion.TooManySubscribers","parameters":{"limit":1}}\0'],
    "an error without a name": [b'{"error":3}\0'],
}


@pytest.mark.parametrize("script", WRONG.values(), ids=WRONG.keys())
def test_servers_that_are_none(serve, run, impatient: Path, folder: Path, script: list) -> None:
    """Said in one line; the next attempt finds a daemon, and what is right there is taken."""
    serve(script, GOOD)
    program = run(impatient, "--socket", folder / "socket")
    lost = program.wait("event disconnected -1 0 0 ")
    assert len(lost) > 6, "it says why"
    assert program.wait("event running 5 ")[3:] == ["1", "-2"]


def test_what_is_odd_and_right(serve, run, sanitized: Path, folder: Path) -> None:
    """Bytes one by one, much at once, and descriptors that nobody asked for."""
    serve([slowly(moved(1, 1, 1)), descriptors(30), b"".join(moved(n, n, 0) for n in range(2, 5001)), *GOOD])
    program = run(sanitized, "--socket", folder / "socket")
    program.wait("event running 5000 5000 0")
    program.wait("event running 5 1 -2")
    numbers = [int(line.split()[2]) for line in program.lines]
    assert numbers == [1, *range(1, 5001), 5]
    held = [os.readlink(path) for path in Path(f"/proc/{program.process.pid}/fd").iterdir()]
    assert "/dev/null" not in held


def test_refused_for_good(serve, run, sanitized: Path, folder: Path) -> None:
    """What the daemon does not know it will not know next time; its words are made fit for a line."""
    server = serve([b'{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"ra\\nte\\u001b"}}\0'])
    program = run(sanitized, "--socket", folder / "socket")
    error = program.wait("error")
    assert error[1:] == [REFUSED, "the", "daemon", "refuses:", "org.varlink.service.InvalidParameter:", "ra?te?"]
    assert program.ask("wakeups", "wakeups")[1] == "1" and len(server.connections) == 1


# The page


def page(sequence: int, x: float, y: float, *, lock: int = 2, flags: int = 1 | 2 << 8) -> bytes:
    """A page's bytes, as include/parallax_page.h lays it out."""
    record = struct.pack("=Qqqq9dQ", lock, sequence, 30, 40, x, y, 10, 0, 0, 0, 0, 0, 0, flags)
    return (struct.pack("=8sII", b"parallax", 1, 192).ljust(64, b"\0") + record).ljust(192, b"\0")


class Page:
    """A page that a script hands over, and writes."""

    def __init__(self, data: bytes, seals: int = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW) -> None:
        self.descriptor = os.memfd_create("page", os.MFD_ALLOW_SEALING)
        self.write(data)
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, seals)

    def write(self, data: bytes) -> None:
        """All of it; for readers that do not look meanwhile."""
        os.pwrite(self.descriptor, data, 0)

    def reply(self, connection: socket.socket, **members: int) -> None:
        """OpenPage's reply, with the descriptor."""
        parameters = {"version": 1, "size": 192, "fileDescriptor": 0} | members
        read_only = os.open(f"/proc/self/fd/{self.descriptor}", os.O_RDONLY)
        sent = array.array("i", [read_only])
        data = json.dumps({"parameters": parameters}).encode() + b"\0"
        connection.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, sent)])
        os.close(read_only)


def test_frames_of_the_page(serve, run, sanitized: Path, folder: Path) -> None:
    """Mapped, read, kept while there is none, and mapped again after a restart; with an own origin."""
    first, second = Page(page(3, 5, -3)), Page(page(-1, 0, 0, lock=0, flags=0))
    go = threading.Event()
    server = serve([first.reply, lambda _: go.wait(60), hang_up], [second.reply])
    program = run(sanitized, "--page", "--socket", folder / "socket")
    assert program.wait("event")[1:5] == ["running", "3", "5", "-3"]
    assert server.calls == [{"method": "org.parallaxd.Motion.OpenPage"}]
    assert program.ask("frame", "frame") == ["frame", "2", "1", "3", "5", "-3"]
    program.say("origin")
    first.write(page(4, 7, -3, lock=4))
    assert program.ask("frame", "frame") == ["frame", "2", "1", "4", "2", "0"]
    first.write(page(5, 9, 9, lock=5))
    assert program.ask("frame", "frame") == ["frame", "2", "1", "4", "2", "0"], "being written"
    go.set()
    assert program.wait("event disconnected")[3:5] == ["2", "0"]
    program.wait("event starting -1 2 0")
    stays = ["frame", "254", "0", "4", "2", "0"]
    assert program.ask("frame", "frame") == stays, "nothing is written yet: it does not run"
    second.write(page(0, 100, 100))
    assert program.ask("frame", "frame") == ["frame", "2", "1", "0", "2", "0"]
    second.write(page(1, 101, 100, lock=4))
    assert program.ask("frame", "frame") == ["frame", "2", "1", "1", "3", "0"]


def test_a_page_whose_right_to_rates_goes(serve, run, sanitized: Path, folder: Path) -> None:
    """The client opens the one without."""
    denied = b'{"error":"org.varlink.service.PermissionDenied","parameters":{}}\0'
    first, second = Page(page(3, 5, -3)), Page(page(4, 6, -3))
    go = threading.Event()
    serve([first.reply, lambda _: go.wait(60), denied], [second.reply])
    program = run(sanitized, "--page", "--socket", folder / "socket")
    program.wait("event running 3")
    go.set()
    program.wait("event disconnected")
    program.wait("event running 4")


def test_the_page_of_a_daemon(daemon, run, installed: Path) -> None:
    """Frames run; a killed daemon's stay; those of the next one run again."""
    one = daemon("--demo")
    program = run(installed, "--page", "--socket", one.socket)
    program.wait("event")

    def wait_frame(state: int, sequence: int) -> list[str]:
        def look() -> list[str] | None:
            answer = program.ask("frame", ("frame", "no-frame"))
            return answer if answer[1:2] == [str(state)] and int(answer[3]) >= sequence else None

        return wait_for(look, f"a frame of state {state}", every=0.05)

    before = wait_frame(2, 10)
    assert before[2] == "1"
    one.kill()
    program.wait("event disconnected")
    stays = program.ask("frame", "frame")
    assert stays[1:3] == ["254", "0"] and int(stays[3]) >= int(before[3])
    assert program.ask("frame", "frame") == stays
    restart(daemon, one, "--demo")
    wait_frame(2, 10)


def no_page(**members: int) -> list:
    """A reply that is wrong in this."""
    return [lambda connection: Page(page(1, 1, 1)).reply(connection, **members)]


WRONG_PAGES: dict[str, list] = {
    "no descriptor": [json.dumps({"parameters": {"version": 1, "size": 192, "fileDescriptor": 0}}).encode() + b"\0"],
    "another version": no_page(version=2),
    "too small": no_page(size=64),
    "larger than it is": no_page(size=1 << 19),
    "very large": no_page(size=1 << 62),
    "another descriptor": no_page(fileDescriptor=1),
    "a negative descriptor": no_page(fileDescriptor=-1),
    "another layout": [Page(b"nonsense" * 24).reply],
    "not sealed": [Page(page(1, 1, 1), 0).reply],
    "an event": GOOD,
}


@pytest.mark.parametrize("script", WRONG_PAGES.values(), ids=WRONG_PAGES.keys())
def test_pages_that_are_none(serve, run, sanitized: Path, folder: Path, script: list) -> None:
    """Never mapped; the next attempt finds one that is."""
    good = Page(page(3, 5, -3))
    serve(script, [good.reply])
    program = run(sanitized, "--page", "--socket", folder / "socket")
    assert len(program.wait("event disconnected")) > 6
    program.wait("event running 3 5 -3")
    held = [os.readlink(path) for path in Path(f"/proc/{program.process.pid}/fd").iterdir()]
    assert not [path for path in held if "memfd" in path], "what is mapped need not stay open"


def test_many_descriptors_with_a_page(serve, run, sanitized: Path, folder: Path) -> None:
    """All are closed, also where the page never comes."""
    lost, one = Page(page(9, 9, 9)), Page(page(3, 5, -3))

    def begin(of: Page) -> Callable[[socket.socket], None]:
        sent = array.array("i", [of.descriptor] * 100)
        return lambda connection: connection.sendmsg([b"{"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, sent)])

    # Those of a connection that was lost are not the next one's.
    serve([begin(lost), hang_up], [begin(one), b'"parameters":{"version":1,"size":192,"fileDescriptor":3}}\0'])
    program = run(sanitized, "--page", "--socket", folder / "socket")
    program.wait("event running 3 5 -3")
    held = [os.readlink(path) for path in Path(f"/proc/{program.process.pid}/fd").iterdir()]
    assert not [path for path in held if "memfd" in path]
