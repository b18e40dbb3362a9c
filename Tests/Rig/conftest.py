"""Fixtures of the kernel rig: the guest, its gyroscopes, the service in it.

What the rig is made of is made first (`python -m guest.image`, by `make rig`); here it is only booted.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
# The client and the oracle of the tests from outside.
sys.path.insert(0, str(REPOSITORY / "Tests" / "System"))

from guest import image, machine, service  # noqa: E402
from guest.hid import NAME, HidGyroscope, find_device  # noqa: E402
from guest.stub import Bus, Chip  # noqa: E402


@pytest.fixture(scope="session")
def guest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[machine.Guest]:
    """The machine, booted once; each test leaves it as it was."""
    folder = tmp_path_factory.mktemp("guest")
    kernel, initrd = image.build()
    made = machine.Guest(kernel, initrd, folder, machine.accelerator(kernel, folder))
    try:
        made.wait_ready()
        service.set_up(made)
        yield made
    finally:
        made.stop()


@pytest.fixture
def parallaxd(guest: machine.Guest) -> Iterator[service.Service]:
    """The installed service, stopped and as it was installed."""
    one = service.Service(guest)
    one.reset()
    yield one
    one.reset()


@pytest.fixture
def gyroscope(guest: machine.Guest, parallaxd: service.Service) -> Iterator[HidGyroscope]:
    """A HID gyroscope, not plugged in yet."""
    one = HidGyroscope(guest)
    yield one
    # A reader keeps its modules busy.
    parallaxd.reset()
    one.close()
    machine.wait_for(lambda: not find_device(guest, NAME), "the HID gyroscope to be gone")


@pytest.fixture(scope="session")
def bus(guest: machine.Guest) -> Bus:
    """An I2C bus for chips."""
    return Bus(guest)


@pytest.fixture
def chip(bus: Bus, parallaxd: service.Service) -> Iterator[Callable[[Chip], str]]:
    """Solders chips in: `chip(BMG160)` is its sysfs folder."""
    plugged: list[Chip] = []

    def plug(one: Chip) -> str:
        plugged.append(one)
        return bus.plug(one)

    yield plug
    parallaxd.reset()
    for one in plugged:
        bus.unplug(one)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
    """Adds what the guest has logged to the report of a failure."""
    report = yield
    guest = item.funcargs.get("guest") if hasattr(item, "funcargs") else None
    if report.failed and guest and guest.process.poll() is None:
        try:
            text = guest.shell("journalctl --no-pager -n 60 -u parallaxd; echo; dmesg | tail -n 15", 30)
        except (OSError, AssertionError, machine.CommandFailed) as error:
            text = str(error)
        report.sections.append(("The guest's journal", text))
    return report
