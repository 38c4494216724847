// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/archive/eager_step.h"

#include <cmath>
#include <utility>

#include "engine/exported/archive/program_json.h"
#include "engine/files/clipped_name.h"
#include "engine/files/zip_archive.h"

namespace lanelab {
namespace {

constexpr std::int64_t kStepVersion = 1;
constexpr std::uint64_t kLargestStep = std::uint64_t{4} << 20;
constexpr std::int64_t kLargestEagerBatch = 256;
constexpr std::int64_t kMostIds = std::int64_t{1} << 31;
constexpr std::size_t kLongestVersion = 64;
constexpr const char* kEagerRecord = "extra/lanelab_eager.json";

double finiteNumber(JsonElement element) {
  const double value = numberOf(element);
  if (!std::isfinite(value)) throw UnreadProgram{"a number is not finite"};
  return value;
}

EagerStep::Gradient gradientOf(std::string_view name, JsonElement numbers) {
  const std::vector<double> three = listWith<double>(numbers, finiteNumber);
  if (three.size() != 3 || three[0] < 0 || three[2] < 0)
    throw UnreadProgram{"the gradient of " + clippedName(name) + " is not a norm, a sum and a move"};
  return {std::string(name), three[0], three[1], three[2]};
}

EagerStep stepOf(JsonElement root) {
  const std::int64_t version = integerOf(fieldOf(root, "version"));
  if (version != kStepVersion)
    throw UnreadProgram{"it has version " + std::to_string(version) + ", and only version " +
                            std::to_string(kStepVersion) + " is supported",
                        "Use a newer version of LaneLab."};
  EagerStep step;
  step.torch_version = std::string(textOf(fieldOf(root, "torch")).substr(0, kLongestVersion));
  if (const auto left_out = optionalField(root, "left_out")) {
    const auto why = fromWord<EagerStep::LeftOut>(textOf(*left_out));
    if (!why || *why == EagerStep::LeftOut::Nothing) throw UnreadProgram{"its reason for no numbers is not known"};
    step.left_out = *why;
    return step;
  }
  step.batch = integerWithin(fieldOf(root, "batch"), 1, kLargestEagerBatch);
  step.seed = static_cast<std::uint64_t>(integerWithin(fieldOf(root, "seed"), 0, kMostIds));
  if (const auto ids = optionalField(root, "ids")) step.ids = integerWithin(*ids, 1, kMostIds);
  step.input_sum = finiteNumber(fieldOf(root, "input_sum"));
  if (step.input_sum < 0) throw UnreadProgram{"its input_sum is negative"};
  const std::vector<double> loss = listWith<double>(fieldOf(root, "loss"), finiteNumber);
  if (loss.size() != 2 || loss[1] < 0) throw UnreadProgram{"its loss is not a number and a move"};
  step.loss = loss[0];
  step.loss_moved = loss[1];
  for (const simdjson::dom::key_value_pair field : objectOf(fieldOf(root, "gradients")))
    step.gradients.push_back(gradientOf(field.key, field.value));
  return step;
}

std::optional<EagerStep> stepIn(const ZipArchive& archive) {
  const std::string name = archive.folder() + kEagerRecord;
  const ZipRecord* const record = archive.find(name);
  if (!record) return std::nullopt;
  return within([&] { return "its record " + std::string(kEagerRecord); },
                [&] {
                  if (record->bytes > kLargestStep) throw UnreadProgram{"it is larger than 4 MiB"};
                  return stepOf(ProgramJson(archive, name).root());
                });
}

}  // namespace

Result<std::optional<EagerStep>> readEagerStep(ReadableBytes source, const std::string& place) {
  return readArchive<std::optional<EagerStep>>(std::move(source), place, stepIn);
}

Result<std::optional<EagerStep>> readEagerStep(const std::string& path) {
  return readArchive<std::optional<EagerStep>>(openBytes(path), path, stepIn);
}

}  // namespace lanelab
