"""Devices in the tree of the hardware, as drivers have them: by the part that they belong to."""

from .gyroscope import Gyroscope
from .machine import Machine


def hang(machine: Machine, gyroscope: Gyroscope, part: str, triggers: tuple[str, ...] = ()) -> None:
    """Moves a device, and triggers by their folders' names, to a part: /sys/bus/hw/PART/iio:deviceN."""
    devices = machine.bus / "iio" / "devices"
    home = machine.bus / "hw" / part
    home.mkdir(parents=True, exist_ok=True)
    for name in gyroscope.folder.name, *triggers:
        (devices / name).rename(home / name)
        (devices / name).symlink_to(f"../../hw/{part}/{name}")
    gyroscope.folder = home / gyroscope.folder.name
