"""Real machines, as far as people have published them: what the daemon makes of each, and docs/devices.md.

    python Tests/System/test_devices.py --write     writes docs/devices.md anew

Everything runs through the real libiio on made-up devices (`support/devices.py`), whose drivers round and refuse
as the real ones are known to (`support/driver.c`).
"""

import difflib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from support import c_source
from support.configfs import Configfs
from support.daemon import Daemon
from support.devices import NAMES, Device, Fixture
from support.gyroscope import Gyroscope
from support.machine import Machine, unshare_command
from support.sensor import config, stream_rates, tree
from support.waiting import wait_for

REPOSITORY = Path(__file__).resolve().parents[2]
DOCUMENT = REPOSITORY / "docs" / "devices.md"
# Every sample is an update, at the frequency that the default interval asks for.
CONFIG = config(f'sampling_frequency = {2 / 0.03}\nmode = "MODE"')
# Longer than the second over which the daemon measures a frequency.
SECONDS = 1.1


@dataclass
class Outcome:
    """What came of one machine."""

    fixture: Fixture
    status: dict
    listing: str
    # Rates as they should be, and as they came: (ns, x, y, z).
    expected: list[tuple] = field(default_factory=list)
    received: list[tuple] = field(default_factory=list)
    # Every attribute of every device, by number: before the daemon was started and after it had ended.
    before: dict[int, dict[str, str]] = field(default_factory=dict)
    after: dict[int, dict[str, str]] = field(default_factory=dict)

    @property
    def sensor(self) -> dict:
        """What the status says of the sensor."""
        return self.status["sensor"]


@cache
def outcome(parallaxd: Path, name: str, mode: str = "auto") -> Outcome:
    """Runs the daemon on a machine, moves its gyroscope and asks for the status."""
    fixture = Fixture.load(name)
    if os.environ.get("PARALLAXD_SANITIZER") == "address" and "same_frequency" in fixture.rules():
        pytest.skip("the address sanitizer takes a write that a made-up driver refuses for an error")
    folder = Path(tempfile.mkdtemp(prefix="parallaxd-"))
    folder.chmod(0o755)
    machine = Machine(folder / "machine")
    configfs = Configfs(machine)
    gyroscopes = fixture.plug_into(machine)
    before = {number: tree(gyroscope) for number, gyroscope in gyroscopes.items()}
    listing = subprocess.run(
        machine.command([str(parallaxd), "--list-sensors"]), capture_output=True, text=True, timeout=60, check=False
    )
    (folder / "daemon").mkdir()
    environment = driver(folder, fixture)
    one = Daemon(
        parallaxd, folder / "daemon", [], config=CONFIG.replace("MODE", mode), machine=machine, environment=environment
    )
    try:
        one.wait_ready()
        result = Outcome(fixture, {}, listing.stdout + listing.stderr)
        run(one, result, gyroscopes)
        one.stop()
        result.before = before
        result.after = {number: tree(gyroscope) for number, gyroscope in gyroscopes.items()}
        return result
    finally:
        one.kill()
        machine.close()
        configfs.close()
        shutil.rmtree(folder, ignore_errors=True)


def driver(folder: Path, fixture: Fixture) -> dict[str, str]:
    """The environment that has the fixture's drivers round and refuse."""
    rules = folder / "drivers"
    rules.write_text(fixture.rules())
    source = Path(__file__).resolve().parent / "support" / "driver.c"
    library = c_source.build(str(source), folder / "driver.so", "-shared", "-fPIC")
    return {"LD_PRELOAD": str(library), "IIO_DRIVER": str(rules)}


