"""What was measured with: the machine, and the versions of what took part."""

import os
import platform
import re
import subprocess
from pathlib import Path

from servers import MOSQUITTO, REPOSITORY
from support.iiod import IIOD


def first_line(command: list[str], pattern: str) -> str:
    """What `pattern` finds in what a program prints; empty where it cannot be run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except OSError:
        return ""
    found = re.search(pattern, done.stdout + done.stderr)
    return found[1] if found else ""


def processor() -> str:
    """Its name."""
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return found[1] if found else platform.machine()


def is_virtual() -> bool:
    """Whether a hypervisor says so."""
    return " hypervisor" in Path("/proc/cpuinfo").read_text()


def machine_facts(command: str) -> str:
    """As a Markdown list."""
    memory = int(re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())[1]) / 2**20
    cores = len(os.sched_getaffinity(0))
    versions = {
        "parallaxd": (REPOSITORY / "VERSION").read_text().strip(),
        "the compiler of the C programs": first_line(["cc", "--version"], r"(.*)"),
        "iiod": first_line([IIOD or "iiod", "--version"], r"(\d+\.\d+)") if IIOD else "",
        "mosquitto": first_line([MOSQUITTO, "-h"], r"version ([\d.]+)"),
    }
    return "\n".join([
        f"- Command: `{command}`",
        f"- Machine: {processor()}{', a virtual machine' if is_virtual() else ''}, {cores} cores, {memory:.0f} GiB",
        # Without what a builder has added to it.
        f"- Kernel: {platform.release().split('-')[0]}; {platform.freedesktop_os_release()['PRETTY_NAME']}",
        *(f"- {name}: {version or 'not here'}" for name, version in versions.items()),
        "",
    ])
