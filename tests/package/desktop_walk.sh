#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-only
# Installs a LaneLab package on a bare Debian 12 with a desktop, and walks through it as a new user does (desktop_walk.py). By hand, as root, with a network:
# it fetches Debian, and PyTorch as the first window does. Writes what the screen showed, and walk.txt.
# Usage: desktop_walk.sh LANELAB.deb PICTURES [LANGUAGE [SCHEME]]   LANGUAGE such as zh_CN.UTF-8, SCHEME light or dark; WALK_ROOT: the Debian root, kept and
# used again if it exists
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 2 ] || { sed -n '3,6s/^# //p' "$0"; exit 2; }
user=visitor
package=$(realpath "$1") pictures=$2 language=${3:-en_US.UTF-8} scheme=${4:-light}
translation=$here/../../resources/translations/lanelab_${language%%.*}.ts
root=${WALK_ROOT:-$(mktemp -d)/debian}
mkdir -p "$pictures"

in_root() { env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" bash -ec "$1"; }
finish() {
  for folder in dev/pts dev proc; do ! mountpoint -q "$root/$folder" || umount -l "$root/$folder"; done
  [ -n "${WALK_ROOT:-}" ] || rm -rf --one-file-system "$root"
}
trap finish EXIT

if [ ! -x "$root/bin/bash" ]; then
  mkdir -p "$root"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root" ${WALK_MIRROR:+"$WALK_MIRROR"} >"$root.log" 2>&1 || { tail -5 "$root.log" >&2; exit 1; }
  # How this machine reaches Debian and PyPI.
  for file in /etc/ssl/certs/ca-certificates.crt /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/apt/apt.conf.d/99* /etc/apt/sources.list.d/debian.sources; do
    [ ! -e "$file" ] || { mkdir -p "$root$(dirname "$file")"; cp -rL "$file" "$root$file"; }
  done
  [ ! -e "$root/etc/apt/sources.list.d/debian.sources" ] || : >"$root/etc/apt/sources.list"
fi
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/dev" || { mount --rbind /dev "$root/dev"; mount --make-rslave "$root/dev"; }
cp "$package" "$root/lanelab.deb"
in_root 'apt-get update -qq
  apt-get install -y -qq --no-install-recommends xvfb openbox xdotool at-spi2-core python3-pyatspi dbus-x11 libglib2.0-bin python3-pil locales fonts-wqy-microhei qt6-translations-l10n >/dev/null
  printf "en_US.UTF-8 UTF-8\nzh_CN.UTF-8 UTF-8\n" >/etc/locale.gen; locale-gen >/dev/null
  apt-get install -y -qq /lanelab.deb >/dev/null
  id '"$user"' >/dev/null 2>&1 || useradd --create-home '"$user"'
  rm -rf /walk; install -d -o '"$user"' /walk'
cp "$here/desktop_walk.py" "$root/walk/"
names=
[ ! -e "$translation" ] || { names=/walk/names.ts; cp "$translation" "$root$names"; }
cp "$here/../data/exported/convnext.pt2" "$root/home/$user/net.pt2"
# What a user before left, but for PyTorch, which takes minutes.
in_root "rm -rf /home/$user/.config /home/$user/.local/state /home/$user/.cache /home/$user/*.html /home/$user/*.json; find /home/$user/.local/share/lanelab -mindepth 1 -maxdepth 1 ! -name python -exec rm -rf {} + 2>/dev/null || true
  install -d -o $user -g $user /home/$user/.config /home/$user/.config/lanelab
  printf '[look]\nscheme=$scheme\n' >/home/$user/.config/lanelab/lanelab.ini; chown $user: /home/$user/.config/lanelab/lanelab.ini
  Xvfb :91 -screen 0 1600x1000x24 -nolisten tcp >/dev/null 2>&1 & display=\$!
  trap 'kill \$display' EXIT
  su $user -c 'cd; export DISPLAY=:91 HOME=/home/$user XDG_RUNTIME_DIR=/walk/runtime QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 LANG=$language; unset LC_ALL; mkdir -m 700 /walk/runtime
    exec dbus-run-session -- bash -c \"openbox & python3 -B /walk/desktop_walk.py /walk $names >/walk/walk.txt 2>&1; echo \\\$? >/walk/code\"' >/walk/session.log 2>&1"
cp "$root"/walk/*.png "$root/walk/walk.txt" "$pictures/"
cat "$root/walk/walk.txt"
exit "$(cat "$root/walk/code")"
