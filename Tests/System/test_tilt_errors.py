"""The tilt against reference orientations, with gravity and without: the figures of docs/tilt.md.

`make docs-tilt` writes the document.
"""

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.orientation import ALL, KIMERA, XSENS, Referenced, orientations, true_tilt

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "tilt.md"
TAU = 5.0
# rad: wide enough that nothing is cut off.
RANGE = 3.14


def tilts(parallaxctl: Path, folder: Path, recording: Referenced, *settings: str) -> dict[int, tuple[float, float]]:
    """θ about the picture's x and y by time, rad, as `process` has it at each sample."""
    command = [parallaxctl, "process", "--tilt", folder / recording.name]
    if recording.columns:
        command += ["--columns", recording.columns]
    for setting in ["motion.update_interval=0", f"tilt.range={RANGE}", f"tilt.recenter_time={TAU}", *settings]:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    rows = [row.split(",") for row in done.stdout.splitlines()[1:]]
    return {int(row[1]): (float(row[6]) * RANGE, float(row[5]) * RANGE) for row in rows}


def errors(parallaxctl: Path, folder: Path, recording: Referenced, axes: str, *settings: str) -> tuple[float, float]:
    """Degrees, root of the mean square and largest, of both angles together, at each reference."""
    found = tilts(parallaxctl, folder, recording, f"sensor.axes={axes}", *settings)
    references = [one for one in orientations(folder, recording) if one[0] in found]
    assert len(references) > 900
    true = true_tilt(references, axes, TAU)
    sizes = [math.degrees(math.dist(found[time], angle)) for time, angle in true.items()]
    return math.sqrt(sum(size * size for size in sizes) / len(sizes)), max(sizes)


# Of the picture laid flat, without a bias estimate: bounds that hold with the filter and not without it, degrees.
BOUNDS = {KIMERA: (6.0, 10.0), XSENS: (2.5, 5.0)}


@pytest.mark.parametrize("recording", ALL, ids=lambda recording: recording.name.split("/")[0])
def test_gravity_keeps_the_tilt_true(parallaxctl, recordings, recording):
    """The errors are within the bounds with gravity, and beyond them without."""
    quiet = "calibration.mode=off"
    mean, largest = errors(parallaxctl, recordings, recording, recording.flat, quiet)
    assert mean < BOUNDS[recording][0] and largest < BOUNDS[recording][1], (mean, largest)
    mean, largest = errors(parallaxctl, recordings, recording, recording.flat, quiet, "tilt.accelerometer=false")
    assert mean > BOUNDS[recording][0] and largest > BOUNDS[recording][1], (mean, largest)


HEAD = """# Tilt, with gravity and without

How far the tilt is from what it should be: step 4 of [motion.md](motion.md) as `parallaxctl process` does it, against
step 4 of the turns from one reference orientation to the next. Degrees of the angle before it becomes −1 to 1, both axes
together, over all references: root of the mean square, and largest. Defaults otherwise (`tilt.recenter_time` 5 s), and a
range that cuts nothing off. This file is written by `make docs-tilt` from the real recordings in `PARALLAXD_TRACES`; a
test holds the figures without a bias estimate to bounds (`test_tilt_errors.py`).

*Flat* is a picture that lies as gravity sees it: no tilt is a turn about the vertical. *Upright* is the sensor's own
frame, whose y (of the flying machine: x) is nearly the vertical.

| recording | picture | bias | without gravity | with gravity |
| --- | --- | --- | --- | --- |
"""

FOOT = """
- Nothing lies still in these recordings, so the automatic bias never learns, and all of it (4.5 deg/s of the flying
  machine) stands in the tilt: gravity takes it out.
- About the vertical gravity says nothing. Of the flying machine's upright picture that is what is left; without gravity
  less of its bias falls on these two axes, by chance.
- Where the bias is known (the reference's own, as `mode = "fixed"`; the automatic one does as well once the device has
  lain still) gravity has little to do, and is believed less: in flight an accelerometer feels mostly thrust.

The rows are `parallaxctl process --tilt TRACE --set tilt.range=3.14 --set motion.update_interval=0` with
`--set sensor.axes=…` (flat: {axes}),
`--set calibration.mode=…` and, without gravity, `--set tilt.accelerometer=false`; of the reference,
`Tests/System/support/orientation.py`.

{columns}

The known bias is

    --set {mode} --set '{bias}'
"""

KNOWN = ["calibration.mode=fixed", "calibration.bias=[-0.0022, 0.0207, 0.0758]"]


def document(parallaxctl: Path, folder: Path) -> str:
    """The text of docs/tilt.md."""
    text = HEAD
    for recording in ALL:
        biases = {"automatic": ["calibration.mode=auto"]} | ({"known": KNOWN} if recording is KIMERA else {})
        for picture, axes in (("flat", recording.flat), ("upright", "XYZ")):
            for bias, settings in biases.items():
                found = [
                    errors(parallaxctl, folder, recording, axes, *settings, f"tilt.accelerometer={gravity}")
                    for gravity in ("false", "true")
                ]
                cells = " | ".join(f"{mean:.1f}, at most {largest:.1f}" for mean, largest in found)
                what = f"`{Path(recording.name).name}`: {recording.what}"
                text += f"| {what} | {picture} | {bias} | {cells} |\n"
    axes = ", ".join(f"`{recording.flat}` of `{Path(recording.name).name}`" for recording in ALL)
    columns = "\n".join(
        f"The columns of `{Path(recording.name).name}` are to be named:\n\n    --columns {recording.columns}"
        for recording in ALL
        if recording.columns
    )
    return text + FOOT.format(axes=axes, columns=columns, mode=KNOWN[0], bias=KNOWN[1])


@pytest.mark.parametrize("target", ["docs-tilt", "docs-bias"])
@pytest.mark.parametrize(
    ("folder", "fault"),
    [
        (None, "is to name the folder"),
        ("/absent", "names /absent, which is no folder"),
        ("/usr", "/usr, has no euroc/"),
    ],
    ids=["unset", "absent", "other"],
)  # fmt: skip
def test_make_says_what_recordings_it_needs(target, folder, fault):
    """In one line, before anything is built."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith(("MAKE", "PARALLAXD_"))}
    if folder:
        environment["PARALLAXD_TRACES"] = folder
    repository = DOCUMENT.parents[1]
    command = ["make", "-s", "-C", str(repository), target]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    lines = [line for line in done.stderr.splitlines() if "***" not in line]
    assert done.returncode != 0 and not done.stdout
    assert len(lines) == 1 and fault in lines[0] and lines[0].startswith(f"make {target}: ")


def test_the_document_says_how_its_rows_were_made():
    """With the columns of those recordings that need them named."""
    text = DOCUMENT.read_text()
    assert all(f"--columns {recording.columns}\n" in text for recording in ALL if recording.columns)


def main() -> int:
    """Writes the document."""
    folder = os.environ.get("PARALLAXD_TRACES")
    if sys.argv[1:] != ["--write"] or not folder:
        print("usage: PARALLAXD_TRACES=folder test_tilt_errors.py --write", file=sys.stderr)
        return 2
    program = Path(os.environ.get("PARALLAXD_BIN", ".build/debug")) / "parallaxctl"
    try:
        text = document(program, Path(folder))
    except FileNotFoundError as error:
        print(f"PARALLAXD_TRACES: {error.filename} is missing", file=sys.stderr)
        return 1
    DOCUMENT.write_text(text)
    print(f"wrote {DOCUMENT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