def run(one: Daemon, result: Outcome, gyroscopes: dict[int, Gyroscope]) -> None:
    """Subscribes and fills the outcome in."""
    fixture = result.fixture
    with one.client() as client, one.client() as other:
        client.subscribe(rate=True, only_changes=False)

        def settled() -> dict | None:
            status = other.call("GetStatus")
            return status if status["sensor"].get("mode") or status["state"] == "waiting" else None

        status = wait_for(settled, "a sensor that is open, or a reason why none is")
        mode = status["sensor"].get("mode")
        if mode and status["sensor"]["id"] == f"iio:device{fixture.expect.get('device')}":
            gyroscope = gyroscopes[fixture.expect["device"]]
            hertz = fixture.facts.get("feed", {}).get("delivers") or status["sensor"].get("frequency_set") or 100
            scans = fixture.scans(hertz, SECONDS if mode == "buffer" else 0)
            if fixture.gives_angles:
                gyroscope.wait_enabled()
                gyroscope.write_scans(scans[:1])
                result.expected = [fixture.rates(*pair) for pair in zip(scans[1:], scans)]
                del scans[0]
            else:
                result.expected = [fixture.rates(scan) for scan in scans]
            if mode == "buffer":
                result.received = stream_rates(client, gyroscope, scans)
                if status["sensor"]["clock"] != "monotonic":
                    # What stamps of another clock become is another test's.
                    result.received = [(scan[0], *one[1:]) for scan, one in zip(scans, result.received)]
            else:
                result.received = [poll_rates(client, gyroscope, *pair) for pair in zip(scans, result.expected)]
        result.status = other.call("GetStatus")


def poll_rates(client, gyroscope: Gyroscope, scan: tuple, expected: tuple) -> tuple:
    """Shows raw values and waits for their rates; the stamp is the scan's, since a polled one is the reader's."""
    gyroscope.set_raw(*scan[1:])

    def come() -> tuple | None:
        received = (scan[0], *client.event().get("rate", {}).values())
        return received if received == expected else None

    return wait_for(come, f"{scan[1:]} to become {expected[1:]}")


@pytest.fixture(params=NAMES)
def result(request, parallaxd: Path) -> Outcome:
    """The outcome of each machine."""
    need_namespace()
    return outcome(parallaxd, request.param)


def need_namespace() -> None:
    """Skips where no machine can be made."""
    if unshare_command() is None:
        pytest.skip("neither `unshare -m` nor `unshare -Urm` works here: no made-up gyroscope")


def test_the_right_one_in_the_right_way(result: Outcome):
    """What a person who knows the machine would want."""
    expect, sensor = result.fixture.expect, result.sensor
    said = "\n".join([result.status["text"], *sensor["why"]])
    for text in expect.get("says", []):
        assert text in said
    if "device" not in expect:
        assert (result.status["state"], result.status["reason"]) == (expect["state"], expect["reason"]), said
        return
    assert (sensor["id"], sensor["mode"]) == (f"iio:device{expect['device']}", expect["mode"]), said
    assert sensor["scale"] == result.fixture.scale, said
    assert sensor["mount_matrix"] == result.fixture.matrix, said
    assert expect.get("matrix_from", "none") in sensor["mount_matrix_from"], said
    if "frequency" in expect:
        assert sensor["frequency_set"] == expect["frequency"], said
    assert f"iio:device{expect['device']}  {result.fixture.chosen.known('name')}  <- this one" in result.listing


def test_rates_are_raw_values_scaled_and_turned(result: Outcome):
    assert result.received == result.expected
    assert result.received or "device" not in result.fixture.expect
    delivers = result.fixture.facts.get("feed", {}).get("delivers")
    if delivers and result.sensor["mode"] == "buffer":
        assert result.sensor["frequency_measured"] == pytest.approx(delivers, rel=1e-3)


def test_everything_is_given_back(result: Outcome):
    """The other sensors of the part too; looking at the list has changed nothing either."""
    assert result.after == result.before


POLLED = [one.name for one in map(Fixture.load, NAMES) if "device" in one.expect and not one.gives_angles]


