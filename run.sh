#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-only
# Sets up what is missing, builds, and opens LaneLab on the demo. Without a display it runs the demo and writes a report instead.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/cmake/setup.sh"

usage() {
  cat <<'TEXT'
Usage: ./run.sh [options] [FILE or RUN FOLDER]   opens the window; FILE is an experiment (default: the demo)
       ./run.sh [options] cli ARGUMENTS...       runs lanelab-cli with these arguments
Without a display, or with --headless, the experiment is run and its report is written to report-NAME-TIME/.
TEXT
  common_options_help
}

# The environment of a display, not a guess: X11 forwarding and Wayland both set one.
has_display() { [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; }

# A new folder beside this script, named after the experiment.
report_folder() { # experiment file
  local name
  name=$(basename "$1")
  printf '%s/report-%s-%s' "$root" "${name%.*}" "$(date +%Y%m%d-%H%M%S)"
}

print_where() { # report folder
  printf '\nOpen %s/report.html in a browser, and the traces in the run folder at ui.perfetto.dev.\n' "$1"
}

# Tables only: figures come from the window's painters.
run_headless() { # experiment file
  local cli="$root/build/headless/bin/lanelab-cli" out
  out=$(report_folder "$1")
  mkdir -p "$out"
  "$cli" run "$1" --out "$out/run"
  "$cli" export "$out/run" --what report --format html --out "$out/report.html"
  "$cli" export "$out/run" --what comparison --format csv --out "$out/comparison.csv"
  printf 'Run folder: %s/run\nFigures need the desktop part: ./run.sh without --headless.\n' "$out"
  print_where "$out"
}

run_offscreen() { # experiment file
  local out
  out=$(report_folder "$1")
  say "No display (DISPLAY and WAYLAND_DISPLAY are empty): running the experiment and writing a report."
  QT_QPA_PLATFORM=offscreen "$root/build/release/bin/lanelab" --offscreen-report "$out" "$1"
  print_where "$out"
}

take_common_options "$@"
set -- "${rest[@]}"
case ${1:-} in
  --help|-h) usage; exit 0 ;;
  -*) say "run.sh: unknown option $1"; usage >&2; exit 2 ;;
esac
[ $# -le 1 ] || [ "$1" = cli ] || { say "run.sh: one file or folder at a time"; usage >&2; exit 2; }

preset=release
[ -z "$headless" ] || preset=headless
prepare
configure_preset "$preset"
build_preset "$preset" programs

if [ "${1:-}" = cli ]; then
  shift
  exec "$root/build/$preset/bin/lanelab-cli" "$@"
fi
subject=${1:-$root/resources/experiments/demo.json}
if [ -n "$headless" ]; then
  run_headless "$subject"
elif has_display; then
  exec "$root/build/release/bin/lanelab" "$subject"
else
  run_offscreen "$subject"
fi
