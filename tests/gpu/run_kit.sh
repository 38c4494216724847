#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-only
# Runs the kit that tests/gpu/pack_kit.sh made, on a machine with a GPU, the PyTorch that it was built for (2.11) and Python, and nothing else: tests, equality, peers, costs and
# forecasts, in order of worth. Each step has a limit of time, and none ends the script. A table comes last, and RESULTS has at most eight files.
# Without a GPU each step runs in a small size on CPU lanes, as a rehearsal, or says what it skips.
# Usage: run_kit.sh RESULTS [STEP...]   STEP is a number from 1 to 9; default: all
set -u
kit=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
own="$kit/tests/gpu/kit"

titles=("" "machine and ceilings" "GPU tests" "the tutorial on two streams" "equality" "peers" "cost of recording" "forecasts" "two lanes on one GPU" "replicas, CPU and GPU, cores")
limits=(0 40 80 50 50 100 45 75 25 45) # seconds; together well below two calls of five minutes

PATH=$PATH:/usr/sbin:/sbin:/usr/local/nvidia/bin # ldconfig, nvidia-smi
say() { printf '%s\n' "$*"; }
fail() { say "run_kit.sh: $*" >&2; exit 2; }

# What the steps need to know, from Python: where PyTorch is, its version, and how many GPUs it can use.
find_torch() {
  local found wanted
  read -r wanted <"$kit/torch-version" || fail "$kit has no file torch-version. Pack it again."
  found=$(python3 - <<'TEXT'
import pathlib
import torch
package = pathlib.Path(torch.__file__).parent
sites = dict.fromkeys([package.parent, package.resolve().parent])
print(torch.__version__)
print(torch.cuda.device_count() if torch.cuda.is_available() else 0)
print(":".join([str(package / "lib")] + [str(folder) for site in sites for folder in sorted(site.glob("nvidia/*/lib"))]))
TEXT
  ) || fail "python3 cannot import torch (see above). Put a python3 that has PyTorch $wanted first in PATH."
  { read -r torch; read -r gpus; read -r torch_libs; } <<<"$found"
  case $torch in "$wanted".*) ;; *) fail "python3 has PyTorch $torch, and this kit needs $wanted." ;; esac
}

