"""`parallaxctl plot` from outside: what is in its pictures, and what it does to files."""

import csv
import io
import math
import os
import resource
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from support import drawing
from support.drawing import Drawing
from support.machine import unshare_command
from support.recordings import RECORDINGS

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def plot(parallaxctl):
    """Runs the command and hands back what came of it."""

    def run(*words, **options) -> subprocess.CompletedProcess:
        return subprocess.run(
            [parallaxctl, "plot", *map(str, words)], capture_output=True, text=True, timeout=120, **options
        )

    return run


@pytest.fixture
def trace(folder) -> Path:
    """Turns of 0.5 rad/s and less at 100 Hz: 1 s, a gap of 4 s, 1 s more; a row that is out of order."""
    rows = []
    for start in (0, 5_000_000_000):
        for n in range(101):
            wave = math.sin(n / 8)
            rows.append((start + n * 10_000_000, 0.5 * wave, 0.25 * math.cos(n / 9), 0.1 * wave))
    rows.insert(50, (rows[48][0], 0, 0, 0))
    path = folder / "turn.csv"
    path.write_text("timestamp_ns,x,y,z\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    return path


def failed(done: subprocess.CompletedProcess, code: int) -> str:
    """The one line that was said."""
    assert done.returncode == code, done
    assert done.stderr.startswith("parallaxctl: ")
    assert done.stderr.count("\n") == 1 and len(done.stderr) < 3000
    return done.stderr


def drawn(plot, folder, *words) -> Drawing:
    """An SVG."""
    path = folder / "picture.svg"
    done = plot(*words, "-o", path)
    assert done.returncode == 0 and done.stdout == "" and done.stderr == "", done
    return Drawing(path)


def test_names_and_numbers(plot, trace, folder):
    """What the picture says in words: head, axes with units, legends, also for who cannot see it."""
    picture = drawn(plot, folder, trace)
    assert picture.title == "turn.csv" and picture.size == ("1600px", "1000px")
    for text in [
        "turn.csv", "Rates", "Offset", "Path", "rate (rad/s)", "offset (points)", "x, to the right (points)",
        "y, up (points)", "x", "y", "z (moves nothing)", "threshold ±0.1 rad/s", "68 updates", "1 gap",
        "1 dropped (1 out of order)", "start", "end", "neutral", "default settings",
        "plain CSV · 203 rows in 6.00 s (33.7 Hz), 68 updates, 1 gap, 1 out of order",
    ]:  # fmt: skip
        assert picture.has(text), text
        assert text in picture.description or "(points)" in text or "(rad/s)" in text or text == "turn.csv"
    assert [one.text for one in picture.texts].count("time (s)") == 2
    assert not picture.has("SYNTHETIC")


@pytest.mark.parametrize("threshold", [0.1, 0.3])
def test_the_band_is_the_threshold(plot, trace, folder, threshold):
    """By the axis's own numbers."""
    picture = drawn(plot, folder, trace, "--set", f"motion.threshold={threshold}")
    (band,) = picture.areas(drawing.THRESHOLD)
    left, top, _, bottom = band.box
    zero, unit = drawing.scale(picture.texts, 0, 140, left, 490)
    assert bottom == pytest.approx(zero + threshold * unit, abs=1)
    assert top == pytest.approx(zero - threshold * unit, abs=1)
    assert picture.has(f"threshold ±{threshold} rad/s")
    assert picture.has("default settings" if threshold == 0.1 else "motion.threshold = 0.3")
    assert drawn(plot, folder, trace, "--set", "motion.threshold=0").areas(drawing.THRESHOLD) == []
    far = drawn(plot, folder, trace, "--set", "motion.threshold=9")
    assert far.has("threshold ±9 rad/s, farther out")


def test_marks_for_updates_and_gaps(plot, trace, folder):
    """A mark for each update; a band over the gap in both panels; curves that pause there."""
    picture = drawn(plot, folder, trace)
    rug = max(picture.lines(drawing.UPDATE), key=lambda one: len(one.parts))
    assert len(rug.parts) == 68
    left, _, right, _ = picture.areas(drawing.THRESHOLD)[0].box
    second = (right - left) / 6
    gaps = picture.areas(drawing.GAP)
    assert len(gaps) == 2
    for gap in gaps:
        assert gap.box[0] == pytest.approx(left + second, abs=0.5)
        assert gap.box[2] == pytest.approx(left + 5 * second, abs=0.5)
    for colour in (drawing.X, drawing.Y, drawing.Z):
        # The last update is a little before the last sample.
        curves = [one for one in picture.lines(colour) if one.box[0] == left and one.box[2] > right - 5]
        assert len(curves) == (1 if colour == drawing.Z else 2)
        for curve in curves:
            assert len(curve.parts) == 2
            assert all(len(part) > 10 for part in curve.parts)
            xs = [[point[0] for point in part] for part in curve.parts]
            assert max(xs[0]) == pytest.approx(left + second, abs=5)
            assert min(xs[1]) == pytest.approx(left + 5 * second, abs=5)


def test_the_offset_is_what_process_computes(plot, parallaxctl, trace, folder):
    """Where the curves end, by the axis's own numbers; with settings."""
    words = [trace, "--set", "motion.multiplier=7", "--set", "motion.limit=15"]
    rows = subprocess.run([parallaxctl, "process", *words], capture_output=True, text=True, timeout=60).stdout
    last = list(csv.DictReader(io.StringIO(rows)))[-1]
    picture = drawn(plot, folder, *words)
    left = picture.areas(drawing.THRESHOLD)[0].box[0]
    zero, unit = drawing.scale(picture.texts, 0, 600, left, 940)
    for axis, colour in (("x", drawing.X), ("y", drawing.Y)):
        (curve,) = [one for one in picture.lines(colour) if one.box[0] == left and one.box[1] > 600]
        end = curve.parts[-1][-1]
        assert (zero - end[1]) / unit == pytest.approx(float(last[axis]), abs=1.5 / unit)
    assert picture.has("motion.multiplier = 7.0, motion.limit = 15.0")
    (box,) = [one for one in picture.lines(drawing.LIMIT) if one.box[3] - one.box[1] > 20]
    assert box.box[2] - box.box[0] == pytest.approx(box.box[3] - box.box[1], abs=0.5)
    assert picture.has("limit ±15")
    assert drawn(plot, folder, trace, "--set", "motion.limit=100000").has("limit ±100000, farther out")


def test_the_bias_that_is_taken_off(plot, trace, folder):
    """A thin line for each axis, at its height; none where nothing is taken off."""
    plain = drawn(plot, folder, trace, "--set", "calibration.mode=off")
    assert not any("bias" in one.text for one in plain.texts)
    bias = ["--set", "calibration.mode=fixed", "--set", "calibration.bias=[0.2,-0.3,0.4]"]
    picture = drawn(plot, folder, trace, *bias)
    assert any("bias" in one.text for one in picture.texts)
    left, _, right, _ = picture.areas(drawing.THRESHOLD)[0].box
    zero, unit = drawing.scale(picture.texts, 0, 140, left, 490)
    for colour, value in ((drawing.X, 0.2), (drawing.Y, -0.3), (drawing.Z, 0.4)):
        level = [
            one for one in picture.lines(colour)
            if one.box[0] == left and one.box[2] == right and one.box[1] == one.box[3] < 490
        ]  # fmt: skip
        assert len(level) == 1
        assert (zero - level[0].box[1]) / unit == pytest.approx(value, abs=1.5 / unit)


def test_a_part(plot, trace, folder):
    """--from and --to show it; the offset in it is that of the whole."""
    picture = drawn(plot, folder, trace, "--from", "5.2", "--to", "5.7")
    assert picture.has("17 updates") and not picture.has("1 gap")
    assert any(one.text.endswith("; shown: 5.2 to 5.7 s") for one in picture.texts)
    whole = drawn(plot, folder, trace, "--from", "0", "--to", "1000")
    assert whole.has("68 updates")
    assert "ends at 6 s" in failed(plot(trace, "-o", folder / "a.svg", "--from", "7"), 1)
    assert not (folder / "a.svg").exists()


def test_a_part_does_not_read_as_the_whole(plot, trace, folder):
    """Of a recording that is read to --to alone nobody knows how long it is; of one that is read whole one does."""
    part = drawn(plot, folder, trace, "--to", "0.5")
    assert any("53 rows in the first 0.51 s (102.0 Hz), " in one.text for one in part.texts)
    for words in ([], ["--to", "1000"], ["--to", "6"], ["--from", "5.2"]):
        whole = drawn(plot, folder, trace, *words)
        assert any("203 rows in 6.00 s" in one.text for one in whole.texts), words


def test_a_clock_that_is_set_back(plot, folder):
    """Time goes on, and the step is marked."""
    path = folder / "back.csv"
    rows = [(90_000 + n * 10, n % 7) for n in range(100)] + [(10_000 + n * 10, n % 5) for n in range(100)]
    path.write_text("timestamp_ns,x,y,z\n" + "".join(f"{t}000000,{x},0,0\n" for t, x in rows))
    picture = drawn(plot, folder, path)
    assert picture.has("1 clock step")
    assert any("200 rows in 1.98 s" in one.text for one in picture.texts)
    steps = [one for one in picture.lines(drawing.CLOCK_STEP) if one.box[3] - one.box[1] > 100]
    assert len(steps) == 2


def test_the_demonstration_says_that_it_is_one(plot, folder):
    """In the picture and in its title, whatever is shown of it."""
    for words in ([], ["--from", "3", "--to", "6"]):
        picture = drawn(plot, folder, "--demo", *words)
        assert picture.has("SYNTHETIC") and picture.title == "Demonstration, SYNTHETIC"
    assert picture.has("101 updates")


def test_a_recording_of_the_demonstration_is_one_too(daemon, parallaxctl, plot, folder):
    """Whatever its file is called."""
    one = daemon("--demo")
    path = folder / "walk.gcsv"
    command = [parallaxctl, "--socket", one.socket, "record", "--seconds", "0.5", path]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    picture = drawn(plot, folder, path)
    assert picture.title == "walk.gcsv, SYNTHETIC" and picture.has("SYNTHETIC")
    assert any("Gyroflow .gcsv · synthetic demonstration" in one.text for one in picture.texts)


def test_the_device_that_a_trace_names(plot, folder):
    """By the keys of a .gcsv; a recording of ours says more."""
    path = folder / "walk.gcsv"
    head = ["GYROFLOW IMU LOG", "version,1.3", "vendor,Somebody", "id,a_logger", "gscale,1", "tscale,0.001"]
    rows = ["t,gx,gy,gz", *(f"{n * 10},{math.sin(n / 9):.4f},0,0" for n in range(300))]
    path.write_text("\n".join([*head, *rows]) + "\n")
    picture = drawn(plot, folder, path)
    assert any(one.text.startswith("Gyroflow .gcsv · Somebody a_logger · 300 rows") for one in picture.texts)
    path.write_text("\n".join([*head, "parallaxd_name,bmi160", "parallaxd_label,display", *rows]) + "\n")
    picture = drawn(plot, folder, path)
    assert any(one.text.startswith("Gyroflow .gcsv · bmi160, display · 300 rows") for one in picture.texts)


HOSTILE = "<script>alert(1)</script>&amp;\"'\u202etxt.\x1b[31m\n\u200b日本"


def test_hostile_names(plot, trace, folder):
    """Of files and sensors: one line, no markup, nothing that a viewer obeys, and no longer than the picture."""
    path = folder / (HOSTILE.replace("/", "∕") + "A" * 140)
    header = ["GYROFLOW IMU LOG", "version,1.3", "gscale,1", "tscale,0.001"]
    names = [f"parallaxd_name,{HOSTILE.replace(chr(10), ' ')}", f"parallaxd_label,{'B' * 10_000}"]
    rows = ["t,gx,gy,gz", *(f"{n * 10},{math.sin(n / 9):.4f},0,0" for n in range(300))]
    path.write_text("\n".join([*header, *names, *rows]) + "\n")
    picture = drawn(plot, folder, path)
    assert picture.title.startswith("<script>alert(1)<∕script>&amp;\"'\\u{202e}txt.\\u{1b}[31m\\u{a}\\u{200b}日本")
    for text in [picture.title, picture.description, *(one.text for one in picture.texts)]:
        assert not any(character < " " or character in "\u202e\u200b\x7f" for character in text)
        assert len(text) < 3000
    # Nothing but what cairo and we write.
    root = drawing.ElementTree.fromstring((folder / "picture.svg").read_bytes())
    kinds = {one.tag.removeprefix(drawing.SVG) for one in root.iter()}
    assert kinds <= {"svg", "title", "desc", "defs", "g", "symbol", "path", "use", "clipPath", "rect", "text"}
    long_name = folder / ("a" * 10_000 + ".csv")
    assert "File name too long" in failed(plot(long_name, "-o", folder / "a.svg"), 1)
    assert "File name too long" in failed(plot(trace, "-o", folder / ("a" * 10_000 + ".svg")), 1)


def test_png(plot, trace, folder):
    """The size that was asked for, and the curves in their colours."""
    path = folder / "picture.png"
    assert plot(trace, "-o", path, "--size", "800x500").returncode == 0
    width, height, data = drawing.pixels(path)
    assert (width, height) == (800, 500)
    counts = {colour: 0 for colour in (drawing.X, drawing.Y, drawing.Z, (255, 255, 255))}
    for at in range(0, len(data), 3):
        colour = tuple(data[at : at + 3])
        if colour in counts:
            counts[colour] += 1
    paper = counts.pop((255, 255, 255))
    assert paper > width * height / 2
    assert all(count > 10 for count in counts.values()), counts


def test_the_same_bytes(plot, trace, folder):
    """From the same recording, in both formats."""
    for end in ("svg", "png"):
        pictures = [folder / f"{n}.{end}" for n in range(2)]
        for picture in pictures:
            assert plot(trace, "-o", picture).returncode == 0
        assert pictures[0].read_bytes() == pictures[1].read_bytes()


def test_a_long_recording_is_a_small_picture(plot, folder):
    """A hundred thousand rows in the columns of pixels that there are."""
    path = folder / "long.csv"
    noise = ((n * 7919 % 1000 / 500 - 1, n * 104_729 % 1000 / 500 - 1) for n in range(100_000))
    rows = (f"{n * 36_000_000},{x},{y},0.5\n" for n, (x, y) in enumerate(noise))
    path.write_text("timestamp_ns,x,y,z\n" + "".join(rows))
    picture = drawn(plot, folder, path)
    assert (folder / "picture.svg").stat().st_size < 1_000_000
    assert picture.has("120000 updates")
    # Noise fills its range in every column.
    (left, top, right, bottom), *_ = [one.box for one in picture.lines(drawing.X) if one.box[3] - one.box[1] > 200]
    assert right - left > 800


@pytest.mark.parametrize("name", RECORDINGS)
def test_recordings(plot, recordings, folder, name):
    """Each that has a time becomes a picture."""
    columns = RECORDINGS[name].columns
    words = ["--columns", columns] if columns else []
    picture = drawn(plot, folder, recordings / name, *words)
    assert picture.title == Path(name).name
    assert len(picture.lines(drawing.X)) >= 3 and len(picture.lines(drawing.Y)) >= 3


@pytest.mark.parametrize(
    "words, code, text",
    [
        ([], 2, "plot needs a trace"),
        (["a"], 2, "plot needs a file for the picture, such as -o walk.svg"),
        (["a", "b", "-o", "c.svg"], 2, "plot reads one trace, not 2"),
        (["a", "-o", "-"], 2, "plot needs a file for the picture, such as -o walk.svg or -o walk.png, not standard output"),
        (["a", "-o", "b.pdf"], 2, "b.pdf: the picture's name ends in .svg or .png"),
        (["a", "-o", ".svg"], 2, "ends in .svg or .png"),
        (["-", "-o", "b.svg"], 2, "plot reads a file, not standard input"),
        (["a", "--demo", "-o", "b.svg"], 2, "plot --demo reads no file"),
        (["--demo", "-o", "b.svg", "--to", "3601"], 2, "--to 3600 at most"),
        (["a", "-o", "b.svg", "--size", "100x100"], 2, "--size is WIDTHxHEIGHT in pixels, 480 to 4096"),
        (["a", "-o", "b.svg", "--size", "1600"], 2, "not 1600"),
        (["a", "-o", "b.svg", "--from", "x"], 2, "--from is a time in seconds"),
        (["a", "-o", "b.svg", "--to", "nan"], 2, "--to is a time in seconds"),
        (["a", "-o", "b.svg", "--from", "-1"], 2, "--from is a time in seconds"),
        (["a", "-o", "b.svg", "--from", "2", "--to", "2"], 2, "--to is later than --from"),
        (["a", "-o", "b.svg", "--nonsense"], 2, "unknown option --nonsense"),
        (["a", "-o", "b.svg", "--set", "motion.threshold=-1"], 78, "motion.threshold"),
        (["a", "-o", "b.svg", "--config", "/nonexistent.toml"], 78, "/nonexistent.toml"),
        (["/nonexistent.csv", "-o", "b.svg"], 1, "/nonexistent.csv: No such file or directory"),
        (["/", "-o", "b.svg"], 1, "/: this is a directory"),
    ],
)
def test_what_cannot_be_done(plot, folder, words, code, text):
    """One line that says what to do, the exit code of its kind, and no file."""
    assert text in failed(plot(*words, cwd=folder), code)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "content, words, text",
    [
        ("", [], "there are no rows"),
        ("t,x,y,z\n", [], "there are no rows: nothing to draw"),
        ("t,x,y,z\n1,2,3,4\n", [], "a curve needs two samples; there is 1 row"),
        ("t,x,y,z\n1,2,3,4\n1,2,3,4\n", [], "a curve needs two samples; there are 2 rows"),
        ("t,x,y,z\n1,2,3,1e300\n2,2,3,1e300\n", [], "a curve needs two samples; there are 2 rows"),
        ("t,x,y,z\na,b\nc\n", ["--skip-bad-rows"], "there are no rows: nothing to draw"),
        ("t,x,y,z\n1,2,3,4\n2,2,one,4\n", [], ":3:5: y: expected a finite number"),
    ],
)
def test_traces_without_a_curve(plot, folder, content, words, text):
    """Say so, and leave an existing picture alone."""
    path, picture = folder / "odd.csv", folder / "odd.svg"
    path.write_text(content)
    picture.write_text("before")
    done = plot(path, "-o", picture, *words)
    assert done.returncode == 1 and done.stdout == ""
    said = done.stderr.splitlines()
    assert all(line.startswith("parallaxctl: ") for line in said)
    assert text in said[-1] and len(said) == (2 if words else 1)
    assert picture.read_text() == "before"
    assert sorted(one.name for one in folder.iterdir()) == ["odd.csv", "odd.svg"]


