"""`make install` into a folder of its own: every file, the unit's paths, and what systemd says of it."""

import fnmatch
import grp
import os
import re
import shlex
import signal
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from support import devices
from support.gyroscope import Gyroscope
from support.library import build, make
from support.machine import need_root
from support.sensor import NOBODY, open_sensor
from support.written import HANDED_OVER, KEPT

REPOSITORY = Path(__file__).resolve().parents[2]
UNITS = "usr/lib/systemd/system"
# Every path, and its mode.
INSTALLED = {
    "usr/bin/parallaxd": 0o755,
    "usr/bin/parallaxctl": 0o755,
    "usr/lib/libparallax.so.0": 0o644,
    "usr/lib/libparallax.so": 0o644,
    "usr/lib/libparallax.a": 0o644,
    "usr/lib/pkgconfig/parallax.pc": 0o644,
    "usr/include/parallax.h": 0o644,
    "usr/include/parallax_page.h": 0o644,
    f"{UNITS}/parallaxd.service": 0o644,
    f"{UNITS}/parallaxd.socket": 0o644,
    "usr/lib/sysusers.d/parallaxd.conf": 0o644,
    "usr/lib/udev/rules.d/60-parallaxd.rules": 0o644,
    "etc/parallaxd/parallaxd.toml": 0o644,
    "etc/parallaxd/scenes/launcher.toml": 0o644,
    "etc/parallaxd/scenes/lock-screen.toml": 0o644,
    "etc/parallaxd/scenes/wallpaper.toml": 0o644,
    "usr/share/man/man1/parallaxctl.1": 0o644,
    "usr/share/man/man3/parallax.3": 0o644,
    "usr/share/man/man5/parallaxd.toml.5": 0o644,
    "usr/share/man/man8/parallaxd.8": 0o644,
} | {
    # In folders as in the source, since they link to each other.
    f"usr/share/doc/parallaxd/{name}": 0o644
    for name in [
        "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "network.conf", "usb.conf",
        "config/parallaxd.toml", "config/scenes/launcher.toml", "config/scenes/lock-screen.toml",
        "config/scenes/wallpaper.toml", "include/parallax.h", "include/parallax_page.h", "docs/protocol.md",
        "docs/motion.md", "docs/bias.md", "docs/tilt.md", "docs/scenes.md", "docs/client-library.md",
        "docs/devices.md", "docs/field-notes.md", "docs/benchmarks.md", "docs/org.parallaxd.Motion.varlink",
        "docs/demonstration.svg", "examples/README.md", "examples/subscribe.py", "examples/subscribe.sh",
        "examples/subscribe.c", "examples/scene.py", "examples/page.py", "examples/layers.c",
    ]
}


def files(tree: Path) -> dict[str, int]:
    """The files of a tree and their modes."""
    found = [path for path in tree.rglob("*") if path.is_file()]
    return {str(path.relative_to(tree)): stat.S_IMODE(path.stat().st_mode) for path in found}


@pytest.fixture(scope="module")
def tree(binaries: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installed tree with PREFIX=/usr, made under a strict umask, plus what systemd-analyze needs."""
    tree = tmp_path_factory.mktemp("tree")
    build()
    previous = os.umask(0o077)
    try:
        result = make("install", f"DESTDIR={tree}", "PREFIX=/usr", f"RELEASE={binaries}")
    finally:
        os.umask(previous)
    assert result.returncode == 0, result.stderr
    assert "usermod --append --groups parallax USER" in result.stdout
    assert files(tree) == INSTALLED
    return tree


@pytest.fixture(scope="module")
def system(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed tree laid over the units of this machine's systemd, as a root for systemd-analyze."""
    if not shutil.which("systemd-analyze"):
        pytest.fail("systemd-analyze is missing: run `make deps`")
    root = tmp_path_factory.mktemp("system")
    shutil.copytree("/lib/systemd/system", root / UNITS, symlinks=True)
    shutil.copytree(tree, root, dirs_exist_ok=True)
    (root / "bin").mkdir()
    shutil.copy("/bin/sh", root / "bin" / "sh")
    return root


def test_the_documents_link_to_what_is_installed(tree: Path) -> None:
    """Every relative link of every one."""
    checked = 0
    for document in (tree / "usr/share/doc/parallaxd").rglob("*.md"):
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text()):
            if "://" not in link:
                assert (document.parent / link).is_file(), f"{document.name}: {link}"
                checked += 1
    assert checked > 10


