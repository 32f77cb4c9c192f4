"""What the benchmarks share: facts of the machine, spread of a sample, budgets, one line of JSON."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


@dataclass(frozen=True)
class Sample:
    """Repeated measurements of one thing."""

    name: str
    unit: str
    values: Sequence[float]

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    def quantile(self, share: float) -> float:
        """The value below which `share` of the sorted values lie (nearest rank)."""
        ordered = sorted(self.values)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def line(self) -> str:
        spread = f"{self.quantile(0.1):8.1f} .. {self.quantile(0.9):.1f}"
        return f"{self.name:46} {self.median:9.1f} {self.unit:8} {spread:>20}   n = {len(self.values)}"


@dataclass(frozen=True)
class Budget:
    """What was promised, what was measured, and whether it holds."""

    promise: str
    measured: str
    holds: bool

    def line(self) -> str:
        return f"{'holds ' if self.holds else 'BROKEN'}  {self.promise}: {self.measured}"


@dataclass
class Bench:
    """One benchmark's findings. `show` prints them; `keep` appends them to a file as one line of JSON."""

    name: str
    facts: dict[str, str] = field(default_factory=lambda: machine())
    samples: list[Sample] = field(default_factory=list)
    budgets: list[Budget] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def sample(self, name: str, unit: str, values: Sequence[float]) -> Sample:
        found = Sample(name, unit, tuple(values))
        self.samples.append(found)
        return found

    def budget(self, promise: str, measured: str, holds: bool) -> None:
        self.budgets.append(Budget(promise, measured, holds))

    def show(self) -> None:
        print(f"{self.name}\n")
        for name, value in self.facts.items():
            print(f"  {name:12} {value}")
        if self.samples:
            print(f"\n{'':46} {'median':>9} {'':8} {'10 % .. 90 %':>20}")
        for sample in self.samples:
            print(sample.line())
        for note in self.notes:
            print(f"\n{note}")
        print()
        for budget in self.budgets:
            print(budget.line())

    def keep(self, path: Path | None) -> None:
        if path is None:
            return
        record = {
            "benchmark": self.name,
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
            "facts": self.facts,
            "samples": [
                {
                    "name": sample.name,
                    "unit": sample.unit,
                    "n": len(sample.values),
                    "median": round(sample.median, 3),
                    "p10": round(sample.quantile(0.1), 3),
                    "p90": round(sample.quantile(0.9), 3),
                }
                for sample in self.samples
            ],
            "budgets": [
                {"promise": budget.promise, "measured": budget.measured, "holds": budget.holds}
                for budget in self.budgets
            ],
            "notes": self.notes,
        }
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def machine() -> dict[str, str]:
    """What a reader needs to know to compare figures, the load that others put on the machine included."""
    return {
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "load before": " ".join(f"{load:.2f}" for load in os.getloadavg()),
        "contention": f"{contention():.1f} (time over processor time of a busy loop; 1.0 on an idle machine)",
        "pace": f"{pace():.0f} ms of processor time for a million additions in Python",
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "packages": ", ".join(
            f"{name} {found}" for name in ("guideact", "playwright", "pillow") if (found := _version(name))
        ),
    }


def contention(seconds: float = 0.3) -> float:
    """How many times longer a busy loop takes here than the processor time it gets: what others take away."""
    start, used = time.perf_counter(), time.process_time()
    while time.process_time() - used < seconds:
        pass
    return (time.perf_counter() - start) / seconds


def pace(rounds: int = 5) -> float:
    """Milliseconds of processor time that a million additions take: how fast a core is, whoever else is at work.

    Shared machines of the same name differ by a factor of two, and one from hour to hour; times are compared with
    this beside them.
    """
    taken = []
    for _ in range(rounds):
        used, total = time.process_time(), 0
        for number in range(1_000_000):
            total += number
        taken.append((time.process_time() - used) * 1000)
    return statistics.median(taken)


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def arguments(description: str | None, **numbers: tuple[int, str]) -> argparse.Namespace:
    """The command line of a benchmark: `--json FILE`, and a flag for each number (default, help)."""
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks.{Path(sys.argv[0]).stem}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="append the findings to this file, one line of JSON")
    for name, (default, text) in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N", help=f"{text} (default {default})")
    return parser.parse_args()