def test_skipped_rows_are_counted(plot, folder):
    """As `process` does."""
    path = folder / "broken.csv"
    path.write_text("t,x,y,z\n0,0,1,0\n0.01,0,one,0\n0.02,0\n0.03,0,1,0\n0.04,0,1,0\n")
    done = plot(path, "-o", folder / "a.svg", "--skip-bad-rows")
    assert done.returncode == 0
    assert done.stderr == f"parallaxctl: {path}: 2 broken rows were left out\n"


@pytest.mark.parametrize(("end", "broken"), [("0.035", 2), ("39.975", 3), ("99", 4)])
def test_skipped_rows_are_counted_where_reading_ends_early(plot, folder, end, broken):
    """Those of the part that is drawn, however far ahead was read."""
    path = folder / "broken.csv"
    rows = ["0,0,1,0", "x", "0.02,0,1,0", "y", *(f"{n / 100},0,1,0" for n in range(3, 8000))]
    rows[3000] = rows[6000] = "z"
    path.write_text("\n".join(["t,x,y,z", *rows]) + "\n")
    done = plot(path, "-o", folder / "a.svg", "--skip-bad-rows", "--to", end)
    assert done.returncode == 0
    assert done.stderr == f"parallaxctl: {path}: {broken} broken rows were left out\n"


