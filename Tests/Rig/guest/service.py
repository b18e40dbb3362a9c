"""The installed parallaxd.service in the guest, and the iiod beside it."""

import json
import subprocess

from .image import REPOSITORY
from .machine import Guest, StreamClient, wait_for

DROP_IN = "/etc/parallaxd/parallaxd.toml.d/rig.toml"
# Attributes of a gyroscope that a daemon changes, as `sysfs` shows them.
CHANGED = (
    "buffer/enable buffer/length buffer/watermark scan_elements/*_en *sampling_frequency"
    " current_timestamp_clock trigger/current_trigger"
)


def set_up(guest: Guest) -> None:
    """Does what `make install` says is left to do, and makes users."""
    text = subprocess.run(
        [REPOSITORY / "scripts/after-install"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    told = [line.strip() for line in text.splitlines() if line.startswith("  ")]
    guest.shell("useradd subscriber; useradd controller; useradd stranger")
    for command in told:
        if command.startswith("usermod"):
            users = ["controller"] if "parallax-control" in command else ["subscriber", "controller"]
            for user in users:
                guest.shell(command.replace("USER", user))
        else:
            guest.shell(command)
    assert len(told) == 5, told


class Service:
    """The service; a test begins with it stopped and its configuration as installed."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest

    def reset(self) -> None:
        """As after a boot: stopped, its socket open."""
        unit = "parallaxd.service"
        self.guest.shell(
            f"systemctl stop {unit}; systemctl reset-failed {unit} parallaxd.socket 2>/dev/null || true;"
            f" rm -f {DROP_IN}; systemctl restart parallaxd.socket"
        )

    def configure(self, text: str) -> None:
        """Settings besides the installed ones, from its next start."""
        self.guest.shell(f"cat > {DROP_IN} <<'END'\n{text}\nEND\n")

    def client(self, user: str = "root") -> StreamClient:
        """A connection, which starts it."""
        return self.guest.client(user)

    def status(self) -> dict:
        """What GetStatus says."""
        return json.loads(self.guest.shell("parallaxctl status --json"))

    def show(self, name: str) -> str:
        """A property of the unit."""
        return self.guest.shell(f"systemctl show --property={name} --value parallaxd.service").strip()

    @property
    def pid(self) -> int:
        """The daemon's; 0 where it does not run."""
        return int(self.show("MainPID"))

    @property
    def journal(self) -> str:
        """What it has logged since the last boot."""
        return self.guest.shell("journalctl --no-pager --output=cat --unit=parallaxd.service")


def sysfs(guest: Guest, folder: str) -> dict[str, str]:
    """What the attributes that a daemon changes hold."""
    said = guest.shell(f'cd {folder}; for f in {CHANGED}; do [ -e $f ] && echo "$f=$(cat $f)"; done; true')
    return dict(line.split("=", 1) for line in said.splitlines())


def start_iiod(guest: Guest) -> None:
    """It knows the devices that are there when it starts."""
    guest.shell("systemctl restart iiod.service")
    wait_for(lambda: guest.code("timeout 20 iio_info -u ip:127.0.0.1")[0] == 0, "iiod to answer")
