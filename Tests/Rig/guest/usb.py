"""A converter at a USB port: iiod behind a gadget that is plugged into this very machine (dummy_hcd)."""

from .machine import Guest, wait_for

# pid.codes: test only. Of a converter that is sold, a rule of libiio's own may make the node everybody's.
VENDOR, PRODUCT = "1209", "0001"
GADGET = "/sys/kernel/config/usb_gadget/rig"
ENDPOINTS = "/run/rig-ffs"
UNIT = "rig-usb.service"


class Converter:
    """It shows the IIO devices of the guest, as iiod of another board shows its own."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest

    def plug(self) -> None:
        """Plugs it in."""
        self.guest.shell(
            "modprobe -a dummy_hcd libcomposite usb_f_fs;"
            f" mkdir -p {GADGET}/strings/0x409 {GADGET}/configs/c.1 {GADGET}/functions/ffs.rig {ENDPOINTS};"
            f" cd {GADGET}; echo 0x{VENDOR} > idVendor; echo 0x{PRODUCT} > idProduct;"
            " echo parallaxd > strings/0x409/manufacturer; echo converter > strings/0x409/product;"
            " echo 1 > strings/0x409/serialnumber; ln -s functions/ffs.rig configs/c.1/;"
            f" mount -t functionfs rig {ENDPOINTS}"
        )
        self.plug_again()

    def plug_again(self) -> None:
        """After `unplug`; iiod knows the devices that are there now."""
        # Two would want the same port.
        self.guest.shell(
            f"systemctl stop iiod.service; systemd-run --quiet --collect --unit={UNIT} iiod -F {ENDPOINTS} -n 3"
        )
        wait_for(lambda: self.guest.code(f"test -e {ENDPOINTS}/ep1")[0] == 0, "iiod to describe itself")
        self.guest.shell(f"ls /sys/class/udc > {GADGET}/UDC; udevadm settle --timeout=60")
        wait_for(lambda: self.node, "the converter in /sys/bus/usb")

    def unplug(self) -> None:
        """Pulls the cable."""
        self.guest.shell(f"echo > {GADGET}/UDC; systemctl stop {UNIT}")
        wait_for(lambda: not self.node, "the converter to leave /sys/bus/usb")

    def remove(self) -> None:
        """As if there had never been one."""
        self.guest.code(f"echo > {GADGET}/UDC; systemctl stop {UNIT}; umount {ENDPOINTS}")
        self.guest.code(
            f"cd {GADGET} && rm configs/c.1/ffs.rig && rmdir configs/c.1 functions/ffs.rig strings/0x409;"
            f" rmdir {GADGET}"
        )

    @property
    def node(self) -> str | None:
        """Its node; None where it is not plugged in."""
        script = (
            "cd /sys/bus/usb/devices 2>/dev/null || exit 0; for d in *;"
            f' do [ "$(cat $d/idVendor 2>/dev/null)" = {VENDOR} ] && sed -n s/DEVNAME=//p $d/uevent; done; true'
        )
        name = self.guest.shell(script).strip()
        return f"/dev/{name}" if name else None
