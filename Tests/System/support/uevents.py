"""Plays udev: sends the news of a device to whoever listens, in the network of a process.

    send(daemon.pid, "add", "iio:device4")

The format is that of systemd's own monitor (src/libsystemd/sd-device/device-monitor.c): a header with hashes to
filter by, then properties.
"""

import shutil
import socket
import struct
import subprocess
import sys

NETLINK_KOBJECT_UEVENT = 15
# The group that udev sends to, when its rules have been applied.
GROUP_UDEV = 2


def murmur_hash_2(data: bytes) -> int:
    """Austin Appleby's MurmurHash2 with seed 0, 32 bits."""
    m, mask = 0x5BD1E995, 0xFFFFFFFF
    h = len(data)
    whole = len(data) // 4 * 4
    for (k,) in struct.iter_unpack("<I", data[:whole]):
        k = k * m & mask
        k ^= k >> 24
        h = (h * m & mask) ^ (k * m & mask)
    rest = data[whole:]
    if rest:
        h = (h ^ int.from_bytes(rest, "little")) * m & mask
    h = (h ^ h >> 13) * m & mask
    return h ^ h >> 15


def message(action: str, name: str, subsystem: str, number: int) -> bytes:
    """What udev would send."""
    properties = {
        "ACTION": action,
        "DEVPATH": f"/devices/made-up/{name}",
        "SUBSYSTEM": subsystem,
        "SEQNUM": str(number),
    }
    body = b"".join(f"{key}={value}\0".encode() for key, value in properties.items())
    header = b"libudev\0" + struct.pack(">I", 0xFEEDCAFE) + struct.pack("=III", 40, 40, len(body))
    return header + struct.pack(">IIII", murmur_hash_2(subsystem.encode()), 0, 0, 0) + body


def send(pid: int, action: str, name: str, subsystem: str = "iio", number: int = 1) -> None:
    """Sends the news in the network namespace of a process; needs root's rights."""
    enter = [shutil.which("nsenter") or "nsenter", f"--net=/proc/{pid}/ns/net", "--"]
    words = [action, name, subsystem, str(number)]
    subprocess.run([*enter, sys.executable, __file__, *words], check=True, timeout=120)


if __name__ == "__main__":
    news = message(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_KOBJECT_UEVENT).sendto(news, (0, GROUP_UDEV))
