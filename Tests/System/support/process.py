"""What the kernel says of a process."""

from pathlib import Path


def context_switches(pid: int) -> int:
    """How often the threads of a process have given up or lost the processor: its wake-ups."""
    total = 0
    for status in Path(f"/proc/{pid}/task").glob("*/status"):
        for line in status.read_text().splitlines():
            if "ctxt_switches" in line:
                total += int(line.split()[1])
    return total


def memory_kib(pid: int, what: str) -> int:
    """A line of /proc/PID/status, such as VmRSS or RssAnon, in KiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(what + ":"):
            return int(line.split()[1])
    raise AssertionError(f"no {what} in the status of {pid}")
