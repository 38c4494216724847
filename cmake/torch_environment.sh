# SPDX-License-Identifier: GPL-3.0-only
# shellcheck shell=bash disable=SC2154  # whoever sources this sets the four variables below
# PyTorch in a Python environment, from the lock file: what run.sh, test.sh and an installed lanelab-setup-torch share. Source it after setting
#   venv           the environment
#   venv_name      what messages call it
#   lock           requirements.lock
#   venv_checker   check_venv.py
# Everything it says goes to stderr.

# PyTorch imports Triton only to compile kernels for a GPU, which LaneLab never does: 640 MB less.
left_out=(triton)
# Measured, in MB.
mb_venv=4300 mb_download=2400

say() { printf '%s\n' "$*" >&2; }
fail() { say "$(basename "$0"): $*"; exit 1; }

free_mb() { df -Pm "$1" | awk 'NR == 2 {print $4}'; }
in_gb() { awk -v mb="$1" 'BEGIN {printf "%.1f GB", mb / 1000}'; }

require_disk() { # folder, MB, what for
  local free
  free=$(free_mb "$1")
  [ "$free" -ge "$2" ] || fail "disk: $(in_gb "$free") free for $1, but $3 need about $(in_gb "$2"). Free some space and start again."
}

# The stamp says: this lock, installed whole, for this Python.
venv_stamp() { { cat "$lock"; "$venv/bin/python" -V 2>&1; } | sha256sum; }
venv_ready() { [ -x "$venv/bin/python" ] && [ -f "$venv/lanelab.stamp" ] && [ "$(venv_stamp)" = "$(cat "$venv/lanelab.stamp")" ]; }
check_venv() { "$venv/bin/python" "$venv_checker" "$lock" "${left_out[@]}"; }

# CUDA's libraries and all else at the same time: each pip unpacks with one core, and they have no file in common.
# Its own temporary folder, since /tmp may be small; nothing is resolved, the lock says it all. Bytecode is made when a module is first imported.
install_wheels() {
  local state=0 cuda
  install_wheels_of 1 & cuda=$!
  install_wheels_of 0 || state=1
  wait "$cuda" || state=1
  return $state
}
install_wheels_of() { # 1 for NVIDIA's packages, 0 for the others
  wheels_of "$1" | TMPDIR="$venv/tmp" "$venv/bin/python" -m pip install --disable-pip-version-check --no-cache-dir --no-compile --no-deps \
    --require-hashes --retries 3 -r /dev/stdin
}
wheels_of() { # 1 for NVIDIA's packages, 0 for the others, 2 for all
  awk -v out=" ${left_out[*]} " -v cuda="$1" \
    '/^[a-z]/ {split($1, name, "=="); skip = index(out, " " name[1] " ") || (cuda < 2 && (name[1] ~ /^nvidia-/) != cuda)} !skip' "$lock"
}

# Passes on what pip says, and shows it as lines of progress: at most one every ten seconds, or each with LANELAB_PROGRESS=each.
follow_pip() {
  local count begun=0 next=0 line
  count=$(wheels_of 2 | grep -c '^[a-z]')
  SECONDS=0
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in
      Collecting\ * | Processing\ *) begun=$((begun + 1)) ;;
      *Downloading\ *) ;;
      Installing\ *) say "PyTorch: unpacking what was downloaded"; continue ;;
      *) continue ;;
    esac
    [ -n "${LANELAB_PROGRESS:-}" ] || [ $SECONDS -ge $next ] || continue
    say "PyTorch: $begun of $count packages ($(wheel_in "$line"))"
    next=$((SECONDS + 10))
  done
}
# "torch, 912.3 MB" of "Downloading torch-2.15.0-cp311-none-any.whl (912.3 MB)"; "torch" of "Collecting torch==2.15.0 (from ...)".
wheel_in() { # line of pip
  local what size
  read -r _ what size <<<"$1"
  what=${what##*/}
  case $what in *.whl) what=${what%%-*} ;; esac
  case $size in \(*B\)) size=", ${size:1:-1}" ;; *) size="" ;; esac
  printf '%s%s' "${what%%==*}" "$size"
}

make_venv() {
  local state=0 talk
  if "$venv/bin/python" -c 'import pip' 2>/dev/null; then
    check_venv >/dev/null || state=$?
  else
    state=2
  fi
  if [ $state = 2 ]; then
    [ ! -e "$venv" ] || say "The folder $venv_name is incomplete or damaged; making it again."
    rm -rf "$venv"
    python3 -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' \
      || fail "python: $(python3 -V 2>&1), but requirements.lock holds wheels for 3.11 to 3.14. Put one of these first in PATH and start again."
    python3 -m venv "$venv" >&2 || fail "python: could not make $venv_name. Install python3-venv and start again."
  fi
  rm -f "$venv/lanelab.stamp"
  if [ $state != 0 ]; then
    say "Installing PyTorch in $venv_name (a minute or more, depending on the network) ..."
    mkdir -p "$venv/tmp"
    talk=$(install_wheels 2>&1 | follow_pip) || explain_pip_failure "$talk"
    rm -rf "$venv/tmp"
    check_venv >&2 || fail "python: $venv_name is not complete after the install (see above). Remove $venv_name and start again."
  fi
  "$venv/bin/python" -c 'import torch, torchvision, numpy, safetensors' >&2 || fail "python: PyTorch in $venv_name does not start (see above). Remove $venv_name and start again."
  venv_stamp >"$venv/lanelab.stamp"
}

explain_pip_failure() { # what pip said, kept in memory since the disk may be full
  rm -rf "$venv/tmp"
  tail -5 <<<"$1" >&2
  case $1 in
    *"No space left"*) fail "disk: full while PyTorch was put into $venv_name. Free $(in_gb $((mb_venv + mb_download))) and start again." ;;
    *"DO NOT MATCH THE HASHES"*) fail "a downloaded file is not the one that requirements.lock names; nothing of it was installed. Start again, or try another network." ;;
    *) fail "network: the Python packages could not be fetched (see above). Check the connection and start again; installed packages remain." ;;
  esac
}
