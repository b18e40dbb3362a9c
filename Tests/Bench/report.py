"""The tables of docs/benchmarks.md. What is between the two marks is written anew; the rest is kept by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from facts import machine_facts
from figures import Figures, median, ratio

if TYPE_CHECKING:
    from bench import Results

BEGIN, END = "<!-- made by `make bench` -->", "<!-- end of what `make bench` made -->"
# Deliveries a second up to which a ratio says something: above that the client cannot read them all.
COUNTED = 200_000
OTHERS = ["bare C loop", "iiod", "mosquitto"]
# What parallaxd's figure may be of theirs.
CPU = {"bare C loop": 1.15, "iiod": 1 / 3, "mosquitto": 1 / 3}
P50, P99 = {"bare C loop": 1.2}, {"bare C loop": 1.5}
# Of the program without its symbols, and of what is resident with ten subscribers.
MOST_BYTES = 16_000_000


def number(value: float) -> str:
    """With as many digits as say something."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def verdict(value: float, most: float) -> str:
    """A figure beside what it was to be."""
    return f"{value:.2f} {'✓' if value <= most else '✗'}"


def table(head: list[str], rows: list[list[str]]) -> str:
    """As Markdown."""
    lines = ["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]]
    return "\n".join(lines) + "\n"


def comparison(results: "Results", unit: str, pick: Callable[[Figures], float], targets: dict[str, float]) -> str:
    """A figure of all servers, cell by cell, as far as a ratio counts."""
    rows = []
    for rate in results.plan.rates:
        for count in results.plan.counts:
            if rate * count > COUNTED:
                continue
            ours = results.cells.get((rate, count, "parallaxd"), [])
            row = [str(rate), str(count), number(median(map(pick, ours)))]
            for name in OTHERS:
                theirs = results.cells.get((rate, count, name), [])
                of = ratio(ours, theirs, pick)
                row.append(number(median(map(pick, theirs))) if theirs else "–")
                if of is None:
                    row.append("–")
                else:
                    row.append(verdict(of, targets[name]) if name in targets else f"{of:.2f}")
            rows.append(row)
    head = ["Hz", "subscribers", f"parallaxd, {unit}"]
    for name in OTHERS:
        head += [name, f"ratio{f' (≤ {targets[name]:.2f})' if name in targets else ''}"]
    return table(head, rows)


def shares(results: "Results") -> str:
    """How much of what was made was delivered; updates that came as one event are one delivery."""
    rows = []
    for rate in results.plan.rates:
        for count in results.plan.counts:
            row = [str(rate), str(count)]
            for name in ["parallaxd", *OTHERS]:
                cell = results.cells.get((rate, count, name), [])
                share = median(figures.share(count) for figures in cell)
                rate_each = median(figures.delivered / figures.seconds for figures in cell) / 1e3
                row.append(f"{100 * share:.0f} % ({rate_each:.0f} k/s)" if cell else "–")
            rows.append(row)
    return table(["Hz", "subscribers", "parallaxd", *OTHERS], rows)


def memory(results: "Results") -> str:
    """Of the server after a stretch at the lowest rate."""
    rows = []
    rate = results.plan.rates[0]
    for count in results.plan.counts:
        row = [str(count)]
        for name in ["parallaxd", *OTHERS]:
            cell = results.cells.get((rate, count, name), [])
            private = median(figures.private for figures in cell)
            resident = median(figures.resident for figures in cell)
            text = f"{private:.0f} / {resident:.0f}" if cell else "–"
            if name == "parallaxd" and cell:
                most = 2048 + 4 * count
                text += f" (≤ {most} {'✓' if private <= most else '✗'}"
                # With ten, all that is resident has a bound too, libraries and what is shared with others included.
                if count == 10:
                    text += f" / {MOST_BYTES // 1024} {'✓' if resident * 1024 <= MOST_BYTES else '✗'}"
                text += ")"
            row.append(text)
        rows.append(row)
    return table(["subscribers", *(f"{name}, KiB private / resident" for name in ["parallaxd", *OTHERS])], rows)


def single(results: "Results") -> str:
    """What is one figure each."""
    pages, loops = results.pages, results.loops
    of = ratio(pages, loops, lambda figures: figures.cpu_ns / figures.made) or 0
    read = median(figures.read_ns for figures in pages)
    own, loop = (median(figures.cpu_ns / figures.made / 1e3 for figures in many) for many in (pages, loops))
    rows = [
        ["wake-ups idle, 10 connections, in %g s" % results.plan.idle_seconds, str(results.idle_wakeups), "0",
         "✓" if results.idle_wakeups == 0 else "✗"],
        ["a read of the page", f"{number(read)} ns", "≤ 30 ns", "✓" if read <= 30 else "✗"],
        ["age of the page's sample when it is read, 1000 Hz, p50 / p99",
         " / ".join(f"{number(median(getattr(figures, name) for figures in pages))} µs" for name in ("p50", "p99")),
         "", ""],
        ["CPU per sample with 1000 page readers, 1000 Hz, beside a bare libiio loop",
         f"{number(own)} µs to {number(loop)} µs: {of:.2f}", "≤ 1.30", "✓" if of <= 1.3 else "✗"],
        ["program, stripped", f"{results.program_bytes / 1e6:.1f} MB", "≤ 16 MB",
         "✓" if results.program_bytes <= MOST_BYTES else "✗"],
    ]
    return table(["figure", "measured", "to reach", ""], rows)


def rows_table(results: "Results") -> str:
    """`process` beside readers."""
    measured = results.rows
    assert measured
    names = {"process": "`parallaxctl process` (reads, processes, writes)"}
    names |= {name: f"{name} {version} `read_csv` (reads)" for name, version in measured.versions.items()}
    rows = []
    for name, title in names.items():
        seconds, of = measured.median(name), measured.ratio("process", name)
        wanted = verdict(of, 1) if name == "pandas" else f"{of:.2f}" if name != "process" else ""
        rows.append([title, f"{seconds:.3f}", f"{measured.rows / seconds / 1e6:.2f}", wanted])
    head = ["program", "seconds", "million rows/s", "`process` of it (pandas: ≤ 1)"]
    return f"{measured.rows} rows, {measured.megabytes:.0f} MB, {measured.events} events written.\n\n" + table(head, rows)


def survival(results: "Results") -> str:
    """Who did not come how far, and why."""
    lines = []
    for (rate, count, name), why in sorted(results.failures.items()):
        if why.startswith("not tried: it failed"):
            continue
        before = len(results.cells.get((rate, count, name), []))
        since = f" in round {before + 1}; its figures above are of the rounds before" if before else ""
        lines.append(f"- {name}, {rate} Hz, {count} subscribers: {why}{since}\n")
    return "".join(lines) or "Every server survived all that it was given.\n"


def generated(results: "Results", command: str) -> str:
    """Everything between the marks."""
    plan = results.plan
    return "\n".join([
        machine_facts(command),
        f"Medians of {plan.rounds} rounds of {plan.seconds:g} s, in which the servers took turns; a ratio is the median",
        "of the rounds' own ratios of parallaxd's figure to theirs. ✓ and ✗ say whether it is what was to be reached.",
        f"The machine's load average over the minute before the run was {results.load_before:.1f}: 0 is a quiet one.\n",
        f"Up to {COUNTED} deliveries a second a ratio counts; larger cells are under *Delivered* alone.\n",
        "## CPU per delivered event, µs\n", comparison(results, "µs", lambda figures: figures.cpu, CPU),
        "## Latency p50, µs\n", comparison(results, "µs", lambda figures: figures.p50, P50),
        "## Latency p99, µs\n", comparison(results, "µs", lambda figures: figures.p99, P99),
        "## Delivered\n", shares(results),
        "## Memory\n", memory(results),
        "## Idle, and the page\n", single(results),
        "## Reading recordings\n", rows_table(results),
        "## Who did not come so far\n", survival(results),
    ])


def write(results: "Results", path: Path, command: str) -> None:
    """Puts the tables into the file; what stands outside the marks stays."""
    text = path.read_text() if path.exists() else f"# Benchmarks\n\n{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{BEGIN}\n\n{generated(results, command)}\n{END}{after}")
