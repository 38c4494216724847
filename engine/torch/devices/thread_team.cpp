// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/thread_team.h"

#include <dlfcn.h>

namespace lanelab {

void dismissThreadTeam() {
  // OpenMP 5.0's, of the library that LibTorch loaded; a library without it has no such count either.
  using PauseAll = int (*)(int kind);
  static const auto pause = reinterpret_cast<PauseAll>(::dlsym(RTLD_DEFAULT, "omp_pause_resource_all"));
  constexpr int kSoft = 1;  // omp_pause_soft
  if (pause) pause(kSoft);
}

}  // namespace lanelab
