#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-only
# Sets up what is missing, builds, and runs every test: the address and undefined-behaviour sanitizers over what needs no torch, with the fuzz
# targets, and the thread sanitizer over the executor with fake lanes, while PyTorch is fetched; then preset release (window, engine, command
# line, PyTorch as the reference).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/cmake/setup.sh"

usage() {
  printf 'Usage: ./test.sh [options] [--fast]\nInstalls what is missing, builds, and runs every test.\n'
  common_options_help
  printf '  --fast      skip the sanitizer passes\n'
}

sanitize=1 style=1
take_common_options "$@"
for word in "${rest[@]}"; do
  case $word in
    --fast) sanitize="" ;;
    --help|-h) usage; exit 0 ;;
    *) say "test.sh: unknown option $word"; usage >&2; exit 2 ;;
  esac
done

results=()
failed=0
# Builds one preset and runs its tests; the last lines of ctest are kept for the end.
test_preset() { # preset, tests at a time, command that runs ctest...
  local preset=$1 jobs=$2 log="$root/build/$1.test.log" start=$SECONDS built
  shift 2
  # In CI a warning is an error; elsewhere a newer compiler may know new warnings.
  configure_preset "$preset" ${CI:+-DLANELAB_WERROR=ON}
  build_preset "$preset"
  built=$((SECONDS - start))
  (cd "$root" && QT_QPA_PLATFORM=offscreen "$@" ctest --preset "$preset" --parallel "$jobs") 2>&1 | tee "$log" \
    | show_progress "Testing $preset" || failed=1
  results+=("$(printf '%-10s %s (build %d s, tests %d s)' "$preset" "$(grep 'tests passed' "$log" || echo 'ctest did not finish')" $built $((SECONDS - start - built)))")
}

prepare_system
say "Debian packages are there after $SECONDS s."
prepare_torch &
torch=$!
if [ -n "$sanitize" ]; then
  # The sanitizers of g++ 12 and clang++ 14 cannot always start under the strongest address randomisation, which newer kernels use.
  fixed_addresses=()
  if setarch -R true 2>/dev/null; then fixed_addresses=(setarch -R); fi
  test_preset dev-asan "$(parallel_jobs)" "${fixed_addresses[@]}"
  test_preset core-tsan "$(parallel_jobs)" "${fixed_addresses[@]}"
fi
wait "$torch" || exit 1
# One more than cores: a fifth of what these tests take is waiting for each other's processes.
test_preset "$([ -n "$headless" ] && echo headless || echo release)" $(($(parallel_jobs) + 1))
printf '\n'
printf '%s\n' "${results[@]}"
printf 'Total: %d min %d s.\n' $((SECONDS / 60)) $((SECONDS % 60))
exit $failed
