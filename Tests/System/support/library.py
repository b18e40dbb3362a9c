"""The client library: built, installed into a folder of its own, and programs that are linked to it."""

import fcntl
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .waiting import wait_for

REPOSITORY = Path(__file__).resolve().parents[3]
STRICT = ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror"]
SANITIZED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def make(target: str, *variables: str) -> subprocess.CompletedProcess[str]:
    """Runs make without what an outer make would hand down."""
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKELEVEL")}
    command = ["make", "-C", str(REPOSITORY), target, *variables]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)


@contextmanager
def alone() -> Iterator[None]:
    """One of the tests' processes at a time."""
    path = REPOSITORY / ".build" / "library.lock"
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build() -> None:
    """`make lib`; does nothing where it is built."""
    with alone():
        result = make("lib")
    assert result.returncode == 0, result.stdout + result.stderr


def pkg_config(tree: Path, *words: str) -> list[str]:
    """What pkg-config says of the library installed in `tree` with PREFIX=/usr."""
    where = {"PKG_CONFIG_PATH": f"{tree}/usr/lib/pkgconfig", "PKG_CONFIG_SYSROOT_DIR": str(tree)}
    command = ["pkg-config", *words, "parallax"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ | where)
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


def compile_c(output: Path, sources: list[Path], flags: list[str]) -> Path:
    """A program of C files; warnings are errors."""
    command = ["gcc", *STRICT, "-o", str(output), *map(str, sources), *flags]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return output


def compile_sanitized(output: Path, program: Path, *flags: str) -> Path:
    """A program with the library's own sources in it, watched by the address and undefined sanitizers."""
    own = ["-D_GNU_SOURCE", '-DPARALLAX_VERSION="0"', f"-I{REPOSITORY}/include", *SANITIZED, *flags, "-ljansson"]
    return compile_c(output, [program, *sorted((REPOSITORY / "lib").glob("*.c"))], own)


class Program:
    """Tests/Library/client.c at work: what it says, and what it is told."""

    def __init__(self, command: list[str], **environment: str) -> None:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("PARALLAXD_")}
        self.output = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=self.output, stderr=subprocess.STDOUT, env=kept | environment
        )
        self.passed = 0

    @property
    def lines(self) -> list[str]:
        """What it has said so far, whole lines."""
        size = os.fstat(self.output.fileno()).st_size
        return os.pread(self.output.fileno(), size, 0).decode(errors="replace").split("\n")[:-1]

    def say(self, word: str) -> None:
        """A line for it."""
        assert self.process.stdin
        self.process.stdin.write(word.encode() + b"\n")
        self.process.stdin.flush()

    def wait(self, start: str | tuple[str, ...], seconds: float = 60) -> list[str]:
        """The next line that begins with these words, as words; those before it are passed over."""

        def look() -> list[str] | None:
            lines = self.lines
            for number in range(self.passed, len(lines)):
                if lines[number].startswith(start):
                    self.passed = number + 1
                    return lines[number].split()
            return None

        try:
            return wait_for(look, f"{start!r}", seconds)
        except AssertionError as error:
            raise AssertionError(f"{error} in\n" + "\n".join(self.lines[-20:])) from None

    def ask(self, word: str, start: str | tuple[str, ...]) -> list[str]:
        """Says a word; the next answer that begins with `start`."""
        self.passed = len(self.lines)
        self.say(word)
        return self.wait(start)

    def end(self) -> None:
        """It must end by itself, and cleanly: a sanitizer would have said something."""
        self.process.communicate(b"quit\n" if self.process.poll() is None else None, timeout=60)
        assert self.process.returncode in (0, 1), "\n".join(self.lines)

    def close(self) -> None:
        """Ends it in any case."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdin:
            self.process.stdin.close()
        self.output.close()
