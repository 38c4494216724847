# SPDX-License-Identifier: GPL-3.0-only
# shellcheck shell=bash
# What run.sh and test.sh share: options, Debian packages, .venv from requirements.lock, configure and build.
# Source it. Everything it says goes to stderr, so that the standard output stays with the job.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
yes=${CI:+1} dry_run="" headless="" use_apt=1 sanitize="" style=""
rest=()

packages_core=(build-essential cmake ninja-build git python3-venv pkg-config ccache mold
  nlohmann-json3-dev libcli11-dev zlib1g-dev libpng-dev libjpeg-dev libsimdjson-dev libsqlite3-dev libcurl4-openssl-dev libminizip-dev libhwloc-dev libgmock-dev libgloo-dev)
# qt6-charts-dev looks for libqt6opengl6-dev without naming it; Wayland's plugin and a font would come only as recommendations. Qt's own buttons and
# dialogs in other languages are in qt6-translations-l10n.
packages_desktop=(qt6-base-dev libqt6opengl6-dev qt6-charts-dev qt6-svg-dev qt6-l10n-tools qt6-translations-l10n qt6-wayland fonts-dejavu-core)
# A second compiler, which makes the sanitizers' builds sooner (cmake/LanelabCompiler.cmake); asked for by test.sh alone.
packages_sanitizers=(clang libclang-rt-dev)
# What tests hold the sources and the files of runs against; asked for by test.sh alone. Most of it are the libraries of clang.
packages_style=(clang-format clang-tidy python3-jsonschema)
# What tests check an installed LaneLab and its Debian packages with; asked for by test.sh alone.
packages_packaging=(desktop-file-utils shared-mime-info appstream lintian fakeroot zsh)
# What tests show the window in Chinese with; asked for by test.sh alone.
packages_fonts=(fonts-wqy-microhei)
# Measured on a bare Debian 12, in MB; packages with what apt keeps in its cache.
mb_packages_core=530 mb_packages_desktop=405 mb_packages_sanitizers=110 mb_packages_style=335 mb_build=900 mb_memory=1200 mb_memory_a_job=1500 mb_memory_of_many=3000

# PyTorch, and the functions that all scripts share.
venv="$root/.venv" venv_name=.venv lock="$root/requirements.lock" venv_checker="$root/cmake/check_venv.py"
. "$root/cmake/torch_environment.sh"

common_options_help() {
  cat <<'TEXT'
  --yes       do not ask
  --dry-run   print what would be done and the disk space it needs, and do nothing
  --headless  no Qt: the command line only
  --no-apt    install no Debian packages; fail at configure time if one is missing
  --help      this text
TEXT
}

# Takes the common options off the front; the first other word and all that follow stay in rest.
take_common_options() {
  while [ $# -gt 0 ]; do
    case $1 in
      --yes|-y) yes=1 ;;
      --dry-run) dry_run=1 ;;
      --headless) headless=1 ;;
      --no-apt) use_apt="" ;;
      *) break ;;
    esac
    shift
  done
  rest=("$@")
}

wanted_packages() {
  printf '%s\n' "${packages_core[@]}"
  [ -n "$headless" ] || printf '%s\n' "${packages_desktop[@]}"
  [ -z "$sanitize" ] || printf '%s\n' "${packages_sanitizers[@]}"
  [ -z "$style" ] || printf '%s\n' "${packages_style[@]}" "${packages_packaging[@]}" "${packages_fonts[@]}"
}

missing_packages() {
  [ -n "$use_apt" ] && command -v dpkg-query >/dev/null || return 0
  local installed
  # shellcheck disable=SC2016  # the format is dpkg's
  installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' 2>/dev/null | sed -n 's/^ii  *//p' | sort -u)
  wanted_packages | sort | comm -23 - <(printf '%s\n' "$installed")
}

same_disk() { [ "$(df -P "$1" | awk 'NR == 2 {print $6}')" = "$(df -P "$2" | awk 'NR == 2 {print $6}')" ]; }
# LANELAB_TORCH_ROOT names another PyTorch.
torch_ready() { [ -n "${LANELAB_TORCH_ROOT:-}" ] || venv_ready; }
memory_mb() { awk '/^MemAvailable/ {print int($2 / 1024)}' /proc/meminfo; }

