"""After a crash the sensor is given back as it was by the next run, from what is written down before each change."""

import os
import signal
import stat

import pytest

from support.gyroscope import Gyroscope
from support.iiod import IIOD, Iiod
from support.machine import need_root
from support.node_shim import NodeShim
from support.process import opens_a_file
from support.sensor import NO_BUFFER, NOBODY, config, open_sensor, tree, wait_state
from support.waiting import wait_for


@pytest.fixture
def state(folder):
    """A state directory that outlives a daemon, as the environment that names it."""
    path = folder / "state"
    path.mkdir(mode=0o700)
    return path


def environment(state) -> dict[str, str]:
    """What makes a daemon keep its state there."""
    return {"STATE_DIRECTORY": str(state)}


def changed(gyroscope: Gyroscope) -> dict[str, str]:
    """Gives every attribute that the daemon changes a value of its own; the tree."""
    for name, text in {"buffer/length": "7", "buffer/watermark": "3", "scan_elements/in_anglvel_y_en": "1"}.items():
        gyroscope.set(name, text)
    return tree(gyroscope)


def crash(daemon, machine, gyroscope, state, **options):
    """A daemon that was killed while it read the gyroscope."""
    killed = daemon(machine=machine, environment=environment(state), **options)
    with killed.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        open_sensor(killed)
        killed.kill()
    return killed


@pytest.mark.parametrize("frequency_of", ["device", "channel", "trigger"])
def test_given_back_after_a_crash(daemon, machine, state, frequency_of):
    """Length, watermark, elements, clock, frequency, trigger and the buffer itself."""
    gyroscope = machine.add(
        Gyroscope(
            trigger=None,
            sampling_frequency="25",
            sampling_frequency_available=None,
            frequency_of=frequency_of,
            others={"in_accel_x": "le:s16/16>>0"},
        )
    )
    trigger = gyroscope.folder.parent / "trigger0/sampling_frequency"
    before = changed(gyroscope)
    crash(daemon, machine, gyroscope, state)
    during = tree(gyroscope)
    differ = {name for name in before if during.get(name) != before[name]}
    assert {"buffer/enable", "buffer/length", "buffer/watermark", "trigger/current_trigger"} <= differ
    assert {"current_timestamp_clock", "scan_elements/in_anglvel_x_en"} <= differ
    if frequency_of == "trigger":
        assert trigger.read_text().rstrip("\0\n") != "25"
    assert list(state.iterdir()), "the journal"
    # Nobody subscribes to this one.
    daemon(machine=machine, environment=environment(state))
    wait_for(lambda: tree(gyroscope) == before, f"{before} again: {tree(gyroscope)}")
    wait_for(lambda: not list(state.iterdir()), "the journal to be removed")
    if frequency_of == "trigger":
        assert trigger.read_text().rstrip("\0\n") == "25"


WRITTEN = [
    "trigger/current_trigger",
    "current_timestamp_clock",
    "sampling_frequency",
    "scan_elements/in_anglvel_x_en",
    "buffer/length",
]


@pytest.mark.parametrize("attribute", WRITTEN)
def test_killed_right_after_a_change(daemon, machine, state, folder, sanitizer, attribute):
    """What is changed is written down before, each time."""
    if sanitizer:
        pytest.skip("a sanitizer wants to be loaded first")
    gyroscope = machine.add(
        Gyroscope(trigger=None, sampling_frequency="25", sampling_frequency_available=None, clock="realtime")
    )
    before = changed(gyroscope)
    shim = NodeShim(folder)
    killed = daemon(machine=machine, environment=environment(state) | shim.killing_after(attribute), config=config())
    with killed.client() as client:
        client.send("Subscribe", more=True)
        assert killed.wait(60) == -signal.SIGKILL
    assert tree(gyroscope)[attribute] != before[attribute]
    daemon(machine=machine, environment=environment(state))
    wait_for(lambda: tree(gyroscope) == before, f"{before} again, not {tree(gyroscope)}")