def test_directories_may_be_entered_by_all(tree: Path) -> None:
    """Whatever the umask of who installs."""
    for path in tree.rglob("*"):
        if path.is_dir():
            assert path.stat().st_mode & 0o755 == 0o755, path


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs systemd-analyze."""
    command = ["systemd-analyze", "--no-pager", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_the_units_are_right(system: Path) -> None:
    """systemd-analyze verify, with nothing to say."""
    units = ["parallaxd.service", "parallaxd.socket"]
    result = analyze("verify", "--man=no", f"--root={system}", *units)
    assert (result.returncode, result.stdout + result.stderr) == (0, "")


def exposure(system: Path) -> float:
    """What systemd-analyze security says, 0 to 10."""
    result = analyze("security", "--offline=true", f"--root={system}", "parallaxd.service")
    found = re.search(r"Overall exposure level for parallaxd.service: ([0-9.]+)", result.stdout)
    assert found, result.stdout + result.stderr
    return float(found[1])


def test_the_service_is_hardened(system: Path) -> None:
    """Exposure at most 1.5; with the drop-in for sensors of another machine it is what that says."""
    assert exposure(system) <= 1.5
    example = (system / "usr/share/doc/parallaxd/network.conf").read_text()
    folder = system / "etc/systemd/system/parallaxd.service.d"
    folder.mkdir(parents=True)
    (folder / "network.conf").write_text(example)
    said = re.search(r"rises from ([0-9.]+) to ([0-9]+\.[0-9]+)", example)
    assert said and exposure(system) == float(said[2])
    shutil.rmtree(folder)
    assert exposure(system) == float(said[1])


def test_the_unit_says_what_the_daemon_counts_on(tree: Path) -> None:
    """Settings that no analysis would miss."""
    service = (tree / UNITS / "parallaxd.service").read_text().splitlines()
    for line in [
        "Type=notify", "DynamicUser=yes", "RestartPreventExitStatus=78", "DevicePolicy=closed",
        "DeviceAllow=char-iio rw", "ProtectKernelTunables=yes",
        "ReadWritePaths=-/sys/devices -/sys/kernel/config/iio", "ExecStart=/usr/bin/parallaxd",
    ]:
        assert line in service
    # What is kept across a restart: the connections that may be there, as many pages, and the state.
    default = re.search(r"^# max_connections = (\d+)$", (tree / "etc/parallaxd/parallaxd.toml").read_text(), re.M)
    assert default
    kept = 2 * int(default[1]) + 2
    assert f"FileDescriptorStoreMax={kept}" in service and f"Environment=FDSTORE={kept}" in service
    for banned in ["RuntimeDirectory=", "PrivateUsers="]:
        assert not [line for line in service if line.startswith(banned)]
    socket = (tree / UNITS / "parallaxd.socket").read_text().splitlines()
    for line in ["ListenStream=/run/parallaxd/socket", "FileDescriptorName=varlink", "SocketMode=0660"]:
        assert line in socket


def test_a_reload_with_a_bad_configuration_fails_and_still_tells_the_daemon(
    tree: Path, tmp_path: Path
) -> None:
    """The unit's own ExecReload= with a stand-in for the daemon: the check's exit code, and SIGHUP."""
    service = (tree / UNITS / "parallaxd.service").read_text()
    found = re.search(r"^ExecReload=(.*)$", service, re.MULTILINE)
    assert found
    for code in (0, 78):
        checker = tmp_path / "parallaxd"
        checker.write_text(f"#!/bin/sh\n[ \"$1\" = --check-config ] || exit 99\nexit {code}\n")
        checker.chmod(0o755)
        # systemd makes $ of $$.
        words = shlex.split(found[1].replace("$$", "$").replace("/usr/bin/parallaxd", str(checker)))
        # Also where the tests were started with nohup.
        daemon = subprocess.Popen(
            ["sleep", "60"], preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL)
        )
        result = subprocess.run(words, env={"MAINPID": str(daemon.pid)}, timeout=60)
        assert result.returncode == code
        assert daemon.wait(timeout=60) == -1  # SIGHUP


def test_no_group_is_named_like_the_user(tree: Path) -> None:
    """A dynamic user cannot have the name of a static group."""
    service = (tree / UNITS / "parallaxd.service").read_text()
    user = re.search(r"^User=(.*)$", service, re.MULTILINE)
    lines = (tree / "usr/lib/sysusers.d/parallaxd.conf").read_text().splitlines()
    groups = [line.split()[1] for line in lines if line.startswith("g ")]
    assert user and groups == ["parallax", "parallax-control", "parallax-sensor"]
    assert user[1] not in groups
    socket = (tree / UNITS / "parallaxd.socket").read_text()
    used = re.findall(r"(?:SupplementaryGroups|SocketGroup)=(\S+)", service + socket)
    rules = (tree / "usr/lib/udev/rules.d/60-parallaxd.rules").read_text()
    used += re.findall(r'(?:chgrp |GROUP=")([a-z-]+)', rules)
    assert set(used) == {"parallax", "parallax-sensor"}


def test_the_groups_are_made(system: Path) -> None:
    """By systemd-sysusers itself."""
    (system / "etc").mkdir(exist_ok=True)
    command = ["systemd-sysusers", f"--root={system}"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    made = [line.split(":")[0] for line in (system / "etc/group").read_text().splitlines()]
    assert {"parallax", "parallax-control", "parallax-sensor"} <= set(made)


def test_paths_in_the_unit_follow_bindir(binaries: Path, tmp_path: Path) -> None:
    """With the default prefix, and with a folder of one's own."""
    make("install", f"DESTDIR={tmp_path}", f"RELEASE={binaries}", "BINDIR=/opt/p/bin", "UNITDIR=/units")
    unit = (tmp_path / "units/parallaxd.service").read_text()
    assert "ExecStart=/opt/p/bin/parallaxd\n" in unit and "/usr/bin" not in unit
    assert (tmp_path / "opt/p/bin/parallaxd").exists()
    assert (tmp_path / "usr/local/share/man/man8/parallaxd.8").exists()


