// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/cpu_cores.h"

#include <hwloc.h>
#include <pthread.h>
#include <sched.h>

namespace lanelab {

CpuCores::CpuCores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) == 0 && hwloc_topology_load(topology) == 0) {
    const int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    for (int i = 0; i < cores; ++i) {
      const hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, static_cast<unsigned>(i));
      const int cpu = hwloc_bitmap_first(core->cpuset);
      if (cpu >= 0 && CPU_ISSET(static_cast<std::size_t>(cpu), &allowed)) m_cpus.push_back(cpu);
    }
    const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char* const model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : nullptr;
    m_processor = model ? model : "";
  }
  if (topology) hwloc_topology_destroy(topology);
  if (m_cpus.empty()) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(static_cast<std::size_t>(cpu), &allowed)) m_cpus.push_back(cpu);
    }
  }
  if (m_cpus.empty()) m_cpus.push_back(0);
}

const CpuCores& CpuCores::ofThisMachine() {
  static const CpuCores cores;
  return cores;
}

void CpuCores::pinThread(int first, int threads) const {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < threads; ++i) {
    CPU_SET(static_cast<std::size_t>(m_cpus[static_cast<std::size_t>((first + i) % count())]), &set);
  }
  // A refusal (a container that forbids it) only costs speed.
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

std::string CpuCores::libraryVersion() {
  return hwloc_get_api_version() == HWLOC_API_VERSION ? LANELAB_HWLOC_VERSION : "";
}

}  // namespace lanelab
