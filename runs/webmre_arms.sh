#!/usr/bin/env bash
# WebMRE's arms on the built-in agent: docs/studies/plan.md says what and why.
#
#   runs/webmre_arms.sh [--quick] [--out FOLDER] [--demos DATASET] [--seeds "0 1 2"] [--workers 2]
#       [--model builtin/small] [--epochs 4] [--limit TRAIN_TASKS] [--test-limit TASKS] [--zero-shot MODEL]
#
# Killed at any moment, the same command goes on. Without --model both sizes are trained; --model hf/Qwen/Qwen3.5-4B
# trains a real one, without the two controls. --zero-shot adds a row for a model as it is, such as openai/NAME.
# --quick proves the script on a few tasks of the shop, and nothing else. The tables are written at the end, and at any
# time by
#
#   guideact offline study DATASET FOLDER --of arms
set -euo pipefail
cd "$(dirname "$0")/.."
. runs/webmre.lib.sh

job() { # MODEL SEED ARM [CONTROL]
  local model=$1 seed=$2 arm=$3 guides=${4:-gold} weights name
  name=$(name_of "$model")
  weights=$(train "$model" "$seed" "$arm" "$guides")
  local folder=$arm
  [ "$guides" = gold ] || folder=$arm.$guides
  ask "$out/arms/$name/$folder/$seed.jsonl" "$weights" --arm "$arm"
  if [ "$folder" = action-guide ]; then
    for history in own actions none; do
      ask "$out/history/$name/$history/$seed.jsonl" "$weights" --arm "$arm" --history "$history"
    done
  fi
  echo "$name $folder, seed $seed" >&2
}
export -f job

for model in $models; do
  for seed in $seeds; do
    for arm in action guide guide-action action-guide; do echo "$model $seed $arm"; done
    if [ "${model%%/*}" = builtin ]; then
      echo "$model $seed guide-action shuffled"
      echo "$model $seed guide-action neutral"
    fi
  done
done | each

mkdir -p "$out/baselines"
if [ ! -e "$out/weights/untrained.npz" ]; then
  "$guideact" train sft "$demos" --epochs 0 --no-hold-out ${limit:+--limit "$limit"} --out "$out/weights/untrained.npz"
fi
ask "$out/baselines/untrained.jsonl" "builtin/$out/weights/untrained.npz"
ask "$out/baselines/overlap.jsonl" scripted/overlap
[ -z "$zero_shot" ] || ask "$out/baselines/$(name_of "$zero_shot").jsonl" "$zero_shot"

"$guideact" offline study "$demos" "$out" --of arms --out "$out/webmre_arms.md"
cat "$out/webmre_arms.md"
publish "$out"/webmre_arms.md
