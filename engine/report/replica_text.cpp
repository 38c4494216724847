// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/replica_text.h"

#include <map>

namespace lanelab {
namespace {

std::string sizesText(const std::vector<int>& sizes) {
  std::string text;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    text += (i == 0 ? "" : i + 1 == sizes.size() ? " and " : ", ") + std::to_string(sizes[i]);
  return text;
}

}  // namespace

std::vector<RunNote> replicaNotes(const RunRecord& record) {
  std::vector<RunNote> notes;
  for (const VariantRecord& variant : record.variants) {
    if (variant.replica_sizes.empty()) continue;
    std::vector<std::vector<int>> order;
    std::map<std::vector<int>, int> steps;
    for (const std::vector<int>& sizes : variant.replica_sizes) {
      if (++steps[sizes] == 1) order.push_back(sizes);
    }
    std::string text = variant.name + ": the replicas got ";
    for (std::size_t i = 0; i < order.size(); ++i) {
      const int count = steps[order[i]];
      text += (i ? "; " : "") + sizesText(order[i]) + " samples in " + std::to_string(count) +
              (count == 1 ? " step" : " steps");
    }
    notes.push_back({RunNote::Kind::Replicas, variant.name, text + "."});
  }
  return notes;
}

}  // namespace lanelab