# The driver, where the loader does not find it by itself.
find_driver() {
  local folder known=${LD_LIBRARY_PATH:-}
  driver_libs=""
  ! ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1' || return 0
  for folder in ${known//:/ } /usr/local/nvidia/lib64 /usr/local/nvidia/lib /usr/lib64 /usr/lib/wsl/lib; do
    [ ! -e "$folder/libcuda.so.1" ] || { driver_libs=$folder; return 0; }
  done
}

# Programs of the kit; Python must not find the kit's libraries, since its own modules may need newer ones.
with_libraries() { LANELAB_SOURCES=$kit LANELAB_PROFILES=$work/profiles LD_LIBRARY_PATH=$libs "$@"; }
cli() { with_libraries "$kit/bin/lanelab-cli" "$@"; }
python() { LD_LIBRARY_PATH=$python_libs PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 python3 "$@"; }

# The two as programs, for what starts programs.
write_wrappers() {
  printf '#!/bin/sh\nexport LANELAB_SOURCES="%s" LANELAB_PROFILES="%s" LD_LIBRARY_PATH="%s"\nexec "%s" "$@"\n' "$kit" "$work/profiles" "$libs" "$kit/bin/lanelab-cli" >"$work/lanelab-cli"
  printf '#!/bin/sh\nexport LD_LIBRARY_PATH="%s" PYTHONDONTWRITEBYTECODE=1\nexec python3 "$@"\n' "$python_libs" >"$work/python"
  chmod +x "$work/lanelab-cli" "$work/python"
}

# A command of a step, with its words, its output and its seconds in the log. What fails is noted for the table.
try() { # name, command...
  local name=$1 begin=$SECONDS state=0
  shift
  printf '\n== %s\n$ %s\n' "$name" "$*"
  "$@" </dev/null 2>&1 || state=$?
  printf -- '-- %s: %s, %d s\n' "$name" "$([ $state = 0 ] && echo ok || echo "failed ($state)")" $((SECONDS - begin))
  [ $state = 0 ] || printf '%s (%d), ' "$name" $state >>"$work/failed-$step"
  return $state
}
note() { say "== $1"; printf '%s' "$1" >"$work/note-$step"; } # for the table
needs_gpu() { [ "$gpus" -gt 0 ] || { say "== $1: skipped: no GPU"; return 1; }; }

lanes() { # device...: the option that sets them
  local list="" device
  for device in "$@"; do list+="${list:+,}{\"device\":\"$device\"}"; done
  printf 'lanes=[%s]' "$list"
}

# A run with its figures; in the rehearsal with a small network and short.
run() { # name, experiment, option...
  local name=$1 experiment=$2
  shift 2
  try "$name" cli run "$experiment" --out "$work/runs/$step-$name" "$@" "${small[@]}" && try "$name: figures" python "$own/figures.py" "${figures[@]}" "$work/runs/$step-$name"
}
resnet_size() { # split size of each variant, or - for none: the rehearsal's size of a ResNet
  local i=0 split
  [ "$gpus" = 0 ] || return 0
  small=(--set 'model.arch="resnet18"' --set model.classes=10 --set 'data.shape=[3,32,32]' --set data.batch=8 --set data.steps=2 --set repeats=1 --set warmup=0)
  for split in "$@"; do
    [ "$split" = - ] || small+=(--set "variants[$i].split_size=$split")
    i=$((i + 1))
  done
}

# What the machine is, and what it can do at most.
step_1() {
  try doctor cli doctor
  ! needs_gpu "clocks and power" || try "clocks and power" nvidia-smi -q -d CLOCK,POWER
  ! needs_gpu "processes on the GPU" || try "processes on the GPU" nvidia-smi
  try ceilings python "$own/ceilings.py" "${brief[@]}"
}

step_2() {
  try test_gpu with_libraries "$kit/bin/test_gpu"
  try test_gpu_nccl with_libraries "$kit/bin/test_gpu_nccl"
  needs_gpu "most of these tests" || note "skipped: no GPU"
}

# The picture of the design: three variants, their kernels on their lanes, and why lanes were idle.
step_3() {
  resnet_size - - 4
  run tutorial "$kit/resources/experiments/tutorial.json" --set "$(lanes "$device" "$other")" --set repeats=5 --set 'record="blocks"'
  local folder="$work/runs/$step-tutorial" variant
  for variant in Single "Model parallel" Pipeline; do try "gaps of $variant" cli gaps "$folder" --variant "$variant"; done
  try report cli export "$folder" --what report --format html --out "$folder/report.html"
  try trace cli export "$folder" --what trace --format chrome --variant Pipeline --out "$folder/pipeline.json.gz"
}

step_4() {
  local name experiment places
  for name in demo check-resnet18 check-gpt2 vit; do
    experiment="$own/$name.json"
    [ -e "$experiment" ] || experiment="$kit/resources/experiments/$name.json"
    small=()
    [ "$name" != demo ] || resnet_size - - 4
    [ "$name" != vit ] || [ "$gpus" -gt 0 ] || small=(--set data.batch=2 --set 'variants[1].split_size=1')
    for places in "$device $other" "cpu:0 $device"; do
      # shellcheck disable=SC2086  # two words
      try "$name on ${places/ /, }" cli check "$experiment" --steps 1 --set "$(lanes $places)" "${small[@]}"
      [ "$gpus" -gt 0 ] || break # the second pair of lanes would be the same
    done
  done
}

step_5() { try peers python "$own/peers.py" "$work/lanelab-cli" "$work/runs" "${brief[@]}"; }

# Whole runs in turns, so that a machine that slows down slows all of them; and a trace of PyTorch's profiler, to read here and there.
step_6() {
  local turn mode modes=(off actions blocks operators) records=1000000
  [ "$gpus" -gt 0 ] || modes=(operators) records=10000
  for turn in 1 2; do
    for mode in "${modes[@]}"; do
      resnet_size - 4
      run "$mode-$turn" "$own/recording.json" --set "record=\"$mode\"" --set "$(lanes "$device" "$other")"
    done
    [ "$gpus" -gt 0 ] || break
  done
  mkdir -p "$work/runs/$step-pytorch"
  try "trace of PyTorch's profiler" python "$own/trace.py" "$work/runs/$step-pytorch/trace.json.gz" "${brief[@]}" \
    && try "gaps of that trace" cli gaps "$work/runs/$step-pytorch/trace.json.gz"
  try "records decoded" with_libraries "$kit/bin/lanelab-bench" cupti --records $records
}

# Peak memory and step time, predicted before the run and measured. In the rehearsal, times of GPT-2 alone are.
step_7() {
  local network samples precision precisions file
  for network in resnet18 resnet50 gpt2; do
    file="$own/forecast-$network.json" small=() figures=()
    case $network in
      resnet18) samples=32,128 precisions=(fp32); resnet_size - 4 ;;
      resnet50) samples=16,64 precisions=(fp32 bf16); resnet_size - - - 4 4 ;;
      gpt2) samples=16,64 precisions=(fp32); [ "$gpus" -gt 0 ] || tiny_gpt2 ;;
    esac
    if [ "$gpus" -gt 0 ] || [ "$network" = gpt2 ]; then
      for precision in "${precisions[@]}"; do
        try "times of $network, $precision" cli profile "$file" --samples "$samples" --set "$(lanes "$device")" --set "training.precision=\"$precision\"" "${small[@]}"
      done
      try "prediction of $network" predict "$file" "$work/predicted-$network.json" && figures=(--predicted "$work/predicted-$network.json")
    fi
    run "$network" "$file" --set "$(lanes "$device")"
  done
}
tiny_gpt2() {
  samples=2,4
  small=(--set "model.file=\"$kit/tests/data/exported/gpt2.pt2\"" --set model.classes=50 --set 'data.source="random"' --set 'data.shape=[12]'
    --set data.batch=4 --set data.steps=2 --set repeats=1 --set warmup=0 --set 'variants[1].split_size=2' --set 'variants[2].split_size=2')
}
predict() { # experiment, file to write
  local state=0
  cli simulate "$1" --json --set "$(lanes "$device")" "${small[@]}" >"$2" || state=$?
  cat "$2"
  [ $state = 0 ] || rm -f "$2"
  return $state
}

