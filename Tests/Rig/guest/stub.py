"""Chips on an I2C bus that has no wires: i2c-stub keeps their registers, the kernel's drivers do the rest."""

from dataclasses import dataclass, field

from .hid import find_device
from .machine import Guest, wait_for

# What the bus answers for; one chip each.
ADDRESSES = range(0x60, 0x6A)


@dataclass
class Chip:
    """A chip as its driver knows it."""

    driver: str
    address: int
    # Register to value: what the driver looks for before it believes.
    registers: dict[int, int]
    # The name that IIO shows; the driver's where None.
    name: str | None = None
    # Register of the x axis, low byte first, and of the others after it.
    data: int | None = None
    big_endian: bool = False
    modules: list[str] = field(default_factory=list)


BMG160 = Chip("bmg160", 0x68, {0x00: 0x0F}, data=0x02, modules=["bmg160_i2c"])
FXAS21002C = Chip("fxas21002c", 0x60, {0x0C: 0xD7}, data=0x01, big_endian=True, modules=["fxas21002c_i2c"])
# An accelerometer: takes a number among the IIO devices and is no gyroscope.
BMC150 = Chip("bmc150_accel", 0x62, {0x00: 0xFA}, modules=["bmc150_accel_i2c"])


class Bus:
    """The bus, made once."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        addresses = ",".join(f"{address:#x}" for address in ADDRESSES)
        guest.shell(f"modprobe i2c-stub chip_addr={addresses}; modprobe i2c-dev")
        script = (
            "cd /sys/bus/i2c/devices; for d in i2c-*;"
            " do grep -q 'SMBus stub' $d/name && echo ${d#i2c-}; done; true"
        )
        self.number = int(guest.shell(script))

    def set(self, chip: Chip, register: int, value: int) -> None:
        """Writes a register behind the driver's back."""
        self.guest.shell(f"i2cset -f -y {self.number} {chip.address:#x} {register:#x} {value & 0xFF:#x}")

    def move(self, chip: Chip, x: int, y: int, z: int) -> None:
        """What the chip measures from now on, in counts."""
        assert chip.data is not None
        order = "big" if chip.big_endian else "little"
        data = b"".join(value.to_bytes(2, order, signed=True) for value in (x, y, z))
        chip_at = f"{self.number} {chip.address:#x}"
        writes = [f"i2cset -f -y {chip_at} {chip.data + i:#x} {byte:#x}" for i, byte in enumerate(data)]
        self.guest.shell("; ".join(writes))

    def plug(self, chip: Chip) -> str:
        """Solders a chip in; its sysfs folder when its driver has it and udev is done."""
        for register, value in chip.registers.items():
            self.set(chip, register, value)
        self.guest.shell(f"modprobe -a {' '.join(chip.modules)}")
        bus = f"/sys/bus/i2c/devices/i2c-{self.number}"
        self.guest.shell(f"echo {chip.driver} {chip.address:#x} > {bus}/new_device")
        name = chip.name or chip.driver
        folder = wait_for(lambda: find_device(self.guest, name), f"{name} in /sys/bus/iio")
        self.guest.shell("udevadm settle --timeout=60")
        return folder

    def unplug(self, chip: Chip) -> None:
        """And out again."""
        self.guest.code(f"echo {chip.address:#x} > /sys/bus/i2c/devices/i2c-{self.number}/delete_device")