def test_a_configuration_that_is_there_stays(binaries: Path, tmp_path: Path) -> None:
    """Installing again changes no settings; uninstalling leaves them and nothing else."""
    where = [f"DESTDIR={tmp_path}", "PREFIX=/usr", f"RELEASE={binaries}"]
    assert make("install", *where).returncode == 0
    (tmp_path / "etc/parallaxd/parallaxd.toml").write_text("[motion]\nlimit = 3\n")
    (tmp_path / "etc/parallaxd/scenes/launcher.toml").write_text("layers = [{}]\n")
    assert make("install", *where).returncode == 0
    assert (tmp_path / "etc/parallaxd/parallaxd.toml").read_text() == "[motion]\nlimit = 3\n"
    assert (tmp_path / "etc/parallaxd/scenes/launcher.toml").read_text() == "layers = [{}]\n"
    assert make("uninstall", *where).returncode == 0
    assert set(files(tmp_path)) == {name for name in INSTALLED if name.startswith("etc/")}
    assert not (tmp_path / "usr/share/doc/parallaxd").exists()


def test_without_a_build_nothing_is_installed(tmp_path: Path) -> None:
    """One line saying what to do."""
    result = make("install", f"DESTDIR={tmp_path}/tree", f"RELEASE={tmp_path}/none")
    assert result.returncode != 0
    assert "run `make build` first" in result.stderr
    assert not (tmp_path / "tree").exists()


