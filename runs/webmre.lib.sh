# What the two WebMRE scripts share: settings, the dataset, and how weights are made and asked, each once, two at a time.
# shellcheck shell=bash

quick= out= demos= seeds= models="builtin/small builtin/large" epochs=4 workers=2 limit= test_limit= zero_shot=
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=1; shift ;;
    --model) models=$2; shift 2 ;;
    --out | --demos | --seeds | --epochs | --workers | --limit | --test-limit | --zero-shot)
      if [ $# -lt 2 ]; then echo "$0: $1 needs a value" >&2; exit 2; fi
      name=${1#--}; declare "${name//-/_}=$2"; shift 2 ;;
    *) echo "$0: there is no option $1; see the head of the file" >&2; exit 2 ;;
  esac
done
guideact=${GUIDEACT:-guideact}
command -v "$guideact" > /dev/null || { echo "$0: $guideact is not there; activate .venv" >&2; exit 2; }
patterns=()
planned=
[ -n "$quick$out$seeds$limit$test_limit" ] || [ "$models$epochs" != "builtin/small builtin/large4" ] || planned=1
if [ -n "$quick" ]; then
  out=${out:-runs/out/webmre_quick} seeds=${seeds:-0} models="builtin/small" epochs=2 limit=${limit:-6}
  patterns=(shopping.contact shopping.newsletter shopping.list) # each of both splits
else
  out=${out:-runs/out/webmre} seeds=${seeds:-0 1 2} limit=${limit:-231}
fi
demos=${demos:-$out/demos}
mkdir -p "$out"
# One thread a process: with more, two processes on two cores stand in each other's way.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 guideact out demos epochs limit test_limit

if [ ! -e "$demos/manifest.json" ]; then
  "$guideact" data build "$demos" "${patterns[@]}" --no-screenshots --max-samples "$workers"
fi

# NAME of a model in the folder: builtin/small is small, hf/Qwen/Qwen3.5-4B is Qwen3.5-4B.
name_of() { basename "$1"; }
# weights MODEL SEED ARM [CONTROL]: what the weights of an arm are run as.
weights() {
  local file=$out/weights/$(name_of "$1")/$3.${4:-gold}.$2
  if [ "${1%%/*}" = builtin ]; then echo "builtin/$file.npz"; else echo "hf/$file"; fi
}
# train MODEL SEED ARM [CONTROL]: makes them, if they are not there.
train() {
  local model=$1 seed=$2 arm=$3 guides=${4:-gold} file
  file=$(weights "$@") && file=${file#*/}
  mkdir -p "$(dirname "$file")"
  if [ "${model%%/*}" = builtin ]; then
    if [ ! -e "$file" ]; then
      "$guideact" train sft "$demos" --model "$model" --arm "$arm" --guides "$guides" --seed "$seed" \
        --epochs "$epochs" --no-hold-out ${limit:+--limit "$limit"} --out "${file%.npz}.part.npz" >&2
      mv "${file%.npz}.part.npz" "$file"
    fi
  elif [ ! -e "$file.done" ]; then
    "$guideact" train sft "$demos" --model "$model" --arm "$arm" --seed "$seed" \
      ${limit:+--limit "$limit"} --out "$file" >&2
    touch "$file.done"
  fi
  echo "trained: $(name_of "$model") $arm $guides, seed $seed" >&2
}
# to_ask FILE MODEL ARM [KEY VALUE]...: a line for `predict --jobs`: predictions over the test split.
to_ask() {
  mkdir -p "$(dirname "$1")"
  printf '{"out": "%s", "model": "%s", "arm": "%s"' "$1" "$2" "$3"
  shift 3
  while [ $# -gt 0 ]; do printf ', "%s": "%s"' "$1" "$2"; shift 2; done
  printf '}\n'
}
# ask JOBS: what its lines say; files that are whole are only looked through.
ask() {
  "$guideact" offline predict "$demos" --jobs "$1" --no-screenshots ${test_limit:+--limit "$test_limit"} > /dev/null
}
export -f name_of weights train to_ask ask
# each FUNCTION: calls it for the words of each line on standard input, as many at a time as there are workers.
each() { xargs -P "$workers" -I{} bash -c "set -euo pipefail; $1 {}" || { echo "$0: a job failed; the same command goes on" >&2; exit 1; }; }
# ask_all NAME: the lines on standard input, dealt out to as many processes as there are workers. Each process reads a step
# once for all that it asks about it.
ask_all() {
  rm -f "$out/jobs.$1".*
  split -n "r/$workers" -d - "$out/jobs.$1."
  find "$out" -name "jobs.$1.*" -size +0 | sort | each ask
}
# publish FILES...: only a run with the settings of the plan goes into the documentation.
publish() { [ -z "$planned" ] || cp "$@" docs/studies/; }
