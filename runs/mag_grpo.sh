#!/usr/bin/env bash
# GRPO with and without expert injection, on the embedded sites: docs/studies/mag_grpo_plan.md says what and why.
#
#   runs/mag_grpo.sh [--quick] [--out FOLDER] [--demos DATASET] [--seeds "0 1 2"] [--model builtin/small] [--workers 2]
#                    [--start DEMONSTRATIONS] [--arms "sft grpo-100 grpo ce grpo-34 untrained shuffled"]
#
# Killed at any moment, the same command goes on. --quick is the same in ten minutes, on a few tasks of the shop: it
# proves the script and nothing else. The tables are computed from the folder at the end, and at any time by
#
#   guideact train study FOLDER
#
# It can be done in parts, on several machines too: --seeds and --arms say which, --start with how many demonstrations the
# first part began, and `guideact train study FOLDER --keep KEPT` puts what the tables need of each part into one folder.
set -euo pipefail

quick= out= demos= seeds= start= arms= model=builtin/small workers=2
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=1; shift ;;
    --out | --demos | --seeds | --start | --arms | --model | --workers)
      if [ $# -lt 2 ]; then echo "runs/mag_grpo.sh: $1 needs a value" >&2; exit 2; fi
      declare "${1#--}=$2"; shift 2 ;;
    *) echo "runs/mag_grpo.sh: there is no option $1; see the head of the file" >&2; exit 2 ;;
  esac
done
for arm in $arms; do
  case $arm in
    untrained | sft | ce | grpo | grpo-34 | grpo-100 | shuffled) ;;
    *) echo "runs/mag_grpo.sh: there is no arm $arm; see the head of the file" >&2; exit 2 ;;
  esac
done
if ! [[ $start =~ ^[0-9]*$ ]]; then echo "runs/mag_grpo.sh: --start is a number, not $start" >&2; exit 2; fi
guideact=${GUIDEACT:-guideact}
command -v "$guideact" > /dev/null || { echo "runs/mag_grpo.sh: $guideact is not there; activate .venv" >&2; exit 2; }

if [ -n "$quick" ]; then
  out=${out:-runs/out/mag_grpo_quick} seeds=${seeds:-0}
  patterns=(shopping.price shopping.contact shopping.phone)
  rounds=2 tasks=3 rollouts=3 updates=4 starts="6 3" start_tasks=4 test_tasks=4 samples=2
  which=(--sample-id "${patterns[@]}") which_run=(--sites shopping)
else
  out=${out:-runs/out/mag_grpo} seeds=${seeds:-0 1 2}
  patterns=()
  rounds=10 tasks=16 rollouts=6 updates=8 starts="400 200 100 50" start_tasks=60 test_tasks=60 samples=6
  which=() which_run=()
fi
demos=${demos:-$out/demos}
mkdir -p "$out"

# once NAME COMMAND...: run it unless it was done before.
once() {
  local done="$out/.done/$1"; shift
  [ -e "$done" ] && return
  echo "+ $*" >&2
  "$@"
  mkdir -p "$(dirname "$done")" && touch "$done"
}
# A run at temperature 1 without screenshots: FOLDER WEIGHTS FLAGS...
sample() {
  local folder=$1 weights=$2; shift 2
  "$guideact" run --model "builtin/$weights" --temperature 1 --no-screenshots --max-samples "$workers" \
    --log-dir "$folder" "$@" > "$folder.txt"
}

# The demonstrations, which are the experts too. A finished dataset given with --demos is used as it is.
if [ ! -e "$demos/manifest.json" ]; then
  "$guideact" data build "$demos" "${patterns[@]}" --no-screenshots --max-samples "$workers"
fi

if [ -n "$start" ]; then
  if [ -e "$out/start.txt" ] && [ "$(cat "$out/start.txt")" != "$start" ]; then
    echo "runs/mag_grpo.sh: $out began with $(cat "$out/start.txt") demonstrations, not $start" >&2; exit 2
  fi
  echo "$start" > "$out/start.txt"
