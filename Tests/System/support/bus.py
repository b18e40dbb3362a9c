"""A system bus of one's own, with services that are played: logind and iio-sensor-proxy."""

import os
import shutil
import subprocess
import threading
from pathlib import Path

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_error, new_method_return, new_signal
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from .waiting import wait_for

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
    <allow user="*"/>
  </policy>
</busconfig>
"""

DBUS_DAEMON = shutil.which("dbus-daemon")


class Bus:
    """A running dbus-daemon."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.socket = folder / "socket"
        configuration = folder / "bus.conf"
        configuration.write_text(CONFIGURATION.format(socket=self.socket))
        self.process = subprocess.Popen([DBUS_DAEMON or "dbus-daemon", f"--config-file={configuration}", "--nofork"])
        wait_for(self._answers, "the bus to answer")

    def _answers(self) -> bool:
        """A socket is there before it is listened on."""
        try:
            self.connect().close()
        except OSError:
            return False
        return True

    @property
    def address(self) -> str:
        """For DBUS_SYSTEM_BUS_ADDRESS."""
        return f"unix:path={self.socket}"

    @property
    def environment(self) -> dict[str, str]:
        """What makes a daemon take it for the system's."""
        return {"DBUS_SYSTEM_BUS_ADDRESS": self.address}

    def connect(self) -> DBusConnection:
        """A new connection, which may pass descriptors."""
        return open_dbus_connection(self.address, enable_fds=True)

    def owns(self, name: str) -> DBusConnection:
        """A connection that has a name; the name goes with it."""
        connection = self.connect()
        connection.send_and_get_reply(message_bus.RequestName(name))
        return connection

    def close(self) -> None:
        """Ends it."""
        self.process.kill()
        self.process.wait()


class Logind:
    """org.freedesktop.login1 as far as suspends go: gives out inhibitors and announces."""

    NAME = "org.freedesktop.login1"
    MANAGER = DBusAddress("/org/freedesktop/login1", NAME, NAME + ".Manager")

    def __init__(self, bus: Bus, refuses: bool = False) -> None:
        self.connection = bus.owns(self.NAME)
        self.refuses = refuses
        # What was asked for, and the end of each inhibitor that stays here.
        self.requests: list[tuple] = []
        self.pipes: list[int] = []
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        while True:
            try:
                call = self.connection.receive()
            except (OSError, EOFError):
                return
            if call.header.message_type != MessageType.method_call:
                continue
            if call.header.fields.get(HeaderFields.member) != "Inhibit" or self.refuses:
                self.requests.append(call.body)
                self.connection.send(new_error(call, "org.freedesktop.DBus.Error.AccessDenied"))
                continue
            reading, writing = os.pipe()
            self.connection.send(new_method_return(call, "h", (writing,)))
            os.close(writing)
            self.pipes.append(reading)
            self.requests.append(call.body)

    @property
    def inhibitors(self) -> int:
        """Those that are held: the other end of their pipe is open."""
        return sum(1 for pipe in self.pipes if not self._is_closed(pipe))

    @staticmethod
    def _is_closed(pipe: int) -> bool:
        os.set_blocking(pipe, False)
        try:
            return os.read(pipe, 1) == b""
        except BlockingIOError:
            return False

    def announce(self, sleeps: bool) -> None:
        """PrepareForSleep."""
        self.connection.send(prepare_for_sleep(sleeps))

    def close(self) -> None:
        """Leaves the bus."""
        self.connection.close()
        for pipe in self.pipes:
            os.close(pipe)


def prepare_for_sleep(sleeps: bool):
    """The signal; anybody may send one."""
    return new_signal(Logind.MANAGER, "PrepareForSleep", "b", (sleeps,))
