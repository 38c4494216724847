# SPDX-License-Identifier: GPL-3.0-only
# shellcheck shell=bash
# A PyTorch of another version than .venv's, in build/torch-VERSION/venv. Source it after setup.sh.

# Prints the site-packages folder with PyTorch of this version; installs it first where it is not there. Its packages besides PyTorch have the
# versions of requirements.in, and the headers of CUDA that the wheels leave out those of its own CUDA.
other_torch() { # version, such as 2.11.0
  local version=$1 venv="$root/build/torch-$1/venv" python cuda
  python="$venv/bin/python"
  if [ ! -e "$venv/complete" ]; then
    mkdir -p "$root/build/torch-$version"
    require_disk "$root" $((mb_venv + mb_download)) "PyTorch $version"
    say "Installing PyTorch $version in build/torch-$version (a minute or more, depending on the network) ..."
    rm -rf "$venv"
    python3 -m venv "$venv" >&2 || fail "python: could not make $venv. Install python3-venv and start again."
    grep -vE '^(#|torch|nvidia)' "$root/requirements.in" >"$venv/others.txt"
    "$python" -m pip install --quiet --disable-pip-version-check --no-cache-dir "torch==$version" torchvision -r "$venv/others.txt" >&2 \
      || fail "network: PyTorch $version could not be installed (see above). Is there such a version? Check the connection and start again."
    cuda=$("$python" -c 'import torch; print(".".join((torch.version.cuda or "").split(".")[:2]))')
    [ -z "$cuda" ] || "$python" -m pip install --quiet --disable-pip-version-check --no-cache-dir --no-deps "nvidia-cuda-crt==$cuda.*" "nvidia-cuda-cccl==$cuda.*" >&2 \
      || fail "network: the headers of CUDA $cuda could not be installed (see above). Check the connection and start again."
    : >"$venv/complete"
  fi
  "$python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))'
}
