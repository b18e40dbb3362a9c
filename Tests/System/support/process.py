"""What the kernel says of a process."""

import os
import platform
import signal
import subprocess
from pathlib import Path

from .waiting import wait_for

# openat(2)
OPENAT = {"x86_64": "257", "aarch64": "56"}


def threads(pid: int) -> list[dict[str, str]]:
    """What /proc/PID/task/*/status says of each thread that is there."""
    found = []
    for status in Path(f"/proc/{pid}/task").glob("*/status"):
        try:
            lines = status.read_text().splitlines()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
        found.append(dict(line.split(":", 1) for line in lines))
    return found


def context_switches(pid: int) -> int:
    """How often the threads of a process have given up or lost the processor: its wake-ups."""
    return sum(int(thread[name]) for thread in threads(pid) for name in thread if "ctxt_switches" in name)


def wait_still(pid: int) -> int:
    """Until a process sleeps, whatever it still had to do; its context switches then.

    One that waits for the processor makes no switches either: each of its threads must be asleep.
    """
    seen = -1

    def is_still() -> bool:
        nonlocal seen
        before, seen = seen, context_switches(pid)
        return before == seen and all(thread["State"].split()[0] == "S" for thread in threads(pid))

    wait_for(is_still, f"process {pid} to settle", every=0.3)
    return seen


def memory_kib(pid: int, what: str) -> int:
    """A line of /proc/PID/status, such as VmRSS or RssAnon, in KiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(what + ":"):
            return int(line.split()[1])
    raise AssertionError(f"no {what} in the status of {pid}")


def suspend(process: subprocess.Popen) -> None:
    """Stops a process until SIGCONT; none of its threads runs any more when this returns.

    The signal alone is not enough: until one thread has taken it, the others go on.
    """
    process.send_signal(signal.SIGSTOP)
    seen = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    assert seen and seen.si_code == os.CLD_STOPPED, f"process {process.pid} has ended"


def has_open(pid: int, path: Path) -> bool:
    """Whether a process has this file or folder open."""
    try:
        return path.resolve() in [number.readlink() for number in Path(f"/proc/{pid}/fd").iterdir()]
    except FileNotFoundError:
        return False  # closed meanwhile


def opens_a_file(pid: int) -> bool:
    """Whether a thread of a process waits in open(2), as it does for the other end of a pipe."""
    number = OPENAT[platform.machine()]
    for path in Path(f"/proc/{pid}/task").glob("*/syscall"):
        try:
            call = path.read_text().split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # the thread has ended meanwhile
        if call[:1] == [number]:
            return True
    return False
