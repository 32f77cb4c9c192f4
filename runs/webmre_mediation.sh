#!/usr/bin/env bash
# WebMRE's mediation on the built-in agent: docs/studies/plan.md says what and why.
#
#   runs/webmre_mediation.sh [--quick] [--out FOLDER] [--demos DATASET] [--seeds "0 1 2"] [--workers 2]
#       [--model builtin/small] [--epochs 4] [--limit TRAIN_TASKS] [--test-limit TASKS]
#
# It takes the weights that runs/webmre_arms.sh left in the same folder, and trains what is not there. Killed at any
# moment, the same command goes on. The tables are written at the end, and at any time by
#
#   guideact offline study DATASET FOLDER --of mediation
set -euo pipefail
cd "$(dirname "$0")/.."
. runs/webmre.lib.sh
# A task of each template: with all of them, ten forced guides a step would take an hour.
[ -n "$test_limit" ] || test_limit=172
export test_limit

for model in $models; do
  for seed in $seeds; do echo "$model $seed guide-action"; done
done | each train

for model in $models; do
  for seed in $seeds; do
    folder=$out/mediation/$(name_of "$model")/$seed guided=$(weights "$model" "$seed" guide-action)
    to_ask "$folder/own.jsonl" "$guided" guide-action
    for kind in gold paraphrase rename target verb shuffled other-step other-task neutral none; do
      to_ask "$folder/$kind.jsonl" "$guided" guide-action force "$kind"
    done
  done
done | ask_all mediation

"$guideact" offline study "$demos" "$out" --of mediation --out "$out/webmre_mediation.md"
cat "$out/webmre_mediation.md"
publish "$out"/webmre_mediation.md "$out"/webmre_mediation_*.svg
