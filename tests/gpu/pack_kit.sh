#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-only
# Makes gpu-kit/: what a machine with a GPU, PyTorch 2.11 and Python, and nothing else, needs to run the GPU tests, the benchmarks and their peers
# (run_kit.sh in it): programs, the libraries that they need besides glibc, libstdc++, PyTorch's and NVIDIA's, resources, experiments and scripts.
# The programs are built without Qt, for PyTorch 2.11 whatever the default is: that of LANELAB_TORCH_ROOT (a site-packages folder), else one that is
# put into build/torch-2.11.0.
# Usage: tests/gpu/pack_kit.sh [--programs FOLDER] [--to FOLDER]
#   --programs FOLDER   pack the programs in this folder, and build nothing
#   --to FOLDER         the kit (default: gpu-kit); an older kit there is removed
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../cmake/setup.sh"
. "$root/cmake/other_torch.sh"
torch_of_kit=2.11
programs="" kit="$root/gpu-kit"
names=(lanelab-cli lanelab-cli-torch lanelab-bench test_gpu test_gpu_nccl liblanelab_cuda.so)
most_mib=50

while [ $# -gt 0 ]; do
  case $1 in
    --programs | --to)
      [ $# -gt 1 ] || fail "$1 needs a folder"
      [ "$1" = --to ] && kit=$2 || programs=$2
      shift 2
      ;;
    *) sed -n '3,9s/^# //p' "${BASH_SOURCE[0]}"; exit 2 ;;
  esac
done

build() {
  local site=${LANELAB_TORCH_ROOT:-} folder="$root/build/gpu-kit"
  # The folder of tests/with_torch.sh, which builds the same.
  [ -n "$site" ] || { site=$(other_torch $torch_of_kit.0); folder="$root/build/torch-$torch_of_kit.0/headless"; }
  programs="$folder/bin"
  cmake -S "$root" --preset headless -B "$folder" -DLANELAB_TORCH_ROOT="$site" >"$root/build/gpu-kit.configure.log" 2>&1 \
    || { cat "$root/build/gpu-kit.configure.log" >&2; fail "configuring failed (see above)"; }
  cmake --build "$folder" --target lanelab-cli lanelab-cli-torch lanelab-bench test_gpu test_gpu_nccl lanelab_cuda >&2 || fail "building failed (see above)"
}

# Paths of the libraries that go along: what the loader finds for a program, without glibc, GCC's, PyTorch's and NVIDIA's.
libraries_of() { # program
  local found
  found=$(ldd "$1") || fail "ldd cannot read $1"
  ! grep -q 'not found' <<<"$found" || fail "$1 lacks libraries: $(grep 'not found' <<<"$found" | tr -s '\n\t ' ' ')"
  awk '$2 == "=>" {print $3}' <<<"$found" \
    | grep -vE '/(ld-linux-x86-64|libc|libm|libdl|librt|libpthread|libutil|libresolv|libstdc\+\+|libgcc_s)\.so|/torch/lib/|/torch\.libs/|/nvidia/[^/]*/lib/' || true
}

pack_programs() {
  local name
  mkdir -p "$kit/bin" "$kit/lib"
  for name in "${names[@]}"; do
    [ -e "$programs/$name" ] || fail "$programs has no $name. Build it: cmake --build BUILD --target ${name/liblanelab_cuda.so/lanelab_cuda}"
    strip -o "$kit/bin/$name" "$programs/$name" || fail "$name could not be stripped"
    chmod 755 "$kit/bin/$name"
    libraries_of "$programs/$name"
  done | sort -u | while read -r library; do
    cp -L "$library" "$kit/lib/" || fail "$library could not be copied"
  done
}

# What run_kit.sh compares with the PyTorch that it finds.
pack_version() {
  local version
  version=$("$programs/lanelab-cli" doctor --json | python3 -c 'import json, sys; print(*[row["found"] for row in json.load(sys.stdin)["findings"] if row["what"] == "torch"])' | cut -d. -f1,2)
  [ -n "$version" ] || fail "$programs/lanelab-cli doctor does not say which PyTorch it has"
  [ -n "$packed" ] || [ "$version" = $torch_of_kit ] || fail "$LANELAB_TORCH_ROOT has PyTorch $version, and the kit is for $torch_of_kit. Unset LANELAB_TORCH_ROOT."
  printf '%s\n' "$version" >"$kit/torch-version"
}

# Files of the tree, at the same place.
pack_files() {
  local path
  cp "$root/tests/gpu/run_kit.sh" "$kit/"
  for path in resources/experiments resources/models resources/data resources/schema tests/gpu/kit tests/data/exported; do
    [ -d "$root/$path" ] || fail "$root has no $path"
    mkdir -p "$kit/$(dirname "$path")"
    cp -r "$root/$path" "$kit/$(dirname "$path")/"
  done
  mkdir -p "$kit/tests/bench"
  cp "$root"/tests/bench/*_peer.py "$kit/tests/bench/"
  find "$kit" -name __pycache__ -prune -exec rm -r {} +
  [ "$(find "$kit/resources/models" -name '*.pt2' | wc -l)" = 7 ] || fail "$root/resources/models does not have the seven shipped graphs"
}

[ ! -e "$kit" ] || [ -e "$kit/run_kit.sh" ] || [ -z "$(ls -A "$kit")" ] || fail "$kit has other files. Name another folder with --to, or empty this one."
packed=$programs # as they are, for any version
[ -n "$programs" ] || build
rm -rf "$kit"
mkdir -p "$kit"
pack_programs
pack_version
pack_files
kib=$(du -sk "$kit" | cut -f1)
(cd "$kit" && du -sk bin/* lib resources tests run_kit.sh | awk '{printf "%8.1f MiB  %s\n", $1 / 1024, $2}')
printf 'Libraries: %s\n' "$(cd "$kit/lib" && printf '%s ' *)"
printf '%s: %.1f MiB\n' "$kit" "$(awk -v kib="$kib" 'BEGIN {print kib / 1024}')"
[ "$kib" -lt $((most_mib * 1024)) ] || fail "the kit is larger than $most_mib MiB"