step_8() {
  resnet_size - 4 4 4 2
  run streams "$own/streams.json" --set "$(lanes "$device" "$other")"
  [ "$gpus" -gt 0 ] || return 0
  run streams-bf16 "$own/streams.json" --set "$(lanes "$device" "$other")" --set 'training.precision="bf16"'
}

step_9() {
  resnet_size - - - - 4
  run replicas "$own/replicas.json" --set "$(lanes "$device" "$other" cpu:0)"
  small=()
  if [ "$(nproc)" -ge 8 ] && [ "$gpus" -gt 0 ]; then
    run cores "$own/cores.json"
  else
    try "cores, not run" cli run "$own/cores.json" --dry-run
  fi
  try offload with_libraries "$kit/bin/lanelab-bench" offload --layers 2 --tokens 16 --generate 2 --rounds 1 --threads 1 --folder "$work" --python "$work/python"
}

run_step() { # number: in a process of its own, so that its limit ends all of it
  step=$1 small=() brief=() figures=()
  device=cuda:0 other=cuda:0
  if [ "$gpus" = 0 ]; then
    device=cpu:0 other=cpu:1 brief=(--small)
    [ "$(nproc)" -gt 1 ] || other=cpu:0
  fi
  "step_$step"
}

outcome_of() { # step, exit status of its process, limit
  local failed="" note=""
  [ ! -s "$work/failed-$1" ] || failed=$(<"$work/failed-$1")
  [ ! -s "$work/note-$1" ] || note=$(<"$work/note-$1")
  failed=${failed%, }
  if [ "$2" = 124 ] || [ "$2" = 137 ]; then
    printf 'stopped at its limit of %d s%s' "$3" "${failed:+; failed: $failed}"
  elif [ -n "$failed" ]; then
    printf 'failed: %s' "$failed"
  elif [ -n "$note" ]; then
    printf '%s' "$note"
  elif [ "$gpus" = 0 ]; then
    printf 'rehearsed without a GPU'
  else
    printf 'ok'
  fi
}

main() {
  local results=$1 step state begin limit
  shift
  [ -x "$kit/bin/lanelab-cli" ] || fail "$kit has no programs. Make a kit with tests/gpu/pack_kit.sh, and start the run_kit.sh in it."
  mkdir -p "$results" || fail "the folder $results cannot be made"
  results=$(cd "$results" && pwd)
  find_torch
  find_driver
  work=$(mktemp -d "${TMPDIR:-/tmp}/lanelab-kit.XXXXXX") || fail "no temporary folder could be made"
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/logs" "$work/runs"
  python_libs="${LD_LIBRARY_PATH:-}${driver_libs:+${LD_LIBRARY_PATH:+:}$driver_libs}"
  libs="$kit/lib:$torch_libs${python_libs:+:$python_libs}"
  write_wrappers
  export kit own work gpus libs python_libs
  say "PyTorch $torch in ${torch_libs%%:*}, GPUs: $gpus"
  printf '%-4s  %-28s  %7s  %s\n' step title seconds outcome >"$work/table.txt"
  [ $# -gt 0 ] || set -- 1 2 3 4 5 6 7 8 9
  for step in "$@"; do
    begin=$SECONDS state=0 limit=$((limits[step] * (gpus > 0 ? 1 : 3))) # a rehearsal may share its cores with other tests
    rm -f "$work/failed-$step" "$work/note-$step"
    timeout --kill-after=5 "$limit" bash "$kit/run_kit.sh" --step "$step" >"$work/logs/$step.log" 2>&1 </dev/null || state=$?
    printf '%-4s  %-28s  %7d  %s\n' "$step" "${titles[step]}" $((SECONDS - begin)) "$(outcome_of "$step" $state "$limit")" >>"$work/table.txt"
    say "--- step $step, ${titles[step]}: the end of its log"
    grep -v '^{"' "$work/logs/$step.log" | tail -n 12 | cut -c1-300
    python "$own/pack_results.py" "$work" "$results" >"$work/packed.txt" # after each step, since the machine may be taken away
  done
  say "--- $results"
  cat "$work/packed.txt"
  say ""
  cat "$work/table.txt"
}

case ${1:-} in
  "" | -h | --help) sed -n '3,7s/^# //p' "${BASH_SOURCE[0]}"; exit 2 ;;
  --step) run_step "$2" ;;
  *)
    for number in "${@:2}"; do
      case $number in [1-9]) ;; *) fail "there is no step $number; steps are 1 to 9" ;; esac
    done
    main "$@"
    ;;
esac
