"""Real machines as facts in TOML: what their IIO devices show, built as made-up gyroscopes.

Tests/System/devices/NAME.toml: `machine`, `source` (where the facts are from), `facts` (what is remarkable),
a `[[device]]` each with

- `index`, `name`, `label`, `part` (that it belongs to), `trigger` (the current one; empty: none is
  set; absent: it needs none), `triggers` (those of its driver);
- `[device.attributes]` and `[device.scan]` (scan elements in the order of their index, with their types): what
  was published;
- `[device.assumed]` and `[device.assumed_scan]`: the same where the publication is silent, as the kernel's
  driver of that part prints it. `name`, `part` and `trigger` may be there too;

- `[device.driver]`: what its driver does to what is written (see `driver.c`);

and `[feed]` (`raw`: scans to begin with; `delivers`: Hz, where not those that are set) and `[expect]`.
"""

import math
import time
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from .gyroscope import AXES, Gyroscope
from .machine import Machine
from .scans import ScanType

FOLDER = Path(__file__).resolve().parents[1] / "devices"
# What a device is known by; the rest of `assumed` are attributes.
IDENTITY = {"name", "label", "part", "trigger"}
NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))


@dataclass
class Fixture:
    """One machine."""

    name: str
    facts: dict = field(repr=False)

    @classmethod
    def load(cls, name: str) -> "Fixture":
        """Reads Tests/System/devices/NAME.toml."""
        return cls(name, tomllib.loads((FOLDER / f"{name}.toml").read_text()))

    @property
    def machine(self) -> str:
        """Its name for people."""
        return self.facts["machine"]

    @property
    def expect(self) -> dict:
        """What the daemon should make of it."""
        return self.facts["expect"]

    @cached_property
    def devices(self) -> list["Device"]:
        """Its IIO devices in the order of their numbers."""
        return [Device(facts) for facts in self.facts["device"]]

    @property
    def chosen(self) -> "Device":
        """The device that should be read."""
        return next(device for device in self.devices if device.facts["index"] == self.expect["device"])

    def plug_into(self, machine: Machine) -> dict[int, Gyroscope]:
        """Builds all devices; by number."""
        plugged = {}
        for device in self.devices:
            plugged[device.facts["index"]] = gyroscope = machine.add(device.gyroscope())
            if "udev" in device.facts:
                machine.tell_udev(gyroscope, **device.facts["udev"])
        return plugged

    def rules(self) -> str:
        """What the drivers do, a line each (see `driver.c`)."""
        lines = []
        for device in self.devices:
            for rule, argument in device.facts.get("driver", {}).items():
                lines.append(f"iio:device{device.facts['index']} {rule} {'-' if argument is True else argument}\n")
        return "".join(lines)

    def scans(self, hertz: float, seconds: float) -> list[tuple[int, int, int, int]]:
        """Scans (ns, x, y, z) of the chosen device: those of the feed, then some that use all bits.

        No two in a row are alike: a sensor that stands still is another matter.
        """
        feed = self.facts.get("feed", {})
        bits = min(self.chosen.bits.values(), default=16)
        top = 2 ** (bits - 1) - 1
        raw = [*feed.get("raw", []), [top, -top, 1], [-top, 5, top], [1, -2, 3]]
        period = round(1e9 / hertz)
        count = max(len(raw), math.ceil(seconds * hertz) + 2)
        raw += [[100 + n, -200 - n, 50 * (-1) ** n + n] for n in range(count - len(raw))]
        start = time.monotonic_ns() - period * count
        return [(start + n * period, *axes) for n, axes in enumerate(raw)]

    def rates(self, scan: tuple[int, int, int, int], before: tuple | None = None) -> tuple[int, float, float, float]:
        """The rates in rad/s that a scan means, by the kernel's rules: (raw + offset) * scale, then the matrix.

        Of a device that gives angles, those since the scan `before`.
        """
        stamp, *raw = scan
        if before:
            raw = [value / ((stamp - before[0]) / 1e9) for value in raw]
        turned = [(value + offset) * scale for value, offset, scale in zip(raw, self.chosen.offset, self.scale)]
        rows = self.matrix
        x, y, z = turned
        rates = [rows[at] * x + rows[at + 1] * y + rows[at + 2] * z for at in (0, 3, 6)]
        return stamp, *rates

    @property
    def gives_angles(self) -> bool:
        """Whether a scan is the angle since the one before."""
        return self.chosen.quantity == "deltaangl"

    @property
    def scale(self) -> list[float]:
        """rad/s per LSB, x, y, z."""
        scale = self.expect["scale"]
        return scale if isinstance(scale, list) else [scale] * 3

    @property
    def matrix(self) -> list[float]:
        """The matrix that should be used, nine numbers by rows."""
        return self.expect.get("matrix", [1, 0, 0, 0, 1, 0, 0, 0, 1])


