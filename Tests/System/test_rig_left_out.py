"""`make rig` is left out where this machine lacks what it is made of, and for no other reason."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
# In the place of the commands that make the guest: each does just what lets the next one be reached.
COMMANDS = {
    "apt-cache": 'case $1 in pkgnames) echo linux-image-6.12.1+deb12-amd64 ;; *) echo "  Candidate: 1" ;; esac',
    "apt-get": "touch kernel.deb",
    "dpkg-deb": 'mkdir -p "$3/boot" "$3/lib/modules/6.12" && touch "$3/boot/vmlinuz-6.12"',
    "depmod": 'touch "$2/lib/modules/$3/modules.dep" "$2/lib/modules/$3/modules.order"',
    "mmdebstrap": 'for tar; do :; done; tar -cf "$tar" -T /dev/null',
    "make": "for word; do case $word in DESTDIR=*) mkdir -p ${word#DESTDIR=} ;; esac; done",
    "cc": 'touch "$7"',
}


@pytest.fixture
def run_rig(tmp_path):
    """Runs a copy of scripts/rig with these commands in the place of those above: `run_rig(cc="exit 1")`."""
    tree, bin_folder = tmp_path / "tree", tmp_path / "bin"
    shutil.copytree(REPOSITORY / "Tests/Rig", tree / "Tests/Rig", ignore=shutil.ignore_patterns("test_*"))
    (tree / "scripts").mkdir()
    shutil.copy(REPOSITORY / "scripts/rig", tree / "scripts/rig")
    script(tree / "scripts/deps", "")
    # The tests of the rig are not reached: what is asked is whether they would have been.
    script(
        tree / ".build/venv/bin/python",
        f'case $2 in pytest) echo "tests were started" ;; *) exec {shlex.quote(sys.executable)} "$@" ;; esac',
    )

    def run(required: str | None = None, **commands: str) -> subprocess.CompletedProcess:
        for name, text in {**COMMANDS, **{name.replace("_", "-"): text for name, text in commands.items()}}.items():
            script(bin_folder / name, text)
        environment = {name: value for name, value in os.environ.items() if name not in ("CI", "PARALLAXD_RIG")}
        environment["PATH"] = f"{bin_folder}:{os.environ['PATH']}"
        if required:
            environment["PARALLAXD_RIG"] = required
        return subprocess.run(
            [tree / "scripts/rig"], capture_output=True, text=True, timeout=60, env=environment, check=False
        )

    return run


def script(path: Path, text: str) -> None:
    """A program that is a shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_with_everything_there_the_tests_are_started(run_rig):
    done = run_rig()
    assert (done.returncode, done.stderr) == (0, "") and "tests were started" in done.stdout
    assert "SKIPPED" not in done.stdout


@pytest.mark.parametrize("command", ["apt_cache", "apt_get", "mmdebstrap"])
def test_what_this_machine_lacks_is_a_reason_to_leave_it_out(run_rig, command):
    """In one line that says what it is; and a failure where the rig is required."""
    failing = {command: 'echo "the mirror is gone" >&2; exit 100'}
    done = run_rig(**failing)
    assert (done.returncode, done.stderr) == (0, "")
    assert "make rig: SKIPPED, nothing was tested: " in done.stdout and "the mirror is gone" in done.stdout
    assert "tests were" not in done.stdout
    done = run_rig(required="required", **failing)
    assert done.returncode == 1 and "the mirror is gone" in done.stderr and "SKIPPED" not in done.stdout


@pytest.mark.parametrize(
    ("commands", "said"),
    [
        ({"make": 'echo "no rule to make target" >&2; exit 2'}, "no rule to make target"),
        ({"cc": 'echo "gyroscope.c:1: error" >&2; echo "1 error generated" >&2; exit 1'}, "gyroscope.c:1: error"),
        ({"depmod": "exit 1"}, "no message"),
        # Then it makes no table of the modules: a traceback.
        ({"depmod": "exit 0"}, "FileNotFoundError"),
    ],
    ids=["install", "compiler", "depmod", "exception"],
)
def test_what_the_project_breaks_is_a_failure(run_rig, commands, said):
    """Wherever it is run: a broken project is not a machine that lacks something."""
    done = run_rig(**commands)
    assert done.returncode == 1 and said in done.stderr, (done.stdout, done.stderr)
    assert "SKIPPED" not in done.stdout and "tests were" not in done.stdout