def test_a_second_crash_forgets_nothing(daemon, machine, state):
    """The next run reads the sensor at once, and is killed too."""
    gyroscope = machine.add(Gyroscope(trigger=None, sampling_frequency="25"))
    before = changed(gyroscope)
    for _ in range(2):
        crash(daemon, machine, gyroscope, state)
    one = daemon(machine=machine, environment=environment(state))
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        open_sensor(one)
    wait_for(lambda: tree(gyroscope) == before, f"{before} again: {tree(gyroscope)}")
    wait_for(lambda: not list(state.iterdir()), "the journal to be removed")


def test_given_back_under_another_number(daemon, machine, state):
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    before = changed(gyroscope)
    crash(daemon, machine, gyroscope, state)
    old, node = gyroscope.folder, gyroscope.node
    gyroscope.index = 5
    gyroscope.folder = old.with_name("iio:device5")
    gyroscope.node = node.with_name("iio:device5")
    old.rename(gyroscope.folder)
    node.rename(gyroscope.node)
    daemon(machine=machine, environment=environment(state))
    wait_for(lambda: tree(gyroscope) == before, f"{before} again: {tree(gyroscope)}")


def test_a_polled_sensor_too(daemon, machine, state):
    gyroscope = machine.add(Gyroscope(**NO_BUFFER, sampling_frequency="25"))
    before = tree(gyroscope)
    killed = daemon(machine=machine, environment=environment(state))
    with killed.client() as client:
        client.subscribe()
        wait_state(killed, "running")
        killed.kill()
    assert tree(gyroscope) != before
    daemon(machine=machine, environment=environment(state))
    wait_for(lambda: tree(gyroscope) == before, f"{before} again: {tree(gyroscope)}")


def test_nothing_is_left_of_a_run_that_ended_well(daemon, machine, state):
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    one = daemon(machine=machine, environment=environment(state))
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        open_sensor(one)
        journals = list(state.iterdir())
        assert len(journals) == 1
        assert stat.S_IMODE(journals[0].stat().st_mode) == 0o600
    wait_for(lambda: not list(state.iterdir()), "the journal to be removed in idle")


def test_another_daemon_s_sensor_is_left_alone(daemon, machine, state):
    """Two daemons with one state directory: the second finds nothing to put back while the first reads."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    one = daemon(machine=machine, environment=environment(state))
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        open_sensor(one)
        during = tree(gyroscope)
        other = daemon(machine=machine, environment=environment(state))
        other.stop()
        assert tree(gyroscope) == during and len(list(state.iterdir())) == 1


def litter(kind: str, folder) -> None:
    """Puts more into a state directory than is looked at, all of which sorts before a journal."""
    for number in range(1100):
        name = f"{number:016x}.state" if kind != "other-names" else f"..{number}.state"
        if kind == "folders":
            (folder / name).mkdir()
        else:
            (folder / name).symlink_to("/dev/null")


@pytest.mark.parametrize("kind", ["other-names", "folders", "links"])
def test_found_among_what_others_leave(daemon, machine, state, kind):
    """However much lies in the state directory, the journal of a device that is there is found."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    before = changed(gyroscope)
    litter(kind, state)
    others = set(state.iterdir())
    crash(daemon, machine, gyroscope, state)
    (journal,) = set(state.iterdir()) - others
    assert len(journal.name) == len(NAME) and set(journal.stem) <= set("0123456789abcdef")
    assert tree(gyroscope) != before
    daemon(machine=machine, environment=environment(state))
    wait_for(lambda: tree(gyroscope) == before, f"{before} again: {tree(gyroscope)}")
    wait_for(lambda: set(state.iterdir()) == others, "the journal to be removed, and nothing else")


HEAD = "parallaxd-state 1\nboot {boot}\nsource local: iio:device0 bmi160 %\n"
BOOT = "0123456789abcdef0123456789abcdef"
# Of a journal's form; whose it is stands in it.
NAME = "00c0ffee00c0ffee.state"


