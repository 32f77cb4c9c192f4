#!/usr/bin/env bash
# Training guides on rewards that need no site: docs/studies/webmre_reward_plan.md says what and why.
#
#   runs/webmre_reward.sh [--quick] [--out FOLDER] [--demos DATASET] [--seeds "0 1 2"] [--size small]
#
# Killed at any moment, the same command goes on. --quick proves the script in a few minutes, on a few tasks of the shop.
# The tables are computed from the folder at the end, and at any time by
#
#   guideact train study FOLDER --demos DATASET
set -euo pipefail

quick='' out='' demos='' seeds='' size=small
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=1; shift ;;
    --out | --demos | --seeds | --size)
      if [ $# -lt 2 ]; then echo "runs/webmre_reward.sh: $1 needs a value" >&2; exit 2; fi
      declare "${1#--}=$2"; shift 2 ;;
    *) echo "runs/webmre_reward.sh: there is no option $1; see the head of the file" >&2; exit 2 ;;
  esac
done
guideact=${GUIDEACT:-guideact}
command -v "$guideact" > /dev/null || { echo "runs/webmre_reward.sh: $guideact is not there; activate .venv" >&2; exit 2; }

if [ -n "$quick" ]; then
  out=${out:-runs/out/webmre_reward_quick} seeds=${seeds:-0}
  patterns=(shopping.price shopping.contact shopping.phone)
  epochs=2 rounds=2 steps=12
else
  out=${out:-runs/out/webmre_reward} seeds=${seeds:-0 1 2}
  patterns=()
  epochs=8 rounds=20 steps=64
fi
demos=${demos:-$out/demos}
mkdir -p "$out/start"
if [ ! -e "$demos/manifest.json" ]; then
  "$guideact" data build "$demos" "${patterns[@]}" --no-screenshots
fi

predict() { # ARM SEED WEIGHTS
  mkdir -p "$out/$1"
  "$guideact" offline predict "$demos" --model "builtin/$3" --arm guide-action --no-screenshots --out "$out/$1/$2.jsonl"
}

for seed in $seeds; do
  start=$out/start/$seed.npz
  if [ ! -e "$start" ]; then
    "$guideact" train sft "$demos" --model "builtin/$size" --seed "$seed" --epochs "$epochs" --no-hold-out --out "$start"
  fi
  predict start "$seed" "$start"
  for reward in log zero_one success shuffled; do
    "$guideact" train guides "$demos" --model "builtin/$start" --reward "$reward" --seed "$seed" --rounds "$rounds" \
      --steps-per-round "$steps" --out "$out/train/$reward-$seed"
    predict "$reward" "$seed" "$out/train/$reward-$seed/weights.npz"
  done
done
"$guideact" train study "$out" --demos "$demos" --out "$out/tables.md"
cat "$out/tables.md"