def rule_command(tree: Path, containing: str, device: Path) -> list[str]:
    """A RUN of the installed rule, as udev would run it for `device`, with a group that exists here."""
    rules = (tree / "usr/lib/udev/rules.d/60-parallaxd.rules").read_text()
    command = next(run for run in re.findall(r'RUN\+="([^"]*)"', rules) if containing in run)
    command = command.replace("$$", "$").replace("%S%p", str(device))
    return shlex.split(command.replace("parallax-sensor", other_group()))


def other_group() -> str:
    """A group that may be given to a file here and is not its first one."""
    if os.geteuid() == 0:
        return "nogroup"
    others = [group for group in os.getgroups() if group != os.getegid()]
    return grp.getgrgid(others[0] if others else os.getegid()).gr_name


def test_the_udev_rule_hands_over_exactly_what_is_written(tree: Path, tmp_path: Path) -> None:
    """Its own command, on a made-up device."""
    device = tmp_path / "iio:device0"
    for name in HANDED_OVER + KEPT:
        (device / name).parent.mkdir(parents=True, exist_ok=True)
        (device / name).write_text("0\n")
        (device / name).chmod(0o644)
    assert subprocess.run(rule_command(tree, "buffer", device), timeout=60).returncode == 0
    writable = [name for name in HANDED_OVER + KEPT if (device / name).stat().st_mode & 0o020]
    assert writable == HANDED_OVER
    group = grp.getgrnam(other_group()).gr_gid
    assert all((device / name).stat().st_gid == group for name in HANDED_OVER)


def test_the_udev_rule_does_with_a_device_that_has_few_of_them(tree: Path, tmp_path: Path) -> None:
    """A polled gyroscope has no buffer; a trigger has its rate."""
    device = tmp_path / "iio:device1"
    device.mkdir()
    (device / "in_anglvel_x_raw").write_text("0\n")
    assert subprocess.run(rule_command(tree, "buffer", device), timeout=60).returncode == 0
    (device / "sampling_frequency").write_text("0\n")
    (device / "sampling_frequency").chmod(0o644)
    command = rule_command(tree, "&& chmod g+w sampling_frequency", device)
    assert subprocess.run(command, timeout=60).returncode == 0
    assert (device / "sampling_frequency").stat().st_mode & 0o020


def matched(tree: Path, device: Path) -> set[str]:
    """The keys that the installed rule sets for a new device, by udev's own order of matches and jumps."""
    done: set[str] = set()
    label = None
    for line in (tree / "usr/lib/udev/rules.d/60-parallaxd.rules").read_text().splitlines():
        words = re.findall(r'(\w+)(==|!=|\+=|=)"([^"]*)"', line)
        if line.startswith("#") or not words:
            continue
        if label:
            label = None if ("LABEL", "=", label) in words else label
            continue
        facts = {"ACTION": "add", "SUBSYSTEM": "iio", "KERNEL": device.name}
        for key, operator, value in words:
            if operator in ("==", "!="):
                found = (device / value).exists() if key == "TEST" else fnmatch.fnmatch(facts[key], value)
                if found != (operator == "=="):
                    break
            elif key == "GOTO":
                label = value
            else:
                done.add(key)
    assert label is None, f"a jump to {label}, which is nowhere"
    return done


@pytest.mark.parametrize("name", devices.NAMES)
def test_the_udev_rule_knows_the_gyroscope_of_every_known_machine(tree: Path, tmp_path: Path, name: str) -> None:
    """And leaves its other devices alone."""
    fixture = devices.Fixture.load(name)
    (tmp_path / "dev").mkdir()
    for device in fixture.devices:
        gyroscope = device.gyroscope()
        gyroscope.build(tmp_path / "bus", tmp_path / "dev")
        handed = {"GROUP", "MODE", "RUN"} <= matched(tree, gyroscope.folder)
        assert handed == bool(device.quantity), gyroscope.folder.name