@pytest.mark.parametrize(
    "text",
    [
        HEAD.format(boot="f" * 32) + "device sampling_frequency 13\n",
        HEAD.format(boot=BOOT) + "device sampling_frequency 13\ndevice ../../../x 1\n",
        HEAD.format(boot=BOOT) + "device sampling_frequency 13",
        "",
        "\0" * 100_000,
    ],
    ids=["an-earlier-boot", "something-else", "half-a-line", "empty", "too-large"],
)
def test_journals_that_are_void(daemon, machine, state, text):
    """Of another boot, broken or hostile: nothing is changed, and they are removed."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    before = tree(gyroscope)
    (state / NAME).write_text(text)
    daemon(machine=machine, environment=environment(state) | {"PARALLAXD_BOOT_ID": BOOT})
    wait_for(lambda: not list(state.iterdir()), "the journal to be removed")
    assert tree(gyroscope) == before


def test_a_journal_of_this_boot_is_followed(daemon, machine, state):
    """So that the ones that are not followed are known to be refused for what is wrong with them."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    (state / NAME).write_text(HEAD.format(boot=BOOT) + "device sampling_frequency 13\n")
    daemon(machine=machine, environment=environment(state) | {"PARALLAXD_BOOT_ID": BOOT})
    wait_for(lambda: gyroscope.read("sampling_frequency") == "13", "the frequency to be put back")


def test_a_journal_of_somebody_else_is_not_followed(daemon, machine, state):
    need_root("giving a file away")
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    alien = state / "0.state"
    alien.write_text(HEAD.format(boot=BOOT) + "device sampling_frequency 13\n")
    os.chown(alien, NOBODY, NOBODY)
    one = daemon(machine=machine, environment=environment(state) | {"PARALLAXD_BOOT_ID": BOOT})
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        open_sensor(one)
    wait_for(lambda: gyroscope.read("sampling_frequency") == "25", "the frequency as it was")
    assert alien.exists()


@pytest.mark.parametrize("end", ["crash", "idle"])
@pytest.mark.parametrize("fault", ["unreadable", "gone"])
def test_given_back_by_one_rule(daemon, machine, state, end, fault):
    """What cannot be read is written all the same, and what is gone is not made: after a crash as at a clean end."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    before = changed(gyroscope)
    frequency = gyroscope.folder / "sampling_frequency"

    def spoil() -> None:
        if fault == "gone":
            frequency.unlink()
        else:
            # libiio reads no more than a page.
            frequency.write_text("1" * 5000)

    if end == "crash":
        crash(daemon, machine, gyroscope, state)
        spoil()
        daemon(machine=machine, environment=environment(state))
    else:
        one = daemon(machine=machine, environment=environment(state))
        with one.client() as client:
            client.subscribe()
            gyroscope.wait_enabled()
            open_sensor(one)
            spoil()
    if fault == "gone":
        del before["sampling_frequency"]
    wait_for(lambda: not list(state.iterdir()), "the journal to be removed")
    assert tree(gyroscope) == before


def read_and_left(daemon, machine, gyroscope, state) -> tuple[str, dict]:
    """A daemon that has read the gyroscope twice and was stopped: its log, and what its status said of the sensor."""
    one = daemon(machine=machine, environment=environment(state))
    for _ in range(2):
        with one.client() as client:
            client.subscribe()
            gyroscope.wait_enabled()
            status = open_sensor(one)
        gyroscope.wait_disabled()
        wait_state(one, "idle")
    one.stop()
    return one.log, status


@pytest.mark.parametrize("obstacle", ["folder", "link", "an-earlier-journal"])
def test_a_journal_that_cannot_be_begun(daemon, machine, state, obstacle):
    """That nothing would be put back after a crash is a warning: in the status, and once in the log."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    killed = crash(daemon, machine, gyroscope, state)
    (journal,) = state.iterdir()
    assert "after a crash" not in killed.log
    text = journal.read_text()
    journal.unlink()
    if obstacle == "folder":
        journal.mkdir()
    elif obstacle == "link":
        journal.symlink_to("/dev/null")
    else:
        # What cannot be written stays in it.
        journal.write_text(text + "device in_x_sampling_frequency 25\n")
        (gyroscope.folder / "in_x_sampling_frequency").mkdir()
    log, status = read_and_left(daemon, machine, gyroscope, state)
    assert log.count("after a crash not all of the sensor's settings will be put back") == 1, log
    warning = next(line for line in log.splitlines() if "after a crash" in line)
    assert journal.name in warning
    assert any(sentence in warning and "after a crash" in sentence for sentence in status["why"]), status["why"]