# Says what has to be done, checks that the machine can take it, and asks once.
announce() { # missing packages
  local mb_system=0 mb_project=0
  if [ $# -gt 0 ]; then
    mb_system=$mb_packages_core
    [ -n "$headless" ] || mb_system=$((mb_system + mb_packages_desktop))
    [ -z "$sanitize" ] || mb_system=$((mb_system + mb_packages_sanitizers))
    [ -z "$style" ] || mb_system=$((mb_system + mb_packages_style))
    mb_system=$((mb_system * $# / $(wanted_packages | wc -l)))
    say "- install with apt-get (about $(in_gb $mb_system)): $*"
  fi
  if ! torch_ready; then
    mb_project=$((mb_venv + mb_download))
    say "- put PyTorch and its libraries into .venv ($(in_gb $mb_venv), and $(in_gb $mb_download) for the download, which is removed afterwards)"
  fi
  if [ ! -d "$root/build" ]; then
    mb_project=$((mb_project + mb_build))
    say "- build LaneLab in build/ ($(in_gb $mb_build))"
  fi
  [ $((mb_system + mb_project)) -gt 0 ] || { [ -z "$dry_run" ] || say "Nothing to install."; return 0; }
  [ "$(uname -m)" = x86_64 ] || [ -n "${LANELAB_TORCH_ROOT:-}" ] \
    || fail "processor: $(uname -m), but requirements.lock holds wheels for x86_64 only. Set LANELAB_TORCH_ROOT to a site-packages folder with torch 2.11 or later."
  if same_disk / "$root"; then
    require_disk "$root" $((mb_system + mb_project)) "set-up and build"
  else
    require_disk / $mb_system "the Debian packages"
    require_disk "$root" $mb_project "PyTorch and the build"
  fi
  [ "$(memory_mb)" -ge $mb_memory ] \
    || fail "memory: $(in_gb "$(memory_mb)") free, but compiling against LibTorch needs $(in_gb $mb_memory). Close other programs and start again."
}

agree() {
  [ -z "$yes" ] && [ -t 0 ] || return 0
  local answer=""
  read -r -t 30 -p "Continue? [Y/n] (continues in 30 s) " answer >&2 || say ""
  case $answer in [nN]*) say "Nothing was changed."; exit 1 ;; esac
}

install_packages() { # packages
  local as_root=() log="$root/build/apt.log"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || fail "Debian packages are missing and there is no sudo. As root: apt-get install --no-install-recommends $*"
    as_root=(sudo)
    say "Installing Debian packages needs root: sudo may ask for your password."
  fi
  say "Installing ${#} Debian packages and what they need (a minute or two) ..."
  # One root shell, so that the password is asked for once.
  # shellcheck disable=SC2016  # expanded by that shell
  "${as_root[@]}" sh -c 'export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq || true
    apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"' apt "$@" >"$log" 2>&1 </dev/null \
    || { grep -E '^(E|W|Err)' "$log" >&2 || tail -5 "$log" >&2; fail "network or apt: the Debian packages could not be installed (see above). Fix that and start again, or install them by hand and add --no-apt: $*"; }
}

# Everything that has to be there before cmake runs. Does nothing, quickly, when it is there.
prepare() { prepare_system; prepare_torch; }
prepare_system() {
  local missing=()
  mapfile -t missing < <(missing_packages)
  if [ ${#missing[@]} -gt 0 ] || ! torch_ready || [ ! -d "$root/build" ] || [ -n "$dry_run" ]; then
    say "LaneLab set-up:"
    announce "${missing[@]}"
    [ -z "$dry_run" ] || exit 0
    agree
  fi
  mkdir -p "$root/build"
  if [ ${#missing[@]} -gt 0 ]; then install_packages "${missing[@]}"; fi
}
# Two scripts started at once must not fill the same .venv.
prepare_torch() { torch_ready || { exec 9>"$root/build/.setup.lock"; flock 9; venv_ready || make_venv; exec 9>&-; }; }

parallel_jobs() {
  local by_memory=$(($(memory_mb) / mb_memory_a_job)) cores
  cores=$(nproc)
  [ $by_memory -ge 1 ] || by_memory=1
  echo $((by_memory < cores ? by_memory : cores))
}

# Shows the progress of ninja and ctest as one line, and all else that they print as it is: on a terminal a line that is overwritten at most once a
# second, in a log a new line at most every ten seconds.
show_progress() { # what is in progress
  local what=$1 every=10 next=0 line
  [ ! -t 1 ] || every=1
  SECONDS=0
  while IFS= read -r line; do
    if [[ $line =~ ^@([0-9]+)/([0-9]+)@ || $line =~ ^\ *([0-9]+)/([0-9]+)\ Test\ .*(Passed|Skipped)\ +[0-9.]+\ sec ]]; then
      [ $SECONDS -ge $next ] || [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ] || continue
      print_progress "$what" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" $every
      next=$((SECONDS + every))
    elif [[ ! $line =~ ^\ +Start\ +[0-9]+: ]]; then
      [ $every = 10 ] || printf '\r\033[K'
      printf '%s\n' "$line"
    fi
  done
  [ $every = 10 ] || [ $next = 0 ] || printf '\n'
}
print_progress() { # what is in progress, done, of how many, seconds between lines
  local left=""
  # Early figures are of small steps.
  if [ "$2" = "$3" ]; then
    left=", took $(in_minutes $SECONDS)"
  elif [ $SECONDS -ge 10 ] && [ $(($2 * 20)) -ge "$3" ]; then
    left=", about $(in_minutes $((SECONDS * ($3 - $2) / $2))) left"
  fi
  [ "$4" = 10 ] || printf '\r'
  printf '%s: %d %% (%d of %d)%s' "$1" $(($2 * 100 / $3)) "$2" "$3" "$left"
  if [ "$4" = 10 ]; then printf '\n'; else printf '\033[K'; fi
}
in_minutes() { if [ "$1" -lt 60 ]; then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi; }

# Configures one preset, quietly; further words go to cmake. What is built from nothing compiles many files at a time, if there is memory for that:
# a fifth of the compiler's time is saved, and preset dev is there for changes of single files.
configure_preset() { # preset, cmake options
  local preset=$1 log="$root/build/$1.configure.log" fresh=()
  shift
  if [ ! -f "$root/build/$preset/CMakeCache.txt" ] && [ "$(memory_mb)" -ge $(($(nproc) * mb_memory_of_many)) ]; then
    set -- -DLANELAB_FILES_AT_A_TIME=32 "$@"
  fi
  if [ -f "$root/build/$preset/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$root/build/$preset/CMakeCache.txt"; then
    fresh=(--fresh) # the folder was moved or copied
  fi
  (cd "$root" && cmake --preset "$preset" "${fresh[@]}" "$@") >"$log" 2>&1 || { cat "$log" >&2; fail "configuring preset $preset failed (see above)"; }
}

# Builds one configured preset: these targets, or everything.
build_preset() { # preset, targets
  local preset=$1
  shift
  (cd "$root" && NINJA_STATUS='@%f/%t@' cmake --build --preset "$preset" --parallel "$(parallel_jobs)" ${1:+--target "$@"}) 2>&1 \
    | show_progress "Building $preset" >&2 || fail "building preset $preset failed (see above)"
}
