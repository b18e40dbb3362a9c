"""The configuration from outside: what is wrong is said with its place, and the exit code is 78."""

import signal
import subprocess
from pathlib import Path

import pytest

from support.waiting import wait_for

REPOSITORY = Path(__file__).resolve().parents[2]


def check(parallaxd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs `parallaxd --check-config`."""
    command = [str(parallaxd), "--check-config", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_the_documented_file_is_good(parallaxd: Path) -> None:
    """config/parallaxd.toml, as it is installed."""
    result = check(parallaxd, "--config", str(REPOSITORY / "config" / "parallaxd.toml"))
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    "text, place, words",
    [
        ("[motion]\ntreshold = 0.1\n", ":2:1: ", "motion.treshold is not a setting; did you mean motion.threshold"),
        ("\n[moton]\n", ":2:2: ", "moton is not a section; did you mean motion?"),
        ("motion.threshold = 11\n", ":1:20: ", "motion.threshold is 11; allowed: a number from 0 to 10 (rad/s)"),
        ("[sensor]\n\n  mode = 3", ":3:10: ", 'sensor.mode is an integer; allowed: "auto", "buffer", "poll"'),
        ("[motion]\nlimit = \n", ":2:", "not TOML: "),
        ('[calibration]\nmode = "on"\n', ":2:8: ", 'calibration.mode is "on"; allowed: "auto", "fixed", "off"'),
        ('sensor.backend = "replay"\n', ":1:8: ", "needs sensor.replay_file"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(
    parallaxd: Path, tmp_path: Path, text: str, place: str, words: str
) -> None:
    """File, line, column, key, what is allowed, the nearest key; exit 78."""
    file = tmp_path / "my.toml"
    file.write_text(text)
    result = check(parallaxd, "--config", str(file))
    assert result.returncode == 78
    said = (result.stderr + result.stdout).splitlines()
    assert len(said) == 1, said
    assert f"{file}{place}" in said[0] and words in said[0]


def test_the_command_line_wins_and_is_checked(parallaxd: Path, tmp_path: Path) -> None:
    """`--set` over the file; its own mistakes name it."""
    file = tmp_path / "my.toml"
    file.write_text("[motion]\nlimit = 3\n")
    sets = ["--set", "motion.limit=inf", "--set", "sensor.backend=demo"]
    good = check(parallaxd, "--config", str(file), *sets)
    assert (good.returncode, good.stderr) == (0, "")
    bad = check(parallaxd, "--config", str(file), "--set", "motion.limit=0")
    assert bad.returncode == 78
    assert "--set: motion.limit is 0; allowed: a number above 0, or inf (points)" in bad.stderr


@pytest.mark.parametrize("kind", ["missing", "folder", "long", "binary"])
def test_a_file_that_cannot_be_read_is_named(parallaxd: Path, tmp_path: Path, kind: str) -> None:
    """Not there, no regular file, too long, not UTF-8."""
    file = tmp_path / "my.toml"
    if kind == "folder":
        file.mkdir()
    elif kind == "long":
        file.write_text("# 34567\n" * 8193)
    elif kind == "binary":
        file.write_bytes(b"a = \"\xff\xfe\"\n")
    result = check(parallaxd, "--config", str(file))
    assert result.returncode == 78
    assert str(file) in result.stderr and len(result.stderr.splitlines()) == 1


def test_a_wrong_option_is_wrong_usage(parallaxd: Path) -> None:
    """Exit 2, not 78: the configuration is not to blame."""
    assert check(parallaxd, "--confg", "x").returncode == 2
    malformed = check(parallaxd, "--set", "motion.limit")
    assert malformed.returncode == 2 and "is no section.key=value" in malformed.stderr


@pytest.mark.parametrize("option", ["--config", "--socket", "--replay", "--set"])
@pytest.mark.parametrize("form", ["{}=", "{} "])
def test_an_empty_value_is_none(parallaxd: Path, option: str, form: str) -> None:
    """As a script's variable leaves it that is not set; the option is named."""
    done = check(parallaxd, *form.format(option).split(" "))
    assert done.returncode == 2 and done.stderr == f"parallaxd: {option} needs a value; see --help\n"


def test_an_empty_word_is_seen(parallaxd: Path) -> None:
    assert 'unexpected argument ""' in check(parallaxd, "").stderr


@pytest.mark.parametrize("option", ["--check-config", "--help", "--version", "--list-sensors"])
def test_an_output_that_cannot_be_written(parallaxd: Path, option: str) -> None:
    """It is said, and not taken for a mistake in the configuration."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run([parallaxd, option], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, "parallaxd: write the output: No space left on device\n")


def test_what_has_no_effect_is_said(parallaxd, parallaxctl, daemon, tmp_path: Path) -> None:
    """By whatever reads it, in one line; nothing is refused for it."""
    text = "[calibration]\nbias = [0.1, 0.2, 0.3]\n"
    file = tmp_path / "my.toml"
    file.write_text(text)
    trace = tmp_path / "a.csv"
    trace.write_text("timestamp_ns,x,y,z\n0,0,1,0\n10000000,0,1,0\n")
    said = f'{file}:2:1: calibration.bias has no effect: calibration.mode is "auto", and would have to be "fixed"\n'
    checked = check(parallaxd, "--config", str(file))
    assert (checked.returncode, checked.stderr) == (0, f"parallaxd: {said}")
    for words in (["process", trace], ["plot", trace, "-o", tmp_path / "a.svg"]):
        command = list(map(str, [parallaxctl, *words, "--config", file]))
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, f"parallaxctl: {said}")
    one = daemon("--demo", config=text)
    phrase = "calibration.bias has no effect"
    assert one.log.count(phrase) == 1
    one.signal(signal.SIGHUP)
    wait_for(lambda: one.log.count(phrase) == 2, "the same line after a reload")
