"""The guest's HID gyroscope: `programs/gyroscope.c` at the other end of a connection."""

from .machine import Guest, wait_for

# What the kernel writes into the power state: its index, counted from 1, of "full power" and of "power off".
POWER_FULL = 2
POWER_OFF = 6
# Of a count of 0.01 degrees per second, as the kernel prints it.
SCALE_TEXT = "0.000174532"
NAME = "gyro_3d"


class HidGyroscope:
    """A gyroscope that can be plugged in, moved and unplugged."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        guest.shell("modprobe uhid")
        self.connection = guest.connect("/usr/lib/rig/gyroscope")
        self.answers = self.connection.makefile("r")

    def close(self) -> None:
        """The program ends, and with it the device."""
        self.answers.close()
        self.connection.close()

    def command(self, text: str) -> str:
        """Gives the program a command; its answer."""
        self.connection.sendall(f"{text}\n".encode())
        self.connection.settimeout(60)
        answer = self.answers.readline().strip()
        assert answer and not answer.startswith("error"), f"{text[:40]}: {answer or 'the program has ended'}"
        return answer

    def plug(self) -> str:
        """Plugs it in and waits until udev is done with it; its sysfs folder."""
        self.command("plug")
        return self.wait_device()

    def wait_device(self) -> str:
        """Until the kernel shows it; its sysfs folder."""
        folder = wait_for(lambda: find_device(self.guest, NAME), "the HID gyroscope in /sys/bus/iio")
        self.guest.shell("udevadm settle --timeout=60")
        return folder

    def unplug(self) -> None:
        """Takes it away."""
        self.command("unplug")
        wait_for(lambda: not find_device(self.guest, NAME), "the HID gyroscope to leave /sys/bus/iio")

    def rest(self, x: int = 0, y: int = 0, z: int = 0) -> None:
        """What it measures while nothing is queued, but for some noise."""
        self.command(f"rest {x} {y} {z}")

    def queue(self, samples: list[tuple[int, int, int]]) -> None:
        """What it measures next, a report each."""
        self.command(f"queue {len(samples)}\n" + "\n".join("%d %d %d" % sample for sample in samples))

    def state(self) -> dict[str, int]:
        """Its registers and counters."""
        pairs = (pair.split("=") for pair in self.command("state").split())
        return {name: int(value) for name, value in pairs}

    def wait_state(self, what: str, seconds: float = 60, **wanted: int) -> dict[str, int]:
        """Until its state has these values."""

        def look() -> dict[str, int] | None:
            state = self.state()
            return state if all(state[name] == value for name, value in wanted.items()) else None

        return wait_for(look, f"{what}: {wanted}", seconds)


def find_device(guest: Guest, name: str) -> str | None:
    """The sysfs folder of the IIO device with this name."""
    script = (
        "cd /sys/bus/iio/devices 2>/dev/null || exit 0; for d in iio:device*;"
        f' do [ "$(cat $d/name 2>/dev/null)" = {name} ] && echo $PWD/$d; done; true'
    )
    return guest.shell(script).strip() or None
