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

controls() { [ "${1%%/*}" != builtin ] || echo shuffled neutral; }

for model in $models; do
  for seed in $seeds; do
    for arm in action guide guide-action action-guide; do echo "$model $seed $arm"; done
    for control in $(controls "$model"); do echo "$model $seed guide-action $control"; done
  done
done | each train
untrained=$out/weights/untrained.npz
if [ ! -e "$untrained" ]; then
  "$guideact" train sft "$demos" --epochs 0 --no-hold-out ${limit:+--limit "$limit"} --out "$untrained"
fi

{
  for model in $models; do
    name=$(name_of "$model")
    for seed in $seeds; do
      for arm in action guide guide-action action-guide; do
        to_ask "$out/arms/$name/$arm/$seed.jsonl" "$(weights "$model" "$seed" "$arm")" "$arm"
      done
      for control in $(controls "$model"); do
        to_ask "$out/arms/$name/guide-action.$control/$seed.jsonl" "$(weights "$model" "$seed" guide-action "$control")" guide-action
      done
      for history in own actions none; do
        to_ask "$out/history/$name/$history/$seed.jsonl" "$(weights "$model" "$seed" action-guide)" action-guide history "$history"
      done
    done
  done
  to_ask "$out/baselines/untrained.jsonl" "builtin/$untrained" action-guide
  to_ask "$out/baselines/overlap.jsonl" scripted/overlap action-guide
  [ -z "$zero_shot" ] || to_ask "$out/baselines/$(name_of "$zero_shot").jsonl" "$zero_shot" action-guide
} | ask_all arms

"$guideact" offline study "$demos" "$out" --of arms --out "$out/webmre_arms.md"
cat "$out/webmre_arms.md"
publish "$out"/webmre_arms.md
