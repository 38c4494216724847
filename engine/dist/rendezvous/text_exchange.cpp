// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/rendezvous/text_exchange.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstring>

namespace lanelab {
namespace {

/// Every member's tensor, by its number; all of one shape.
std::vector<at::Tensor> gatherTensors(c10d::Backend& group, const at::Tensor& mine) {
  std::vector<std::vector<at::Tensor>> all(1);
  for (int i = 0; i < group.getSize(); ++i) all[0].push_back(at::empty_like(mine));
  std::vector<at::Tensor> inputs{mine};
  group.allgather(all, inputs, {})->wait();
  return all[0];
}

}  // namespace

std::vector<std::string> exchangeTexts(c10d::Backend& group, const std::string& mine) {
  at::Tensor length = at::empty({1}, at::kLong);
  length.fill_(static_cast<std::int64_t>(mine.size()));
  std::vector<std::int64_t> lengths;
  for (const at::Tensor& one : gatherTensors(group, length)) lengths.push_back(one.item<std::int64_t>());
  at::Tensor bytes =
      at::zeros({std::max<std::int64_t>(1, *std::max_element(lengths.begin(), lengths.end()))}, at::kByte);
  if (!mine.empty()) std::memcpy(bytes.mutable_data_ptr(), mine.data(), mine.size());
  std::vector<std::string> all;
  for (const at::Tensor& one : gatherTensors(group, bytes)) {
    all.emplace_back(static_cast<const char*>(one.const_data_ptr()), static_cast<std::size_t>(lengths[all.size()]));
  }
  return all;
}

}  // namespace lanelab
