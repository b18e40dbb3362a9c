"""`parallaxctl record` and the files that it cannot write, or not to their end."""

import os
import resource
import socket
import subprocess
from pathlib import Path

import pytest

from support.machine import unshare_command
from support.recorder import rows, run


def written_whole(done: subprocess.CompletedProcess, file: Path) -> None:
    """One line of complaint, a file of whole rows, and a summary that counts those in it."""
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert file.read_text().endswith("\n")
    count = len(rows(file))
    assert count > 0 and done.stdout.startswith(f"{file}: {count} samples in")


def test_a_file_that_may_not_grow_is_one_line(daemon, folder, parallaxctl, own_files):
    """SIGXFSZ does not end it in mid-row."""
    one = daemon("--demo", "--set", "sensor.replay_speed=20")
    file = folder / "walk.gcsv"
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
    done = run(parallaxctl, one, file, preexec_fn=limit)
    written_whole(done, file)
    assert "File too large" in done.stderr


def test_offsets_end_with_a_whole_row_where_a_file_may_not_grow(folder, parallaxctl, own_files):
    """`process --output` likewise."""
    trace, out = folder / "trace.csv", folder / "out.csv"
    trace.write_text("timestamp_ns,x,y,z\n" + "".join(f"{n}0000000,0.3,{n % 7}.5,-3\n" for n in range(1, 60_000)))
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
    command = [parallaxctl, "process", "--output", out, trace]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, preexec_fn=limit)
    assert done.returncode == 1 and "File too large" in done.stderr and done.stderr.count("\n") == 1
    assert out.read_text().endswith("\n") and out.read_text().count("\n") > 100


def test_a_full_disk_is_one_line(daemon, folder, parallaxctl):
    enter = unshare_command()
    if enter is None:
        pytest.skip("neither `unshare -m` nor `unshare -Urm` works here: no small disk")
    one = daemon("--demo", "--set", "sensor.replay_speed=20")
    disk, copy = folder / "disk", folder / "copy.gcsv"
    disk.mkdir()
    script = 'mount -t tmpfs -o size=256k none "$1" && { "$3" --socket "$4" record "$1/walk.gcsv"; code=$?; cp "$1/walk.gcsv" "$2"; exit $code; }'
    done = subprocess.run(
        [*enter, "sh", "-c", script, "sh", disk, copy, parallaxctl, one.socket], capture_output=True, text=True, timeout=60
    )
    done.stdout = done.stdout.replace(str(disk / "walk.gcsv"), str(copy))
    written_whole(done, copy)
    assert "No space left" in done.stderr


@pytest.mark.parametrize("kind", ["pipe", "folder", "device", "socket"])
def test_only_a_file_is_written(daemon, folder, parallaxctl, kind):
    """Nothing is waited for, and nothing is removed."""
    one = daemon("--demo")
    path = Path("/dev/full") if kind == "device" else folder / kind
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as left_behind:
            left_behind.bind(str(path))
    for arguments in [], ["--force"]:
        done = run(parallaxctl, one, *arguments, path)
        assert done.returncode == 1 and f"is a {kind}" in done.stderr and done.stderr.count("\n") == 1
    assert path.exists()


def test_the_standard_output_is_not_recorded_into(daemon, folder, parallaxctl):
    one = daemon("--demo")
    with (folder / "out").open("w") as out:
        command = [parallaxctl, "--socket", one.socket, "record", "--force", "/dev/stdout"]
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True, timeout=120)
    assert done.returncode == 1 and "standard output" in done.stderr and (folder / "out").read_text() == ""


def test_a_link_stays_where_nothing_was_recorded(daemon, machine, folder, parallaxctl):
    one = daemon(machine=machine)
    target, link = folder / "target", folder / "walk.gcsv"
    link.symlink_to(target)
    assert run(parallaxctl, one, link).returncode == 1
    done = run(parallaxctl, one, "--force", "--seconds", "3", link)
    assert done.returncode == 1 and "no driver of a sensor" in done.stderr
    assert link.is_symlink() and not target.exists()
