"""The automatic bias on real recordings: what the content still drifts, and what is never learned.

M is what the offset moves at rest in a minute, with the rule's own settings but a threshold of 0.
"""

import math
from pathlib import Path
from statistics import fmean, pstdev

import pytest
from support.drift import SECOND, Processed, process
from support.recordings import RECORDINGS, read

REST = {
    "android/sensorkinetics_honor10_rest.csv": (30, 0.5),
    "android/sensorkinetics_oneplus6_rest_semicolon-comma.csv": (1.8, 0.5),
    "mcu/tmcg_roadbike_ms-epoch.csv": (229, 0.5),
    "mcu/ayaan_mpu6050_deg.csv": (2.1, 1.5),
}
WALK = "sensorlogger/ethz_galaxyA5_gyro-uncalibrated.csv"
FLIGHT = "euroc/kimera_real_data_10us-stamps.csv"
REFERENCE = "euroc/kimera_real_data_groundtruth.csv"


@pytest.fixture
def run(parallaxctl, recordings, tmp_path):
    """`process` on a recording by its name."""

    def run(name: str, **settings) -> Processed:
        columns = RECORDINGS[name].columns
        return process(parallaxctl, recordings / name, tmp_path, columns, **settings)

    return run


def rows_of(recordings: Path, name: str) -> list[tuple[int, float, float, float]]:
    """As Python reads them."""
    return read(recordings / name, RECORDINGS[name])


@pytest.mark.parametrize("name", REST)
def test_at_rest_the_content_stays(run, name):
    """And without a correction it does not."""
    uncorrected, most = REST[name]
    assert run(name, motion__threshold=0, calibration__mode="off").drift() >= uncorrected
    assert run(name, motion__threshold=0).drift() <= most


def test_the_document_says_what_is_measured(run):
    """The table of docs/bias.md is that of this estimator."""
    document = (Path(__file__).resolve().parents[2] / "docs" / "bias.md").read_text()
    for name in REST:
        row = f"| {Path(name).name.split('.')[0]} | at rest: points a minute | "
        [line] = [line for line in document.splitlines() if line.startswith(row)]
        uncorrected, *_, ours = line.removeprefix(row).rstrip(" |").split(" | ")
        assert float(uncorrected) >= REST[name][0]
        assert float(ours) == pytest.approx(run(name, motion__threshold=0).drift(), abs=0.006)


def test_a_small_threshold_swallows_what_is_left(run):
    """Nothing at all moves, where 205 points a minute did."""
    name = "mcu/tmcg_roadbike_ms-epoch.csv"
    assert run(name, motion__threshold=0.03, calibration__mode="off").drift() > 200
    assert run(name, motion__threshold=0.03).drift() == 0


def test_while_walking_the_estimate_stays(run, recordings):
    """Within 0.1 deg/s of what it was at rest."""
    done = run(WALK)
    times = [row[0] for row in rows_of(recordings, WALK)]
    walking = [done.bias_at(time) for time in times if time - times[0] >= 185 * SECOND]
    for axis, expected in enumerate((-3.55, 2.83, 3.79)):
        assert abs(math.degrees(fmean(bias[axis] for bias in walking)) - expected) < 0.1


def test_in_flight_it_is_right_or_nothing(run, recordings):
    """Four seconds on a stand with motors running, then flight."""
    reference = rows_of(recordings, REFERENCE)[0][1:]
    for estimate in run(FLIGHT).estimates:
        for one, other in zip(estimate.bias, reference):
            assert one == 0 or abs(one - other) < 0.01, estimate


@pytest.mark.parametrize("name", ["vendor/xio_fusion_sensor_data.csv", "sensorlogger/sewonm_robot.csv"])
def test_moving_it_is_that_of_the_still_seconds(run, recordings, name):
    """At every moment from the first estimate on."""
    rows = rows_of(recordings, name)
    seconds: dict[int, list] = {}
    for time, *rates in rows:
        seconds.setdefault((time - rows[0][0]) // SECOND, []).append(rates)
    still = [
        rates
        for second in seconds.values()
        if all(pstdev(axis) < 0.004 for axis in zip(*second))
        for rates in second
    ]
    expected = [fmean(axis) for axis in zip(*still)]
    estimates = run(name).estimates[1:]
    assert estimates
    for estimate in estimates:
        for one, other in zip(estimate.bias, expected):
            assert abs(one - other) < 0.002, estimate


def test_where_nothing_is_ever_still_nothing_is_learned(run):
    """Slow tilting by hand."""
    assert [estimate.bias for estimate in run("phyphox/kundiilona_gyro.csv").estimates] == [(0, 0, 0)]


@pytest.mark.parametrize("name", [name for name in REST if "tmcg" not in name])
def test_a_slow_deliberate_turn_is_not_eaten(parallaxctl, recordings, tmp_path, name):
    """0.05 rad/s about y for twenty seconds: at least 95 % of it moves the content."""
    rows = rows_of(recordings, name)

    def turning(time: int) -> float:
        at = (time - rows[0][0]) / SECOND
        return 0.05 * max(0.0, min(1.0, (at - 10) / 0.5, (30 - at) / 0.5))

    def moved(turn) -> float:
        path = tmp_path / "rows.csv"
        lines = [f"{time},{x!r},{y + turn(time)!r},{z!r}\n" for time, x, y, z in rows]
        path.write_text("timestamp_ns,x,y,z\n" + "".join(lines))
        settings = {"motion__threshold": 0, "motion__integration": "angle", "motion__multiplier": 1}
        return process(parallaxctl, path, tmp_path, **settings).events[-1][1]

    # Both as the pipeline integrates: from the accepted samples.
    with_, without = moved(turning), moved(lambda time: 0.0)
    assert with_ - without >= 0.95 * 0.05 * 19.5
