#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-only
# Builds the engine and the command line without Qt on a machine with a GPU, runs the GPU tests, then the demo as two lanes of cuda:0 (two streams)
# and as one, exports the trace with CUPTI's kernels, says why the lanes stood idle, and compares runs with and without CUPTI, taken in turns.
# LANELAB_TORCH_ROOT names a site-packages folder with torch 2.11 (default: .venv, then the python3 on the path).
# Usage: tests/gpu/try_on_gpu.sh [FOLDER for results]
set -euo pipefail
cd "$(dirname "$0")/../.."
results=${1:-gpu-results}

if [ -z "${LANELAB_TORCH_ROOT:-}" ] && [ ! -d .venv ]; then
  LANELAB_TORCH_ROOT=$(python3 -c 'import pathlib, torch; print(pathlib.Path(torch.__file__).parents[1])')
  export LANELAB_TORCH_ROOT
fi
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || { echo "No NVIDIA driver answers here."; exit 1; }
cmake --preset headless
cmake --build build/headless --target lanelab-cli lanelab_cuda test_gpu test_gpu_nccl
build/headless/bin/test_gpu
build/headless/bin/test_gpu_nccl

mkdir -p "$results"
cli=build/headless/bin/lanelab-cli
"$cli" doctor || true
demo() {  # NAME, then further options
  local name=$1
  shift
  rm -rf "${results:?}/$name"
  "$cli" run resources/experiments/demo.json --set 'lanes[0].device="cuda:0"' --set 'lanes[1].device="cuda:0"' --out "$results/$name" "$@"
}
demo two-streams
demo tutorial-size --set 'data.shape=[3,128,128]' --set data.batch=120 --set data.steps=3 --set 'variants[2].split_size=20'
"$cli" export "$results/two-streams" --what trace --format chrome --variant Pipeline --out "$results/pipeline.json"
"$cli" gaps "$results/two-streams" --variant Pipeline >"$results/gaps.txt"
head -40 "$results/gaps.txt"
# What CUPTI costs: "actions" records without it, "blocks" with it. Whole runs in turns, so that a machine that slows down slows both.
for turn in 1 2 3; do
  for record in actions blocks; do
    demo "$record-$turn" --set "record=\"$record\"" --set data.steps=20 --set repeats=5 >/dev/null
  done
  echo "Turn $turn, with CUPTI against without (above 1: faster):"
  "$cli" compare "$results/actions-$turn" "$results/blocks-$turn"
done
echo "Kernel spans in the trace: $(grep -c '"cat":"kernel"' "$results/pipeline.json" || true)"
