"""A live evaluation from start to end: `guideact run` with the gold agent, as a process of its own.

Steps a second are those of all episodes over the time from the first episode's start to the last one's end, read from
the log as it grows. Memory is the resident size of that process and of its browser, sampled every second; *flat* means
that in the last quarter of the run its median is at most a tenth above that of the second quarter (caches fill in the
first).
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.bench import Bench, arguments


def resident(pid: int) -> tuple[float, float]:
    """MiB of a process, and of all its descendants together, as far as they still live."""
    parents: dict[int, int] = {}
    sizes: dict[int, float] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            status = (folder / "status").read_text()
        except OSError:  # it has ended meanwhile
            continue
        fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        parents[int(folder.name)] = int(fields["PPid"])
        sizes[int(folder.name)] = int(fields.get("VmRSS", "0 kB").split()[0]) / 1024
    children = 0.0
    for each in parents:
        above = each
        while above in parents and above != pid:
            above = parents[above]
        if above == pid and each != pid:
            children += sizes[each]
    return sizes.get(pid, 0.0), children


def measure(episodes: int, workers: int, limit: int, longest: int, bench: Bench) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        short = _test_tasks(longest or sys.maxsize)
        tasks = min(len(short), limit or sys.maxsize)
        epochs = max(1, -(-episodes // tasks))
        run = Path(temporary) / "run"
        command = [sys.executable, "-m", "guideact", "run", "--model", "scripted/gold", "--log-dir", str(run)]
        command += ["--epochs", str(epochs), "--max-samples", str(workers), "--limit", str(tasks)]
        command += [word for task in short for word in ("--sample-id", task)] if longest else []
        with (Path(temporary) / "output").open("wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output)
            log, python, browser = run / "episodes.jsonl", [], []
            begun = ended = 0.0
            size = 0
            try:
                while process.poll() is None:
                    time.sleep(1)
                    now = time.perf_counter()
                    grown = log.stat().st_size if log.exists() else 0
                    if (run / "run.json").exists() and not begun:
                        begun = now
                    if grown > size:
                        size, ended = grown, now
                        ours, theirs = resident(process.pid)
                        python.append(ours)
                        browser.append(theirs)
            finally:
                process.kill()
                process.wait()
        if process.returncode != 0:
            raise SystemExit((Path(temporary) / "output").read_text(errors="replace")[-3000:])
        lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    steps = sum(len(line["steps"]) for line in lines)
    passed = sum(bool(line["check"] and line["check"]["passed"]) for line in lines)
    rate = steps / (ended - begun)
    bench.sample("an episode", "s", [line["seconds"] for line in lines])
    made = [step for line in lines for step in line["steps"]]
    for part in dict.fromkeys(name for step in made for name in step["timings"]):
        bench.sample(f"a step: {part}", "ms", [step["timings"][part] for step in made if part in step["timings"]])
    bench.sample("memory of guideact", "MiB", python)
    bench.sample("memory of the browser's processes, together", "MiB", browser)
    bench.notes.append(
        f"{len(lines)} episodes of {tasks} tasks, {steps} steps, {workers} workers, {ended - begun:.0f} s; "
        f"{passed} passed."
    )
    which = f"test tasks of at most {longest} steps" if longest else "all test tasks"
    bench.budget(f"gold agent, {which}: at least 6 steps/s", f"{rate:.1f} steps/s", rate >= 6)
    quarter = len(python) // 4
    if quarter >= 5:
        for name, sizes in (("guideact", python), ("browser", browser)):
            early = statistics.median(sizes[quarter : 2 * quarter])
            late = statistics.median(sizes[-quarter:])
            bench.budget(
                f"memory of {name} flat over {len(lines)} episodes",
                f"{early:.0f} MiB in the second quarter, {late:.0f} MiB in the last",
                late <= early * 1.1,
            )
    if len(lines) < 1000:
        bench.notes.append("The budget on memory asks for 1,000 episodes: `--episodes 1000`.")


def _test_tasks(longest: int) -> list[str]:
    """The test tasks of at most so many gold steps, by id."""
    command = [sys.executable, "-m", "guideact", "tasks", "--json"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    tasks = [json.loads(line) for line in listed.splitlines()]
    return [task["id"] for task in tasks if task["split"] == "test" and task["gold_steps"] <= longest]


def main() -> None:
    chosen = arguments(
        __doc__,
        episodes=(1, "at least so many, in whole rounds"),
        workers=(4, "episodes at a time"),
        limit=(0, "only so many tasks, for a quick look; 0 for all test tasks"),
        longest=(0, "only tasks of at most so many gold steps: many episodes in little time; 0 for any"),
    )
    bench = Bench("evaluation")
    measure(chosen.episodes, chosen.workers, chosen.limit, chosen.longest, bench)
    bench.show()
    bench.keep(chosen.json)


if __name__ == "__main__":
    main()
