#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-only
# Builds the command line against one version of PyTorch and runs the tests that need PyTorch: engine, PyTorch as the reference, exports, GPU kit.
# Usage: tests/with_torch.sh VERSION [words for ctest instead]    such as 2.11.0, the oldest supported; 5 GB in build/torch-VERSION
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../cmake/setup.sh"
. "$root/cmake/other_torch.sh"
case ${1:-} in [0-9]*.[0-9]*) ;; *) sed -n '3,4s/^# //p' "${BASH_SOURCE[0]}"; exit 2 ;; esac
version=$1
shift

site=$(other_torch "$version")
build="$root/build/torch-$version/headless"
log="$root/build/torch-$version/test.log"
(cd "$root" && cmake --preset headless -B "$build" -DLANELAB_TORCH_ROOT="$site") >"$root/build/torch-$version/configure.log" 2>&1 \
  || { cat "$root/build/torch-$version/configure.log" >&2; fail "configuring for PyTorch $version failed (see above)"; }
NINJA_STATUS='@%f/%t@' cmake --build "$build" --parallel "$(parallel_jobs)" 2>&1 | show_progress "Building for PyTorch $version" >&2 \
  || fail "building for PyTorch $version failed (see above)"

failed=0
run_tests() { # words for ctest
  ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$(parallel_jobs)" "$@" 2>&1 | tee -a "$log" | show_progress "Testing with PyTorch $version" || failed=1
}
: >"$log"
if [ $# -gt 0 ]; then
  run_tests "$@"
else
  run_tests -L 'torch|oracle|gpu'
  run_tests -R '^cli\.(new_model|check|run)$'
fi
printf 'PyTorch %s: %s\n' "$version" "$(grep 'tests passed' "$log" | paste -sd ' ' || echo 'ctest did not finish')"
exit $failed
