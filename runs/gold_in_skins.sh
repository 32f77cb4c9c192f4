#!/usr/bin/env bash
# Does the gold pass in looks that nobody has seen? Tasks of all six sites in fresh skins, three of each kind.
#
#   runs/gold_in_skins.sh [--quick] [--whole] [--out FOLDER] [--seeds "1001 1002 1003"] [--workers 2]
#
# Without a flag each task is done in one of the nine skins, in turn (about half an hour on two cores); with --whole in
# all nine of them (hours); with --quick one of 40 tasks. Killed at any moment, the same command goes on. Exit status 1,
# and the tasks' names, where any does not pass.
set -euo pipefail

quick='' whole='' out='' seeds="1001 1002 1003" workers=2
while [ $# -gt 0 ]; do
  case $1 in
    --quick | --whole) declare "${1#--}=1"; shift ;;
    --out | --seeds | --workers)
      if [ $# -lt 2 ]; then echo "runs/gold_in_skins.sh: $1 needs a value" >&2; exit 2; fi
      declare "${1#--}=$2"; shift 2 ;;
    *) echo "runs/gold_in_skins.sh: there is no option $1; see the head of the file" >&2; exit 2 ;;
  esac
done
if [ -n "$quick" ] && [ -n "$whole" ]; then echo "runs/gold_in_skins.sh: --quick or --whole, not both" >&2; exit 2; fi
guideact=${GUIDEACT:-guideact}
command -v "$guideact" > /dev/null || { echo "runs/gold_in_skins.sh: $guideact is not there; activate .venv" >&2; exit 2; }
kind=turns
if [ -n "$quick" ]; then kind=quick; elif [ -n "$whole" ]; then kind=whole; fi
out=${out:-runs/out/gold_in_skins_$kind}

read -ra numbers <<< "$seeds"
skins=()
for seed in "${numbers[@]}"; do
  for look in relabel relayout redesign; do skins+=("$look-$seed"); done
done
mkdir -p "$out"
"$guideact" tasks --json | python3 -c 'import json, sys; [print(json.loads(line)["id"]) for line in sys.stdin]' > "$out/tasks.txt"

at=0
for skin in "${skins[@]}"; do
  case $kind in
    whole) own=$(cat "$out/tasks.txt") ;;
    turns) own=$(awk -v n="${#skins[@]}" -v at="$at" 'NR % n == at' "$out/tasks.txt") ;;
    quick) own=$(awk -v n="${#skins[@]}" -v at="$at" 'NR % 40 == 0 && NR / 40 % n == at' "$out/tasks.txt") ;;
  esac
  # Ids have no blanks.
  # shellcheck disable=SC2086
  "$guideact" run --model scripted/gold --skin "$skin" --no-screenshots --max-samples "$workers" \
    --log-dir "$out/$skin" --sample-id $own > "$out/$skin.txt"
  at=$((at + 1))
done

python3 - "$out" "${skins[@]}" << 'PYTHON'
import json
import pathlib
import sys

out, failed, total = pathlib.Path(sys.argv[1]), [], 0
print("| skin | tasks | passed |\n|---|--:|--:|")
for skin in sys.argv[2:]:
    lines = (out / skin / "episodes.jsonl").read_text(encoding="utf-8").split("\n")
    episodes = [json.loads(line) for line in lines if line]
    wrong = [episode["task_id"] for episode in episodes if not (episode["check"] or {}).get("passed")]
    print(f"| `{skin}` | {len(episodes)} | {len(episodes) - len(wrong)} |")
    failed += [f"{skin} {task}" for task in wrong]
    total += len(episodes)
print(f"| all | {total} | {total - len(failed)} |")
print("\n".join(failed), end="\n" if failed else "")
sys.exit(bool(failed))
PYTHON