@dataclass
class Device:
    """One IIO device of a fixture."""

    facts: dict = field(repr=False)

    @property
    def assumed(self) -> dict[str, str]:
        """What the publication does not give."""
        return self.facts.get("assumed", {})

    def known(self, name: str) -> str | None:
        """What it is known by: `name`, `label`, `part`, `trigger`."""
        return self.facts.get(name, self.assumed.get(name))

    @property
    def elements(self) -> dict[str, str]:
        """Its scan elements and their types in the order of their index."""
        return self.facts.get("scan", {}) | self.facts.get("assumed_scan", {})

    @property
    def attributes(self) -> dict[str, str]:
        """Its attributes, published and assumed."""
        assumed = {name: text for name, text in self.assumed.items() if name not in IDENTITY}
        return self.facts.get("attributes", {}) | assumed

    @property
    def quantity(self) -> str:
        """`anglvel`, or `deltaangl` where it has nothing else about three axes; empty where it is no gyroscope."""
        for quantity in "anglvel", "deltaangl":
            if all(
                f"in_{quantity}_{axis}_raw" in self.attributes or f"in_{quantity}_{axis}" in self.elements
                for axis in AXES
            ):
                return quantity
        return ""

    @property
    def bits(self) -> dict[str, int]:
        """Of each axis in a scan."""
        names = {axis: f"in_{self.quantity}_{axis}" for axis in AXES}
        elements = self.elements
        return {axis: ScanType.parse(elements[name]).bits for axis, name in names.items() if name in elements}

    @property
    def offset(self) -> list[float]:
        """Of each axis, LSB."""
        shared = self.attributes.get(f"in_{self.quantity}_offset", "0")
        return [float(self.attributes.get(f"in_{self.quantity}_{axis}_offset", shared)) for axis in AXES]

    @property
    def types(self) -> list[str]:
        """The types of the axes in a scan, each once."""
        elements = self.elements
        names = [f"in_{self.quantity}_{axis}" for axis in AXES]
        return list(dict.fromkeys(elements[name] for name in names if name in elements))

    def attribute(self, ending: str) -> str | None:
        """The text of an attribute of its rates or of the device: `scale`, `sampling_frequency`."""
        for name in f"in_{self.quantity}_{ending}", ending:
            if name in self.attributes:
                return self.attributes[name]
        return None

    def gyroscope(self) -> Gyroscope:
        """The device, to be plugged in."""
        trigger = self.known("trigger")
        elements = self.elements
        # A driver with a FIFO of its own has no folder for a trigger.
        without = {"trigger/current_trigger": None} if trigger is None else {}
        return Gyroscope(
            name=self.known("name"),
            label=self.known("label"),
            index=self.facts["index"],
            part=self.known("part"),
            quantity=self.quantity or "anglvel",
            trigger=trigger,
            triggers=self.facts.get("triggers", [trigger] if trigger else []),
            elements=elements,
            buffer=bool(elements),
            attributes=self.attributes | without,
            **BARE,
        )


# Every attribute is in `attributes`.
BARE = {
    "axes": "",
    "scale_text": None,
    "sampling_frequency": None,
    "sampling_frequency_available": None,
    "timestamp": False,
    "clock": None,
}
