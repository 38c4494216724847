// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/torch_version.h"

#include <ATen/Version.h>

#include <string_view>

namespace lanelab {

std::string loadedTorchVersion() {
  constexpr std::string_view kKey = "TORCH_VERSION=";
  const std::string config = at::show_config();
  const std::size_t key = config.find(kKey);
  if (key == std::string::npos) return {};
  const std::size_t begin = key + kKey.size();
  return config.substr(begin, config.find_first_of(", \n", begin) - begin);
}

}  // namespace lanelab
