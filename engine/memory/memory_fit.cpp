// SPDX-License-Identifier: GPL-3.0-only
#include "engine/memory/memory_fit.h"

#include <map>

#include "base/text.h"
#include "engine/experiment/row_order.h"
#include "engine/memory/variant_memory.h"
#include "engine/model/shape.h"

namespace lanelab {
namespace {

/// What one memory holds at the peak of a variant.
struct NeededMemory {
  std::int64_t lanes = 0;   ///< of the variant
  std::int64_t others = 0;  ///< that the other variants retain
  std::int64_t data = 0;
  std::size_t largest_lane = 0;
  std::int64_t of_largest = 0;
  std::int64_t total() const { return lanes + others + data; }
};

using Needs = std::map<std::string, NeededMemory>;

bool isHere(const FitQuestion& question, std::size_t lane) {
  return question.experiment.lanes[lane].rank == question.rank;
}

std::string memoryOf(const FitQuestion& question, std::size_t lane) {
  return memoryOfDevice(question.experiment.lanes[lane].device);
}

void addLanes(const FitQuestion& question, std::size_t variant, Needs& needs) {
  const std::vector<LaneForecast>& forecasts = question.forecasts[variant];
  for (std::size_t lane = 0; lane < forecasts.size(); ++lane) {
    const std::int64_t bytes = forecasts[lane].at_peak.total();
    if (bytes == 0 || !isHere(question, lane)) continue;
    NeededMemory& need = needs[memoryOf(question, lane)];
    need.lanes += bytes;
    if (bytes <= need.of_largest) continue;
    need.of_largest = bytes;
    need.largest_lane = lane;
  }
}

void addOthers(const FitQuestion& question, std::size_t variant, Needs& needs) {
  for (std::size_t other = 0; other < question.forecasts.size(); ++other) {
    if (other == variant) continue;
    for (std::size_t lane = 0; lane < question.forecasts[other].size(); ++lane) {
      const auto need = needs.find(memoryOf(question, lane));
      if (need != needs.end() && isHere(question, lane))
        need->second.others += question.forecasts[other][lane].resting.total();
    }
  }
}

Needs needsOf(const FitQuestion& question, std::size_t variant) {
  Needs needs;
  addLanes(question, variant, needs);
  if (question.together == Together::AllVariants) addOthers(question, variant, needs);
  if (!needs.empty()) needs[memoryOfDevice(Device::cpu(0))].data += randomDataBytes(question.experiment.data);
  return needs;
}

/// "lane 1 (cpu:1) 207 GiB, the other variants 1.2 GiB, the data 512 MiB"
std::string parts(const FitQuestion& question, const NeededMemory& need) {
  std::string text;
  const auto add = [&text](const std::string& what, std::int64_t bytes) {
    if (bytes > 0) text += (text.empty() ? "" : ", ") + what + " " + formatBytes(bytes);
  };
  const std::string lane = std::to_string(need.largest_lane);
  const bool alone = need.of_largest == need.lanes;
  add(std::string(alone ? "" : "most of it ") + "lane " + lane + " (" +
          question.experiment.lanes[need.largest_lane].title() + ")",
      need.of_largest);
  add("the other variants", need.others);
  add("the data", need.data);
  return text;
}

/// What would make it fit, by what the memory is taken.
std::string remedies(const FitQuestion& question, std::size_t variant, const NeededMemory& need, std::int64_t there) {
  const bool pipeline = question.experiment.variants[variant].strategy == Strategy::Pipeline;
  const bool alone_fits = need.total() - need.others <= there;
  return "Use a smaller batch, micro-batch size or input, " + std::string(pipeline ? "the schedule 1F1B, " : "") +
         (alone_fits ? "fewer variants" : "more lanes with memory of their own") + ", or close other programs.";
}

std::string sentenceOf(const FitQuestion& question, std::size_t variant, const std::string& memory,
                       const NeededMemory& need, std::int64_t there) {
  return question.experiment.variants[variant].name + " needs " + formatBytes(need.total()) + " of " + memory +
         " at its peak (predicted: " + parts(question, need) + "), and " + formatBytes(there) + " are free. " +
         remedies(question, variant, need, there);
}

std::vector<std::string> deviceWarnings(const FitQuestion& question) {
  std::vector<std::string> warnings;
  for (std::size_t variant = 0; variant < question.forecasts.size(); ++variant) {
    for (const auto& [memory, need] : needsOf(question, variant)) {
      const std::int64_t there = memoryThere(memory, question.devices);
      if (there > 0 && need.total() > there) warnings.push_back(sentenceOf(question, variant, memory, need, there));
    }
  }
  return warnings;
}

std::vector<std::string> limitWarnings(const FitQuestion& question) {
  std::vector<std::string> warnings;
  for (std::size_t variant = 0; variant < question.forecasts.size(); ++variant) {
    for (const LaneOverLimit& over : lanesOverLimit(question.experiment, question.forecasts[variant])) {
      warnings.push_back(question.experiment.variants[variant].name + " needs " + formatBytes(over.needed) +
                         " on lane " + std::to_string(over.lane.value) + " (" +
                         question.experiment.lanes[over.lane.index()].title() + ") at its peak (predicted), and the " +
                         "lane's memory limit is " + formatBytes(over.limit) +
                         (question.experiment.variants[variant].strategy == Strategy::Pipeline
                              ? ". Choose another schedule or recompute (lanelab-cli curve lists them), or raise the "
                                "limit."
                              : ". Recompute, choose a smaller batch, or raise the limit."));
    }
  }
  return warnings;
}

}  // namespace

std::vector<std::string> memoryWarnings(const FitQuestion& question) {
  std::vector<std::string> warnings = deviceWarnings(question);
  for (std::string& sentence : limitWarnings(question)) warnings.push_back(std::move(sentence));
  return warnings;
}

Status fitsMemory(const FitQuestion& question, const MemoryRule& rule) {
  if (rule.force) return {};
  const std::vector<std::string> warnings = deviceWarnings(question);
  if (warnings.empty()) return {};
  return Error::badInput(verbatim(warnings.front() + (rule.way_out.empty() ? "" : " " + rule.way_out)));
}

std::int64_t randomDataBytes(const DataConfig& data) {
  return data.source == DataSource::Random ? randomRowCount(data) * numbersOf(data.shape) * 4 : 0;
}

}  // namespace lanelab