fi
# The start: the first number of demonstrations whose SR on train tasks lies in 3 to 12 %, or else the nearest.
if [ ! -e "$out/start.txt" ]; then
  mkdir -p "$out/start"
  for count in $starts; do
    once "start-$count" "$guideact" train sft "$demos" --model "$model" --limit "$count" --epochs 4 --no-hold-out \
      --out "$out/start/$count.npz"
    once "start-run-$count" sample "$out/start/$count" "$out/start/$count.npz" --split train \
      "${which_run[@]}" --limit "$start_tasks"
    rate=$("$guideact" score "$out/start/$count" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["sr"]["value"])')
    echo "$count demonstrations: SR $rate on $start_tasks train tasks" | tee -a "$out/start/rates.txt" >&2
    echo "$rate $count" >> "$out/start/found.txt"
    if python3 -c "import sys; sys.exit(not .03 <= $rate <= .12)"; then break; fi
  done
  # Beside its place and then moved there: a kill must leave no empty file that passes for the answer.
  python3 - "$out/start/found.txt" > "$out/start.txt.part" << 'PYTHON'
import sys

found = [(float(rate), int(count)) for rate, count in map(str.split, open(sys.argv[1], encoding="utf-8"))]
print(min(found, key=lambda pair: (max(0.03 - pair[0], pair[0] - 0.12, 0), -pair[1]))[1])
PYTHON
  mv "$out/start.txt.part" "$out/start.txt"
fi
count=$(cat "$out/start.txt")

train() { # SEED ARM FLAGS...
  local seed=$1 arm=$2; shift 2
  mkdir -p "$out/$arm/$seed"
  once "$arm-$seed" "$guideact" train grpo --model "builtin/$out/start-$seed.npz" --out "$out/$arm/$seed/train" \
    --rounds "$rounds" --tasks-per-round "$tasks" --rollouts "$rollouts" --updates "$updates" --seed "$seed" \
    --max-samples "$workers" "${which[@]}" "$@"
}
try() { # SEED ARM WEIGHTS
  mkdir -p "$out/$2/$1"
  once "$2-$1-test" sample "$out/$2/$1/test" "$3" --split test "${which_run[@]}" --limit "$test_tasks" \
    --epochs "$samples" --seed "$((1000 * $1))"
}

# wanted ARM: whether it is among --arms, which means all where it is not given.
wanted() { [ -z "$arms" ] || [[ " $arms " == *" $1 "* ]]; }
# rewards SEED ARM FLAGS...: an arm that is trained, then tested.
rewards() {
  wanted "$2" || return 0
  train "$@"
  try "$1" "$2" "$out/$2/$1/train/weights.npz"
}

for seed in $seeds; do
  once "sft-$seed" "$guideact" train sft "$demos" --model "$model" --limit "$count" --epochs 4 --no-hold-out \
    --seed "$seed" --out "$out/start-$seed.npz"
  if wanted sft; then try "$seed" sft "$out/start-$seed.npz"; fi
  rewards "$seed" grpo-100 --experts "$demos"
  rewards "$seed" grpo
  rollouts=0 rewards "$seed" ce --experts "$demos" --expert-loss cross_entropy
  rewards "$seed" grpo-34 --experts "$demos" --coverage .34
  # Of these two one seed is enough: see the plan.
  if [ "$seed" = 0 ] || [ -n "$quick" ]; then
    if wanted untrained; then
      once untrained "$guideact" train sft "$demos" --model "$model" --limit "$count" --epochs 0 --no-hold-out \
        --out "$out/untrained.npz"
      try "$seed" untrained "$out/untrained.npz"
    fi
    rewards "$seed" shuffled --reward shuffled
  fi
  "$guideact" train study "$out" --out "$out/tables.md"
done
cat "$out/tables.md"
