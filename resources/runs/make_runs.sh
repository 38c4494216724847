#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-only
# Records the runs that the program brings along, on an idle machine: the demo, which the first minute shows, and those of the lessons. Run it
# again when a file here, the demo or the format of runs changes.
#
# Usage: make_runs.sh LANELAB_CLI [NAME...]
set -euo pipefail
cli=$(realpath "$1"); shift
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names=("$@")
if [ ${#names[@]} = 0 ]; then names=(demo $(cd "$here" && ls lesson-*.json | sed 's/\.json$//')); fi
for name in "${names[@]}"; do
  experiment="$here/$name.json"
  [ -e "$experiment" ] || experiment="$here/../experiments/$name.json"
  (cd "$work" && "$cli" run "$experiment" --out "$name")
  # Whose machine it was is nobody's business; what it is stays.
  sed -i -E 's/("host": )"[^"]*"/\1"recorded"/; s/("command": )"[^"]*"/\1"lanelab-cli run '"$name"'.json"/' "$work/$name/run.json"
  rm -f "$here/$name.zip"
  "$cli" export "$work/$name" --what archive --out "$here/$name.zip"
done