@pytest.mark.parametrize("name", POLLED)
def test_polled_rates_are_the_same(parallaxd: Path, name: str):
    """Every one of them can be read without its buffer."""
    need_namespace()
    result = outcome(parallaxd, name, "poll")
    assert (result.sensor["mode"], result.sensor["clock"]) == ("poll", "wake-up")
    assert result.received and result.received == result.expected


def test_the_first_scans_of_an_ism330dlc_are_left_out(daemon, machine):
    """Two of them are wrong after the buffer is switched on: with the default settle_time they make no update."""
    fixture = Fixture.load("ism330dlc")
    gyroscope = fixture.plug_into(machine)[fixture.expect["device"]]
    raw = fixture.facts["feed"]["raw"]
    start = time.monotonic_ns() - 76_550_000 * len(raw)
    scans = [(start + 76_550_000 * n, *axes) for n, axes in enumerate(raw)]
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        gyroscope.wait_enabled()
        assert gyroscope.write_scans(scans) == len(scans)
        event = client.event()
        while event["timestamp_ns"] != scans[-1][0]:
            assert all(abs(rate) < 0.1 for rate in event.get("rate", {}).values()), event
            event = client.event()
        with one.client() as other:
            assert other.call("GetStatus")["counters"]["settling"] == 2


def test_the_document_is_up_to_date(parallaxd: Path):
    need_namespace()
    now = DOCUMENT.read_text().splitlines() if DOCUMENT.exists() else []
    wanted = document([outcome(parallaxd, name) for name in NAMES]).splitlines()
    difference = "\n".join(difflib.unified_diff(now, wanted, "docs/devices.md", "as it is now", lineterm=""))
    assert not difference, f"run `make docs-devices`:\n{difference}"


# The document

HEAD = """\
# Devices

What parallaxd makes of machines whose sensors people have described in public. Their facts are in
`Tests/System/devices`, one file a machine; a test builds each as a made-up device for the real libiio, runs the
daemon on it, moves it, checks every rate that arrives, and compares this page with what the daemon says.
`make docs-devices` writes it anew. Values that a publication does not give are marked with °: they are what the
kernel's driver of that part prints.

The frequency asked is that of the default update interval, 66.7 Hz. What the drivers are known to do to what is
written is imitated (`support/driver.c`): HID sensors keep a period of whole milliseconds, a buffer is refused
without a trigger or, by bmi323, while the accelerometer has another frequency. Measured is what the test moved
the device at, where that is known from the publication.

Not in the table, since only their mount matrices are published: the 38 hand-held PCs of InputPlumber's device
files, and the 203 accelerometer matrices of systemd's `60-sensor.hwdb`. Where these files are at hand
(`PARALLAXD_DEVICES`), `test_published_devices.py` gives each matrix to made-up devices, as the gyroscope's own
and, those of the hardware database, as that of an accelerometer of the same part, and those of the hand-held PCs
in the configuration. It checks what `--list-sensors` makes of each: which matrix, from where, the warning where
it is no rotation, and that a text which is no matrix, or one that cannot be inverted, is left out.

## In short

"""


def document(outcomes: list[Outcome]) -> str:
    """The text of docs/devices.md."""
    rows = [
        ["machine", "read", "mode", "scale, rad/s", "mount matrix, from", "Hz asked, set, measured", "clock", "remarkable"],
        ["---"] * 8,
        *(row(one) for one in outcomes),
    ]
    text = HEAD + "".join("| " + " | ".join(cells) + " |\n" for cells in rows)
    text += "\n## One by one\n"
    for one in outcomes:
        text += f"\n### {one.fixture.machine}\n\nFrom: {one.fixture.facts['source']}.\n\n"
        text += "".join(f"- {device_facts(device)}\n" for device in one.fixture.devices)
        said = one.sensor["why"] if one.sensor.get("mode") else [one.status["text"]]
        text += "\nparallaxd says:\n\n" + "".join(f"> - {plain(sentence)}\n" for sentence in said)
    return text


