// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/cost_file.h"

#include <cstdint>
#include <set>

#include "base/json_fields.h"
#include "base/text.h"
#include "base/whole_file.h"

namespace lanelab {
namespace {

constexpr std::uint64_t kLargestFile = 16u << 20;
constexpr std::size_t kMostBlocks = 2000;      // far above every network; keeps the planner's tables small
constexpr double kLongestMilliseconds = 1e12;  // thirty years: sums stay exact enough to be compared
constexpr double kMillisecondsPerSecond = 1e3;

/// Milliseconds, kept as seconds.
double checkedSeconds(FieldErrors& errors, const std::string& path, double milliseconds) {
  if (milliseconds >= 0 && milliseconds <= kLongestMilliseconds) return milliseconds / kMillisecondsPerSecond;
  errors.add(path + " must be from 0 to " + formatNumber(kLongestMilliseconds, 15) + " milliseconds, not " +
             exactNumber(milliseconds) + ".");
  return 0;
}

double readTime(FieldErrors& errors, ObjectReader& reader, const char* key, ObjectReader::Need need) {
  double milliseconds = 0;
  reader.read(key, milliseconds, need);
  return checkedSeconds(errors, reader.pathOf(key), milliseconds);
}

BlockCost readBlock(FieldErrors& errors, const Json& value, const std::string& path) {
  ObjectReader reader(errors, value, path);
  reader.refuseUnknown({"name", "forward_ms", "backward_ms", "backward_weight_ms"});
  BlockCost block;
  reader.read("name", block.name, ObjectReader::Need::Yes);
  block.forward = readTime(errors, reader, "forward_ms", ObjectReader::Need::Yes);
  block.backward = readTime(errors, reader, "backward_ms", ObjectReader::Need::Yes);
  block.backward_weight = readTime(errors, reader, "backward_weight_ms", ObjectReader::Need::No);
  if (block.name.empty()) errors.add(reader.pathOf("name") + " is empty. Give the block its name.");
  if (block.backward_weight > block.backward) {
    errors.add(reader.pathOf("backward_weight_ms") +
               " is part of backward_ms, so it must not be above it. Lower it, or raise backward_ms.");
  }
  return block;
}

std::vector<BlockCost> readBlocks(FieldErrors& errors, ObjectReader& reader) {
  std::vector<BlockCost> blocks;
  const Json* const list = reader.list("blocks", ObjectReader::Need::Yes);
  if (list == nullptr) return blocks;
  if (list->empty()) errors.add("blocks is empty. List at least one block.");
  if (list->size() > kMostBlocks) {
    errors.add("blocks holds " + std::to_string(list->size()) + " blocks; at most " + std::to_string(kMostBlocks) +
               " are possible. Merge some.");
    return blocks;
  }
  std::set<std::string> names;
  for (const Json& item : *list) {
    const std::string path = indexPath("blocks", blocks.size());
    blocks.push_back(readBlock(errors, item, path));
    const std::string& name = blocks.back().name;
    if (!names.insert(name).second)
      errors.add(path + ".name is \"" + name + "\", like an earlier block's. Give each block its own name.");
  }
  return blocks;
}

std::vector<double> readTransfers(FieldErrors& errors, ObjectReader& reader, std::size_t blocks) {
  const std::size_t boundaries = blocks == 0 ? 0 : blocks - 1;
  std::vector<double> transfers(boundaries, 0.0);
  const Json* const list = reader.list("transfers_ms");
  if (list == nullptr) return transfers;
  if (list->size() != boundaries) {
    errors.add("transfers_ms holds " + std::to_string(list->size()) + " values for " + std::to_string(blocks) +
               " blocks; give one for each boundary: " + std::to_string(boundaries) + ".");
    return transfers;
  }
  for (std::size_t i = 0; i < boundaries; ++i) {
    const std::string path = indexPath("transfers_ms", i);
    const Json& item = (*list)[i];
    if (item.is_number())
      transfers[i] = checkedSeconds(errors, path, item.get<double>());
    else
      errors.add(path + " must be a number of milliseconds, not " + describeJson(item) + ".");
  }
  return transfers;
}

}  // namespace

Result<CostModel> parseCosts(std::string_view json, const std::string& place) {
  return readJson(json, place, [](FieldErrors& errors, const Json& value) {
    ObjectReader reader(errors, value, "");
    reader.refuseUnknown({"blocks", "transfers_ms"});
    CostModel costs;
    costs.blocks = readBlocks(errors, reader);
    costs.transfers = readTransfers(errors, reader, costs.blocks.size());
    return costs;
  });
}

Result<CostModel> readCosts(const std::string& path) {
  const Result<std::string> text = readWholeFile(path, kLargestFile);
  if (!text.ok()) return text.error();
  return parseCosts(*text, path);
}

}  // namespace lanelab
