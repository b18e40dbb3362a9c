"""include/parallax_page.h: what clients compile, in C and in C++."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STRICT = ["-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def swift_clang(name: str) -> str | None:
    """Clang as it comes with the Swift toolchain."""
    swift = shutil.which(os.environ.get("SWIFT", "swift")) or "/opt/swift/usr/bin/swift"
    beside = Path(swift).resolve().with_name(name)
    return str(beside) if beside.exists() else shutil.which(name)


def compilers() -> list[list[str]]:
    """Each compiler of this machine, as each language."""
    c = [path for path in (shutil.which("gcc"), swift_clang("clang")) if path]
    cxx = [path for path in (shutil.which("g++"), swift_clang("clang++")) if path]
    assert c and cxx, "no C or no C++ compiler"
    return [[path, "-std=c11"] for path in c] + [[path, "-std=c++17", "-x", "c++"] for path in cxx]


@pytest.mark.parametrize("compiler", compilers(), ids=lambda words: f"{Path(words[0]).name} {words[1][5:]}")
def test_compiles_without_a_warning_and_reads_what_it_should(compiler: list[str], tmp_path: Path) -> None:
    """As C11 and as C++17: a record, a broken one, extrapolation, tokens."""
    program = tmp_path / "header"
    command = [*compiler, *STRICT, str(ROOT / "Tests/Page/header.c"), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert built.returncode == 0, built.stderr
    ran = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout
    assert ran.stdout.split() == interface_tokens()


def interface_tokens() -> list[str]:
    """States and reasons in the order of the program's own lists, which the interface description follows."""
    source = (ROOT / "Sources/Wire/MotionEvent.swift").read_text()
    states = re.search(r"enum MotionState.*?case ([a-z, ]+)", source, re.S)
    reasons = re.search(r"enum StateReason.*?\{(.*?)\}", source, re.S)
    assert states and reasons
    cases = re.findall(r'case (\w+)(?: = "([a-z-]+)")?', reasons[1])
    return states[1].split(", ") + [token or name for name, token in cases]
