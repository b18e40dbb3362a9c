"""Waiting for something to become true, with an end to it."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_for(look: Callable[[], T], what: str, seconds: float = 60.0, every: float = 0.01) -> T:
    """Looks again and again, `every` so many seconds, until `look` answers something true; that answer."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:g} s in vain: {what}")
        time.sleep(every)
