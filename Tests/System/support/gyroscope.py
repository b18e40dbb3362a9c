"""A gyroscope made of files, which the real libiio takes for the kernel's.

    machine = Machine(folder)
    gyroscope = machine.add(Gyroscope(name="bmi160", trigger="bmi160-dev0"))
    process = machine.start(["parallaxd", ...])
    gyroscope.wait_enabled()
    gyroscope.write_scans([(timestamp_ns, x, y, z), ...])

What only a kernel does is missing: EBUSY, EINVAL, the rounding of frequencies, a hang-up, refused
attributes. libiio opens attributes with O_CREAT, so an attribute that is absent may appear.
"""

import errno
import fcntl
import os
import struct
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from .scans import ScanType, encode_scan
from .waiting import wait_for

AXES = "xyz"


@dataclass
class Gyroscope:
    """One IIO device: what its driver would show, and the way to move it.

    Texts are what stands in the files, so that a test can say exactly what a driver prints.
    """

    name: str = "bmi160"
    label: str | None = None
    index: int = 0
    # What its channels measure: anglvel, or deltaangl, the angle from one scan to the next.
    quantity: str = "anglvel"
    # Scan element type of the axes; per axis where they differ.
    type: str | dict[str, str] = "le:s16/16>>0"
    # One text for all axes, a text per axis, or None: no such attribute.
    scale_text: str | dict[str, str] | None = "0.001064724"
    offset_text: str | dict[str, str] | None = None
    # Hz as the driver prints it; None: no such attribute.
    sampling_frequency: str | None = "100.000000"
    sampling_frequency_available: str | None = "25 50 100 200 400 800 1600 3200"
    # Whose attribute the frequency is: device, channel (in_anglvel_), buffer or trigger.
    frequency_of: str = "device"
    mount_matrix: str | None = None
    mount_matrix_attribute: str = "in_mount_matrix"
    # The name of the trigger it came with, set as current; None: none set.
    trigger: str | None = "bmi160-dev0"
    # Names of triggers that exist in the machine.
    triggers: list[str] = field(default_factory=lambda: ["bmi160-dev0"])
    timestamp: bool = True
    clock: str | None = "realtime"
    buffer: bool = True
    axes: str = AXES
    raw: tuple[int, int, int] = (0, 0, 0)
    # Other scan elements: name (`in_accel_x`) to type; they hold what is in `held`, else 0.
    others: dict[str, str] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)
    # All scan elements in the order of their index, where that is not axes, others, stamp.
    elements: dict[str, str] | None = None
    # Any other attribute, or another text for one of the above; None takes it away.
    attributes: dict[str, str | None] = field(default_factory=dict)
    # The part that it belongs to, a folder beside `iio` such as `i2c-1/1-0068`: devices with one are siblings.
    part: str | None = None
    # Whether everybody may set up the buffer; else only the owner of the files.
    open_to_all: bool = False

    folder: Path = field(init=False, repr=False)
    node: Path = field(init=False, repr=False)

    # Making it

    def build(self, bus: Path, dev: Path) -> None:
        """Writes the tree under `bus` and the node into `dev`; the device is there with all that it has, or not yet."""
        devices = bus / "iio" / "devices"
        devices.mkdir(parents=True, exist_ok=True)
        mode = 0o666 if self.open_to_all else 0o644
        for name in self.triggers:
            number = sum(1 for folder in devices.iterdir() if folder.name.startswith("trigger"))
            frequency = self.sampling_frequency if self.frequency_of == "trigger" else None
            self._show(bus, f"trigger{number}", {"name": name, "sampling_frequency": frequency}, 0o644)
        name = f"iio:device{self.index}"
        self.node = dev / name
        if self.buffer:
            os.mkfifo(self.node, 0o600)
            if self.open_to_all:
                self.node.chmod(0o666)
        self.folder = self._show(bus, name, self._files(), mode)

    def _show(self, bus: Path, name: str, files: dict[str, str | None], mode: int) -> Path:
        """The folder of a device or of its driver's trigger, where the kernel lists it."""
        made = bus / f".{name}.new"
        for attribute, text in files.items():
            if text is not None:
                path = made / attribute
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text + "\n")
                path.chmod(mode)
        listed = bus / "iio" / "devices" / name
        folder = bus / self.part / name if self.part else listed
        folder.parent.mkdir(parents=True, exist_ok=True)
        made.rename(folder)
        if self.part:
            listed.symlink_to(Path("../..", self.part, name))
        return folder

    def _files(self) -> dict[str, str | None]:
        files: dict[str, str | None] = {"name": self.name, "label": self.label, "dev": f"250:{self.index}"}
        for axis, value in zip(AXES, self.raw):
            if axis in self.axes:
                files[f"in_{self.quantity}_{axis}_raw"] = str(value)
        for what, text in ("scale", self.scale_text), ("offset", self.offset_text):
            if isinstance(text, dict):
                files |= {f"in_{self.quantity}_{axis}_{what}": one for axis, one in text.items()}
            else:
                files[f"in_{self.quantity}_{what}"] = text
        if self.frequency_of != "trigger":
            prefix = {"channel": f"in_{self.quantity}_", "buffer": "buffer/"}.get(self.frequency_of, "")
            files[f"{prefix}sampling_frequency"] = self.sampling_frequency
            if self.sampling_frequency is not None:
                files[f"{prefix}sampling_frequency_available"] = self.sampling_frequency_available
        files[self.mount_matrix_attribute] = self.mount_matrix
        if self.timestamp:
            files["current_timestamp_clock"] = self.clock
        if self.buffer:
            files |= {"buffer/enable": "0", "buffer/length": "2", "buffer/watermark": "1"}
            files["trigger/current_trigger"] = self.trigger or ""
            for index, (name, text) in enumerate(self._elements().items()):
                files[f"scan_elements/{name}_en"] = "0"
                files[f"scan_elements/{name}_index"] = str(index)
                files[f"scan_elements/{name}_type"] = text
        return files | self.attributes

    def _elements(self) -> dict[str, str]:
        """The scan elements in the order of their index."""
        if self.elements is not None:
            return self.elements
        types = self.type if isinstance(self.type, dict) else dict.fromkeys(AXES, self.type)
        elements = {f"in_{self.quantity}_{axis}": types[axis] for axis in self.axes} | self.others
        if self.timestamp:
            elements["in_timestamp"] = "le:s64/64>>0"
        return elements

    @contextmanager
    def hanging(self, attribute: str) -> Iterator[Path]:
        """The attribute is one that a driver does not answer for; afterwards it is as it was.

        Each change is one rename: a reader sees the attribute or the one that hangs, never none.
        """
        path = self.folder / attribute
        kept, pipe = path.with_name(f".{path.name}.kept"), path.with_name(f".{path.name}.pipe")
        os.link(path, kept)
        os.mkfifo(pipe)
        pipe.chmod(path.stat().st_mode & 0o777)
        # A read waits for as long as there is a writer that says nothing.
        driver = os.open(pipe, os.O_RDWR)
        os.replace(pipe, path)
        try:
            yield path
        finally:
            os.replace(kept, path)
            os.close(driver)

    # What the daemon wrote

    def read(self, attribute: str) -> str:
        """The text of an attribute, as `buffer/watermark`; never that of a half-made write."""
        path = self.folder / attribute
        # libiio truncates and then writes: an empty file is a write under way.
        return wait_for(lambda: path.read_text().rstrip("\0\n") or None, f"a text in {attribute}")

    @property
    def is_enabled(self) -> bool:
        """Whether the buffer runs."""
        return (self.folder / "buffer/enable").read_text().rstrip("\0\n") == "1"

    @property
    def _opening(self) -> int:
        """Which one it is: another number when the buffer has been switched off or on."""
        return (self.folder / "buffer/enable").stat().st_mtime_ns

    @property
    def is_open(self) -> bool:
        """Whether some program has the device node open."""
        try:
            os.close(os.open(self.node, os.O_WRONLY | os.O_NONBLOCK))
            return True
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            return False

    @property
    def enabled_elements(self) -> list[str]:
        """The scan elements that are switched on, in the order of a scan."""
        return [name for name in self._elements() if self.read(f"scan_elements/{name}_en") == "1"]

    def wait_enabled(self, seconds: float = 60) -> None:
        """Until the buffer runs and the node is open."""
        wait_for(lambda: self.is_enabled and self.is_open, f"buffer/enable of {self.name} to be 1", seconds)

    @contextmanager
    def reopening(self, seconds: float = 60) -> Iterator[None]:
        """What is done within has the daemon give the buffer back and open it anew: until that one runs."""
        before = self._opening
        yield
        wait_for(
            lambda: self._opening != before and self.is_enabled and self.is_open,
            f"{self.name} to be opened again", seconds,
        )

    def wait_disabled(self, seconds: float = 60) -> None:
        """Until the buffer is off and the node is closed."""
        wait_for(lambda: not self.is_enabled and not self.is_open, f"buffer/enable of {self.name} to be 0", seconds)

    # Moving it

    def set(self, attribute: str, text: str) -> None:
        """Changes an attribute as a driver does: a reader sees the old text or the new one."""
        path = self.folder / attribute
        new = path.with_name(f".{path.name}.new")
        new.write_text(text + "\n")
        new.chmod(path.stat().st_mode & 0o777)
        os.replace(new, path)

    def set_raw(self, x: int, y: int, z: int) -> None:
        """What a polled read finds from now on."""
        for axis, value in zip(AXES, (x, y, z)):
            self.set(f"in_{self.quantity}_{axis}_raw", str(value))

    def write_scans(self, scans: list[tuple[int, int, int, int]], seconds: float = 60) -> int:
        """Gives scans (t in ns, x, y, z) to the reader in batches of the watermark; how many it took.

        Stops early when the buffer is switched off. The pipe is held open only meanwhile, so that what
        was not read is gone when the reader closes the node, as in a driver.
        """
        if not self.is_enabled:
            return 0
        opening = self._opening
        try:
            pipe = os.open(self.node, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno == errno.ENXIO:
                return 0
            raise
        try:
            written = 0
            elements = self._elements()
            layout = [(name, ScanType.parse(elements[name])) for name in self.enabled_elements]
            batch = max(1, int(self.read("buffer/watermark")))
            # Of another opening the scans may be laid out otherwise.
            while written < len(scans) and self.is_enabled and self._opening == opening:
                chosen = scans[written : written + batch]
                self._write(pipe, b"".join(self._scan(layout, scan) for scan in chosen), seconds)
                written += len(chosen)
            return written
        except BrokenPipeError:
            return written
        finally:
            os.close(pipe)

    def _scan(self, layout: list[tuple[str, ScanType]], scan: tuple[int, int, int, int]) -> bytes:
        names = ["in_timestamp", *(f"in_{self.quantity}_{axis}" for axis in AXES)]
        values = dict(zip(names, scan))
        values |= self.held
        return encode_scan([(scan_type, values.get(name, 0)) for name, scan_type in layout])

    def _write(self, pipe: int, data: bytes, seconds: float) -> None:
        def some() -> bool:
            nonlocal data
            try:
                data = data[os.write(pipe, data) :]
            except BlockingIOError:
                pass
            return not data

        wait_for(some, "room in the device node for more scans", seconds)

    def unread(self) -> int:
        """Bytes of scans that the reader has not taken."""
        pipe = os.open(self.node, os.O_WRONLY | os.O_NONBLOCK)
        try:
            return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]
        finally:
            os.close(pipe)

    def wait_consumed(self, seconds: float = 60) -> None:
        """Until the reader has taken all that was written."""
        wait_for(lambda: self.unread() == 0, "the written scans to be read", seconds)
