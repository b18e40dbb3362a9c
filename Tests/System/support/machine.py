"""A machine that has gyroscopes: a folder that becomes /sys/bus and another that becomes /dev.

They are bound in the private mount namespace of the programs started in the machine, and stay visible
from outside, so a test reads what the daemon wrote by opening the same files.
"""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from .gyroscope import Gyroscope

NODES = ["null", "zero", "full", "random", "urandom", "tty"]

# $1 becomes /sys/bus, $2 becomes /dev, $3 (where it is one) /run; the rest is the command.
ENTER = """
set -e
if [ -n "$3" ]; then mount --bind "$3" /run; fi
# No test sees this machine's configfs; what is beside `bus` may be one (see configfs.py).
mkdir -p "${1%%/bus}/kernel"
mount --bind "${1%%/bus}/kernel" /sys/kernel
for node in %s; do mount --bind "/dev/$node" "$2/$node"; done
mount --bind "$1" /sys/bus
mount --rbind "$2" /dev
shift 3
exec "$@"
""" % " ".join(NODES)


@cache
def unshare_command() -> list[str] | None:
    """How to enter a private mount namespace here; None where it cannot be done."""
    for options in ["-m"], ["-Urm"]:
        command = ["unshare", *options, "--"]
        try:
            if subprocess.run([*command, "mount", "--bind", "/tmp", "/tmp"], capture_output=True).returncode == 0:
                return command
        except OSError:
            return None
    return None


def need_root(reason: str = "becoming another user") -> None:
    """Skips the test without root's rights: before it starts anything that would miss them sooner."""
    if os.geteuid() != 0:
        pytest.skip(f"{reason} needs root")


def becoming(user: int) -> list[str]:
    """What goes before a command that another user is to run; without root's rights the test is skipped."""
    need_root()
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]


class Machine:
    """A machine with IIO devices in it; programs started in it see them and nothing else of /dev."""

    def __init__(self, folder: Path, has_udev: bool = False) -> None:
        """With `has_udev` it looks as if udev ran, in a network of its own where `uevents` can play it."""
        self.run = folder / "run" if has_udev else None
        if self.run:
            (self.run / "udev").mkdir(parents=True)
            (self.run / "udev/control").touch()
        self.bus = folder / "bus"
        self.dev = folder / "dev"
        for directory in self.bus, self.dev:
            directory.mkdir(parents=True)
            directory.chmod(0o755)
        for node in NODES:
            (self.dev / node).touch()
        for number, name in enumerate(["stdin", "stdout", "stderr"]):
            (self.dev / name).symlink_to(f"/proc/self/fd/{number}")
        (self.dev / "fd").symlink_to("/proc/self/fd")
        self.gyroscopes: list[Gyroscope] = []
        self.processes: list[subprocess.Popen] = []

    def add(self, gyroscope: Gyroscope) -> Gyroscope:
        """Plugs a device in; its index is the next free one, or its own if that is higher."""
        gyroscope.index = max([gyroscope.index, *(one.index + 1 for one in self.gyroscopes)])
        gyroscope.build(self.bus, self.dev)
        self.gyroscopes.append(gyroscope)
        return gyroscope

    def remove(self, gyroscope: Gyroscope) -> None:
        """Unplugs a device: nobody sees half of it."""
        gone = self.bus / f".{gyroscope.folder.name}.gone"
        if gyroscope.part:
            (self.bus / "iio" / "devices" / gyroscope.folder.name).unlink()
        gyroscope.folder.rename(gone)
        gyroscope.node.unlink(missing_ok=True)
        shutil.rmtree(gone)
        self.gyroscopes.remove(gyroscope)

    def tell_udev(self, gyroscope: Gyroscope, **properties: str) -> None:
        """What udev's rules are to have found out about a device; before a program is started."""
        self.run = self.run or self.bus.parent / "run"
        data = self.run / "udev" / "data"
        data.mkdir(parents=True, exist_ok=True)
        lines = ["I:12153647", *(f"E:{name}={value}" for name, value in properties.items()), "V:1"]
        (data / f"c{gyroscope.read('dev')}").write_text("\n".join(lines) + "\n")

    def command(self, command: list[str], user: int | None = None) -> list[str]:
        """The command that runs `command` in this machine, as root's or another user's; same pid."""
        enter = unshare_command()
        if enter is None:
            raise RuntimeError("no private mount namespace can be made here")
        become = becoming(user) if user is not None else []
        if self.run:
            enter = [*enter[:-1], "-n", "--"]
        folders = [str(self.bus), str(self.dev), str(self.run or "")]
        return [*enter, "sh", "-c", ENTER, "sh", *folders, *become, *command]

    def start(self, command: list[str], user: int | None = None, **options) -> subprocess.Popen:
        """Starts a program in this machine; options are those of Popen."""
        process = subprocess.Popen(self.command(command, user), **options)
        self.processes.append(process)
        return process

    def close(self) -> None:
        """Ends what was started here and is still running."""
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
            for pipe in process.stdin, process.stdout, process.stderr:
                if pipe:
                    pipe.close()
