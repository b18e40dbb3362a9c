"""A daemon under test: started on a private socket, watched, stopped by its pid."""

import os
import signal
import subprocess
from pathlib import Path

from .client import Client, Closed
from .descriptor_store import DescriptorStore
from .machine import Machine
from .waiting import wait_for


# What a test that is about something else need not fear: that a machine or a test that is held up for seconds looks
# like a sensor that says nothing or a subscriber that takes nothing.
PATIENT = {"sensor.read_timeout": 60, "server.client_timeout": 3600}


def patience(config: str, arguments: list[str]) -> list[str]:
    """Settings as options, but for those that the test has itself; another machine's sensor is given up sooner."""
    said = config + " ".join(arguments)
    keys = [key for key in PATIENT if key.partition(".")[2] not in said]
    if "uri = " in said:
        keys = [key for key in keys if key != "sensor.read_timeout"]
    return [word for key in keys for word in ("--set", f"{key}={PATIENT[key]}")]


class Daemon:
    """One running parallaxd."""

    def __init__(
        self,
        program: Path,
        folder: Path,
        arguments: list[str],
        *,
        config: str = "",
        machine: Machine | None = None,
        user: int | None = None,
        environment: dict[str, str] | None = None,
        before: list[str] | None = None,
        store: DescriptorStore | None = None,
    ) -> None:
        """Starts it in `folder`; `config` is its configuration file's text, `before` a command that runs it."""
        self.folder = folder
        self.socket = folder / "socket"
        self.config = folder / "parallaxd.toml"
        self.config.write_text(config)
        self.log_path = folder / "log"
        command = [str(program), "--socket", str(self.socket), "--config", str(self.config)]
        command += [*patience(config, arguments), *arguments]
        if machine:
            command = machine.command(command, user)
        passed: list[int] = []
        if store:
            self.socket = store.socket_path
            command, given, passed = store.launch(command)
            environment = given | (environment or {})
        command = [*(before or []), *command]
        surroundings = {key: value for key, value in os.environ.items() if not key.startswith("PARALLAXD_")}
        surroundings["XDG_RUNTIME_DIR"] = str(folder)
        # Nothing is written to this machine's own state, and nothing is heard of its bus.
        surroundings["STATE_DIRECTORY"] = str(folder / "state")
        surroundings["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={folder}/no-bus"
        with self.log_path.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=surroundings | (environment or {}),
                pass_fds=passed,
            )
        for number in passed:
            os.close(number)

    @property
    def pid(self) -> int:
        """Its process; the same inside a machine."""
        return self.process.pid

    @property
    def log(self) -> str:
        """All that it has written to stdout and stderr."""
        return self.log_path.read_text(errors="replace")

    def wait_ready(self, seconds: float = 60) -> None:
        """Until the socket answers a call."""

        def answers() -> bool:
            assert self.process.poll() is None, f"exited with {self.process.returncode}:\n{self.log}"
            try:
                with self.client() as client:
                    return bool(client.call("org.varlink.service.GetInfo"))
            except (OSError, Closed):
                return False

        wait_for(answers, f"parallaxd to answer at {self.socket}:\n{self.log}", seconds)

    def client(self, **options) -> Client:
        """A new connection."""
        return Client(self.socket, **options)

    def wait_log(self, text: str, seconds: float = 60) -> None:
        """Until the log has `text` in it."""
        wait_for(lambda: text in self.log, f"{text!r} in the log:\n{self.log}", seconds)

    def signal(self, number: int) -> None:
        """Sends it a signal."""
        self.process.send_signal(number)

    def wait(self, seconds: float = 60) -> int:
        """Until it ends by itself; its exit code."""
        return self.process.wait(seconds)

    def stop(self) -> None:
        """SIGTERM, and it must end cleanly; nothing where it has ended and was waited for."""
        if self.process.returncode is not None:
            return
        self.signal(signal.SIGTERM)
        try:
            code = self.wait()
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"still there 60 s after SIGTERM:\n{self.log}") from None
        assert code == 0, f"exited with {code} on SIGTERM:\n{self.log}"

    def kill(self) -> None:
        """SIGKILL."""
        if self.process.returncode is None:
            self.process.kill()
            self.process.wait()
