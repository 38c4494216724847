// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/record/nvtx_ranges.h"

#include <nvtx3/nvToolsExt.h>

namespace lanelab {

namespace {

/// Null without a tool.
nvtxDomainHandle_t domain() {
  static const nvtxDomainHandle_t handle = nvtxDomainCreateA("LaneLab");
  return handle;
}

}  // namespace

bool nvtxListens() { return domain() != nullptr; }

NvtxRange::NvtxRange(const std::string& name) {
  if (!nvtxListens()) return;
  nvtxEventAttributes_t range{};
  range.version = NVTX_VERSION;
  range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  range.messageType = NVTX_MESSAGE_TYPE_ASCII;
  range.message.ascii = name.c_str();
  nvtxDomainRangePushEx(domain(), &range);
}

NvtxRange::~NvtxRange() {
  if (nvtxListens()) nvtxDomainRangePop(domain());
}

}  // namespace lanelab
