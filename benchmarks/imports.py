"""What a user waits for before anything happens: `import guideact`, and `guideact --help` as a process.

The import is timed inside a fresh process, the help from outside, with the start of Python in it. Both are warm: the
byte code is compiled and the files are in the cache.
"""

from __future__ import annotations

import subprocess
import sys
import time

from benchmarks.bench import Bench, arguments

IMPORT = "import time; s = time.perf_counter(); import guideact; print((time.perf_counter() - s) * 1000)"


def wall(command: list[str], times: int) -> list[float]:
    """Milliseconds of each run, after one that warms up."""
    spent = []
    for _ in range(times + 1):
        start = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        spent.append((time.perf_counter() - start) * 1000)
    return spent[1:]


def main() -> None:
    chosen = arguments(__doc__, times=(20, "processes of each kind"))
    bench = Bench("imports")
    inside = [
        float(subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True).stdout)
        for _ in range(chosen.times + 1)
    ][1:]
    imported = bench.sample("import guideact", "ms", inside)
    bench.sample("Python alone, start to end", "ms", wall([sys.executable, "-c", "pass"], chosen.times))
    helped = bench.sample(
        "guideact --help, start to end", "ms", wall([sys.executable, "-m", "guideact", "--help"], chosen.times)
    )
    bench.sample(
        "guideact run --help, start to end",
        "ms",
        wall([sys.executable, "-m", "guideact", "run", "--help"], chosen.times),
    )
    bench.budget("import guideact: at most 150 ms", f"{imported.median:.0f} ms", imported.median <= 150)
    bench.budget("guideact --help: at most 300 ms", f"{helped.median:.0f} ms", helped.median <= 300)
    bench.show()
    bench.keep(chosen.json)


if __name__ == "__main__":
    main()