@pytest.mark.parametrize("quantity", ["anglvel", "deltaangl"])
@pytest.mark.parametrize("where", ["device", "channel", "buffer", "trigger"])
def test_with_what_the_rule_hands_over_the_daemon_sets_up_the_buffer(
    tree: Path, daemon, machine, quantity: str, where: str
) -> None:
    """As a user who has nothing but the group, with the frequency at any place."""
    need_root()
    others = {"in_accel_x": "le:s16/16>>0"}
    gyroscope = machine.add(Gyroscope(quantity=quantity, frequency_of=where, others=others))
    assert "RUN" in matched(tree, gyroscope.folder)
    os.chown(gyroscope.node, -1, NOBODY)
    gyroscope.node.chmod(0o660)
    command = rule_command(tree, "buffer", gyroscope.folder)
    assert subprocess.run(command, timeout=60).returncode == 0
    trigger = machine.bus / "iio/devices/trigger0"
    if "RUN" in matched(tree, trigger):
        command = rule_command(tree, "&& chmod g+w sampling_frequency", trigger)
        assert subprocess.run(command, timeout=60).returncode == 0
    config = "[sensor]\nsampling_frequency = 200\n"
    one = daemon(machine=machine, config=config, user=NOBODY)
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        sensor = open_sensor(one)
    assert (sensor["mode"], sensor["frequency_set"]) == ("buffer", 200), sensor["why"]
    wrote = [sentence for sentence in sensor["why"] if "ermission" in sentence]
    assert not wrote, wrote


def printed(command: list[str]) -> str:
    """What a program prints."""
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    return result.stdout


def listed(help_text: str) -> set[str]:
    """The options that a help text lists, as it writes them: `-n, --count N`."""
    found = re.findall(r"^ {2,6}((?:-\w, )?--[a-z][a-z-]*(?: [^\s]+)?)(?= {2}|$)", help_text, re.MULTILINE)
    assert found
    return set(found)


def manual_tags(page: str) -> list[str]:
    """The tags and subsection titles of a manual page as they are shown."""
    lines = page.replace("\\-", "-").splitlines()
    tags = []
    for before, line in zip(lines, lines[1:]):
        if before == ".TP" or line.startswith(".SS "):
            macro, *words = shlex.split(line)
            # What alternates between two fonts is shown without spaces.
            tags.append(("" if macro in (".BI", ".BR", ".IR") else " ").join(words))
    return tags


@pytest.mark.parametrize(
    "name, page", [("parallaxd", "man8/parallaxd.8"), ("parallaxctl", "man1/parallaxctl.1")]
)
def test_every_option_and_command_is_in_the_manual_page_and_no_other(
    binaries: Path, tree: Path, name: str, page: str
) -> None:
    """--help, of each command too, against the page: long and short forms, and what follows."""
    program = str(binaries / name)
    overview = printed([program, "--help"])
    # Before the options and the examples.
    summaries = re.findall(r"^  ([a-z][a-z-]+(?: (?:[A-Z]+|\[[A-Z]+\]|[a-z]+\|[a-z|]+))*)(?= {2}|$)", overview, re.MULTILINE)
    commands = [summary for summary in summaries if not summary.startswith(name)]
    assert len(commands) == {"parallaxd": 0, "parallaxctl": 14}[name], commands
    helps = [printed([program, command.split()[0], "--help"]) for command in commands]
    # A terminal has 80 columns; an example is copied whole.
    lines = [line for text in [overview, *helps] for line in text.splitlines() if not line.startswith(f"  {name} ")]
    assert [line for line in lines if len(line) > 80] == []
    told = set().union(*(listed(text) for text in [overview, *helps] if "  -" in text))
    tags = manual_tags((tree / "usr/share/man" / page).read_text())
    assert {tag for tag in tags if tag.startswith("-")} == told
    assert set(commands) <= set(tags)


@pytest.mark.parametrize("name", ["parallaxd", "parallaxctl"])
def test_one_version_everywhere(binaries: Path, tree: Path, name: str) -> None:
    """VERSION, the programs, the manual pages, the changelog."""
    version = (REPOSITORY / "VERSION").read_text().strip()
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    command = [str(binaries / name), "--version"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0 and version in result.stdout.split()
    for page in (tree / "usr/share/man").rglob("*.[1358]"):
        assert f'"parallaxd {version}"' in page.read_text().splitlines()[0], page
    assert f"\n## {version}" in (REPOSITORY / "CHANGELOG.md").read_text()
