"""SIGHUP: the settings are read again and nobody is dropped; a bad file changes nothing."""

import signal

from support.waiting import wait_for


def step_at(client, wanted: float) -> None:
    """Reads every update until one moves x by `wanted`."""
    last = client.event()
    for _ in range(400):
        event = client.event()
        if event["sequence"] == last["sequence"] + 1 and abs(event["x"] - last["x"] - wanted) < 1e-9:
            return
        last = event
    raise AssertionError(f"no update moved x by {wanted}")


def constant_turn(path) -> None:
    """A minute of 1 rad/s about y at 100 Hz."""
    rows = "".join(f"{n * 10_000_000},0,1,0\n" for n in range(6000))
    path.write_text("timestamp_ns,x,y,z\n" + rows)


def test_a_reload_keeps_subscribers(daemon, folder):
    trace = folder / "turn.csv"
    constant_turn(trace)
    one = daemon("--replay", str(trace), config="[motion]\nmultiplier = 2.0\n")
    with one.client() as client, one.client() as control:
        client.subscribe(only_changes=False)
        step_at(client, 2.0)
        one.config.write_text("[motion]\nmultiplier = 3.0\n")
        one.signal(signal.SIGHUP)
        step_at(client, 3.0)

        one.config.write_text("[motion]\nmultiplier = 4.0\ntreshold = 1\n")
        one.signal(signal.SIGHUP)
        error = wait_for(lambda: control.call("GetStatus")["configuration"]["last_error"], "the error in the status")
        assert f"{one.config}:3:" in error and "treshold" in error and "motion.threshold" in error, error
        one.wait_log(error)
        step_at(client, 3.0)

        one.config.write_text("[motion]\nmultiplier = 5.0\n")
        one.signal(signal.SIGHUP)
        step_at(client, 5.0)
        assert control.call("GetStatus")["configuration"]["last_error"] is None


def test_set_outlives_a_reload(daemon, folder):
    trace = folder / "turn.csv"
    constant_turn(trace)
    one = daemon("--replay", str(trace), "--set", "motion.multiplier=7", config="")
    with one.client() as client:
        client.subscribe(only_changes=False)
        step_at(client, 7.0)
        one.config.write_text("[motion]\nmultiplier = 3.0\ngain_x = 2\n")
        one.signal(signal.SIGHUP)
        step_at(client, 14.0)


def test_reduced_motion_by_configuration_is_live(daemon, folder):
    trace = folder / "turn.csv"
    constant_turn(trace)
    one = daemon("--replay", str(trace))
    with one.client() as client:
        client.subscribe()
        while client.event()["x"] <= 0:
            pass
        one.config.write_text("[accessibility]\nreduced_motion = true\n")
        one.signal(signal.SIGHUP)
        event = client.event_where(lambda event: event["state"] == "reduced")
        assert event["reason"] == "configuration" and event["x"] == 0
        one.config.write_text("")
        one.signal(signal.SIGHUP)
        while client.event()["x"] <= 0:
            pass


def test_another_recording_by_reload(daemon, folder):
    still, turning = folder / "still.csv", folder / "turning.csv"
    constant_turn(turning)
    still.write_text("timestamp_ns,x,y,z\n" + "".join(f"{n * 10_000_000},0,0,0\n" for n in range(6000)))
    config = '[sensor]\nbackend = "replay"\nreplay_file = "{}"\n'
    one = daemon(config=config.format(still))
    with one.client() as client:
        client.subscribe(only_changes=False)
        assert client.events(10)[-1]["x"] == 0
        one.config.write_text(config.format(turning))
        one.signal(signal.SIGHUP)
        while client.event()["x"] <= 0:
            pass
