"""scripts/deps on machines that lack something: no toolchain, one that does not start, no network, no rights."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "deps"
LIBRARIES = "libncurses6 libsqlite3-0 libcurl4 libxml2"
MISSING = "error while loading shared libraries: libncurses.so.6: cannot open shared object file"

# Of a machine where every package is installed, and whoever runs this is root.
COMMANDS = {
    "dpkg-query": "echo installed",
    "apt-cache": "",
    "apt-get": 'echo "apt-get $*" >>"$LOG"',
    "id": "echo 0",
    "swift": 'echo "Swift version 6.2 (swift-6.2-RELEASE)"',
}
WITHOUT_PACKAGES = {"dpkg-query": 'test -e "$LOG" && echo installed'}


def script(path: Path, text: str) -> None:
    """A program that is a shell script."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def deps(tmp_path):
    """Runs `scripts/deps build` with these commands in the place of those above; None is one that is not there."""
    log = tmp_path / "log"
    # What the script needs besides, and no swift, apt or sudo of this machine.
    (tmp_path / "tools").mkdir()
    for tool in ["dirname", "sed", "tr", "mktemp", "rm", "grep", "tail", "uniq", "head", "env"]:
        found = next(path for path in (Path("/usr/bin") / tool, Path("/bin") / tool) if path.exists())
        (tmp_path / "tools" / tool).symlink_to(found)

    def run(commands: dict[str, str | None] | None = None) -> tuple[int, str, str, str]:
        """Exit code, standard output, standard error, and what was asked of apt-get."""
        for name, text in {**COMMANDS, **(commands or {})}.items():
            if text is not None:
                script(tmp_path / "tools" / name, text)
        environment = {"PATH": str(tmp_path / "tools"), "LOG": str(log), "TMPDIR": str(tmp_path)}
        done = subprocess.run(
            ["/bin/sh", SCRIPT, "build"], capture_output=True, text=True, timeout=60, env=environment
        )
        assert not list(tmp_path.glob("tmp.*")), "what it keeps for itself"
        return done.returncode, done.stdout, done.stderr, log.read_text() if log.exists() else ""

    return run


def test_nothing_is_said_where_nothing_is_missing(deps):
    assert deps() == (0, "", "", "")


def test_no_toolchain(deps):
    code, out, err, asked = deps({"swift": None})
    assert (code, out, asked) == (1, "", "") and err.count("\n") == 1
    assert err.startswith("The Swift toolchain is missing: install Swift 6.2 or newer from https://www.swift.org/")


@pytest.mark.parametrize("version, is_new_enough", [("5.10.1", False), ("6.1", False), ("6.2", True), ("7.0-dev", True)])
def test_the_version(deps, version, is_new_enough):
    code, _, err, _ = deps({"swift": f'echo "Apple Swift version {version} (…)"'})
    assert (code == 0) == is_new_enough and ("is too old: install Swift 6.2" in err) != is_new_enough


def test_a_toolchain_that_is_only_unpacked_gets_its_libraries(deps):
    swift = f'test -e "$LOG" || {{ echo "swift: {MISSING}" >&2; exit 127; }}\n' + COMMANDS["swift"]
    code, out, err, asked = deps({"swift": swift, **WITHOUT_PACKAGES})
    assert (code, err) == (0, "")
    assert f"Installing Debian packages: {LIBRARIES}" in out and f" {LIBRARIES}" in asked


def test_a_toolchain_that_does_not_start_is_not_missing(deps):
    code, _, err, _ = deps({"swift": f'echo "swift: {MISSING}" >&2; exit 127'})
    assert code == 1 and err.count("\n") == 1
    assert err.startswith("swift is no Swift toolchain that works; it says: swift: error while loading")


def test_without_a_network_one_line_of_apts_is_shown(deps):
    fetch = "for n in 1 2 3; do echo \"E: Failed to fetch http://host/$n  Could not connect\"; done >&2; exit 100"
    code, out, err, _ = deps({"apt-get": fetch, "dpkg-query": "exit 1"})
    why, advice = err.splitlines()
    assert code == 1 and why == "E: Failed to fetch http://host/1  Could not connect"
    assert "as root: apt-get install binutils " in advice and out.startswith("Installing Debian packages: binutils ")


def test_a_source_that_cannot_be_reached_does_not_matter(deps):
    """One of other people beside Debian's."""
    apt = "case $* in *update*) echo 'E: Failed to fetch http://other' >&2; exit 100 ;; esac"
    assert deps({"apt-get": apt, "apt-cache": "exit 100", **WITHOUT_PACKAGES})[0] == 0
    apt = 'echo "apt-get $*" >>"$LOG"\ncase $* in *update*) exit 100 ;; esac\ntest "$(grep -c . "$LOG")" -gt 1'
    assert deps({"apt-get": apt, "dpkg-query": "exit 1"})[0] == 0


def test_lists_that_are_out_of_date_are_read_anew(deps):
    apt = 'echo "apt-get $*" >>"$LOG"\ncase $* in *install*) test "$(grep -c . "$LOG")" -gt 1 || exit 100 ;; esac'
    code, _, err, asked = deps({"apt-get": apt, "dpkg-query": "exit 1"})
    assert (code, err) == (0, "")
    assert [next(word for word in line.split() if word in ("install", "update")) for line in asked.splitlines()] == [
        "install", "update", "install",
    ]  # fmt: skip


def test_a_plain_user_without_sudo_is_told_the_packages(deps):
    code, out, err, asked = deps({"id": "echo 1000", "dpkg-query": "exit 1"})
    assert (code, out, asked) == (1, "", "") and err.count("\n") == 1
    assert err.startswith("These Debian packages are missing; as root: apt-get install binutils ")


def test_sudo_that_refuses_is_quoted(deps):
    sudo = 'echo "sudo: a password is required" >&2; exit 1'
    code, _, err, _ = deps({"id": "echo 1000", "dpkg-query": "exit 1", "sudo": sudo})
    assert code == 1 and err.splitlines()[0] == "sudo: a password is required" and len(err.splitlines()) == 2
