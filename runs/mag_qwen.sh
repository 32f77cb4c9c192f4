#!/usr/bin/env bash
# SFT and GRPO of a real model with expert injection, on the embedded sites: the study of runs/mag_grpo.sh on Qwen3.5.
#
#   runs/mag_qwen.sh [--model Qwen/Qwen3.5-9B] [--grounding som] [--gpus 8] [--rounds 10] [--tasks-per-round 24]
#                    [--rollouts 6] [--seed 0] [--out FOLDER] [--demos DATASET] [--experts "RUN RUN"] [--workers 16]
#                    [--arms "grpo inject"] [--limit N] [--eval-limit N] [--passes 6] [--epochs 1] [--max-tokens 1024]
#                    [--port 8111] [--in-process] [--dry-run]
#
# Stages: demonstrations (data build), SFT, then for each arm (grpo: without experts, inject: with them) so many rounds of
# rollouts and update; and an evaluation of the start, of SFT and of each arm: greedy, and --passes samples at temperature
# 1 for pass@k (0: none). --limit takes so many train tasks, --eval-limit so many test tasks. vLLM serves the policy of a round on all GPUs and is stopped before the
# GPUs train. --in-process rolls out with transformers instead, one answer at a time: for a small model, or no GPU.
# --dry-run prints every command and runs none. Killed at any moment, the same command goes on.
# Experts are the demonstrations, or the runs that are given (guideact train experts).
set -euo pipefail

model=Qwen/Qwen3.5-9B grounding=som gpus=8 rounds=10 tasks_per_round=24 rollouts=6 seed=0 out= demos= experts=
workers=16 arms="grpo inject" limit= eval_limit= passes=6 epochs=1 max_tokens=1024 in_process= dry_run= port=8111
while [ $# -gt 0 ]; do
  case $1 in
    --in-process) in_process=1; shift ;;
    --dry-run) dry_run=1; shift ;;
    --model | --grounding | --gpus | --rounds | --tasks-per-round | --rollouts | --seed | --out | --demos | --experts | \
      --workers | --arms | --limit | --eval-limit | --passes | --epochs | --max-tokens | --port)
      if [ $# -lt 2 ]; then echo "runs/mag_qwen.sh: $1 needs a value" >&2; exit 2; fi
      name=${1#--}; declare "${name//-/_}=$2"; shift 2 ;;
    *) echo "runs/mag_qwen.sh: there is no option $1; see the head of the file" >&2; exit 2 ;;
  esac
done
python=${PYTHON:-python3}
out=${out:-runs/out/mag_qwen-$grounding}
demos=${demos:-$out/demos}
experts=${experts:-$demos}
cut=${limit:+--limit $limit}
test_cut=${eval_limit:+--limit $eval_limit}

shown() { printf '+%s\n' "$(printf ' %q' "$@")" >&2; }
run() {
  shown "$@"
  [ -n "$dry_run" ] || "$@"
}
guideact() { run "$python" -m guideact "$@"; }
# Training on all GPUs; a process of its own for each.
trained() {
  if [ "$gpus" -gt 1 ]; then run "$python" -m torch.distributed.run --standalone --nproc-per-node "$gpus" -m guideact "$@"
  else guideact "$@"; fi
}
# Whether a stage's result is there already.
there() { [ -z "$dry_run" ] && [ -e "$1" ]; }

server=
stop_serving() {
  [ -n "$server" ] && kill "$server" && wait "$server" || true
  server=
}
trap stop_serving EXIT
# serve FOLDER: the policy in a folder (a model, or an adapter on $model), as openai/policy on $port.
serve() {
  local policy=(--served-model-name policy)
  local weights=$1
  if [ -e "$1/adapter_config.json" ] || [ -n "$dry_run" -a "$1" != "$model" ]; then
    weights=$model
    policy=(--enable-lora --max-lora-rank 16 --lora-modules "policy=$1")
  fi
  # Its own defaults of sampling, and not those that a model card wishes for: rollouts are drawn at temperature 1 alone.
  set -- vllm serve "$weights" "${policy[@]}" --port "$port" --data-parallel-size "$gpus" --generation-config vllm \
    --limit-mm-per-prompt '{"image": 1}' --default-chat-template-kwargs '{"enable_thinking": false}'
  shown "$@"
  [ -z "$dry_run" ] || return 0
  # A server that a kill has left behind would answer in place of this one, with the weights of another round.
  if curl --silent --output /dev/null "http://127.0.0.1:$port/health"; then
    echo "runs/mag_qwen.sh: something answers at port $port already; end it, or give another --port" >&2
    exit 2
  fi
  "$@" > "$out/vllm.log" 2>&1 &
  server=$!
  until curl --silent --fail "http://127.0.0.1:$port/health" > /dev/null; do
    kill -0 "$server" 2> /dev/null || { tail -5 "$out/vllm.log" >&2; echo "vLLM ended; see $out/vllm.log" >&2; exit 1; }
    sleep 2
  done
}
# played POLICY FOLDER FLAGS...: a run of a policy, served or in process.
played() {
  local policy=$1 folder=$2
  shift 2
  local who=(--model openai/policy --model-base-url "http://127.0.0.1:$port/v1")
  if [ -n "$in_process" ]; then who=(--model "hf/$policy"); else serve "$policy"; fi
  guideact run "${who[@]}" --grounding "$grounding" --max-tokens "$max_tokens" --max-samples "$workers" \
    --log-dir "$folder" "$@"
  stop_serving
}
# once FILE COMMAND...: run it unless it was done before.
once() {
  local done="$out/.done/$1"; shift
  if there "$done"; then return; fi
  "$@"
  if [ -z "$dry_run" ]; then mkdir -p "$(dirname "$done")" && touch "$done"; fi
}
# An evaluation on the test split.
evaluated() { # NAME POLICY
  once "eval-$1" played "$2" "$out/eval/$1" --split test --temperature 0 $test_cut
  [ "$passes" = 0 ] || once "pass-$1" played "$2" "$out/pass/$1" --split test --temperature 1 --epochs "$passes" $test_cut
}

[ -n "$dry_run" ] || mkdir -p "$out"
there "$demos/manifest.json" || guideact data build "$demos" --max-samples "$workers"
there "$out/sft" || trained train sft "$demos" --model "hf/$model" --grounding "$grounding" --arm action-guide \
  --epochs "$epochs" --seed "$seed" --out "$out/sft" $cut
evaluated base "$model"
evaluated sft "$out/sft"

for arm in $arms; do
  before=$out/sft
  for ((round = 0; round < rounds; round++)); do
    after=$out/$arm/$(printf %03d "$round")
    if ! there "$after"; then
      # Each train task comes once before any comes twice.
      tasks=$("$python" -m guideact train tasks "$round" --tasks-per-round "$tasks_per_round" --seed "$seed" $cut)
      [ -n "$dry_run" ] || mkdir -p "$out/$arm"
      # shellcheck disable=SC2086  words on purpose
      played "$before" "$after-rollouts" --split train --temperature 1 --keep-tokens --epochs "$rollouts" \
        --seed "$((seed * 1000000 + round * 1000))" --sample-id $tasks
      beside=()
      # shellcheck disable=SC2206
      [ "$arm" = inject ] && beside=(--experts $experts)
      trained train update --model "hf/$before" --rollouts "$after-rollouts" "${beside[@]}" --round "$round" \
        --seed "$seed" --out "$after"
    fi
    before=$after
  done
  evaluated "$arm" "$before"
done
for each in base sft $arms; do guideact score "$out/eval/$each"; done
for arm in $arms; do guideact compare "$out/eval/$arm" "$out/eval/sft"; done
