#!/usr/bin/env bash
# The built-in agent: its weights, made from the gold demonstrations of the train split, and how good it is on the test split.
#
#   runs/builtin.sh [--out FOLDER] [--demos DATASET] [--seen N] [--unseen N] [--workers 2] [STAGE...]
#
# STAGE is one or more of: weights (small.npz and large.npz), compare (live, against both baselines, on templates that train
# has and on templates that it has not), swapped (with the goals of other tasks), sites (one site left out of training, then
# measured there). Without any: weights, compare, swapped. Killed at any moment, the same command goes on.
set -euo pipefail

out=runs/out/builtin demos= seen=60 unseen=104 workers=2 stages=()
while [ $# -gt 0 ]; do
  case $1 in
    --out | --demos | --seen | --unseen | --workers)
      if [ $# -lt 2 ]; then echo "runs/builtin.sh: $1 needs a value" >&2; exit 2; fi
      declare "${1#--}=$2"; shift 2 ;;
    weights | compare | swapped | sites) stages+=("$1"); shift ;;
    *) echo "runs/builtin.sh: there is no option or stage $1; see the head of the file" >&2; exit 2 ;;
  esac
done
[ ${#stages[@]} -gt 0 ] || stages=(weights compare swapped)
guideact=${GUIDEACT:-guideact}
command -v "$guideact" > /dev/null || { echo "runs/builtin.sh: $guideact is not there; activate .venv" >&2; exit 2; }
mkdir -p "$out"
demos=${demos:-$out/demos}
if [ ! -e "$demos/manifest.json" ]; then
  "$guideact" data build "$demos" --split train --no-screenshots --max-samples "$workers"
fi

# train SIZE FILE FLAGS...
train() {
  [ -e "$2" ] || "$guideact" train sft "$demos" --model "builtin/$1" --recall --epochs 6 --no-hold-out --out "$2" "${@:3}"
}
# live FOLDER MODEL FLAGS...: a run without screenshots, gone on with where it was.
live() {
  [ -e "$1.txt" ] && return
  "$guideact" run --model "$2" --no-screenshots --max-samples "$workers" --log-dir "$1" "${@:3}" > "$1.part"
  mv "$1.part" "$1.txt"
}
# tasks KIND N [SWAP]: a file of N test tasks whose templates train has (seen) or has not (unseen), one of each template before
# a second of any. With SWAP each has the goal of another task that begins on the same site, and its own check.
tasks() {
  python - "$@" <<'PYTHON'
import json, sys
from guideact.harness.choose import in_turn
from guideact.tasks.catalogue import all_tasks
kind, count, swap = sys.argv[1], int(sys.argv[2]), len(sys.argv) > 3
known = {task.template_id for task in all_tasks() if task.split == "train"}
test = [task for task in all_tasks() if task.split == "test" and (task.template_id in known) == (kind == "seen")]
chosen = list(in_turn(test)[:count])
goals = {}
for site in {task.start_url for task in chosen}:
    there = [task for task in chosen if task.start_url == site]
    goals |= {task.id: other.intent for task, other in zip(there, there[1:] + there[:1])}
print(json.dumps([{**task.model_dump(mode="json"), "intent": goals[task.id] if swap else task.intent} for task in chosen]))
PYTHON
}

for stage in "${stages[@]}"; do
  case $stage in
    weights)
      train small "$out/small.npz"
      train large "$out/large.npz" ;;
    compare)
      train small "$out/small.npz"
      for kind in seen unseen; do
        [ -s "$out/$kind.json" ] || tasks "$kind" "${!kind}" > "$out/$kind.json"
        live "$out/$kind-small" "builtin/$out/small.npz" --tasks "$out/$kind.json"
        for baseline in random overlap; do
          live "$out/$kind-$baseline" "scripted/$baseline" --tasks "$out/$kind.json"
          echo "== $kind templates: the built-in agent less scripted/$baseline"
          "$guideact" compare "$out/$kind-small" "$out/$kind-$baseline"
        done
      done ;;
    swapped)
      [ -s "$out/swapped.json" ] || tasks seen "$seen" swap > "$out/swapped.json"
      live "$out/seen-swapped" "builtin/$out/small.npz" --tasks "$out/swapped.json"
      echo "== seen templates: with the goals of the tasks less with those of others"
      "$guideact" compare "$out/seen-small" "$out/seen-swapped" ;;
    sites)
      for site in shopping shopping_admin reddit gitlab map wikipedia; do
        train small "$out/without-$site.npz" --without "$site"
        live "$out/without-$site" "builtin/$out/without-$site.npz" --sites "$site" --split test
        echo "== $site, by an agent that was trained on the others"
        "$guideact" score "$out/without-$site"
      done ;;
  esac
done
