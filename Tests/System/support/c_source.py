"""Builds the C helpers of Tests/Bench."""

import os
import shutil
import subprocess
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "Bench"


def build(name: str, output: Path, *flags: str) -> Path:
    """Compiles a file of Tests/Bench (or an absolute path) with CC, cc or clang into `output`."""
    compiler = os.environ.get("CC") or shutil.which("cc") or "clang"
    command = [compiler, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", *flags]
    subprocess.run([*command, "-o", str(output), str(BENCH / name), "-lm"], check=True, timeout=60)
    return output