def row(one: Outcome) -> list[str]:
    """One machine in the table."""
    sensor, remarkable = one.sensor, "; ".join(one.fixture.facts["facts"])
    name = f"[{one.fixture.machine}](#{anchor(one.fixture.machine)})"
    if not sensor.get("mode"):
        return [name, "nothing", f"{one.status['state']}: {one.status['reason']}", "", "", "", "", remarkable]
    return [
        name,
        f"{sensor['id']} {sensor['name']}",
        sensor["mode"],
        ", ".join(dict.fromkeys(number(scale) for scale in sensor["scale"])),
        matrix(sensor),
        frequencies(one),
        sensor["clock"],
        remarkable,
    ]


def frequencies(one: Outcome) -> str:
    """Asked, set and measured."""
    sensor = one.sensor
    measured = sensor.get("frequency_measured") if "delivers" in one.fixture.facts.get("feed", {}) else None
    shown = [sensor["frequency_asked"], sensor.get("frequency_set"), measured]
    return ", ".join("–" if one is None else f"{one:.4g}" for one in shown)


def matrix(sensor: dict) -> str:
    """The mount matrix and where it is from."""
    rows = [number(value) for value in sensor["mount_matrix"]]
    text = "; ".join(", ".join(rows[at : at + 3]) for at in (0, 3, 6))
    if text == "1, 0, 0; 0, 1, 0; 0, 0, 1":
        text = "identity"
    return f"{text}, {sensor['mount_matrix_from']}"


def device_facts(device: Device) -> str:
    """One device of a machine, in a line."""
    name = f"`iio:device{device.facts['index']}` {known(device, 'name')}"
    if not device.quantity:
        return name + (" (an accelerometer)" if "in_accel_x_raw" in device.attributes else "")
    parts = []
    if device.known("label"):
        parts.append(f"label {device.known('label')}")
    parts.append("scans of " + marked(device, "assumed_scan", ", ".join(device.types)) if device.types else "no buffer")
    if device.known("trigger"):
        parts.append(f"trigger {known(device, 'trigger')}")
    elif device.types:
        parts.append("no trigger set" if device.known("trigger") == "" else "no trigger needed")
    for what, ending in [
        ("scale", "scale"),
        ("offset", "offset"),
        ("Hz", "sampling_frequency"),
        ("of", "sampling_frequency_available"),
        ("mount matrix", "mount_matrix"),
    ]:
        text = device.attribute(ending)
        if text is not None:
            parts.append(f"{what} {text}" + ("°" if is_assumed(device, ending) else ""))
    if "in_accel_x_raw" in device.attributes:
        parts.append("an accelerometer too")
    return f"{name}: {'; '.join(parts)}"


def is_assumed(device: Device, ending: str) -> bool:
    """Whether an attribute of the rates, or of the device, is one that was not published."""
    return any(name in device.assumed for name in (f"in_{device.quantity}_{ending}", ending))


def known(device: Device, what: str) -> str:
    """What it is known by, marked where that was not published."""
    return f"{device.known(what)}" + ("°" if what in device.assumed else "")


def marked(device: Device, table: str, text: str) -> str:
    """The text, marked where the axes of a scan are in that table."""
    return text + ("°" if any(name.startswith(f"in_{device.quantity}") for name in device.facts.get(table, {})) else "")


def number(value: float) -> str:
    """As short as can be."""
    return f"{value:.10g}"


def plain(sentence: str) -> str:
    """A sentence that Markdown leaves as it is."""
    return sentence.replace("_", "\\_").replace("<", "&lt;")


def anchor(title: str) -> str:
    """The name of a heading, as in a link to it."""
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c in "-_")


def main() -> int:
    """Writes the document."""
    if sys.argv[1:] != ["--write"]:
        print(__doc__, file=sys.stderr)
        return 2
    binaries = Path(os.environ.get("PARALLAXD_BIN") or REPOSITORY / ".build" / "debug").resolve()
    DOCUMENT.write_text(document([outcome(binaries / "parallaxd", name) for name in NAMES]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
