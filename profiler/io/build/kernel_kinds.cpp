// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/kernel_kinds.h"

#include "profiler/io/build/gpu_names.h"
#include "profiler/trace/communication.h"

namespace lanelab {

Category KernelKinds::kindOf(std::string_view name, Source source) {
  const bool mtia = source == Source::Mtia;
  if (mtia && name.starts_with("dma")) return Category::Memcpy;
  if (mtia && (name.starts_with("event_") || name.find("Sync") != std::string_view::npos)) return Category::Other;
  const Category kind = source == Source::AnyWork ? deviceWorkOf(name) : Category::Kernel;
  if (kind != Category::Kernel) return kind;
  return isCommunicationKernel(name) ? Category::Communication : Category::Kernel;
}

}  // namespace lanelab
