"""The command line where /proc is not mounted, as in a small container or early at boot, and where it is no text."""

import os
import subprocess
from pathlib import Path

import pytest

from support.machine import unshare_command


@pytest.mark.parametrize("program", ["parallaxctl", "parallaxd"])
def test_arguments_without_proc(program: str, request: pytest.FixtureRequest, folder: Path, sanitizer):
    if sanitizer:
        pytest.skip("a sanitizer reads /proc")
    path = request.getfixturevalue(program)
    enter = unshare_command()
    if enter is None:
        pytest.skip("neither `unshare -m` nor `unshare -Urm` works here: /proc cannot be covered")
    script = 'mount -t tmpfs none /proc && exec "$@"'

    # Where its arguments are lost parallaxd serves, in a folder of its own: it is ended.
    command = [*enter, "sh", "-c", script, "sh", "timeout", "20", path, "--version"]
    environment = {"XDG_RUNTIME_DIR": str(folder), "STATE_DIRECTORY": str(folder)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ | environment)
    assert done.returncode == 0 and done.stdout.startswith(f"{program} "), done.stderr


@pytest.mark.parametrize(
    "program, words",
    [
        ("parallaxctl", [b"process", b"a.csv", b"-o", b"caf\xe9.csv"]),
        ("parallaxd", [b"--check-config", b"--socket", b"/tmp/caf\xe9"]),
    ],
)
def test_names_that_are_no_text(program: str, words: list[bytes], request: pytest.FixtureRequest, folder: Path):
    """A name in Latin-1 is said, not taken for another name."""
    (folder / "a.csv").write_text("t,x,y,z\n0,1,1,1\n")
    path = request.getfixturevalue(program)
    done = subprocess.run([path, *words], cwd=folder, capture_output=True, timeout=60)
    assert done.returncode == 2 and b"is not UTF-8" in done.stderr and done.stderr.count(b"\n") == 1
    assert os.listdir(folder) == ["a.csv"]