def test_a_change_that_cannot_be_written_down(daemon, machine, state):
    """A name that would make the journal void is not in it, and that is said; all else is put back."""
    name = "t" * 200
    gyroscope = machine.add(
        Gyroscope(trigger=name, triggers=[name], sampling_frequency="25", frequency_of="trigger")
    )
    before = changed(gyroscope)
    log, status = read_and_left(daemon, machine, gyroscope, state)
    assert log.count("after a crash not all of the sensor's settings will be put back") == 1, log
    assert any("after a crash" in sentence for sentence in status["why"]), status["why"]
    assert tree(gyroscope) == before and not list(state.iterdir())
    crash(daemon, machine, gyroscope, state)
    assert tree(gyroscope) != before
    daemon(machine=machine, environment=environment(state))
    wait_for(lambda: tree(gyroscope) == before, f"{before} again: {tree(gyroscope)}")


def test_without_a_place_for_it(daemon, machine, folder):
    """One warning, and the sensor is read all the same."""
    (folder / "file").write_text("")
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, environment=environment(folder / "file"))
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
    gyroscope.wait_disabled()
    assert one.log.count("no state is kept") == 1


def test_clients_are_served_while_a_driver_hangs_in_the_recovery(daemon, machine, state, folder):
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    before = tree(gyroscope)
    crash(daemon, machine, gyroscope, state)
    length = gyroscope.folder / "buffer/length"
    os.rename(length, folder / "length")
    os.mkfifo(length)
    one = daemon(machine=machine, environment=environment(state), config=config())
    wait_for(lambda: opens_a_file(one.pid), "the sensor's thread to be stuck")
    with one.client() as client:
        client.subscribe()
        for _ in range(20):
            with one.client() as other:
                assert other.call("GetStatus")["state"] == "starting"
        pipe = folder / "pipe"
        os.link(length, pipe)
        os.replace(folder / "length", length)
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        gyroscope.wait_enabled()
    # The read that hung could not tell what the length was.
    known = {"buffer/length": before["buffer/length"]}
    wait_for(lambda: tree(gyroscope) | known == before, f"{before} again: {tree(gyroscope)}")


@pytest.mark.skipif(IIOD is None, reason="iiod is missing (see `make deps`): no network to read over")
def test_another_machine_s_sensor(daemon, machine, state):
    """It is given back when its machine is reached the next time."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="25", trigger=None))
    iiod = Iiod(machine)
    iiod.start()
    options = {"config": config(f'uri = "{iiod.uri}"')}
    crash(daemon, machine, gyroscope, state, **options)
    assert gyroscope.read("sampling_frequency") != "25"
    gyroscope.wait_disabled()
    # This machine's devices are not meant, although there is one of that name.
    local = daemon(machine=machine, environment=environment(state))
    with local.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        open_sensor(local)
    wait_for(lambda: len(list(state.iterdir())) == 1, "its own journal to be removed")
    assert gyroscope.read("sampling_frequency") != "25"
    one = daemon(machine=machine, environment=environment(state), **options)
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        open_sensor(one)
    wait_for(lambda: gyroscope.read("sampling_frequency") == "25", "the frequency to be put back")
    wait_for(lambda: gyroscope.read("current_timestamp_clock") == "realtime", "the clock to be put back")
    wait_for(lambda: not list(state.iterdir()), "the journal to be removed")
