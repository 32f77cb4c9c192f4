# What the two WebMRE scripts share: settings, the dataset, and jobs that are done once, two at a time.
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
  patterns=(shopping.price shopping.contact shopping.phone)
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
# train MODEL SEED ARM [CONTROL]: the weights of an arm, made once; prints how they are run.
train() {
  local model=$1 seed=$2 arm=$3 guides=${4:-gold} folder file
  folder=$out/weights/$(name_of "$model") file=$arm.$guides.$seed
  mkdir -p "$folder"
  if [ "${model%%/*}" = builtin ]; then
    if [ ! -e "$folder/$file.npz" ]; then
      "$guideact" train sft "$demos" --model "$model" --arm "$arm" --guides "$guides" --seed "$seed" \
        --epochs "$epochs" --no-hold-out ${limit:+--limit "$limit"} --out "$folder/$file.part.npz" >&2
      mv "$folder/$file.part.npz" "$folder/$file.npz"
    fi
    echo "builtin/$folder/$file.npz"
  else
    if [ ! -e "$folder/$file.done" ]; then
      "$guideact" train sft "$demos" --model "$model" --arm "$arm" --seed "$seed" \
        ${limit:+--limit "$limit"} --out "$folder/$file" >&2
      touch "$folder/$file.done"
    fi
    echo "hf/$folder/$file"
  fi
}
# ask FILE MODEL FLAGS...: predictions over the test split; a file that is whole is only looked through.
ask() {
  local file=$1 model=$2; shift 2
  mkdir -p "$(dirname "$file")"
  "$guideact" offline predict "$demos" --model "$model" --out "$file" --no-screenshots \
    ${test_limit:+--limit "$test_limit"} "$@" > /dev/null 2> "$file.log" || { cat "$file.log" >&2; return 1; }
  rm "$file.log"
}
export -f name_of train ask
# publish FILES...: only a run with the settings of the plan goes into the documentation.
publish() { [ -z "$planned" ] || cp "$@" docs/studies/; }
# each: the jobs on standard input, a line of words each, as many at a time as there are workers; stops at a failure.
each() { xargs -P "$workers" -I{} bash -c 'set -euo pipefail; job {}' || { echo "$0: a job failed; the same command goes on" >&2; exit 1; }; }
