"""Running `parallaxctl record`, and reading what it wrote."""

import subprocess
from pathlib import Path

from .machine import becoming


def as_user(user: int | None) -> list[str]:
    """What goes before a command that `user` is to run."""
    return [] if user is None else becoming(user)


def rows(file: Path) -> list[list[str]]:
    """The rows of a .gcsv."""
    if not file.exists():
        return []
    lines = file.read_text().splitlines()
    return [line.split(",") for line in lines[lines.index("t,gx,gy,gz") + 1 :]] if "t,gx,gy,gz" in lines else []


def run(parallaxctl: Path, one, *arguments, user: int | None = None, **options) -> subprocess.CompletedProcess:
    """Runs `parallaxctl record` to its end."""
    command = [*as_user(user), parallaxctl, "--socket", one.socket, "record", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)