def test_the_command_that_was_typed_is_not_called_another(plot, folder):
    """What it says of columns can be added to it."""
    path = folder / "odd.csv"
    path.write_text("Time_ms,GX,GY,GZ\n0,0,1,0\n")
    said = failed(plot(path, "-o", folder / "a.svg"), 1)
    assert "name the columns: --columns 't=Time_ms:ms,x=GX:UNIT,y=GY:UNIT,z=GZ:UNIT'" in said
    assert "process" not in said


def test_files(plot, trace, folder):
    """Replaced whole and with their mode, through links, never the trace itself; nothing else is left."""
    picture, link = folder / "a.svg", folder / "b.svg"
    picture.write_text("before")
    picture.chmod(0o640)
    link.symlink_to(picture)
    assert plot(trace, "-o", link).returncode == 0
    assert link.is_symlink() and Drawing(picture).title == "turn.csv"
    assert stat.S_IMODE(picture.stat().st_mode) == 0o640
    before = trace.read_bytes()
    for name, make in (("c.svg", os.symlink), ("d.svg", os.link)):
        make(trace, folder / name)
        assert "which is the trace itself" in failed(plot(trace, "-o", folder / name), 1)
    assert trace.read_bytes() == before
    os.mkfifo(folder / "e.svg")
    assert "which is no regular file" in failed(plot(trace, "-o", folder / "e.svg"), 1)
    (folder / "f.svg").mkdir()
    assert "Is a directory" in failed(plot(trace, "-o", folder / "f.svg"), 1)
    (folder / "g.svg").symlink_to(folder / "nothing")
    assert "g.svg" in failed(plot(trace, "-o", folder / "g.svg"), 1)
    assert "No such file or directory" in failed(plot(trace, "-o", folder / "no" / "a.svg"), 1)
    names = ["a.svg", "b.svg", "c.svg", "d.svg", "e.svg", "f.svg", "g.svg", "turn.csv"]
    assert sorted(one.name for one in folder.iterdir()) == names
    assert plot(trace, "-o", "-a.svg", cwd=folder).returncode == 0
    assert Drawing(folder / "-a.svg").title == "turn.csv"


