"""The kernel's hrtimer triggers, made of files: a folder made in configfs is a trigger while it is there.

    configfs = Configfs(machine)
    ...
    configfs.close()
"""

import shutil
import threading
from pathlib import Path

from .machine import Machine


class Configfs:
    """/sys/kernel/config of a machine with the module iio-trig-hrtimer, or without."""

    def __init__(self, machine: Machine, module: bool = True, mode: int = 0o755) -> None:
        self.devices = machine.bus / "iio" / "devices"
        config = machine.bus.parent / "kernel" / "config"
        # An empty one is not mounted.
        (config / "usb_gadget").mkdir(parents=True)
        self.folder = config / "iio" / "triggers" / "hrtimer"
        self.made: dict[str, Path] = {}
        # Every trigger that ever was, in the order in which they came.
        self.history: list[str] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow)
        if module:
            self.folder.mkdir(parents=True)
            self.folder.chmod(mode)
            self._thread.start()

    @property
    def names(self) -> list[str]:
        """The triggers that are there."""
        return sorted(path.name for path in self.folder.iterdir())

    def frequency(self, name: str) -> str:
        """What was written to a trigger's frequency last."""
        return (self.made[name] / "sampling_frequency").read_text().rstrip("\0\n")

    def close(self) -> None:
        """Ends the imitation."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def _follow(self) -> None:
        while not self._ended.wait(0.01):
            names = set(self.names)
            for name in names - self.made.keys():
                self._show(name)
            for name in self.made.keys() - names:
                gone = self.devices / f".{name}.gone"
                self.made.pop(name).rename(gone)
                shutil.rmtree(gone)

    def _show(self, name: str) -> None:
        number = 0
        while (self.devices / f"trigger{number}").exists():
            number += 1
        trigger = self.devices / f"trigger{number}"
        made = self.devices / f".{name}.new"
        made.mkdir()
        (made / "sampling_frequency").write_text("100.000\n")
        (made / "name").write_text(name + "\n")
        made.rename(trigger)
        self.made[name] = trigger
        self.history.append(name)