def test_a_file_that_may_not_grow(plot, trace, folder, own_files):
    """An error; the picture that was there stays, and no part of the new one."""
    picture = folder / "a.svg"
    picture.write_text("before")
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))  # noqa: E731
    assert "File too large" in failed(plot(trace, "-o", picture, preexec_fn=limit), 1)
    assert picture.read_text() == "before"
    assert sorted(one.name for one in folder.iterdir()) == ["a.svg", "turn.csv"]


def test_a_full_disk(parallaxctl, trace, folder):
    """Likewise."""
    enter = unshare_command()
    if enter is None:
        pytest.skip("neither `unshare -m` nor `unshare -Urm` works here: no small disk")
    disk = folder / "disk"
    disk.mkdir()
    script = (
        'mount -t tmpfs -o size=32k none "$2" && echo before > "$2/a.svg" && '
        '"$1" plot "$3" -o "$2/a.svg"; echo "$?"; cat "$2/a.svg"; ls -A "$2"'
    )
    command = [*enter, "sh", "-c", script, "sh", parallaxctl, disk, trace]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["1", "before", "a.svg"], done
    assert "No space left on device" in done.stderr and done.stderr.count("\n") == 1


def test_only_the_client_draws(parallaxd, parallaxctl):
    """The daemon has no cairo in it."""
    if not shutil.which("readelf"):
        pytest.skip("no readelf here")
    for program, wanted in ((parallaxd, False), (parallaxctl, True)):
        told = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
        assert ("libcairo" in told) == wanted, program


def test_the_picture_of_the_documents_is_of_today(plot, folder):
    """`make docs-plot` draws it; what it says is compared, since letters differ from machine to machine."""
    path = REPOSITORY / "docs" / "demonstration.svg"
    kept = Drawing(path)
    made = drawn(plot, folder, "--demo", "--size", "1200x750")
    assert (kept.title, kept.description, kept.size) == (made.title, made.description, made.size)
    assert [one.text for one in kept.texts] == [one.text for one in made.texts]
    assert "docs/demonstration.svg" in (REPOSITORY / "README.md").read_text()
